"""An actual value is held against the expected one, part by part."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks.expected import BUDGET, DEEPEST, MAX_TEXT, Part, compare, number, share
from tests.bounded import bounded

NAN = float("nan")
INF = float("inf")


def how(expected: Any, actual: Any) -> str:
    """Return how one value agrees with another, as the value of a key."""
    (part,) = compare({"k": expected}, {"k": actual})
    assert part.passed is (part.how not in ("missing", "different"))
    return part.how


@pytest.mark.parametrize(
    ("expected", "actual", "way"),
    [
        ("a", "a", "exact"),
        (None, None, "exact"),
        (True, True, "exact"),
        (1, 1, "exact"),
        ([], [], "exact"),
        ({}, {}, "exact"),
        ([1, "a"], [1, "a"], "exact"),
        ({"a": 1}, {"a": 1}, "exact"),
        (INF, INF, "exact"),
        ("Free  Repair.", "free\nrepair", "normalised"),
        ("“Yes”", "yes!", "normalised"),
        ("ﬁne", "FINE", "normalised"),
        (["A"], ["a"], "normalised"),
        (1, 1.0, "number"),
        ("42.50", 42.5, "number"),
        (42.5, " 42.50 ", "number"),
        (1_000_000, 1_000_001, "number"),
        ([1], [1.0], "number"),
        (10**30, float(10**30), "number"),
        ("free repair", "We offer a free repair today.", "contains"),
        ("12", "It costs 12.", "contains"),
        ({"a": 1}, {"a": 1, "b": 2}, "subset"),
        ([1, 2], [2, 1], "subset"),
        ([2], [1, 2, 3], "subset"),
        ([{"a": 1}], [{"b": 1}, {"a": 1, "c": 2}], "subset"),
        ({"a": ["x"]}, {"a": ["y", "x"]}, "subset"),
        (["offer"], ["an offer"], "subset"),
    ],
)
def test_values_agree_in_the_strictest_way(expected: Any, actual: Any, way: str) -> None:
    """From exactly the same to a part of the actual value."""
    assert how(expected, actual) == way


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("a", "b"),
        ("", "a"),
        ("...", "a..."),
        ("repair", "repairs"),
        ("12", "12.5"),
        (True, 1),
        (1, True),
        (True, "true"),
        (0, False),
        (None, 0),
        (None, ""),
        (NAN, NAN),
        (INF, 1),
        (-INF, INF),
        (1_000_000, 1_000_002),
        ("007", 7),
        ("0x10", 16),
        ("1_0", 10),
        ("-5", "5"),
        (".gitignore", "gitignore"),
        ([], [1]),
        ({}, {"a": 1}),
        ([1, 1], [1, 2]),
        ([1, 2], [1]),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, [1]),
        ([1], {"a": 1}),
        ([1], 1),
        (["a"], "a"),
    ],
)
def test_values_that_differ_are_different(expected: Any, actual: Any) -> None:
    """True is not 1, a name is not a number, and what is empty is not a part of everything."""
    assert how(expected, actual) == "different"


def test_items_are_assigned_so_that_each_finds_one() -> None:
    """An item that fits two places leaves the one that another needs."""
    assert how(["a", "a b"], ["a b", "a b c", "x"]) == "subset"
    assert how(["a", "b"], ["a b", "x"]) == "different"
    assert how(["a", "a b", "a b c"], ["a b c", "z a b c", "a b", "q"]) == "subset"


def test_each_key_is_a_part() -> None:
    """With its pointer, and a sentence that shows both values."""
    parts = compare({"a/b~c": "x", "d": 1, "e": None}, {"a/b~c": "X", "d": 2})
    assert parts == [
        Part("/a~1b~0c", "normalised", True, "“/a~1b~0c”: expected “x”, got “X” (normalised)."),
        Part("/d", "different", False, "“/d”: expected 1, got 2 (different)."),
        Part("/e", "missing", False, "“/e” is missing in the actual output."),
    ]
    assert share(parts) == 1 / 3


def test_a_value_that_is_no_object_is_one_part() -> None:
    """Its pointer is that of the whole document."""
    assert compare("a", "A") == [
        Part("", "normalised", True, "The output: expected “a”, got “A” (normalised).")
    ]
    assert (
        compare([1], [1])[0].sentence
        == "The output: expected a list of 1, got a list of 1 (exact)."
    )


def test_nothing_expected_has_no_share() -> None:
    """Missing is not nought."""
    assert compare({}, {"a": 1}) == []
    assert share([]) is None


def test_an_object_against_another_value_misses_every_key() -> None:
    """Each is named."""
    assert [part.how for part in compare({"a": 1, "b": 2}, "text")] == ["missing", "missing"]


def nested(depth: int) -> Any:
    """Return a number in so many lists."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_values_are_compared_down_to_a_depth() -> None:
    """The deepest that is compared is inside 64 lists."""
    assert how(nested(DEEPEST), nested(DEEPEST)) == "exact"
    assert how(nested(DEEPEST + 1), nested(DEEPEST + 1)) == "different"


def test_work_is_bounded() -> None:
    """Long lists in the wrong order, huge texts and huge numbers end."""
    with bounded():
        many = list(range(100_000))
        assert how(many, many[::-1]) == "different"
        assert how(["a b"] * 100, ["a b c"] * 140) == "subset"
        assert how("a" * MAX_TEXT, "a" * MAX_TEXT + "b") == "different"
        assert how(10**4000, 10**4000 + 1) == "number"
        assert how(nested(40), [nested(39)] * 2) == "subset"
        texts = [f"{number}" + "a " * 50_000 for number in range(200)]
        (part,) = compare(texts, [*texts[::-1], "c"])
        assert part.sentence.endswith("got a list of 201 (too large to compare).")
    assert BUDGET >= 100 * 140


@pytest.mark.parametrize(
    ("value", "same"),
    [("1", 1), ("-0.5", -0.5), ("1e3", 1000), (2, 2), ("1,000", None), ("", None), ("nan", None),
     ("٣", None), (True, None), (NAN, None), (None, None), ([], None), ("1" * 300, None)],
)  # fmt: skip
def test_a_number_is_read_strictly(value: Any, same: float | None) -> None:
    """Plain decimal digits only."""
    assert number(value) == same


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON, JSON)
def test_any_two_values_are_compared(expected: Any, actual: Any) -> None:
    """No value raises an exception, and the share is one."""
    parts = compare(expected, actual)
    total = share(parts)
    assert total is None or 0 <= total <= 1
    assert all(part.sentence.endswith(".") for part in parts)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=10),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
        ),
        max_leaves=12,
    )
)
def test_every_value_agrees_with_itself(value: Any) -> None:
    """Exactly."""
    assert all(part.how == "exact" for part in compare(value, value))
