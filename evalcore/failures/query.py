"""Which failures are asked for, and how many there are of each kind: one function for both."""

from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.failures.find import ORIGINS, Failures, failures
from evalcore.failures.rules import NOT_CLASSIFIED, SEVERITIES, TYPES
from evalcore.workspace.opened import Workspace

State = Literal["open", "resolved"]
STATES: Final[tuple[State, ...]] = ("open", "resolved")
KINDS: Final = (*TYPES, NOT_CLASSIFIED)
NOT_SAID: Final = "not-said"
GRADES: Final = (*SEVERITIES, NOT_SAID)


@dataclass(frozen=True)
class Query:
    """What is asked for; None matches everything."""

    version: str | None = None
    configuration: str | None = None
    type: str | None = None
    severity: str | None = None
    criterion: str | None = None
    state: str | None = None
    origin: str | None = None


class Counts(NamedTuple):
    """How many failures each choice would list, the other choices staying as they are.

    `versions` are in the order of the suite, `criteria` the most frequent first.
    """

    type: dict[str, int]
    severity: dict[str, int]
    state: dict[str, int]
    origin: dict[str, int]
    version: dict[str, int]
    criterion: dict[str, int]


def matching(ws: Workspace, suite: str, query: Query, scores: Scores = "recorded") -> Numbers:
    """Return the failures (places in `failures`) that a query lists, in their order."""
    return np.flatnonzero(_mask(ws, suite, query, failures(ws, suite, scores)))


@memoize_per_workspace
def counts(ws: Workspace, suite: str, query: Query, scores: Scores = "recorded") -> Counts:
    """Return how many failures each choice of a filter would list."""
    found = failures(ws, suite, scores)

    def without(name: str) -> Numbers:
        return _mask(ws, suite, replace(query, **{name: None}), found)

    def tally(name: str, words: tuple[str, ...], of: Numbers) -> dict[str, int]:
        n = np.bincount(of[without(name)], minlength=len(words))
        return dict(zip(words, n.tolist(), strict=True))

    columns, versions = outcomes(ws, suite).columns, dict[str, int]()
    keep = without("version") & (found.column >= 0)
    n = np.bincount(found.column[keep], minlength=len(columns))
    for column, each in zip(columns, n.tolist(), strict=True):
        versions[column.version] = versions.get(column.version, 0) + each
    words = coded(ws, "judgments", "criterion")
    n = np.bincount(found.criterion[without("criterion")[found.of]], minlength=words.width)
    frequent = np.argsort(-n, kind="stable")[: np.count_nonzero(n)].tolist()
    return Counts(
        type=tally("type", KINDS, found.type % len(KINDS)),
        severity=tally("severity", GRADES, found.severity % len(GRADES)),
        state=tally("state", STATES, found.resolved),
        origin=tally("origin", ORIGINS, found.origin),
        version=versions,
        criterion={words.words[key]: int(n[key]) for key in frequent},
    )


def _mask(ws: Workspace, suite: str, query: Query, found: Failures) -> Numbers:
    keep = np.ones(len(found), bool)
    columns = outcomes(ws, suite).columns
    for name, wanted in (("version", query.version), ("configuration", query.configuration)):
        if wanted is not None:
            chosen = np.array([*(getattr(each, name) == wanted for each in columns), False])
            keep &= chosen[found.column]
    for words, wanted, of in (
        (KINDS, query.type, found.type % len(KINDS)),
        (GRADES, query.severity, found.severity % len(GRADES)),
        (STATES, query.state, found.resolved),
        (ORIGINS, query.origin, found.origin),
    ):
        if wanted is not None:
            keep &= of == (words.index(wanted) if wanted in words else -1)
    if query.criterion is not None:
        key = coded(ws, "judgments", "criterion").places([query.criterion])[0]
        affected = np.zeros(len(found), bool)
        affected[found.of[found.criterion == key]] = key >= 0
        keep &= affected
    return keep
