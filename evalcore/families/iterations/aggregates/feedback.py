"""What gradings and people say of runs and evals, as documents of skill-creator.

The suggestions of gradings become `eval_feedback_aggregate.json`, the criteria that people asked
for new ones of `evals.json`, and their notes about runs `feedback.json` as its viewer writes it.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final, NamedTuple

from evalcore.disk.files import Files
from evalcore.disk.parsing import MISSING
from evalcore.disk.values import value_at
from evalcore.families.aggregating import Noted
from evalcore.families.iterations.aggregates.runs import folder_of
from evalcore.families.iterations.case import LISTS
from evalcore.proposals.proposal import Proposal, Stored, Target
from evalcore.proposals.proposal import stored as stored_at
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables
from evalcore.texts.graders import label_of, without_form

NAME: Final = "eval_feedback_aggregate.json"
VIEWED: Final = "feedback.json"
OUTPUTS: Final = "outputs"
NONE: Final = "No run of it has an output folder or a note; there is nothing to review."
UNSAID: Final = (
    "Nobody noted anything about its runs. Name this version to write that there are no complaints."
)
SEVERAL: Final = "Its runs are in several folders, so it is not clear where the file belongs."


class Suggestion(NamedTuple):
    """What gradings say of one assertion, None where it is about all of them, and in which runs."""

    assertion: str | None
    reason: str
    runs: set[str]


Key = tuple[str | None, str]
"""Suggestions with the same assertion, and the same words but for their form, say the same."""


def suggestions_of(tables: Tables, suite: str) -> dict[str, dict[Key, Suggestion]]:
    """Return the suggestions of a suite's gradings by version, in the order first met."""
    found: dict[str, dict[Key, Suggestion]] = defaultdict(dict)
    names = ("suite", "version", "kind", "run_id", "target", "text")
    for own, version, kind, run, target, text in cells(tables, "feedback", *names):
        if own == suite and kind == "suggestion" and run is not None and text:
            key = _key(target, text)
            found[version].setdefault(key, Suggestion(key[0], text, set())).runs.add(run)
    return found


def feedback(
    target: Target,
    stored: Stored | None,
    suggestions: Mapping[Key, Suggestion],
    runs: int,
    skill: str | None,
    *,
    replace: bool,
) -> Proposal | None:
    """Return what shall become of the aggregate of one version; None when there is nothing to say.

    `action` is a person's: an existing one stays, a new suggestion has an empty one.
    """
    old = {} if stored is None else stored.value
    listed = old.get("suggestions", []) if isinstance(old, dict) else None
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        return target.left("It contains no list of suggestions, so it was left unchanged.")
    if not suggestions and not listed:
        return None
    keys = [_key(each.get("assertion"), str(each.get("reason"))) for each in listed]
    known = set(keys)
    if known and known.isdisjoint(suggestions) and not replace:
        return target.left(
            "It has a summary in other words, so it was left unchanged; --replace adds those of "
            "the gradings."
        )
    new = [
        each | {"frequency": len(suggestions[key].runs)} if key in suggestions else each
        for key, each in zip(keys, listed, strict=True)
    ]
    more = [each for key, each in suggestions.items() if key not in known]
    new += [
        {
            "frequency": len(each.runs),
            "assertion": each.assertion,
            "reason": each.reason,
            "action": "",
        }
        for each in sorted(more, key=lambda each: -len(each.runs))
    ]
    number = re.search(r"\d+", target.version or "")
    fields = {"skill_name": skill, "iteration": int(number[0]) if number else None}
    value = {
        **{name: each for name, each in fields.items() if name not in old},
        **old,
        "total_runs": runs,
        "suggestions": new,
    }
    if stored is None:
        return target.fresh(value)
    kept = len(known - suggestions.keys())
    words = f"Kept: {kept} suggestion{'s' * (kept > 1)} that no grading contains in these words."
    return target.changed(stored, value, *([words] if kept else []))


def new_criteria(tables: Tables, files: Files, suite: str) -> Iterator[Proposal]:
    """Yield what shall become of each evals.json for which people asked for criteria."""
    said = [
        (run, kind, text)
        for own, run, kind, text in cells(tables, "feedback", "suite", "run_id", "kind", "text")
        if own == suite and text
    ]
    rejected = {without_form(text) for _, kind, text in said if kind == "rejected"}
    asked = [(run, text) for run, kind, text in said if kind == "asked" and run is not None]
    of_run = dict(cells(tables, "runs", "run_id", "case_id")) if asked else {}
    wanted: dict[str, list[str]] = defaultdict(list)
    for run, text in asked:
        if run in of_run and without_form(text) not in rejected:
            wanted[of_run[run]].append(text)
    if not wanted:
        return
    evals = {path for path, kind in cells(tables, "documents", "path", "kind") if kind == "evals"}
    places: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for own, case, path, at in cells(tables, "cases", "suite", "case_id", "source", "pointer"):
        if own == suite and case in wanted:
            places[path if path in evals else ""].append((case, at or ""))
    defined: dict[tuple[str, str | None], set[str]] = defaultdict(set)
    for case, text, source in cells(tables, "criteria", "case_id", "criterion", "source"):
        if case in wanted:
            defined[case, source].add(without_form(text))
    for path, cases in places.items():
        there = stored_at(files, path) if path else None
        if there is None or there.value is MISSING:
            names = ", ".join(case for case, _ in cases)
            why = f"No evals.json that can be read has {names}, so its new criteria wait."
            yield Proposal(suite, None, path or None, "left", (why,))
            continue
        value, added = deepcopy(there.value), 0
        for case, at in cases:
            item = value_at(value, path, at)
            name = next((key for key in LISTS if isinstance(item.get(key), list)), LISTS[0])
            texts = dict.fromkeys(wanted[case])
            new = [text for text in texts if without_form(text) not in defined[case, path]]
            if new:
                item[name] = [*item.get(name, ()), *new]
                added += len(new)
        what = [f"Added: {added} criteri{'a' if added > 1 else 'on'} that people asked for."]
        yield Target(suite, None, path).changed(there, value, *(what if added else ()))


def _key(assertion: Any, reason: str) -> Key:
    """Return the id that an assertion begins with (`S7: Uses a factory`), else all of it."""
    named = assertion if isinstance(assertion, str) else None
    return label_of(named) or named or None, without_form(reason)


def feedback_files(
    tables: Tables,
    files: Files,
    suite: str,
    version: str | None,
    noted: Mapping[str, Noted],
    now: str,
) -> list[Proposal]:
    """Return what shall become of the `feedback.json` of each iteration; nothing is written.

    `noted` is by run id. As its viewer does on "submit", every run with outputs gets a review, a
    blank one where nothing was noted, all of them complete. Reviews and fields that are there
    already stay. An iteration that nobody noted anything about is left alone unless it is the
    `version`. `now` is the time of the blank ones.
    """
    every: dict[str, list[dict[str, Any]]] = defaultdict(list)
    names = ("run_id", "case_id", "source", "origin", "outputs", "configuration", "run")
    for own, label, *about in cells(tables, "runs", "suite", "version", *names):
        if own == suite and version in (None, label):
            every[label].append(dict(zip(names, about, strict=True)))
    found = []
    for label, runs in every.items():
        if version is None and not any(run["run_id"] in noted for run in runs):
            found.append(Proposal(suite, label, None, "left", (UNSAID,)))
            continue
        graded = [run for run in runs if run["origin"] == "grading"]
        # A run without any document is where its output is.
        places = [run["source"] or run["outputs"] or "" for run in graded]
        folder = folder_of(places, label) if graded else None
        if folder is None:
            found.append(Proposal(suite, label, None, "left", (SEVERAL if graded else NONE,)))
            continue
        reviews = [
            (name, noted.get(run_id, Noted((), now)))
            for name, run_id, has_outputs in _as_viewed(graded, folder)
            if has_outputs or run_id in noted
        ]
        found.append(_reviewed(files, Target(suite, label, f"{folder}{VIEWED}"), reviews))
    return found


def _as_viewed(runs: list[dict[str, Any]], folder: str) -> list[tuple[str, str, bool]]:
    """Return the runs as the viewer names and orders them, each with its id and if it has outputs.

    Runs of several evals that share a folder are told apart by their evals.
    """
    homes, cases = [], {run["case_id"] for run in runs}
    for run in runs:
        parent, _, last = (run["outputs"] or "").rpartition("/")
        own = parent if last == OUTPUTS else (run["source"] or "").rpartition("/")[0]
        homes.append((own.removeprefix(folder).replace("/", "-"), last == OUTPUTS))
    times = Counter(name for name, _ in homes)
    numbers = {case: int(case) for case in cases if case.isdecimal() and case.isascii()}
    found = []
    for run, (name, has_outputs) in zip(runs, homes, strict=True):
        if times[name] > 1:
            side = "" if run["configuration"] == "-" else f"-{run['configuration']}"
            name = f"{run['case_id']}{side}-run-{run['run']}".replace("/", "-")  # noqa: PLW2901
        # Cases with a number come first, in its order.
        found.append((numbers.get(run["case_id"], math.inf), name, run["run_id"], has_outputs))
    found.sort(key=lambda each: each[:2])
    return [each[1:] for each in found]


def _reviewed(files: Files, target: Target, noted: Sequence[tuple[str, Noted]]) -> Proposal:
    """Return the proposal to write reviews, by the names of their runs."""
    if not noted:
        return target.left(NONE)
    old = stored_at(files, target.path)
    value: Any = {} if old is None else old.value
    if value is MISSING:
        return target.left("It cannot be read as plain JSON, so it was left unchanged.")
    listed = value.get("reviews", None if value else []) if isinstance(value, dict) else None
    if not isinstance(listed, list):
        return target.left("It has no list of reviews: another format. Move it away to write this.")
    value = {"reviews": [], **deepcopy(value), "status": "complete"}
    reviews = value["reviews"]
    there = {one.get("run_id"): one for one in reviews if isinstance(one, dict)}
    changed, before = 0, len(reviews)
    for name, mine in noted:
        if name in there:
            changed += _renewed(there[name], mine)
        else:
            reviews.append({"run_id": name, "feedback": mine.words, "timestamp": mine.at})
    added = len(reviews) - before
    said = f"{len(reviews):,} review{'s' * (len(reviews) != 1)}"
    said += f", {changed:,} of them changed" if changed else ""
    said += f", {added:,} added" if added and changed + added < len(reviews) else ""
    blank = sum(
        not str(one.get("feedback") or "").strip() for one in reviews if isinstance(one, dict)
    )
    if blank:
        are = "is" if blank == 1 else "are"
        said += f". {blank:,} {are} blank, which says: no complaints"
    message = f"{said}."
    return target.fresh(value, message) if old is None else target.changed(old, value, message)


def _renewed(review: dict[str, Any], noted: Noted) -> bool:
    """Bring a review up to what was noted since; what somebody else wrote in it stays first."""
    current = review.get("feedback")
    current = current if isinstance(current, str) else ""
    other = current
    for note in sorted(filter(str.strip, (*noted.texts, *noted.former)), key=len, reverse=True):
        other = re.sub(rf"(?:\A|\n\n){re.escape(note)}(?=\n\n|\Z)", "", other, count=1)
    texts = [other.strip("\n"), *noted.texts]
    words = "\n\n".join(text for text in texts if text.strip())
    if current.strip() == words.strip():
        return False
    review["feedback"] = words
    review["timestamp"] = noted.at
    return True
