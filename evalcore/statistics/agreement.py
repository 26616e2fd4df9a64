"""How far judges agree, beyond what chance would do: raw agreement, kappa, alpha and AC1.

A *unit* is what several judges score: one criterion of one test run. Units of one case resemble
each other, so intervals resample whole cases.
"""

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.statistics.clustered import (
    Codes,
    Coefficient,
    Numbers,
    Statistic,
    by_case,
    coefficient,
    renumbered,
)
from evalcore.statistics.intervals import SAME

Level = Literal["nominal", "ordinal", "interval"]

STEPS: Final = 21
"""A scale with more steps than this is read as an interval scale: its ranks would say no more."""


class Ratings(NamedTuple):
    """Scores of units, one row a score.

    `unit` counts from 0 and `case` holds the case of each unit, counted from 0 too; `score` is a
    position in `scale`, which lists every score there could be, ascending. A judge scores a unit
    once.
    """

    unit: Codes
    score: Codes
    case: Codes
    scale: Numbers


class Raw(NamedTuple):
    """Of all pairs of scores of the same unit, how many are equal."""

    same: int
    pairs: int


def raw_agreement(given: Ratings) -> Raw:
    """Return how many pairs of scores of the same unit there are, and how many are equal."""
    each = np.bincount(given.unit)
    _, alike = np.unique(given.unit * len(given.scale) + given.score, return_counts=True)
    same, pairs = (int((n * (n - 1)).sum()) // 2 for n in (alike, each))
    return Raw(same, pairs)


def alpha(given: Ratings, level: Level) -> Coefficient:
    """Return Krippendorff's alpha of any number of judges, with gaps, and its 95 % interval.

    1 - observed / expected disagreement (Krippendorff 2011, "Computing Krippendorff's
    Alpha-Reliability"). Disagreement is 1 for other categories (nominal), the square of the
    difference of scores (interval), or of their middle ranks among all scores (ordinal), which is
    Krippendorff's ordinal metric. Units with one score are left out. See `coefficient`.
    """
    paired = np.bincount(given.unit, minlength=len(given.case)) >= 2
    rows = paired[given.unit]
    unit, cases = renumbered(given.unit[rows]), renumbered(given.case[paired])
    chosen = Ratings(unit, given.score[rows], cases, given.scale)
    return coefficient(_ALPHAS[level](chosen), len(cases), cases, _differing(chosen.score))


def kappa(one: Codes, other: Codes, case: Codes, scale: Numbers, level: Level) -> Coefficient:
    """Return Cohen's kappa of two judges who scored the same units, and its 95 % interval.

    Unweighted for nominal scores, else with quadratic weights of the scores themselves (Cohen
    1968), so that a score of the scale that nobody gave still counts as a step. `one` and `other`
    are positions in `scale`, `case` the case of each unit. What statsmodels' `cohens_kappa` gives,
    for many resamples at once. See `coefficient`.
    """
    cases = renumbered(case)
    if level == "nominal":
        found = _plain_kappas(one, other, cases, len(scale))
    else:
        found = _weighted_kappas(scale[one], scale[other], cases)
    return coefficient(found, len(one), cases, _differing(np.concatenate([one, other])))


def ac1(given: Ratings) -> Coefficient:
    """Return Gwet's AC1 of any number of judges, with gaps, and its 95 % interval.

    Gwet 2008, British Journal of Mathematical and Statistical Psychology 61:29. Stays near the raw
    agreement where almost all scores are the same, where kappa and alpha fall to 0. Units with one
    score count in what chance would agree on, and in `cases`. See `coefficient`.
    """
    counts = _counts(given)
    each = counts.sum(axis=1)
    paired = each >= 2
    agreed = (counts * (counts - 1)).sum(axis=1) / np.maximum(each * (each - 1), 1)
    cases = renumbered(given.case)
    sums = by_case(np.column_stack([agreed, paired, counts / each[:, None]]), cases)

    def chance(weights: Numbers) -> Numbers:
        given_to = weights @ sums[:, 2:]
        share = given_to / given_to.sum(axis=1, keepdims=True)
        found: Numbers = (share * (1 - share)).sum(axis=1) / (len(given.scale) - 1)
        return found

    def found(weights: Numbers) -> Numbers:
        agreeing, pairs = (weights @ sums[:, :2]).T
        pairs = np.where(pairs > 0, pairs, np.nan)
        return _one_less(1 - agreeing / pairs, 1 - chance(weights))

    if (units := int(paired.sum())) < 2:
        return Coefficient(None, None, None, units, len(sums), "too few")
    expected = 1 - float(chance(np.ones((1, len(sums))))[0])
    return coefficient(found, units, cases, expected)


def _nominal_alphas(given: Ratings) -> Statistic:
    """Return nominal alpha as a function of weights of cases."""
    counts = _counts(given)
    sums = by_case(np.column_stack([_unlike(counts), counts]), given.case)

    def found(weights: Numbers) -> Numbers:
        total = weights @ sums
        return _one_less(total[:, 0], _unlike(total[:, 1:]))

    return found


def _unlike(counts: Numbers) -> Numbers:
    """Return how many pairs of some scores differ, over one less than their number."""
    n = counts.sum(axis=1)
    found: Numbers = (n**2 - (counts**2).sum(axis=1)) / np.maximum(n - 1, 1)
    return found


def _interval_alphas(given: Ratings) -> Statistic:
    """Return interval alpha as a function of weights of cases, however many steps there are."""
    score = given.scale[given.score]
    x = score - (score.mean() if len(score) else 0.0)
    moments: list[Numbers] = [
        np.bincount(given.unit, of, len(given.case)).astype(np.float64) for of in (x**0, x, x**2)
    ]
    sums = by_case(np.column_stack([_apart(*moments), *moments]), given.case)

    def found(weights: Numbers) -> Numbers:
        observed, *total = (weights @ sums).T
        return _one_less(observed, _apart(*total))

    return found


def _apart(n: Numbers, total: Numbers, squares: Numbers) -> Numbers:
    """Return how far apart all pairs of n scores are, squared, over one less than their number."""
    found: Numbers = 2 * (n * squares - total**2) / np.maximum(n - 1, 1)
    return found


def _ordinal_alphas(given: Ratings) -> Statistic:
    """Return ordinal alpha as a function of weights, which change the ranks of all scores."""
    counts, steps = _counts(given), len(given.scale)
    pairs = (counts[:, :, None] * counts[:, None, :]) - counts[:, :, None] * np.eye(steps)
    coincident = pairs / (counts.sum(axis=1) - 1)[:, None, None]
    summed = by_case(coincident.reshape(-1, steps * steps), given.case)

    def found(weights: Numbers) -> Numbers:
        matrix = (weights @ summed).reshape(-1, steps, steps)
        totals = matrix.sum(axis=2)
        ranks = totals.cumsum(axis=1) - totals / 2
        n, total, squares = ((totals * ranks**power).sum(axis=1) for power in (0, 1, 2))
        observed = 2 * (squares - np.einsum("bi,bij,bj->b", ranks, matrix, ranks))
        return _one_less(observed, _apart(n, total, squares))

    return found


_ALPHAS: Final[dict[Level, Callable[[Ratings], Statistic]]] = {
    "nominal": _nominal_alphas,
    "ordinal": _ordinal_alphas,
    "interval": _interval_alphas,
}


def _plain_kappas(one: Codes, other: Codes, cases: Codes, steps: int) -> Statistic:
    marks = np.eye(steps)
    sums = by_case(np.column_stack([one == other, marks[one], marks[other]]), cases)

    def found(weights: Numbers) -> Numbers:
        total = weights @ sums
        rows, columns = total[:, 1 : 1 + steps], total[:, 1 + steps :]
        n = rows.sum(axis=1)
        return _one_less(n - total[:, 0], n - (rows * columns).sum(axis=1) / n)

    return found


def _weighted_kappas(one: Numbers, other: Numbers, cases: Codes) -> Statistic:
    middle = np.concatenate([one, other]).mean() if len(one) else 0.0
    x, y = one - middle, other - middle
    sums = by_case(np.column_stack([x**0, x, y, x**2 + y**2, (x - y) ** 2]), cases)

    def found(weights: Numbers) -> Numbers:
        n, first, second, squares, apart = (weights @ sums).T
        return _one_less(apart, squares - 2 * first * second / n)

    return found


def _one_less(observed: Numbers, expected: Numbers) -> Numbers:
    """Return 1 - observed / expected disagreement; NaN where chance would not disagree either."""
    none = expected <= SAME * np.maximum(1.0, np.abs(observed))
    found: Numbers = np.where(none, np.nan, 1 - observed / np.where(none, 1.0, expected))
    return found


def _differing(scores: Codes) -> float:
    """Return the share of pairs of all scores, whichever unit they are of, that differ."""
    totals, n = np.bincount(scores), max(len(scores), 2)
    return float(1 - (totals * (totals - 1)).sum() / (n * (n - 1)))


def _counts(given: Ratings) -> Numbers:
    """Return how often each unit has each score of the scale."""
    steps, units = len(given.scale), len(given.case)
    found = np.bincount(given.unit * steps + given.score, minlength=units * steps)
    return found.reshape(units, steps).astype(np.float64)
