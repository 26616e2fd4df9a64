"""Summarise what changed between two snapshots in one sentence."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from evalcore.counting.outcomes import unread
from evalcore.families.base import REVIEWS
from evalcore.families.reviews.review import BY_RULE
from evalcore.judging.storing.names import person
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.views.words.wording import count, listed, short
from evalcore.workspace.opened import Workspace

MAX_COMPARED: Final = 2000
"""Of more gradings than this that were written anew, each counts as changed."""
_NAME_LENGTH: Final = 40
NOUNS: Final = {
    "eval-judgment": "judgment",
    "adjudication": "decision",
    "exclusion": "exclusion",
    "note": "note",
    "skip": "skipped run",
    "approval-request": "run sent to judging",
    "independent-batch": "run to judge independently",
    "reveal": "run given up",
    "saved-view": "view",
    "judging-rule": "rule for reasons",
}
_PLURALS: Final = {
    "approval-request": "runs sent to judging",
    "independent-batch": "runs to judge independently",
    "reveal": "runs given up",
    "judging-rule": "rules for reasons",
}


class Stored(NamedTuple):
    """A stored record: its kind and its author, never its content."""

    kind: str
    author: str


class Parts(NamedTuple):
    """New, changed and deleted items."""

    new: frozenset[str]
    changed: frozenset[str]
    deleted: frozenset[str]

    def __bool__(self) -> bool:
        return any(self)


class News(NamedTuple):
    """The difference of two snapshots: gradings by their run ids, and further files by path.

    `stored` are the records of other people.
    """

    gradings: Parts
    files: Parts
    unreadable: frozenset[str]
    suites: frozenset[str]
    stored: tuple[Stored, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.gradings or self.files or self.unreadable or self.stored)


def news(
    old: Workspace, new: Workspace, paths: frozenset[str] | None, reader: str | None = None
) -> News:
    """Return the difference of two snapshots; `paths` are the changed files (None: unknown).

    `reader` is the judge id of the user.
    """
    if paths is None:
        paths = _documents(old, None) | _documents(new, None)
    paths -= old.hidden.documents | new.hidden.documents
    records = stored_in(new, paths)
    found = _of_files(old, new, paths - records.keys())
    others = tuple(each for each in records.values() if each.author != reader)
    return found._replace(stored=others)


def _of_files(old: Workspace, new: Workspace, paths: frozenset[str]) -> News:
    """Return the changes of files other than review records."""
    touched = _gradings(old, paths) | _gradings(new, paths)
    # A run that only a further judgment speaks of was there before.
    before, after = _there(old, touched), _there(new, touched)
    runs = _parts(before, after)
    kept = _differing(old, new, runs.changed)
    gradings = runs._replace(changed=frozenset(kept))
    counted = _sources(old, before) | _sources(new, after)
    files = _parts(_documents(old, paths), _documents(new, paths))
    unreadable = (_unreadable(new) & paths) - _unreadable(old)
    others = Parts(*(part - counted - unreadable for part in files))
    named = gradings.new | gradings.changed | gradings.deleted
    return News(gradings, others, unreadable, _suites(old, named) | _suites(new, named))


def sentence(found: News, suite: str | None = None, run: str | None = None) -> str:
    """Return the changes in a few words; `suite` is the one on screen, `run` the open grading."""
    parts = []
    if found.gradings:
        where = ""
        if len(found.suites) == 1 and suite not in found.suites:
            where = f" in {next(iter(found.suites))}"
        parts.append(_counted(found.gradings, "grading") + where)
    elif found.files:
        parts.append(_named(found.files) or _counted(found.files, "file"))
    if found.stored:
        parts.append(stored_sentence(found.stored))
    if found.unreadable:
        one = _only(found.unreadable)
        parts.append(f"{one or count(len(found.unreadable), 'file')} cannot be read")
    if run in found.gradings.deleted:
        parts.append("the grading on screen was deleted")
    elif run in found.gradings.changed:
        parts.append("the grading on screen changed")
    return "; ".join(parts)


def stored_in(ws: Workspace, paths: Iterable[str]) -> dict[str, Stored]:
    """Return the review records among the files that exist, by path."""
    wanted = {path for path in paths if f"/{REVIEWS}/" in f"/{path}" and path.endswith(".json")}
    found: dict[str, Stored] = {}
    if not wanted:
        return found
    for suite in ws.tables.suites["suite"].astype(str):
        reviews = review_folder(ws, suite)
        if any(path.startswith(f"{reviews.path}/") for path in wanted):
            records = (each for each in load_reviews(reviews) if each.path in wanted)
            found |= {each.path: Stored(each.type, each.created_by) for each in records}
    return found


def stored_sentence(stored: Iterable[Stored]) -> str:
    """Return who stored what: `Ana stored 4 judgments`; with several people the sum."""
    records = list(stored)
    kinds = Counter(each.kind for each in records)
    if {(each.kind, each.author) for each in records} == {("approval-request", BY_RULE)}:
        # A run that was executed here asks people for what no rule decides.
        return f"{count(len(records), 'run')} {'is' if len(records) == 1 else 'are'} ready to judge"
    counts = [
        f"{n:,} {_PLURALS[kind]}" if n > 1 and kind in _PLURALS else count(n, NOUNS[kind])
        for kind in NOUNS
        if (n := kinds[kind])
    ]
    counts += [count(kinds[kind], "record") for kind in kinds if kind not in NOUNS]
    words = listed(counts)
    authors = {each.author for each in records}
    one = _in_one_line(person(next(iter(authors)))) if len(authors) == 1 else ""
    return f"{one} stored {words}" if one else f"{words} stored"


def _parts(before: Iterable[str], after: Iterable[str]) -> Parts:
    old, new = frozenset(before), frozenset(after)
    return Parts(new - old, new & old, old - new)


def _counted(parts: Parts, noun: str) -> str:
    """Return `3 new gradings, 1 changed, 2 deleted`; the first count names what is counted."""
    phrases: list[str] = []
    for word, part in zip(Parts._fields, parts, strict=True):
        if part and not phrases:
            whole = count(len(part), f"new {noun}" if word == "new" else noun)
            phrases.append(whole if word == "new" else f"{whole} {word}")
        elif part:
            phrases.append(f"{len(part):,} {word}")
    return ", ".join(phrases)


def _named(files: Parts) -> str | None:
    """Return the change of a single file, by its name; None for several."""
    one = _only(frozenset().union(*files))
    if one is None:
        return None
    return f"{one} {'is new' if files.new else 'changed' if files.changed else 'was deleted'}"


def _only(paths: frozenset[str]) -> str | None:
    if len(paths) != 1:
        return None
    return _in_one_line(next(iter(paths)).rpartition("/")[2])


def _in_one_line(name: str) -> str:
    """Return a name in one line; files and what they hold are untrusted."""
    plain = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in name)
    return short(plain, _NAME_LENGTH)


def _documents(workspace: Workspace, paths: frozenset[str] | None) -> frozenset[str]:
    """Return the given paths that are recognised files; None for all."""
    column = workspace.tables.documents["path"]
    return frozenset(column if paths is None else column[column.isin(list(paths))])


def _unreadable(workspace: Workspace) -> frozenset[str]:
    problems = workspace.tables.problems
    whole = (problems["severity"] == "error") & problems["pointer"].isin(["", None])
    return frozenset(problems.loc[whole, "path"].astype(str))


def _gradings(workspace: Workspace, paths: frozenset[str]) -> set[str]:
    """Return the ids of the runs in these files, or judged in them, if they can be read."""
    ids = workspace.tables.runs["run_id"]
    return _joined(workspace, "source", paths, "run_id") - set(ids[unread(workspace)].astype(str))


def _there(workspace: Workspace, runs: set[str]) -> set[str]:
    column = workspace.tables.runs["run_id"]
    return set(column[_mask(column, runs)].astype(str))


def _sources(workspace: Workspace, runs: Iterable[str]) -> set[str]:
    """Return the files that these runs were read from."""
    return _joined(workspace, "run_id", runs, "source")


def _joined(workspace: Workspace, column: str, values: Iterable[str], other: str) -> set[str]:
    """Return the values of another column in the matching rows of runs and judgments."""
    tables = workspace.tables
    found: set[str] = set()
    for frame in (tables.runs, tables.judgments):
        found.update(frame.loc[_mask(frame[column], values), other].astype(str))
    return found


def _suites(workspace: Workspace, runs: Iterable[str]) -> frozenset[str]:
    frame = workspace.tables.runs
    return frozenset(frame.loc[_mask(frame["run_id"], runs), "suite"].astype(str))


def _mask(column: pd.Series, values: Iterable[str]) -> np.ndarray:
    """Return a mask of the rows with one of `values`; each word is compared once."""
    words = column.cat.categories
    wanted = np.flatnonzero(words.isin(list(values)))
    return np.isin(column.cat.codes.to_numpy(), wanted)


def _differing(old: Workspace, new: Workspace, runs: frozenset[str]) -> set[str]:
    """Return the runs of both snapshots whose content differs."""
    if not runs or len(runs) > MAX_COMPARED:
        return set(runs)
    before, after = _content(old, runs), _content(new, runs)
    return {run for run in runs if before.get(run) != after.get(run)}


def _content(workspace: Workspace, runs: frozenset[str]) -> dict[str, list[str]]:
    """Return the content of each run as comparable text."""
    tables = workspace.tables
    found: dict[str, list[str]] = {}
    for name in ("runs", "judgments", "claims", "feedback", "notes"):
        frame = getattr(tables, name)
        rows = np.flatnonzero(_mask(frame["run_id"], runs))
        if not len(rows):
            continue
        lines = [frame.iloc[rows]]
        if name == "judgments":
            lines.append(tables.text(name, rows).set_axis(lines[0].index))
        for line in pd.concat(lines, axis=1).itertuples(index=False):
            found.setdefault(str(line.run_id), []).append(repr(tuple(line)))
    return found
