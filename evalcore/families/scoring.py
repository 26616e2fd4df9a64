"""Rules that combine human scores of criteria into a run's score, chosen by each family."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.numbers import at_least, weighted_mean

RUBRIC: Final = "rubric"
"""The kind of criterion that is scored on a scale of its own and neither passes nor fails."""
RUBRIC_MAX: Final = 5.0

Key = tuple[str, str]
"""Kind and name of a criterion."""

Scores = Mapping[Key, float]


class Criterion(NamedTuple):
    """A criterion that people judge, as a document words and weighs it."""

    kind: str
    name: str
    description: str | None = None
    required: bool | None = None
    weight: float | None = None
    low: float | None = None
    high: float | None = None
    pass_at: float | None = None
    guide: str | None = None
    source: str | None = None


Criteria = dict[Key, Criterion]
"""Criteria by kind and name, in their order."""


class Total(NamedTuple):
    """The score of a run, None while one of the `expected` criteria is not `judged`."""

    score: float | None
    max_score: float | None
    passed: bool | None
    judged: int
    expected: int


def confidence(node: Node, form: str = "") -> float | None:
    """Return the confidence of a judgment; one that is no share is reported and not read."""
    found = node.number("confidence")
    if found is None or 0 <= found <= 1:
        return found
    message = f"The confidence {found:{form}} is not between 0 and 1; it was not read."
    hint = "Write a share between 0 and 1."
    node.note("warning", "confidence-out-of-range", message, hint, "confidence")
    return None


def is_invalid(
    node: Node,
    who: str,
    rationale: str | None,
    scored: tuple[float | None, float | None, float | None],
    hint: str,
    form: str = "",
) -> bool:
    """Report a score, of (score, low, high), that is outside its scale or has no rationale."""
    if not (rationale or "").strip():
        message = (
            f"The {who} has no rationale: a score without reasoning is invalid, so it counts as "
            "unscored."
        )
        key = "rationale" if "rationale" in node.value else None
        node.note("warning", "no-rationale", message, "Add the reason for this score.", key)
        return True
    score, low, high = scored
    if score is None or not (
        (low is not None and score < low) or (high is not None and score > high)
    ):
        return False
    scale = (
        f"{'…' if low is None else f'{low:{form}}'} to {'…' if high is None else f'{high:{form}}'}"
    )
    message = f"The score {score:{form}} is outside the scale {scale}; it counts as unscored."
    node.note("warning", "score-out-of-range", message, hint, "score")
    return True


Sum = tuple[float | None, float | None, bool | None]
"""What a rule gives: the score, the highest score, and whether the run passed."""


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """How a family scores a run from the scores of its criteria.

    From `pass_at` a criterion passes that is not scored 0 or 1; without it, by its highest score.
    With `by_total`, a run passes from a total on. Kinds in `five` are scored 1 to 5 by default.
    """

    rule: "Rule"
    passed_when: str = "no criterion failed"
    score_is: str = "share of checks passed"
    pass_at: float | None = None
    by_total: bool = False
    five: frozenset[str] = frozenset({RUBRIC})
    meanings: tuple[tuple[float, str], ...] = ()

    def passes(self, criterion: Criterion | None, score: float | None) -> bool | None:
        """Return whether a score passes a criterion; None for one without pass or fail."""
        if criterion is None or score is None:
            return None
        mark = self.pass_mark(criterion)
        return None if mark is None else at_least(score, mark)

    def pass_mark(self, criterion: Criterion) -> float | None:
        """Return the score from which a criterion passes; None for one of a rubric."""
        if criterion.kind == RUBRIC:
            return None
        if criterion.pass_at is not None:
            return criterion.pass_at
        return self.pass_at if self.pass_at is not None and criterion.high != 1 else criterion.high

    def total(self, criteria: Criteria, scores: Scores, threshold: float | None) -> Total:
        """Return a run's score from one person's scores; from `threshold` on its total passes."""
        judged = {key: scores[key] for key in criteria if key in scores}
        score, most, passed = self.rule(self, criteria, judged, threshold)
        if len(judged) < len(criteria):
            score = passed = None
        return Total(score, most, passed, len(judged), len(criteria))


Rule = Callable[[Scoring, Criteria, Scores, float | None], Sum]


def mean_of_all(scoring: Scoring, criteria: Criteria, scores: Scores, _: float | None) -> Sum:
    """The mean of the criteria, passed when every required one is."""
    mean = math.fsum(scores.values()) / len(scores) if scores else None
    known = all(criterion.required is not None for criterion in criteria.values())
    needed = [criterion for criterion in criteria.values() if criterion.required]
    met = [scoring.passes(each, scores.get((each.kind, each.name))) for each in needed]
    highest = max((c.high for c in criteria.values() if c.high is not None), default=RUBRIC_MAX)
    return mean, highest, all(met) if known else None


def weighted_sum(_: Scoring, criteria: Criteria, scores: Scores, threshold: float | None) -> Sum:
    """The sum of weight times score, passed from the threshold on."""
    score = weighted((c.weight, scores.get(key)) for key, c in criteria.items())
    most = weighted((c.weight, c.high) for c in criteria.values())
    passed = None if score is None or threshold is None else at_least(score, threshold)
    return score, most, passed


def passed_of_all(scoring: Scoring, criteria: Criteria, scores: Scores, _: float | None) -> Sum:
    """How many criteria passed; those of a rubric are beside them, or alone make the score."""
    marks = {key: c for key, c in criteria.items() if c.kind != RUBRIC}
    if not marks:
        weights = {key: 1.0 if c.weight is None else c.weight for key, c in criteria.items()}
        pairs = [(scores[key], weight) for key, weight in weights.items() if key in scores]
        return weighted_mean(pairs), RUBRIC_MAX, None
    met = sum(bool(scoring.passes(c, scores.get(key))) for key, c in marks.items())
    return float(met), float(len(marks)), None


def rubric_first(
    scoring: Scoring, criteria: Criteria, scores: Scores, threshold: float | None
) -> Sum:
    """The weighted mean of the rubric's dimensions; without any, the number of passed criteria."""
    dimensions = {key: c for key, c in criteria.items() if c.kind == RUBRIC}
    return passed_of_all(scoring, dimensions or criteria, scores, threshold)


def weighted(parts: Iterable[tuple[float | None, float | None]]) -> float | None:
    """Return the sum of weight times value; None if any part is missing, or there is none."""
    known: Collection[tuple[float | None, float | None]] = list(parts)
    if not known or any(weight is None or value is None for weight, value in known):
        return None
    return math.fsum((weight or 0.0) * (value or 0.0) for weight, value in known)
