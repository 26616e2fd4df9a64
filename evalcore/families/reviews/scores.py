"""What one person's scores of a run come to, by the rule of its suite's family."""

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from evalcore.families.reviews.known import Criteria, Criterion
from evalcore.numbers import at_least, weighted_mean

PASS_AT: Final = 3.0
"""The score from which a criterion of the family improve has passed, where it does not say."""

RUBRIC_MAX: Final = 5.0

Scores = Mapping[tuple[str, str], float]
"""A score for each criterion, by kind and name."""


class Total(NamedTuple):
    """The score of a run; None while a criterion that was asked has no score.

    `judged` of `expected` criteria have one.
    """

    score: float | None
    max_score: float | None
    passed: bool | None
    judged: int
    expected: int


def passes(family: str, criterion: Criterion | None, score: float | None) -> bool | None:
    """Say whether a score passes a criterion; None for one that does not pass or fail."""
    if criterion is None or score is None:
        return None
    mark = pass_mark(family, criterion)
    return None if mark is None else at_least(score, mark)


def pass_mark(family: str, criterion: Criterion) -> float | None:
    """Return the score from which a criterion has passed; None for one of a rubric."""
    if criterion.kind == "rubric":
        return None
    if criterion.pass_at is not None:
        return criterion.pass_at
    if family == "improve" and criterion.high != 1:
        return PASS_AT
    return criterion.high


def total(family: str, criteria: Criteria, scores: Scores, threshold: float | None) -> Total:
    """Return what the scores of one person come to over the criteria that were asked.

    `threshold` is the total that passes, where the family has one.
    """
    judged = {key: scores[key] for key in criteria if key in scores}
    rule = _RULES.get(family, _passed_of_all)
    if family == "rubric" and all(criterion.kind != "rubric" for criterion in criteria.values()):
        rule = _passed_of_all
    score, most, passed = rule(criteria, judged, threshold)
    if len(judged) < len(criteria):
        score = passed = None
    return Total(score, most, passed, len(judged), len(criteria))


_Result = tuple[float | None, float | None, bool | None]


def _improve(criteria: Criteria, scores: Scores, _: float | None) -> _Result:
    """The mean of the criteria, passed when every required one is."""
    mean = math.fsum(scores.values()) / len(scores) if scores else None
    known = all(criterion.required is not None for criterion in criteria.values())
    needed = [criterion for criterion in criteria.values() if criterion.required]
    met = [passes("improve", each, scores.get((each.kind, each.name))) for each in needed]
    highest = max((c.high for c in criteria.values() if c.high is not None), default=RUBRIC_MAX)
    return mean, highest, all(met) if known else None


def _records(criteria: Criteria, scores: Scores, threshold: float | None) -> _Result:
    """The sum of weight times score, passed from the rubric's threshold on."""
    score = _weighted((c.weight, scores.get(key)) for key, c in criteria.items())
    most = _weighted((c.weight, c.high) for c in criteria.values())
    known = score is not None and threshold is not None
    return score, most, at_least(score, threshold) if known else None  # type: ignore[arg-type]


def _rubric(criteria: Criteria, scores: Scores, _: float | None) -> _Result:
    """The weighted mean of the rubric's dimensions."""
    pairs = [(scores[key], 1.0 if c.weight is None else c.weight)
             for key, c in criteria.items() if c.kind == "rubric" and key in scores]  # fmt: skip
    return weighted_mean(pairs), RUBRIC_MAX, None


def _passed_of_all(criteria: Criteria, scores: Scores, _: float | None) -> _Result:
    """How many criteria passed; those of a rubric stand beside them."""
    marks = {key: c for key, c in criteria.items() if c.kind != "rubric"}
    if not marks:
        return _rubric(criteria, scores, None)
    met = sum(bool(passes("iterations", c, scores.get(key))) for key, c in marks.items())
    return float(met), float(len(marks)), None


_RULES: Final = {"improve": _improve, "records": _records, "rubric": _rubric}


def _weighted(parts: Iterable[tuple[float | None, float | None]]) -> float | None:
    """Return the sum of weight times value; None when any part is missing."""
    known: Collection[tuple[float | None, float | None]] = list(parts)
    if not known or any(weight is None or value is None for weight, value in known):
        return None
    return math.fsum((weight or 0.0) * (value or 0.0) for weight, value in known)
