"""The score of a run: Σ weight·score over the criteria of its rubric, from the judgments."""

import math
import operator
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evalcore.families.records.judgments import Judgment
from evalcore.families.records.rubrics import Criterion, Rubric
from evalcore.numbers import at_least

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
    """Grade a run whose record names `judge_type` as the type of its judge."""
    judges, replaced = _current(judgments)
    totals = {judge: total(own, rubric) for judge, own in judges.items()}
    chosen = _recorded(judges, judge_type)
    names = {(judgment.judge, judgment.judge_type) for judgment in chosen.values()}
    judge: Judge = (None, judge_type)
    if len(names) == 1:
        judge = names.pop()
    elif names and judge_type is None:
        judge = (None, next(iter(chosen.values())).judge_type)
    recorded = totals[judge] if chosen is judges.get(judge) else total(chosen, rubric)
    missing = [c for c in rubric.criteria if c.id not in chosen] if rubric and chosen else []
    return Grade(recorded, judge, totals, replaced, missing)


def _current(
    judgments: Iterable[Judgment],
) -> tuple[dict[Judge, dict[str, Judgment]], list[Judgment]]:
    """Return each judge's newest judgment by criterion, and the replaced ones."""
    judges: dict[Judge, dict[str, Judgment]] = {}
    replaced = []
    current = [judgment for judgment in judgments if not judgment.superseded]
    for judgment in sorted(current, key=operator.attrgetter("order")):
        own = judges.setdefault((judgment.judge, judgment.judge_type), {})
        if (old := own.get(judgment.criterion or "")) is not None:
            replaced.append(old)
        own[judgment.criterion or ""] = judgment
    return judges, replaced


def _recorded(
    judges: dict[Judge, dict[str, Judgment]], judge_type: str | None
) -> dict[str, Judgment]:
    """Return the recorded judgments of the run, one for each criterion.

    They are by the run's type of judge; if several of that type judged, by the one who judged most
    of it, completed by the others. Reviews beside the store are left out.
    """
    fitting = [_unreviewed(own) for (_, kind), own in judges.items() if judge_type in (None, kind)]
    chosen, *others = sorted(fitting, key=len, reverse=True) or [{}]
    for own in filter(None, others):
        chosen = {**own, **chosen}
    return chosen


def _unreviewed(judgments: dict[str, Judgment]) -> dict[str, Judgment]:
    """Return judgments without reviews beside the store; the same mapping if there are none."""
    own = {criterion: judgment for criterion, judgment in judgments.items() if not judgment.review}
    return judgments if len(own) == len(judgments) else own


def total(judgments: dict[str, Judgment], rubric: Rubric | None) -> Total:
    """Add up judgments by criterion over the rubric (without one: over the judged criteria)."""
    criteria = _expected(judgments, rubric)
    weights = [criterion.weight for criterion in criteria]
    found = [(criterion, judgments.get(criterion.id)) for criterion in criteria]
    scores = [judgment.score if judgment else None for _, judgment in found]
    judged = len(scores) - scores.count(None)
    count = len(criteria) + (rubric.missing if rubric else 0)
    gap = _gap(judgments, rubric, weights)
    if gap is not None:
        return Total(None, None, None, judged, count, gap)
    score = _weighted(weights, scores)
    most = _weighted(
        weights, [judgment.high if judgment else criterion.high for criterion, judgment in found]
    )
    return Total(score, most, passes(score, rubric), judged, count)


def passes(score: float | None, rubric: Rubric | None) -> bool | None:
    """Return whether a total reaches the rubric's threshold; None if either is unknown."""
    if score is None or rubric is None or rubric.threshold is None:
        return None
    return at_least(score, rubric.threshold)


def most_possible(criteria: Sequence[Criterion]) -> float | None:
    """Return the largest possible total of a rubric; None if a weight or scale is missing."""
    return _weighted([c.weight for c in criteria], [c.high for c in criteria])


def least_possible(criteria: Sequence[Criterion]) -> float | None:
    """Return the smallest possible total of a rubric; None if a weight or scale is missing."""
    return _weighted([c.weight for c in criteria], [c.low for c in criteria])


def _weighted(weights: Sequence[float | None], values: Sequence[float | None]) -> float | None:
    """Return Σ weight·value; None if any part is missing."""
    if None in weights or None in values:
        return None
    return math.fsum(map(operator.mul, weights, values))


def _expected(judgments: dict[str, Judgment], rubric: Rubric | None) -> Sequence[Criterion]:
    if rubric is not None and (rubric.criteria or rubric.missing):
        return rubric.criteria
    return [judgment.known for judgment in judgments.values() if judgment.known is not None]


def _gap(
    judgments: dict[str, Judgment], rubric: Rubric | None, weights: Sequence[float | None]
) -> str | None:
    if not judgments:
        return "it has no judgment of the judge it names"
    if rubric is not None and rubric.missing:
        return "a criterion of its rubric is not in this store"
    if not weights:
        return "none of its judgments names a criterion of this store"
    if None in weights:
        return "a criterion has no weight"
    return None
