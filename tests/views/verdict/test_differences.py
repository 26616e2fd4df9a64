"""The difference of two headlines in words, with a sign, a unit, and decimals that agree."""

import pytest

from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.views.verdict.differences import (
    agreeing_places,
    between,
    points,
    signed,
    span,
    span_below,
)
from evalcore.views.words.wording import headline

MINUS = "\N{MINUS SIGN}"


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (0.21, "+21 points"),
        (-0.21, f"{MINUS}21 points"),
        (0.01, "+1 point"),
        (-0.01, f"{MINUS}1 point"),
        (0.125, "+13 points"),
        (0.125 - 0.25, f"{MINUS}13 points"),
        (0.0, "0 points"),
        (-1e-17, "0 points"),
        (0.004, "+0.4 points"),
        (-0.0003, f"{MINUS}0.03 points"),
        (None, "not measured"),
        (float("nan"), "not measured"),
        (float("inf"), "not measured"),
    ],
)
def test_points_have_a_sign_and_round_half_up(difference: float | None, words: str) -> None:
    """What is not 0 is never shown as 0."""
    assert points(difference) == words


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (0.05, "+0.05"),
        (-0.005, f"{MINUS}0.01"),
        (0.1, "+0.10"),
        (0.004, "+0.004"),
        (0.0, "0"),
    ],
)
def test_a_difference_of_efficiencies_is_a_signed_number(difference: float, words: str) -> None:
    """Two decimals, more where they would all be 0."""
    assert points(difference, EFFICIENCY) == words


@pytest.mark.parametrize(
    ("a", "b", "name", "places"),
    [
        (0.567, 0.833, SHARE, 1),
        (0.25, 0.75, SHARE, 0),
        (0.0, 1.0, SHARE, 0),
        (0.5, 0.5, SHARE, 0),
        (0.561, 0.832, SHARE, 0),
        (0.414, 0.826, SHARE, 1),
        (0.91, 0.94, EFFICIENCY, 0),
        (0.9149, 0.9451, EFFICIENCY, 1),
        (None, 0.5, SHARE, 0),
        (0.5, float("nan"), SHARE, 0),
    ],
)
def test_a_decimal_is_added_only_where_rounded_values_do_not_make_the_difference(
    a: float | None, b: float | None, name: str, places: int
) -> None:
    """57 from 83 is not 27: with one decimal, 56.7 from 83.3 is 26.6."""
    assert agreeing_places(a, b, name) == places


@pytest.mark.parametrize("a", [at / 30 for at in range(31)])
def test_rates_and_their_difference_agree_as_they_are_shown(a: float) -> None:
    """At most one unit of the last decimal stays open, and only where decimals are shown."""
    for at in range(31):
        b = at / 30
        places = agreeing_places(a, b)
        shown = [headline(value, SHARE, places).split()[0] for value in (a, b)]
        if any(word in ("over", "under") for word in shown):
            continue
        apart = float(shown[1]) - float(shown[0])
        said = float(signed(b - a, SHARE, places).replace(MINUS, "-"))
        assert abs(apart - said) <= (0.1 if places else 0) + 1e-9


def test_a_size_has_no_sign() -> None:
    """Neither up nor down."""
    assert (span(-0.17), span(0.01), span(0.17, EFFICIENCY)) == ("17 points", "1 point", "0.17")


@pytest.mark.parametrize(
    ("size", "words"), [(0.08, "8 points"), (0.0801, "9 points"), (0.082, "9 points")]
)
def test_a_size_that_is_not_exceeded_is_rounded_up(size: float, words: str) -> None:
    """8.2 points are not "smaller than 8"."""
    assert span_below(size) == words


def test_an_interval_has_the_unit_of_its_difference() -> None:
    """Which is not repeated."""
    assert between(-0.071, 0.357) == f"between {MINUS}7 and +36"
    assert between(0.0121, 0.09, EFFICIENCY) == "between +0.01 and +0.09"
