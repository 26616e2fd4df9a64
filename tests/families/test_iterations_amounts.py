"""Numbers as people write them."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.families.iterations.amounts import amount, parts, rate, rate_difference

NUMBERS = st.integers(-(10**9), 10**9).map(lambda n: n / 100)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("+0.42", 0.42),
        ("-1.57", -1.57),
        ("−1.57", -1.57),
        ("53%", 0.53),
        ("+81.8pp", 0.818),
        ("12 percentage points", 0.12),
        ("3/4", 0.75),
        ("3 of 4", 0.75),
        ("+14.3s", 14.3),
        ("250 ms", 0.25),
        ("1,234", 1234),
        ("1e3", 1000),
        (".5", 0.5),
        (7, 7),
        (0.25, 0.25),
    ],
)
def test_a_number_in_words_is_what_it_means(text: Any, value: float) -> None:
    """Sign, percent, points, parts, units and groups of digits are understood."""
    found = amount(text)
    assert found is not None
    assert found.value == pytest.approx(value)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "-",
        "%",
        "good",
        "1.2.3",
        "3/0",
        "2026-03-18",
        "v2",
        "1,23",
        "nan",
        "1e400",
        True,
        None,
        [1],
        {},
        math.inf,
        math.nan,
        10**400,
        "9" * 10_000,
    ],
)
def test_what_means_no_number_is_none(value: Any) -> None:
    """Words, dates, versions, truth values and what is not finite."""
    assert amount(value) is None


@given(NUMBERS)
def test_signed_text_reads_back(number: float) -> None:
    """What a script prints with a sign comes back as the same number."""
    found = amount(f"{number:+.2f}")
    assert found is not None
    assert found.value == pytest.approx(number)


@given(NUMBERS)
def test_percent_is_a_hundredth(number: float) -> None:
    """Percent and percentage points are fractions of 1."""
    for unit in ("%", "pp", " percentage points"):
        found = amount(f"{number:.2f}{unit}")
        assert found is not None
        assert found.value == pytest.approx(number / 100)


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_parts_are_a_quotient(some: int, whole: int) -> None:
    """`3/4` is both its parts and their quotient."""
    assert parts(f"{some}/{whole}") == (some, whole)
    found = amount(f"{some}/{whole}")
    assert found is not None
    assert found.value == some / whole


@given(st.text() | st.floats() | st.integers() | st.none() | st.booleans())
def test_any_value_gives_a_finite_number_or_none(value: Any) -> None:
    """Nothing raises."""
    for read in (amount, rate, rate_difference):
        found = read(value)
        assert found is None or math.isfinite(found.value)


@pytest.mark.parametrize(
    ("value", "share"), [(0.5, 0.5), (1, 1), (53, 0.53), (100, 1), ("53%", 0.53), ("1/2", 0.5)]
)
def test_a_rate_above_one_is_percent(value: Any, share: float) -> None:
    """Up to 100; beyond that it is no rate."""
    found = rate(value)
    assert found is not None
    assert found.value == pytest.approx(share)
    assert rate(101) is None
    assert rate(-0.5) is None


@pytest.mark.parametrize(("value", "share"), [(0.5, 0.5), ("-0.5", -0.5), (18, 0.18), (-40, -0.4)])
def test_a_difference_beyond_one_is_in_points(value: Any, share: float) -> None:
    """Two rates cannot differ by more than 1."""
    found = rate_difference(value)
    assert found is not None
    assert found.value == pytest.approx(share)
