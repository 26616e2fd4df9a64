"""The score of a run: Σ weight·score over the criteria of its rubric, from the judgments."""

import math
import operator
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from evalcore.families.base import is_review
from evalcore.families.records.judgments import Judgment
from evalcore.families.records.rubrics import Criterion, Rubric
from evalcore.numbers import at_least

_EARLIEST = datetime.min.replace(tzinfo=UTC)

Judge = tuple[str | None, str | None]
"""(name, type)"""


class Total(NamedTuple):
    """One judge's total of a run; `gap` says why it cannot be computed at all.

    `score` is None without `gap` if a criterion is unscored.
    """

    score: float | None
    max_score: float | None
    passed: bool | None
    judged: int
    expected: int
    gap: str | None = None


class Grade(NamedTuple):
    """All judgments of one run: the recorded total with its judge, and every judge's own total."""

    recorded: Total
    judge: Judge
    totals: dict[Judge, Total]
    replaced: list[Judgment]
    missing: list[Criterion]


def grade(judgments: Sequence[Judgment], rubric: Rubric | None, judge_type: str | None) -> Grade:
    """Grade a run whose record names `judge_type` as the type of its judge.

    Each judge's newest judgment of a criterion counts. The recorded ones are by the run's type of
    judge; if several of that type judged, by the one who judged most of it, completed by the
    others. Reviews beside the store are not recorded.
    """
    judges: dict[Judge, dict[str, Judgment]] = {}
    replaced = []
    current = [judgment for judgment in judgments if not judgment.superseded]
    for judgment in sorted(current, key=lambda each: (each.judged_at or _EARLIEST, each.record.id)):
        own = judges.setdefault((judgment.judge, judgment.judge_type), {})
        if (old := own.get(judgment.criterion or "")) is not None:
            replaced.append(old)
        own[judgment.criterion or ""] = judgment
    totals = {judge: _total(own, rubric) for judge, own in judges.items()}
    fitting = [
        {name: judgment for name, judgment in own.items() if not is_review(judgment.record.path)}
        for (_, kind), own in judges.items()
        if judge_type in (None, kind)
    ]
    recorded: dict[str, Judgment] = {}
    for own in sorted(fitting, key=len, reverse=True):
        recorded = {**own, **recorded}
    names = {(judgment.judge, judgment.judge_type) for judgment in recorded.values()}
    judge: Judge = (None, judge_type)
    if len(names) == 1:
        (judge,) = names
    elif names and judge_type is None:
        judge = (None, next(iter(recorded.values())).judge_type)
    missing = [each for each in rubric.criteria if each.id not in recorded] if rubric else []
    total = totals[judge] if recorded == judges.get(judge) else _total(recorded, rubric)
    return Grade(total, judge, totals, replaced, missing if recorded else [])


def _total(judgments: Mapping[str, Judgment], rubric: Rubric | None) -> Total:
    """Add up judgments by criterion over the rubric (without one: over the judged criteria)."""
    if rubric is not None and (rubric.criteria or rubric.missing):
        criteria: Sequence[Criterion] = rubric.criteria
    else:
        criteria = [each.known for each in judgments.values() if each.known is not None]
    missing = rubric.missing if rubric is not None else 0
    weights = [criterion.weight for criterion in criteria]
    found = [(criterion, judgments.get(criterion.id)) for criterion in criteria]
    scores = [judgment.score if judgment else None for _, judgment in found]
    gap = None
    if not judgments:
        gap = "it has no judgment of the judge it names"
    elif missing:
        gap = "a criterion of its rubric is not in this store"
    elif not weights:
        gap = "none of its judgments names a criterion of this store"
    elif None in weights:
        gap = "a criterion has no weight"
    judged, expected = len(scores) - scores.count(None), len(criteria) + missing
    if gap is not None:
        return Total(None, None, None, judged, expected, gap)
    score = weighted(weights, scores)
    highest = [judgment.high if judgment else criterion.high for criterion, judgment in found]
    return Total(score, weighted(weights, highest), passes(score, rubric), judged, expected)


def passes(score: float | None, rubric: Rubric | None) -> bool | None:
    """Return whether a total reaches the rubric's threshold; None if either is unknown."""
    if score is None or rubric is None or rubric.threshold is None:
        return None
    return at_least(score, rubric.threshold)


def weighted(weights: Sequence[float | None], values: Sequence[float | None]) -> float | None:
    """Return Σ weight·value; None if any part is missing."""
    if None in weights or None in values:
        return None
    return math.fsum(map(operator.mul, weights, values))
