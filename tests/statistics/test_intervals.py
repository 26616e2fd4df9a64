"""Intervals: published values, and that none is ever of width zero."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap, skew
from statsmodels.stats.proportion import proportion_confint

from evalcore.statistics import intervals

SHARES = st.lists(st.sampled_from([0, 1 / 3, 0.5, 2 / 3, 0.9, 1]), min_size=2, max_size=30)
# Newcombe 1998, Statistics in Medicine 17:857, Table I.
NEWCOMBE = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0, 0.1611),
    (1, 29, 0.0061, 0.1718),
]
# R's package binom, as statsmodels' own tests hold it.
R_BINOM = [
    (18, 20, 0.6989664, 0.9721335),
    (4, 20, 0.0806577, 0.4160174),
    (1, 30, 0.0059086, 0.1667039),
    (0, 30, 0, 0.1135134),
    (30, 30, 0.8864866, 1),
]
# R's package boot with 1,000,000 resamples, as scipy's own tests hold it.
BOOT = [10, 12, 12.5, 12.5, 13.9, 15, 21, 22, 23, 34, 50, 81, 89, 121, 134, 213]
# R's data set "sleep": the extra hours with one drug minus those with the other.
SLEEP = [-1.2, -2.4, -1.3, -1.3, 0.0, -1.0, -1.8, -0.8, -4.6, -1.4]


@pytest.mark.parametrize(("passed", "n", "low", "high"), NEWCOMBE)
def test_a_rate_has_the_interval_of_newcombe(passed: int, n: int, low: float, high: float) -> None:
    """Wilson's interval, to the four digits of the table."""
    assert intervals.wilson(passed, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("passed", "n", "low", "high"), R_BINOM)
def test_a_rate_has_the_interval_of_r(passed: int, n: int, low: float, high: float) -> None:
    """Wilson's interval, to seven digits."""
    assert intervals.wilson(passed, n) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize("n", [1, 3.5, 42, 10_000])
@pytest.mark.parametrize("share", [0, 0.25, 0.5, 1])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_a_rate_has_the_interval_of_statsmodels(share: float, n: float, confidence: float) -> None:
    """Wilson's interval, for shares of cases and other confidences too."""
    expected = proportion_confint(share * n, n, alpha=1 - confidence, method="wilson")
    assert intervals.wilson(share * n, n, confidence) == pytest.approx(expected, abs=1e-12)


def test_three_of_three_is_not_certain() -> None:
    """Wilson reaches from 0.44 to exactly 1, where Wald's interval would be 1 to 1."""
    low, high = intervals.wilson(3, 3)
    assert low == pytest.approx(0.4385, abs=5e-5)
    assert high == 1


def test_cases_that_pass_or_fail_have_the_interval_of_their_rate() -> None:
    """A mean of zeros and ones is a rate of cases."""
    assert intervals.mean_interval([1] * 8 + [0] * 2) == intervals.wilson(8, 10)
    assert intervals.mean_interval([1] * 8 + [0] * 2) == pytest.approx((0.49, 0.94), abs=5e-3)


def test_other_values_have_a_t_interval_within_the_scale() -> None:
    """0.2, 0.5, 0.8 and 1: mean 0.625, standard error 0.175, t of 3 degrees 3.18; cut at 1."""
    low, high = intervals.mean_interval([1, 0.5, 0.8, 0.2]) or (0, 0)
    assert low == pytest.approx(0.625 - 3.1824 * np.std([1, 0.5, 0.8, 0.2], ddof=1) / 2, abs=1e-4)
    assert high == 1


def test_a_rate_near_the_end_is_no_surer_than_its_few_failures() -> None:
    """One case of 42 failed one run of three: t would say 97.6 to 100 %."""
    values = [1.0] * 41 + [2 / 3]
    low, high = intervals.mean_interval(values) or (0, 0)
    assert low < 0.95 < intervals.t_interval(values)[0]
    assert intervals.wilson(42, 42)[0] < low + 0.03
    assert high <= 1


@pytest.mark.parametrize(("rate", "cases", "runs"), [(0.99, 100, 3), (0.97, 42, 5), (0.9, 20, 5)])
def test_a_rate_near_the_end_is_held(rate: float, cases: int, runs: int) -> None:
    """Simulated: of 300 sets in which the t interval holds 83 to 89 %, 92 % or more."""
    rng = np.random.default_rng(cases)
    held = 0
    for _ in range(300):
        rates = rng.beta(2 * rate, 2 * (1 - rate), cases)
        found = intervals.mean_interval(rng.binomial(runs, rates) / runs) or (0, 0)
        held += found[0] <= rate <= found[1]
    assert held >= 0.92 * 300


@pytest.mark.parametrize("values", [[], [1], [0.5]])
def test_one_case_has_no_interval(values: list[float]) -> None:
    """However often it ran: its runs are averaged before."""
    assert intervals.mean_interval(values) is None


def test_equal_values_are_as_uncertain_as_a_rate() -> None:
    """Four cases at 0.5 have no spread, and the interval of 2 of 4."""
    assert intervals.mean_interval([0.5] * 4) == intervals.wilson(2, 4)


@given(SHARES)
def test_an_interval_holds_the_mean_and_is_never_empty(values: list[float]) -> None:
    """It lies in the scale, around the mean, whatever the values and their order."""
    low, high = intervals.mean_interval(values) or (1, 0)
    assert 0 <= low <= np.mean(values) + 1e-12
    assert np.mean(values) - 1e-12 <= high <= 1
    assert high - low > 1e-3
    assert intervals.mean_interval(values[::-1]) == (low, high)


def test_the_t_interval_is_that_of_r() -> None:
    """`t.test` of the ten differences of "sleep"."""
    assert intervals.t_interval(SLEEP) == pytest.approx((-2.4598858, -0.7001142), abs=1e-7)


def test_the_bootstrap_is_that_of_r() -> None:
    """BCa of 16 skewed values, within what 9,999 resamples leave to chance."""
    assert intervals.bca(BOOT) == pytest.approx((32.31, 91.43), rel=0.015)


@pytest.mark.parametrize("confidence", [0.95, 0.99])
def test_the_bootstrap_is_that_of_scipy(confidence: float) -> None:
    """Few different values, and many: both ways to draw them."""
    rng = np.random.default_rng(3)
    for values in (rng.choice([0, 0, 0, 0.5, 1], 40), rng.exponential(1, 120)):
        found = bootstrap(
            (values,), np.mean, method="BCa", confidence_level=confidence, rng=rng
        ).confidence_interval
        width = found.high - found.low
        assert intervals.bca(values, confidence) == pytest.approx(tuple(found), abs=0.08 * width)


def test_the_bootstrap_knows_neither_order_nor_side() -> None:
    """The same values give the same interval, negated ones the same mirrored."""
    low, high = intervals.bca(BOOT) or (0, 0)
    assert intervals.bca(BOOT[::-1]) == (low, high)
    assert intervals.bca([-value for value in BOOT]) == (-high, -low)


def test_a_balanced_set_has_a_balanced_bootstrap() -> None:
    """As many up as down, by as much: chance in the resampling favours no side."""
    low, high = intervals.bca([-0.5, -0.25, 0, 0.25, 0.5]) or (0, 0)
    assert low == -high < 0


@pytest.mark.parametrize("values", [[0.5], [0.2] * 9, np.arange(intervals.LARGE) / 1e4])
def test_where_there_is_no_bootstrap(values: list[float]) -> None:
    """One case, equal values, and thousands of cases have none."""
    assert intervals.bca(values) is None


def test_without_skewness_hall_gives_the_t_interval() -> None:
    """The transformation leaves what is symmetric alone."""
    even = np.tile([-0.5, -0.1, 0.1, 0.5], 5) + 0.2
    assert intervals.skew_interval(even) == pytest.approx(intervals.t_interval(even))


def test_hall_reaches_to_the_side_of_the_rare_values() -> None:
    """Written out for the 16 values of R: g⁻¹(x) = 3/k · (∛(1 + k (x - k/6)) - 1), k = skew/√n."""
    k = float(skew(BOOT)) / 4
    t, error = 2.13145, np.std(BOOT, ddof=1) / 4
    ends = [3 / k * (np.cbrt(1 + k * (reach - k / 6)) - 1) for reach in (t, -t)]
    low, high = intervals.skew_interval(BOOT)
    assert (low, high) == pytest.approx([np.mean(BOOT) - end * error for end in ends], rel=1e-4)
    plain = intervals.t_interval(BOOT)
    assert low > plain[0]
    assert high > plain[1]


def test_a_t_interval_is_as_sure_as_it_is_asked_to_be() -> None:
    """Of 98 %: t of 9 degrees is 2.8214 then, instead of 2.2622."""
    even = [-0.5, -0.4, -0.3, -0.2, -0.1, 0.1, 0.2, 0.3, 0.4, 0.5]
    wide, plain = intervals.t_interval(even, 0.98), intervals.t_interval(even)
    assert wide[1] / plain[1] == pytest.approx(2.8214 / 2.2622, abs=1e-4)


@settings(max_examples=30)
@given(st.lists(st.sampled_from([0, 0.25, 0.5, 1]), min_size=8, max_size=40))
def test_the_standard_error_is_that_of_runs_clustered_on_their_case(values: list[float]) -> None:
    """Cases with four runs each: as `statsmodels` OLS on a constant with clustered errors."""
    import statsmodels.api as sm  # noqa: PLC0415 - takes most of a second

    runs = np.array(values[: len(values) // 4 * 4])
    cases = np.repeat(np.arange(len(runs) // 4), 4)
    fit = sm.OLS(runs, np.ones(len(runs))).fit(cov_type="cluster", cov_kwds={"groups": cases})
    means = runs.reshape(-1, 4).mean(axis=1)
    assert intervals.standard_error(means) == pytest.approx(float(fit.bse[0]), abs=1e-12)


def test_no_change_of_twenty_cases_leaves_sixteen_points_open() -> None:
    """z² / (n + z²) with z = 1.96."""
    assert intervals.unchanged_width(20) == pytest.approx(3.8415 / 23.8415, abs=1e-5)


def test_the_same_change_of_ten_cases_is_not_certain() -> None:
    """All by 0.2: t of 9 degrees times 0.2 / √(12 · 10)."""
    assert intervals.even_width(-0.2, 10) == pytest.approx(2.2622 * 0.2 / math.sqrt(120), abs=1e-5)
