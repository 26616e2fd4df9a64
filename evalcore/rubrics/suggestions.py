"""What graders suggest about the evaluation itself, alike ones together, and what was decided."""

import hashlib
import re
from collections import defaultdict
from datetime import datetime
from typing import Final, NamedTuple

from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.tables.rows import FeedbackRow
from evalcore.texts.words import likeness
from evalcore.workspace.opened import Workspace

KINDS: Final = ("suggestion", "vague", "missing", "suggested", "aggregate", "overall")
DECISIONS: Final = ("accepted", "rejected")
ALIKE: Final = 0.5
"""The share of words that two suggestions about the same criterion have in common."""
COMPARED: Final = 600
"""So many different texts are compared with the others; further ones stand alone."""
DIGITS: Final = 12
_ID: Final = re.compile(r"([A-Z]{1,3}\d{1,4})(?:\s*[:.)–-]\s.*)?", re.DOTALL)
_OF_A_LIST: Final = "/overall"
"""How the pointer of a summary ends that stands beside a list of suggestions."""


class Decision(NamedTuple):
    """What a person decided: `accepted` or `rejected`, and why.

    `record` is the id of the record.
    """

    decision: str
    reason: str | None
    author: str | None
    at: datetime | None
    record: str


class Suggestion(NamedTuple):
    """Suggestions alike about one criterion; `text` is the wording found most often.

    `target` is the criterion as the graders name it, None where they name none. `n` is how many
    runs make it or, if more, what the files' aggregates count. `texts` are all wordings,
    `runs` ids. `action` is what an aggregate records as done. `decisions` are current, the newest
    first; only the first counts.
    """

    key: str
    kind: str
    target: str | None
    text: str
    n: int
    texts: tuple[str, ...]
    versions: tuple[str, ...]
    runs: tuple[str, ...]
    action: str | None
    decisions: tuple[Decision, ...]

    @property
    def state(self) -> str:
        """One of `open`, `accepted`, `rejected` and, by the files themselves, `answered`."""
        if self.decisions:
            return self.decisions[0].decision
        return "open" if self.action is None else "answered"


@memoize_per_workspace
def suggestions(ws: Workspace, suite: str) -> tuple[Suggestion, ...]:
    """Return what graders suggest about a suite, open ones first, then the most frequent."""
    rows = [row for row in _rows(ws, suite) if row.kind in KINDS and _says(row)]
    decided = _decided(ws, suite)
    groups = [_suggestion(target, of, decided) for target, of in _alike(rows)]
    return tuple(sorted(groups, key=lambda one: (one.state != "open", -one.n, one.text)))


def open_suggestions(ws: Workspace, suite: str) -> int:
    """Return how many suggestions nobody has decided."""
    return sum(one.state == "open" for one in suggestions(ws, suite))


@memoize_per_workspace
def decided_texts(ws: Workspace, suite: str) -> frozenset[str]:
    """Return the wordings of the suggestions that people accepted or rejected."""
    decided = (one for one in suggestions(ws, suite) if one.decisions)
    return frozenset(text for one in decided for text in one.texts)


def names_criterion(target: str | None, name: str, description: str | None) -> bool:
    """Return whether a grader means a criterion: by its name, its wording, or the id before it."""
    if target is None:
        return False
    meant = plain(target)
    found = _ID.fullmatch(target.strip())
    return meant in {plain(name), plain(description or name)} or (
        found is not None and found[1] == name
    )


def plain(text: str) -> str:
    """Return a text without what does not make it another one: case, spaces, a full stop."""
    return " ".join(text.casefold().split()).rstrip(".!… ")


def _rows(ws: Workspace, suite: str) -> list[FeedbackRow]:
    return typed(ws, "feedback", FeedbackRow, where(ws, "feedback", suite=suite))


def _says(row: FeedbackRow) -> bool:
    """Return whether a row suggests something; a summary beside a list of suggestions does not."""
    if row.kind == "overall" and (row.pointer or "").endswith(_OF_A_LIST):
        return False
    return bool(row.text and row.text.strip())


def _alike(rows: list[FeedbackRow]) -> list[tuple[str, list[FeedbackRow]]]:
    """Return the rows by target, those of similar texts together."""
    texts: dict[tuple[str, str], list[FeedbackRow]] = defaultdict(list)
    for row in rows:
        texts[_target(row), plain(row.text or "")].append(row)
    frequent = sorted(texts.items(), key=lambda item: -len(item[1]))
    groups: dict[str, list[tuple[str, list[FeedbackRow]]]] = defaultdict(list)
    for at, ((target, text), of) in enumerate(frequent):
        known = groups[target] if at < COMPARED else []
        near = next((each for words, each in known if likeness(words, text) >= ALIKE), None)
        if near is None:
            groups[target].append((text, list(of)))
        else:
            near.extend(of)
    return [(target, of) for target, found in groups.items() for _, of in found]


def _target(row: FeedbackRow) -> str:
    """Return the criterion that a row names, by its id where it has one; empty if none."""
    named = (row.target or "").strip()
    # Some formats have no field for the criterion: there the version or run stands as the target.
    found = _ID.fullmatch(named)
    return found[1] if found else plain(named)


Decided = dict[tuple[str, str], list[Decision]]


def _decided(ws: Workspace, suite: str) -> Decided:
    """Return the decisions by target and text, the newest first.

    One about a suggestion of an aggregate names no run, so it lies with the first suite of its
    folder: those of all suites with the same root are read.
    """
    suites = ws.tables.suites
    root = suites.loc[suites["suite"] == suite, "root"]
    same = suites.loc[suites["root"].isin(root), "suite"] if len(root) else [suite]
    found: Decided = defaultdict(list)
    rows = [row for name in dict.fromkeys([suite, *same]) for row in _rows(ws, str(name))]
    for row in rows:
        if row.kind in DECISIONS and (row.suite == suite or row.run_id is None):
            record = (row.source or "").rpartition("/")[2].removesuffix(".json")
            one = Decision(row.kind or "", row.action, row.author, row.created_at, record)
            found[_target(row), plain(row.text or "")].append(one)
    for of in found.values():
        of.sort(key=lambda one: (one.at is not None, one.at, one.record), reverse=True)
    return found


def _suggestion(target: str, rows: list[FeedbackRow], decided: Decided) -> Suggestion:
    texts = dict.fromkeys((row.text or "").strip() for row in rows)
    plains = list(dict.fromkeys(map(plain, texts)))
    runs = tuple(dict.fromkeys(row.run_id for row in rows if row.run_id is not None))
    by_version: dict[str | None, int] = defaultdict(int)
    for row in rows:
        by_version[row.version] += row.frequency or 0
    decisions = [one for words in plains for one in decided.get((target, words), ())]
    decisions.sort(key=lambda one: (one.at is not None, one.at, one.record), reverse=True)
    first = next(iter(texts))
    return Suggestion(
        key=hashlib.sha256(f"{target}\n{plains[0]}".encode("utf-8", "surrogatepass")).hexdigest()[
            :DIGITS
        ],
        kind=rows[0].kind or "",
        target=next((row.target for row in rows if row.target), None),
        text=first,
        n=max(len(runs), sum(by_version.values()), 1),
        texts=tuple(texts),
        versions=tuple(dict.fromkeys(row.version for row in rows if row.version)),
        runs=runs,
        action=next((row.action for row in rows if row.action), None),
        decisions=tuple(decisions),
    )
