"""Directions and drops: every reading of seed 001 that was left open, with its vectors."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.statistics.trend import drop, escalates, trend

_MIRRORED = {"improving": "degrading", "degrading": "improving"}
RATES = st.fractions(0, 1, max_denominator=40)


@pytest.mark.parametrize(
    ("values", "direction", "early"),
    [
        ([], "too early", False),
        ([0.2], "too early", False),
        ([0.2, 0.9], "too early", False),
        ([0.5, 0.5, 0.5], "stable", True),
        ([0.80, 0.81, 0.85], "stable", True),  # exactly 0.05 apart, which floats call more
        ([0.80, 0.81, 0.851], "improving", True),
        ([0.9, 0.8, 0.7], "degrading", True),
        ([0.9, 0.7, 0.8], "no clear direction", True),
        ([0.1, 0.2, 0.3, 0.4], "improving", True),
        ([0.1, 0.2, 0.4, 0.3], "no clear direction", True),  # 4 of 6
        ([0.1, 0.2, 0.2, 0.3], "no clear direction", True),  # a tie is not in order: 5 of 6
        ([0.800, 0.801, 0.802, 0.803, 0.804], "stable", False),  # rising, and within 5 %
        ([0.5, 0.9, 0.5, 0.9, 0.5], "no clear direction", False),  # its variance is below 5 %
        ([0.60, 0.80, 0.55, 0.85, 0.70], "no clear direction", False),
        ([0.1, 0.2, 0.3, 0.4, 0.5], "improving", False),
        ([0.1, 0.2, 0.4, 0.3, 0.5], "improving", False),  # one pair inverted
        ([0.1, 0.2, 0.3, 0.3, 0.5], "improving", False),  # one pair equal
        ([0.06, 0.05, 0.05, 0, 0], "no clear direction", False),  # two equal pairs: 8 of 10 fall
        ([0.2, 0.1, 0.4, 0.3, 0.5], "no clear direction", False),  # two: 6
        ([0.126, 0.127, 0.112, 0.116, 0.103], "stable", False),  # Hollander-Wolfe 9.1, as rates
        ([0.63, 0.635, 0.56, 0.58, 0.515], "no clear direction", False),  # the same, S = -6
        ([0.9, 0.9, 0.1, 0.2, 0.3, 0.4, 0.5], "improving", False),  # only the last five
    ],
)
def test_the_direction_of_scores(values: list[float], direction: str, early: bool) -> None:
    """Too few, stable before any slope, then nearly all pairs in order, else no clear direction."""
    found = trend(values)
    assert (found.direction, found.early) == (direction, early)


def test_a_direction_says_from_where_to_where() -> None:
    """The ends and the range of the points that count."""
    found = trend([0.9, 0.1, 0.2, 0.6, 0.4, 0.5])
    assert found[1:] == (5, False, 0.1, 0.5, 0.1, 0.6)
    assert trend([])[1:] == (0, False, None, None, None, None)


def test_amounts_are_stable_relative_to_the_largest() -> None:
    """1,900 to 2,000 tokens are 5 % apart, 1,899 to 2,000 more."""
    assert trend([1900, 1950, 2000], relative=True).direction == "stable"
    assert trend([1899, 1950, 2000], relative=True).direction == "improving"
    assert trend([0, 0, 0], relative=True).direction == "stable"


@given(st.lists(RATES, max_size=9))
def test_a_mirrored_series_has_the_mirrored_direction(values: list[Fraction]) -> None:
    """What improves, degrades upside down; the other words stay."""
    word = trend(values).direction
    assert trend([1 - value for value in values]).direction == _MIRRORED.get(word, word)


@given(st.lists(RATES, max_size=9))
def test_backwards_it_is_the_other_direction(values: list[Fraction]) -> None:
    """Of at most five points."""
    word = trend(values[-5:]).direction
    assert trend(values[-5:][::-1]).direction == _MIRRORED.get(word, word)


@given(st.lists(RATES, min_size=3, max_size=9))
def test_only_the_order_makes_a_direction(values: list[Fraction]) -> None:
    """Scores that are moved, or stretched without becoming stable, keep their direction."""
    word = trend(values).direction
    assert trend([value / 2 + Fraction(1, 4) for value in values]).direction in {word, "stable"}
    assert trend([value + 3 for value in values]).direction == word


@given(st.lists(RATES, min_size=1, max_size=9), st.booleans())
def test_floats_and_fractions_agree(values: list[Fraction], relative: bool) -> None:
    """A decision never depends on how a float is stored."""
    floats = [float(value) for value in values]
    assert trend(values, relative=relative)[:3] == trend(floats, relative=relative)[:3]


def test_three_degrading_directions_escalate() -> None:
    """Seven falling points, not six; and each of the three directions must degrade."""
    falling = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3]
    assert escalates(falling)
    assert not escalates(falling[1:])
    assert not escalates([0.3, *falling[1:]])
    assert not escalates(falling[::-1])


@pytest.mark.parametrize(
    ("previous", "current", "level"),
    [
        (Fraction(17, 20), Fraction(15, 20), "watch"),
        (Fraction(9, 10), Fraction(8, 10), "watch"),
        (Fraction(8, 10), Fraction(7, 10), "watch"),
        (0.8, 0.7, "watch"),  # floats say 0.10000000000000009
        (0.85, 0.76, "watch"),
        (Fraction(10, 20), Fraction(9, 20), None),
        (1.0, 0.9, None),
        (1.0, 0.89, "critical"),
        (Fraction(2, 20), Fraction(1, 20), "watch"),
        (13 / 15, 23 / 30, "watch"),  # exactly 10 points
        (0.5, 0.9, None),
    ],
)
def test_the_drop_rule(previous: float, current: float, level: str | None) -> None:
    """More than ten points is critical, more than ten percent alone is watched."""
    assert drop(previous, current).level == level


def test_both_figures_of_a_drop_are_kept() -> None:
    """Nine points, and eleven percent of what was."""
    found = drop(0.85, 0.76)
    assert found.points == Fraction(9, 100)
    assert found.relative == Fraction(9, 85)


@pytest.mark.parametrize(
    ("previous", "current", "why"),
    [(None, 0.5, "the one before has no value"), (0.5, None, "this one has no value")],
)
def test_without_a_value_there_is_no_alert(
    previous: float | None, current: float | None, why: str
) -> None:
    """Neither figure is known, and it says which value is missing."""
    assert drop(previous, current) == (None, None, None, why)


def test_nothing_falls_from_zero() -> None:
    """0 to 0 has no relative drop."""
    assert drop(0.0, 0.0)[:3] == (None, Fraction(0), None)
    assert "was 0" in drop(0.0, 0.0).why


@given(RATES, RATES)
def test_a_critical_drop_is_more_than_ten_percent_too(
    previous: Fraction, current: Fraction
) -> None:
    """Rates are at most 1, so the relative figure is never the smaller one."""
    found = drop(previous, current)
    if found.level == "critical":
        assert found.relative is not None
        assert found.points is not None
        assert found.relative >= found.points > Fraction(1, 10)
    if current >= previous:
        assert found.level is None
