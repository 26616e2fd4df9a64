"""Failures with the same cause: they fail the same criterion for a similar reason."""

from typing import Final, NamedTuple

import pyarrow as pa

from evalcore.counting.coded import coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.failures.find import Failures, failures
from evalcore.failures.query import Query, matching
from evalcore.failures.rules import NOT_CLASSIFIED, TYPES, reasons_of
from evalcore.texts.words import likeness
from evalcore.workspace.opened import Workspace

ALIKE: Final = 0.5
"""The share of words that two reasons of one cause have in common."""
COMPARED: Final = 2_000
"""So many failures are compared by their reasons; further ones share a cause by criterion only."""
CAUSES: Final = 12
"""With so many causes of one criterion at most is a reason compared."""
READ: Final = 400
"""So many characters of a reason are compared."""


class Cause(NamedTuple):
    """Failures that share a cause: the criterion, and the shortest of their reasons.

    `criterion` is empty where no criterion failed; `reason` is then the type. `places` are in the
    order of the list. `first` and `last` are places of columns, -1 without a run.
    """

    criterion: str
    reason: str
    places: tuple[int, ...]
    first: int
    last: int


class Causes(NamedTuple):
    """All causes, the most frequent first; `compared` of the failures by their reasons."""

    causes: tuple[Cause, ...]
    compared: int
    total: int


@memoize_per_workspace
def causes(ws: Workspace, suite: str, query: Query, scores: Scores = "recorded") -> Causes:
    """Return the failures that a query lists by shared cause.

    A failure belongs to the first criterion that failed in it. Time is bounded: the newest
    `COMPARED` failures are compared, each with `CAUSES` others at most.
    """
    found = failures(ws, suite, scores)
    places = matching(ws, suite, query, scores)
    compared = places[:COMPARED]
    first = found.first[compared]
    has = first < found.first[compared + 1]
    reasons: dict[int, str] = dict.fromkeys(compared.tolist(), "")
    read = pa.array(reasons_of(ws, found.rows[first[has]])).to_pylist()
    for place, text in zip(compared[has].tolist(), read, strict=True):
        reasons[place] = " ".join((text or "")[:READ].split())
    groups: dict[tuple[str, int], list[int]] = {}
    known: dict[str, list[str]] = {}
    for place, words in reasons.items():
        name = _criterion(ws, found, place)
        at = _nearest(known.setdefault(name, []), words)
        groups.setdefault((name, at), []).append(place)
    for place in places[COMPARED:].tolist():
        groups.setdefault((_criterion(ws, found, place), -1), []).append(place)
    made = []
    for (name, _), members in groups.items():
        said = sorted((words for at in members if (words := reasons.get(at, ""))), key=len)
        columns = [column for column in found.column[members].tolist() if column >= 0]
        by_type = name.startswith(" ")
        cause = Cause(
            criterion="" if by_type else name,
            reason=next(iter(said), name.strip() if by_type else ""),
            places=tuple(members),
            first=min(columns, default=-1),
            last=max(columns, default=-1),
        )
        made.append(cause)
    made.sort(key=lambda cause: (-len(cause.places), cause.places[0]))
    return Causes(tuple(made), len(compared), len(places))


def span(ws: Workspace, suite: str, cause: Cause) -> tuple[str | None, str | None, bool]:
    """Return the first and the last version with a cause, and whether a newer one has runs."""
    columns = outcomes(ws, suite).columns
    if cause.first < 0:
        return None, None, False
    newest = columns[-1].version
    first, last = columns[cause.first].version, columns[cause.last].version
    return first, last, last != newest


def _criterion(ws: Workspace, found: Failures, place: int) -> str:
    """Return the first criterion that failed; without one, the type after a blank."""
    if found.first[place] < found.first[place + 1]:
        row = found.rows[found.first[place]]
        words = coded(ws, "judgments", "criterion")
        return str(words.words[words.codes[row]])
    kind = int(found.type[place])
    return f" {TYPES[kind] if kind >= 0 else NOT_CLASSIFIED}"


def _nearest(known: list[str], words: str) -> int:
    """Return the place of the first reason that is alike, else a new one, else the nearest."""
    shares = [likeness(words, other) for other in known]
    for at, share in enumerate(shares):
        if share >= ALIKE:
            return at
    if len(known) < CAUSES:
        known.append(words)
        return len(known) - 1
    return max(range(len(shares)), key=shares.__getitem__)
