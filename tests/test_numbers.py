"""The arithmetic that every family shares."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import numbers

FLOATS = st.floats(-1e6, 1e6)


def test_nothing_gives_nothing() -> None:
    """A mean, median or spread of no values is missing, never 0."""
    nothing: list[float | None] = [None, None]
    assert numbers.mean(nothing) is None
    assert numbers.median(nothing) is None
    assert numbers.stddev(nothing) is None
    assert numbers.weighted_mean([]) is None


def test_missing_values_are_left_out() -> None:
    """What is not there counts neither above nor below the line."""
    assert numbers.mean([1, None, 2]) == 1.5
    assert numbers.median([3, None, 1, 2]) == 2
    assert numbers.median([4, 1, 2, 3]) == 2.5


def test_spread_is_that_of_a_sample() -> None:
    """The standard deviation divides by n - 1 and needs two values."""
    assert numbers.stddev([2, 4]) == pytest.approx(2**0.5)
    assert numbers.stddev([5]) is None


def test_weights_without_weight_give_nothing() -> None:
    """A weighted mean whose weights are all 0 is missing."""
    assert numbers.weighted_mean([(5, 0), (1, 0)]) is None
    assert numbers.weighted_mean([(5, 3), (1, 1)]) == 4


def test_a_near_tie_is_decided_on_the_decimals() -> None:
    """A sum that is 3 on paper reaches 3, although its floats fall short."""
    total = 0.1 * 3 + 0.6 * 3 + 0.3 * 3
    assert total < 3
    assert numbers.at_least(total, 3)
    assert not numbers.at_least(2.999999, 3)
    assert not numbers.at_least(2.96, 3)


@pytest.mark.parametrize(
    ("value", "places", "shown"),
    [(2.5, 0, 3), (0.125, 2, 0.13), (2.675, 2, 2.68), (-0.5, 0, -1), (1e300, 2, 1e300)],
)
def test_rounding_is_half_up(value: float, places: int, shown: float) -> None:
    """Halves go away from zero on the decimals as printed, as people round."""
    assert numbers.rounded(value, places) == shown


def test_printed_is_exact() -> None:
    """Decimals are compared as fractions, so 0.1 + 0.2 is 0.3."""
    assert numbers.printed(0.1 + 0.2, 9) == Fraction(3, 10)


@pytest.mark.parametrize(
    ("stored", "computed", "differ"),
    [
        (0.67, 2 / 3, False),
        (0.66, 2 / 3, True),
        (0.9, 1.0, True),
        (3.6, 3.667, True),
        (3.7, 3.667, False),
        (3.7, 3.65, False),
        (1, 0.96, False),
        (1, 0.94, True),
        (2672, 2672.5, False),
        (2672, 2672.9, True),
        (2672.0, 2672.5, True),
        (1e22, 1e22, False),
        (1.5e-7, 1.54e-7, False),
        (1.5e-7, 1.6e-7, True),
    ],
)
def test_a_stored_number_may_be_off_by_its_last_digit(
    stored: float, computed: float, differ: bool
) -> None:
    """Half a unit of the last printed digit is rounding; a large whole number's unit is 1."""
    assert numbers.disagrees(stored, computed) is differ


def test_numbers_too_large_to_add_are_no_error() -> None:
    """A file may say 1e308 seconds twice: the mean is that, the spread nothing that can be told."""
    assert numbers.mean([1e308, 1e308, 1e308]) == pytest.approx(1e308)
    assert numbers.stddev([1e308, 0.0]) is None


@given(st.lists(FLOATS, min_size=1))
def test_a_mean_lies_among_its_values(values: list[float]) -> None:
    """No mean or median lies outside what it is made of."""
    for found in (numbers.mean(values), numbers.median(values)):
        assert found is not None
        assert min(values) - 1e-6 <= found <= max(values) + 1e-6


@given(FLOATS, st.integers(1, 6))
def test_rounded_values_agree_with_their_source(value: float, places: int) -> None:
    """What is stored rounded never disagrees with what it was rounded from."""
    assert not numbers.disagrees(numbers.rounded(value, places), value)
