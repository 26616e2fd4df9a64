"""The score of a run: Σ weight·score over the criteria of its rubric, from the judgments."""

import math
import operator
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evalcore.families.records.judgments import Mark
from evalcore.families.records.rubrics import Criterion, Rubric
from evalcore.numbers import at_least

Judge = tuple[str | None, str | None]
"""(name, type)"""


class Total(NamedTuple):
    """What one judge makes of a run; `gap` says why a total cannot be computed at all.

    `score` is None without `gap` when a criterion is unscored.
    """

    score: float | None
    max_score: float | None
    passed: bool | None
    judged: int
    expected: int
    gap: str | None = None


class Grade(NamedTuple):
    """All judgments of one run: the recorded total and whose it is, and every judge's own."""

    recorded: Total
    judge: Judge
    totals: dict[Judge, Total]
    replaced: list[Mark]
    missing: list[Criterion]


def grade(marks: Sequence[Mark], rubric: Rubric | None, judge_type: str | None) -> Grade:
    """Grade a run whose record names `judge_type` as the type of its judge."""
    judges, replaced = _current(marks)
    totals = {judge: total(own, rubric) for judge, own in judges.items()}
    chosen = _recorded(judges, judge_type)
    names = {(mark.judge, mark.judge_type) for mark in chosen.values()}
    judge: Judge = (None, judge_type)
    if len(names) == 1:
        judge = names.pop()
    elif names and judge_type is None:
        judge = (None, next(iter(chosen.values())).judge_type)
    recorded = totals[judge] if chosen is judges.get(judge) else total(chosen, rubric)
    missing = [c for c in rubric.criteria if c.id not in chosen] if rubric and chosen else []
    return Grade(recorded, judge, totals, replaced, missing)


def _current(marks: Iterable[Mark]) -> tuple[dict[Judge, dict[str, Mark]], list[Mark]]:
    """Return each judge's newest mark by criterion, and the older ones that those replace."""
    judges: dict[Judge, dict[str, Mark]] = {}
    replaced = []
    current = [mark for mark in marks if not mark.superseded]
    for mark in sorted(current, key=operator.attrgetter("order")):
        own = judges.setdefault((mark.judge, mark.judge_type), {})
        if (old := own.get(mark.criterion or "")) is not None:
            replaced.append(old)
        own[mark.criterion or ""] = mark
    return judges, replaced


def _recorded(judges: dict[Judge, dict[str, Mark]], judge_type: str | None) -> dict[str, Mark]:
    """Return the marks that the store itself holds as the run's: one for each criterion.

    They are of the run's type of judge; where several of that type judged, of the one who judged
    most of it, completed by the others. What was added beside the store is left out.
    """
    fitting = [_unreviewed(own) for (_, kind), own in judges.items() if judge_type in (None, kind)]
    chosen, *others = sorted(fitting, key=len, reverse=True) or [{}]
    for own in filter(None, others):
        chosen = {**own, **chosen}
    return chosen


def _unreviewed(marks: dict[str, Mark]) -> dict[str, Mark]:
    """Return marks without what was added beside the store; the same ones where nothing was."""
    own = {criterion: mark for criterion, mark in marks.items() if not mark.review}
    return marks if len(own) == len(marks) else own


def total(marks: dict[str, Mark], rubric: Rubric | None) -> Total:
    """Add up marks by criterion over the rubric (without one: over the criteria judged)."""
    criteria = _expected(marks, rubric)
    weights = [criterion.weight for criterion in criteria]
    found = [(criterion, marks.get(criterion.id)) for criterion in criteria]
    scores = [mark.score if mark else None for _, mark in found]
    judged = len(scores) - scores.count(None)
    count = len(criteria) + (rubric.missing if rubric else 0)
    gap = _gap(marks, rubric, weights)
    if gap is not None:
        return Total(None, None, None, judged, count, gap)
    score = _weighted(weights, scores)
    most = _weighted(weights, [mark.high if mark else criterion.high for criterion, mark in found])
    return Total(score, most, passes(score, rubric), judged, count)


def passes(score: float | None, rubric: Rubric | None) -> bool | None:
    """Say whether a total reaches the rubric's threshold; None when either is not known."""
    if score is None or rubric is None or rubric.threshold is None:
        return None
    return at_least(score, rubric.threshold)


def most_possible(criteria: Sequence[Criterion]) -> float | None:
    """Return the largest total that a rubric can give; None when a weight or scale is missing."""
    return _weighted([c.weight for c in criteria], [c.high for c in criteria])


def least_possible(criteria: Sequence[Criterion]) -> float | None:
    """Return the smallest total that a rubric can give; None when a weight or scale is missing."""
    return _weighted([c.weight for c in criteria], [c.low for c in criteria])


def _weighted(weights: Sequence[float | None], values: Sequence[float | None]) -> float | None:
    """Return Σ weight·value; None when any part is missing."""
    if None in weights or None in values:
        return None
    return math.fsum(map(operator.mul, weights, values))


def _expected(marks: dict[str, Mark], rubric: Rubric | None) -> Sequence[Criterion]:
    if rubric is not None and (rubric.criteria or rubric.missing):
        return rubric.criteria
    return [mark.known for mark in marks.values() if mark.known is not None]


def _gap(
    marks: dict[str, Mark], rubric: Rubric | None, weights: Sequence[float | None]
) -> str | None:
    if not marks:
        return "it has no judgment of the judge it names"
    if rubric is not None and rubric.missing:
        return "a criterion of its rubric is not in this store"
    if not weights:
        return "none of its judgments names a criterion of this store"
    if None in weights:
        return "a criterion has no weight"
    return None
