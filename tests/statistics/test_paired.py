"""Tests of paired differences: published values, and what scipy counts the slow way."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from evalcore.statistics.paired import score_interval, sign_flip

THIRDS = st.sampled_from([-1, -2 / 3, -1 / 3, 0, 1 / 3, 2 / 3, 1])


def test_passing_and_failing_is_the_mcnemar_test_of_vassarstats() -> None:
    """The off-diagonal counts 70 and 59, as statsmodels' own tests hold them."""
    assert sign_flip([1] * 70 + [-1] * 59).p == pytest.approx(0.378688, abs=5e-7)


def test_mid_p_counts_the_same_outcome_by_half() -> None:
    """Fagerland, Lydersen, Laake 2013: 1 against 7 of 21 has an exact p of 0.070, mid-p 0.039."""
    found = sign_flip([1] + [-1] * 7 + [0] * 13)
    assert (round(found.p, 3), round(found.mid, 3)) == (0.070, 0.039)


def test_fewer_than_six_changes_show_nothing() -> None:
    """5 of 5 one way is 2 / 2⁵ = 0.0625, 6 of 6 is 2 / 2⁶."""
    assert sign_flip([0.5] * 5).p == sign_flip([1] * 5).p == 0.0625
    assert sign_flip([0.1] * 6).p == sign_flip([-1] * 6).p == 0.03125


def test_no_change_and_as_many_each_way_are_chance() -> None:
    """The p is 1, never more."""
    assert sign_flip([]).p == sign_flip([0, 0, 0]).p == sign_flip([0, 0, 0]).mid == 1
    assert sign_flip([0.5, -0.5]).p == 1


@settings(max_examples=50)
@given(st.lists(st.integers(-3, 3), min_size=2, max_size=10))
def test_the_exact_test_is_that_of_scipy(thirds: list[int]) -> None:
    """Every way to turn the signs is counted; thirds, which floats cannot store, tie as they do."""
    found = permutation_test(
        (thirds,), np.sum, permutation_type="samples", vectorized=True, n_resamples=2**10
    )
    assert sign_flip([third / 3 for third in thirds]).p == pytest.approx(float(found.pvalue))


def test_sums_beyond_the_scale_flip_too() -> None:
    """Clusters of cases are sums: 1.5, -1 and 3 come to 3.5 or more in 4 of 8 ways."""
    assert sign_flip([1.5, -1, 3]).p == 0.5


def test_many_changes_are_counted_exactly() -> None:
    """13 of 17 up by the same is the sign test: 2 · P(X ≤ 4) of 17 fair coins = 0.0490."""
    found = sign_flip([0.5] * 13 + [-0.5] * 4)
    assert found.exact
    assert found.p == pytest.approx(0.04904, abs=1e-5)


def test_a_sampled_p_is_never_zero() -> None:
    """Numbers without steps: it counts the way the signs fell among those drawn."""
    found = sign_flip(np.random.default_rng(1).random(60))
    assert not found.exact
    assert found.p == 1 / 10_000


@settings(deadline=None)
@given(st.lists(THIRDS, min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_neither_order_nor_side_nor_unchanged_cases_count(
    differences: list[float], random: Random
) -> None:
    """The same p, to the last bit."""
    found = sign_flip(differences)
    shuffled = list(differences)
    random.shuffle(shuffled)
    assert sign_flip(shuffled) == found
    assert sign_flip([-difference for difference in differences]) == found
    assert sign_flip([*differences, 0, 0]) == found


@pytest.mark.parametrize(
    ("up", "down", "cases", "low", "high"),
    [
        # Fagerland, Lydersen, Laake 2014: airways before and after a transplantation.
        (1, 7, 21, -0.517, -0.026),
        # R's package contingencytables: response before and after consolidation (Cavo 2012).
        (6, 16, 161, -0.1240, -0.0054),
    ],
)
def test_the_score_interval_is_that_of_tango(
    up: int, down: int, cases: int, low: float, high: float
) -> None:
    """To the digits that were printed."""
    digits = len(str(low).partition(".")[2])
    assert score_interval(up, down, cases) == pytest.approx((low, high), abs=0.6 * 10**-digits)


def test_no_change_leaves_the_published_width_open() -> None:
    """± z² / (n + z²), though nothing changed."""
    assert score_interval(0, 0, 20) == pytest.approx((-0.16113, 0.16113), abs=1e-5)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_the_score_interval_holds_the_difference(up: int, down: int, same: int) -> None:
    """It mirrors, lies within -1 and 1, and is never of width zero."""
    cases = up + down + same + 1
    low, high = score_interval(up, down, cases)
    assert score_interval(down, up, cases) == (-high, -low)
    assert -1 <= low < (up - down) / cases < high <= 1


def test_all_cases_one_way_reach_the_end_of_the_scale() -> None:
    """20 of 20 began to pass: up to 100 points, and not below 67."""
    assert score_interval(20, 0, 20) == pytest.approx((0.6777, 1), abs=1e-4)
