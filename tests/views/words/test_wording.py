"""Numbers are said the same way everywhere, and what is missing says so."""

from datetime import UTC, datetime

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.views.words import wording

MISSING = [None, float("nan"), float("inf"), pd.NA]


@pytest.mark.parametrize(
    ("value", "maximum", "words"),
    [
        (4.0, 5, "4 of 5"),
        (4.2, 5.0, "4.2 of 5"),
        (3.335, 5, "3.34 of 5"),
        (2.675, 3, "2.68 of 3"),
        (7, None, "7"),
        (0.0, 1, "0 of 1"),
        (-1.5, 5, "−1.5 of 5"),
        (-0.001, 5, "0 of 5"),
        (1204.25, 2000, "1,204.25 of 2,000"),
    ],
)
def test_score_stands_on_its_scale(value: float, maximum: float | None, words: str) -> None:
    """A score shows at most two decimals, half-up, and the maximum it was given on."""
    assert wording.score(value, maximum) == words


def test_missing_score_gives_its_reason() -> None:
    """A score that is not there says that and why, never 0."""
    assert wording.score(None, 5) == "not scored"
    assert wording.score(None, 5, "out of scale") == "not scored: out of scale"


@pytest.mark.parametrize(
    ("fraction", "words"),
    [
        (0.857, "86 %"),
        (0.125, "13 %"),
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.5, "50 %"),
        (0.998, "over 99 %"),
        (0.001, "under 1 %"),
    ],
)
def test_percent_is_whole_and_never_claims_all_or_none(fraction: float, words: str) -> None:
    """Rates are whole percents; 0 % and 100 % mean exactly none and all."""
    assert wording.percent(fraction) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (45.2, "45 s"),
        (80, "1 min 20 s"),
        (59.6, "1 min"),
        (0.342, "0.34 s"),
        (2.5, "2.5 s"),
        (9.49, "9.5 s"),
        (9.5, "10 s"),
        (120, "2 min"),
        (3599.7, "1 h"),
        (7500, "2 h 5 min"),
        (0, "0 s"),
    ],
)
def test_duration_uses_the_units_people_use(seconds: float, words: str) -> None:
    """Time is said in seconds, minutes or hours, rounded before it is split."""
    assert wording.duration(seconds) == words


@pytest.mark.parametrize(
    ("dollars", "words"),
    [
        (0.042, "$0.042"),
        (1.8, "$1.80"),
        (12.345, "$12.35"),
        (0.5, "$0.50"),
        (0.99, "$0.99"),
        (0.998, "$1.00"),
        (0.00042, "$0.00042"),
        (0, "$0.00"),
        (1234.5, "$1,234.50"),
    ],
)
def test_cost_keeps_small_amounts_visible(dollars: float, words: str) -> None:
    """Less than a dollar keeps two digits that count, so that little is not nothing."""
    assert wording.cost(dollars) == words


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (812, "812 bytes"),
        (1023, "1,023 bytes"),
        (1024, "1 KB"),
        (12_300, "12 KB"),
        (1_500_000, "1.4 MB"),
        (1_048_575, "1 MB"),
    ],
)
def test_size_is_said_in_a_fitting_unit(amount: int, words: str) -> None:
    """A file size has at most three digits and a unit."""
    assert wording.size(amount) == words


def test_tokens_have_thousands_marks() -> None:
    """Token counts are whole and grouped."""
    assert wording.tokens(3800) == "3,800"


def test_rate_always_carries_its_n() -> None:
    """A rate names how many it speaks of, and of none there is no rate."""
    assert wording.rate(36, 42) == "86 % of 42 cases"
    assert wording.rate(1, 1, "run") == "100 % of 1 run"
    assert wording.rate(0, 0) == "no cases"
    assert wording.rate(0, 0, "criterion") == "no criteria"


@pytest.mark.parametrize("value", MISSING)
def test_missing_is_said_and_never_zero(value: float | None) -> None:
    """None, NaN, infinity and NA all read as missing, whatever was to be said."""
    said = [
        wording.number(value),
        wording.percent(value),
        wording.duration(value),
        wording.tokens(value),
        wording.cost(value),
        wording.size(value),  # type: ignore[arg-type]
    ]
    assert said == ["not measured"] * 6
    assert wording.score(value, 5) == "not scored"


def test_verdict_has_three_words() -> None:
    """A pass that nobody decided is neither passed nor failed."""
    assert [wording.verdict(v) for v in (True, False, None)] == ["passed", "failed", "not decided"]


def test_confidence_words_stay_words() -> None:
    """A judge's word for its confidence is kept; a number becomes percent."""
    assert wording.confidence("high") == "high"
    assert wording.confidence(None, 0.8) == "80 %"
    assert wording.confidence(None) == "not stated"


def test_moment_is_said_in_utc() -> None:
    """Times are shown in one zone, named; a missing one is not invented."""
    assert wording.moment(datetime(2026, 2, 1, 8, 5, tzinfo=UTC)) == "1 Feb 2026, 08:05 UTC"
    assert wording.moment(None) == wording.moment(pd.NaT) == "not recorded"  # type: ignore[arg-type]


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_every_float_can_be_said(value: float) -> None:
    """No number breaks the wording."""
    for say in (wording.number, wording.percent, wording.duration, wording.cost):
        assert say(value)


def test_numbers_below_each_other_have_the_same_decimals() -> None:
    """Rounded half-up, with zeros kept."""
    assert [wording.fixed(value) for value in (4, 3.5, 2.345)] == ["4.00", "3.50", "2.35"]
    assert wording.fixed(None) == "not measured"


def test_shares_are_said_in_percent_and_efficiency_as_a_number() -> None:
    """An efficiency is no share of anything that could be counted."""
    assert [
        wording.headline(0.938, SHARE),
        wording.headline(0.938, EFFICIENCY),
        wording.headline(None, SHARE),
    ] == [
        "94 %",
        "0.94",
        "not scored",
    ]


def test_what_is_counted_is_named_without_the_number() -> None:
    assert [wording.noun(n, "criterion") for n in (0, 1, 2)] == [
        "criteria",
        "criterion",
        "criteria",
    ]


def test_parts_are_joined_to_one_phrase() -> None:
    names = ["time", "tokens", "cost"]
    assert [wording.listed(names[:n]) for n in range(4)] == [
        "",
        "time",
        "time and tokens",
        "time, tokens and cost",
    ]


@pytest.mark.parametrize(
    ("text", "cut", "on_one_line"),
    [
        ("", "", ""),
        ("12345", "12345", "12345"),
        ("123456", "1234…", "1234…"),
        ("a\n b", "a\n b", "a b"),
        ("a" + " " * 40 + "b", "a   …", "a…"),
    ],
)
def test_a_text_that_is_cut_ends_with_a_sign_of_it(text: str, cut: str, on_one_line: str) -> None:
    """Nothing is cut without one, also where what is left out would have been spaces and a word."""
    assert wording.short(text, 5) == cut
    assert wording.line(text, 5) == on_one_line
