"""How far judges agree: published values, what is undefined, and what the ranges cover."""

from collections.abc import Sequence
from typing import Any, get_args

import krippendorff
import numpy as np
import pytest
from numpy.typing import NDArray
from statsmodels.stats.inter_rater import cohens_kappa

from evalcore.statistics.agreement import (
    STEPS,
    Level,
    Ratings,
    Raw,
    ac1,
    alpha,
    kappa,
    raw_agreement,
)
from evalcore.statistics.clustered import FEWEST, Coefficient

NONE = float("nan")
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3),
    (NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE),
)
"""Four observers and twelve units with gaps (Krippendorff 2011)."""
LEVELS: tuple[Level, ...] = get_args(Level)


def ratings(
    scores: Any, scale: Sequence[float] | None = None, case: Sequence[int] | None = None
) -> Ratings:
    """Return what judges (rows) said of units (columns); NaN where a judge said nothing."""
    table = np.asarray(scores, dtype=float)
    steps = np.unique(table[~np.isnan(table)]) if scale is None else np.asarray(scale, float)
    judge, unit = np.nonzero(~np.isnan(table))
    cases = np.arange(table.shape[1]) if case is None else np.asarray(case)
    return Ratings(unit, np.searchsorted(steps, table[judge, unit]), cases, steps)


def pair(counts: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the scores of two judges whose table of counts is given."""
    table = np.asarray(counts)
    one, other = np.nonzero(np.ones_like(table))
    return np.repeat(one, table.ravel()), np.repeat(other, table.ravel())


def of_table(counts: Sequence[Sequence[int]], level: Level = "nominal") -> Coefficient:
    """Return kappa of a table of counts; each unit is a case of its own."""
    one, other = pair(counts)
    return kappa(one, other, np.arange(len(one)), np.arange(float(len(counts))), level)


def close(value: float | None, published: float, places: int) -> bool:
    """Say whether a value is a published one, to the digits that were published."""
    return value is not None and abs(value - published) <= 0.5 * 10**-places + 1e-12


@pytest.mark.parametrize(
    ("counts", "published", "places"),
    [
        ([[20, 5], [10, 15]], 0.4, 4),
        ([[45, 15], [25, 15]], 0.1304, 4),
        ([[25, 35], [5, 35]], 0.2593, 4),
        ([[13, 0, 0], [0, 20, 7], [0, 4, 56]], 0.7964094, 7),
    ],
)
def test_kappa_is_the_published_one(counts: list[list[int]], published: float, places: int) -> None:
    """Three tables that textbooks use, and the abstractors of the irrCAC vignette."""
    assert close(of_table(counts).value, published, places)


def test_the_range_of_kappa_is_as_wide_as_the_published_standard_error_says() -> None:
    """The abstractors' standard error is .0589; where units are cases, resamples agree with it."""
    found = of_table([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
    assert found.low is not None and found.high is not None
    assert (found.high - found.low) / (2 * 1.96) == pytest.approx(0.05891072, rel=0.1)


def test_weighted_kappa_counts_scores_that_nobody_gave() -> None:
    """With the scale 1 to 5 it is .4808; numbered anew without 3 and 4 it would be .75."""
    one, other = np.array([1, 2, 5, 5, 1, 2]), np.array([1, 5, 5, 2, 1, 2])
    cases = np.arange(6)
    found = kappa(one - 1, other - 1, cases, np.arange(1.0, 6.0), "ordinal")
    assert close(found.value, 0.4808, 4)
    seen = np.array([1, 2, 5])
    anew = kappa(
        np.searchsorted(seen, one), np.searchsorted(seen, other), cases, np.arange(3.0), "ordinal"
    )
    assert close(anew.value, 0.75, 2)


def test_weighted_kappa_is_that_of_statsmodels() -> None:
    """Quadratic weights, any table."""
    counts = [[11, 3, 1, 0], [4, 9, 5, 1], [0, 6, 12, 3], [1, 0, 2, 14]]
    theirs = cohens_kappa(np.array(counts), wt="quadratic", return_results=False)
    assert of_table(counts, "ordinal").value == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize(
    ("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_is_the_published_one(level: Level, published: float) -> None:
    """Krippendorff's four observers; the unit that only one of them scored is left out."""
    found = alpha(ratings(OBSERVERS), level)
    assert close(found.value, published, 3)
    assert found.units == 11


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_is_that_of_the_package(level: Level) -> None:
    """Any number of judges, gaps, and scores that nobody gave."""
    rng = np.random.default_rng(7)
    for judges, units in ((2, 9), (3, 30), (6, 40)):
        table = np.clip(rng.normal(3, 1, units) + rng.normal(0, 0.8, (judges, units)), 1, 5).round()
        table[rng.random(table.shape) < 0.3] = NONE
        theirs = krippendorff.alpha(table, level_of_measurement=level)
        ours = alpha(ratings(table, scale=range(8)), level)
        assert ours.value == pytest.approx(theirs, abs=1e-12)


def test_gwets_ac1_is_the_published_one() -> None:
    """The same four observers: .77544; a unit with one score counts in what chance would do."""
    found = ac1(ratings(OBSERVERS))
    assert close(found.value, 0.77544, 5)
    assert found.units == 11


def test_the_kappa_paradox() -> None:
    """118 of 125 alike: 94.4 % agreement, kappa -.023, and AC1 .941, which does not fall."""
    counts = [[118, 5], [2, 0]]
    given = ratings(pair(counts))
    assert raw_agreement(given) == Raw(118, 125)
    assert close(of_table(counts).value, -0.023, 3)
    assert close(ac1(given).value, 0.941, 3)


def test_raw_agreement_counts_pairs_of_scores_of_one_unit() -> None:
    """Three judges make three pairs, two make one, one makes none."""
    assert raw_agreement(ratings([[1, 2, 3], [1, 2, NONE], [2, NONE, NONE]])) == Raw(2, 4)


@pytest.mark.parametrize("level", LEVELS)
def test_one_and_the_same_score_is_no_number(level: Level) -> None:
    """Everybody gave 4 throughout: “all agree” with n, and neither 1 nor 0."""
    given = ratings([[4] * 7, [4] * 7], scale=range(1, 6))
    assert alpha(given, level) == Coefficient(None, None, None, 7, 7, "all agree")
    scores = np.full(7, 3)
    found = kappa(scores, scores, np.arange(7), np.arange(1.0, 6.0), level)
    assert found == Coefficient(None, None, None, 7, 7, "all agree")


def test_fewer_than_two_units_are_too_few() -> None:
    """One unit, or none, has no coefficient."""
    for units in (0, 1):
        given = ratings(np.full((2, units), 3.0), scale=range(1, 6))
        for found in (alpha(given, "ordinal"), ac1(given)):
            assert found == Coefficient(None, None, None, units, units, "too few")


def test_few_cases_have_no_range() -> None:
    """Many units of few cases are not independent: below six cases only the value is told."""
    rng = np.random.default_rng(3)
    table = rng.integers(1, 6, (3, 60))
    cases = [unit % (FEWEST - 1) for unit in range(60)]
    found = alpha(ratings(table, case=cases), "ordinal")
    assert found.value is not None
    assert (found.low, found.high, found.cases) == (None, None, FEWEST - 1)


def test_a_range_takes_units_of_one_case_as_alike() -> None:
    """The same scores told four times over are no more evidence: the range stays as wide."""
    rng = np.random.default_rng(5)
    once = np.clip(rng.normal(3, 1, 25) + rng.normal(0, 1, (2, 25)), 1, 5).round()
    often = np.repeat(once, 4, axis=1)
    single = alpha(ratings(once, scale=range(1, 6)), "interval")
    clustered = alpha(
        ratings(often, scale=range(1, 6), case=[unit // 4 for unit in range(100)]), "interval"
    )
    naive = alpha(ratings(often, scale=range(1, 6)), "interval")

    def width(found: Coefficient) -> float:
        assert found.low is not None and found.high is not None
        return found.high - found.low

    assert width(clustered) == pytest.approx(width(single), rel=0.05)
    assert width(naive) < 0.7 * width(clustered)


def test_perfect_agreement_is_not_certain() -> None:
    """Eight of eight alike: 1, with what may have been missed; more cases make that narrower."""
    few = alpha(ratings([[0, 1] * 4] * 2), "nominal")
    many = alpha(ratings([[0, 1] * 100] * 2), "nominal")
    assert few.value == many.value == 1
    assert few.low is not None and many.low is not None
    assert few.low < 0.5 < many.low < 1


def test_too_many_resamples_without_a_coefficient_leave_no_range() -> None:
    """One score of sixteen differs: every third resample misses it and is all alike."""
    one, other = [1, 1, 1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1, 1, 1]
    found = alpha(ratings([one, other]), "nominal")
    assert found.value is not None
    assert (found.low, found.high) == (None, None)


def test_the_same_scores_give_the_same_range() -> None:
    """Resamples are drawn with a fixed seed."""
    assert alpha(ratings(OBSERVERS), "ordinal") == alpha(ratings(OBSERVERS), "ordinal")


def test_a_fine_scale_is_counted_without_a_table_of_its_steps() -> None:
    """Scores with decimals, each its own step: interval alpha, as the package has it."""
    rng = np.random.default_rng(11)
    table = rng.normal(50, 10, 40) + rng.normal(0, 5, (2, 40))
    given = ratings(table)
    assert len(given.scale) > STEPS
    theirs = krippendorff.alpha(table, level_of_measurement="interval")
    assert alpha(given, "interval").value == pytest.approx(theirs, abs=1e-9)


def test_the_range_holds_the_true_alpha_often_enough() -> None:
    """30 units and 3 judges, 60 rounds: at least 53 of the 95 % ranges hold it."""
    rng = np.random.default_rng(2)
    cuts = [-1.2, -0.4, 0.4, 1.2]

    def drawn(units: int) -> Ratings:
        scores = rng.normal(0, 1, units) + rng.normal(0, 0.7, (3, units))
        return ratings(np.searchsorted(cuts, scores), scale=range(5))

    true = alpha(drawn(50_000)._replace(case=np.zeros(50_000, np.int64)), "ordinal").value
    assert true is not None
    hits = 0
    for _ in range(60):
        found = alpha(drawn(30), "ordinal")
        assert found.low is not None and found.high is not None
        hits += found.low <= true <= found.high
    assert hits >= 53
