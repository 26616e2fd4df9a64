"""The keys of the criteria to judge, for all runs of a suite at once."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from evalcore.counting.coded import Coded, Numbers, coded, values
from evalcore.counting.joined import judged_run, judgments_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.review_rows import from_reviews
from evalcore.counting.run_criteria import Key
from evalcore.families.base import is_review
from evalcore.families.reviews.lookup import JUDGED_KINDS as KINDS
from evalcore.judging.asking.asked import in_force
from evalcore.judging.storing.run_reviews import RunReviews
from evalcore.shapes.judge import RULE
from evalcore.workspace.opened import Workspace

OF_RUN: Final = ("case_id", "suite", "version", "origin", "source")
Rules = dict[Key, str | None]
"""Criteria by kind and label, with the document that defines them."""


class Keys:
    """The keys of the criteria to judge on each run of a suite, computed once for each run."""

    def __init__(self, rules: Mapping[str, Rules]) -> None:
        """Take in the rules of each case."""
        self._rules = rules
        self._known: dict[int, frozenset[str]] = {}

    def of(self, ws: Workspace, run: int) -> frozenset[str]:
        """Return the keys of the criteria of a run (position), as `asked` does."""
        if run not in self._known:
            case, *about = (_word(coded(ws, "runs", name), run) for name in OF_RUN)
            suite, version, origin, source = about
            rules = self._rules.get(case or "", {})
            found = in_force(ws, (suite, version, origin, source), rules, _judged(ws, run))
            self._known[run] = frozenset(f"{kind}:{name}" for kind, name in found)
        return self._known[run]


@memoize_per_workspace
def keys(ws: Workspace, suite: str) -> Keys:
    """Return the criterion keys of the runs of a suite."""
    rows = np.flatnonzero(coded(ws, "criteria", "suite").among({suite}))
    rows = rows[coded(ws, "criteria", "kind").among(set(KINDS))[rows]]
    names = ("case_id", "kind", "criterion", "source")
    case, kind, criterion, source = (_words(coded(ws, "criteria", name), rows) for name in names)
    rules: dict[str, Rules] = {}
    for at, of in enumerate(case):
        key = kind[at] or "", criterion[at] or ""
        rules.setdefault(of or "", {}).setdefault(key, source[at])
    return Keys(rules)


def left(ws: Workspace, suite: str, run: int, reviews: RunReviews) -> frozenset[str]:
    """Return the keys of the criteria of a run (position) that are left to people.

    Those are what no rule decided. Where rules decided all of them, all are: who judges such a run
    looks at what the rules said.
    """
    every = keys(ws, suite).of(ws, run)
    return frozenset(every - (ruled(ws, run).keys() | reviews.by_rules.keys())) or every


def ruled(ws: Workspace, run: int) -> dict[str, int]:
    """Return the judgments (positions) by which rules decided criteria of a run, by their keys."""
    rows = judgments_of(ws, [run])
    rows = rows[coded(ws, "judgments", "judge_type").are(RULE, rows)]
    rows = rows[coded(ws, "judgments", "status").are("scored", rows)]
    rows = rows[~from_reviews(ws, "judgments")[rows]] if len(rows) else rows
    score, passed = (values(ws, "judgments", name)[rows] for name in ("score", "passed"))
    rows = rows[~np.isnan(score) | (passed >= 0)]
    kind, name = (_words(coded(ws, "judgments", column), rows) for column in ("kind", "criterion"))
    return {f"{kind[at]}:{name[at] or ''}": row for at, row in enumerate(rows.tolist())}


@memoize_per_workspace
def asks(ws: Workspace, suite: str) -> Numbers:
    """Return which runs can be judged: those with judgments, or with a case that has criteria."""
    kinds = set(KINDS)
    rows = np.flatnonzero(coded(ws, "criteria", "suite").among({suite}))
    rows = rows[coded(ws, "criteria", "kind").among(kinds)[rows]]
    cases = {each for each in _words(coded(ws, "criteria", "case_id"), rows) if each}
    found = coded(ws, "runs", "case_id").among(cases)
    able: Numbers = found | _has_judgments(ws)
    return able


@memoize_per_workspace
def _has_judgments(ws: Workspace) -> Numbers:
    run = judged_run(ws)
    total = len(coded(ws, "runs", "run_id").codes)
    own = (
        coded(ws, "judgments", "kind").among(set(KINDS))
        & (run >= 0)
        & ~from_reviews(ws, "judgments")
    )
    there: Numbers = np.bincount(run[own], minlength=total) > 0
    return there


def _judged(ws: Workspace, run: int) -> Rules:
    rows = judgments_of(ws, [run])
    names = ("kind", "criterion", "source")
    found: Rules = {}
    for kind, criterion, source in zip(
        *(_words(coded(ws, "judgments", name), rows) for name in names), strict=True
    ):
        if kind in KINDS and not is_review(source):
            found.setdefault((kind or "", criterion or ""), source)
    return found


def _words(column: Coded, rows: Numbers) -> list[str | None]:
    return [_at(column, code) for code in column.codes[rows].tolist()]


def _word(column: Coded, row: int) -> str | None:
    return _at(column, int(column.codes[row]))


def _at(column: Coded, code: int) -> str | None:
    return None if code < 0 else column.words[code]
