"""Typed values out of parsed JSON: what has another type is a problem, never a crash."""

from array import array
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.disk.listing import Listing
from evalcore.disk.reader import Reader
from evalcore.disk.values import Node, parse_time

GETTERS = ("text", "number", "whole", "flag", "time")
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64)
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def node(value: Any) -> Node:
    """A value as the whole of a document."""
    listing = Listing(Path(), [], array("q"), array("q"), frozenset(), [])
    return Node(Reader(listing), "a.json", value, suite="s")


def wrong(of: Node) -> list[tuple[str, str]]:
    """Pointer and code of the problems noted."""
    return [(problem.pointer, problem.code) for problem in of.reader.problems]


@pytest.mark.parametrize(
    ("getter", "value", "found"),
    [
        ("text", "x", "x"),
        ("text", 3, "3"),
        ("text", 0.5, "0.5"),
        ("text", "", ""),
        ("number", 3, 3),
        ("number", 0.5, 0.5),
        ("whole", 3, 3),
        ("whole", 3.0, 3),
        ("flag", True, True),
        ("flag", False, False),
        ("time", "", None),
        ("time", "2026-02-22T20:00:00+02:00", datetime(2026, 2, 22, 18, tzinfo=UTC)),
        ("time", "2026-02-22", datetime(2026, 2, 22, tzinfo=UTC)),
    ],
)
def test_a_field_of_the_right_type_is_taken(getter: str, value: Any, found: Any) -> None:
    """A getter returns the value in its own type and notes nothing."""
    of = node({"key": value})
    result = getattr(of, getter)("key")
    assert (result, type(result)) == (found, type(found))
    assert wrong(of) == []


@pytest.mark.parametrize(
    ("getter", "value"),
    [
        ("text", True),
        ("text", []),
        ("text", {}),
        ("number", "3"),
        ("number", True),
        ("number", []),
        ("whole", 3.5),
        ("whole", "3"),
        ("whole", 1e300),
        ("flag", 2),
        ("flag", "true"),
        ("flag", 0.5),
        ("time", "yesterday"),
        ("time", 5),
        ("time", "9999-99-99"),
    ],
)
def test_a_field_of_another_type_is_one_problem(getter: str, value: Any) -> None:
    """Nothing is guessed: the value is missing, and one error names the field."""
    of = node({"a": {"key": value}}).child("a")
    assert getattr(of, getter)("key") is None
    assert wrong(of) == [("/a/key", "wrong-type")]
    assert of.reader.problems[0].suite == "s"


@pytest.mark.parametrize("getter", GETTERS)
def test_absent_and_null_are_missing_without_a_word(getter: str) -> None:
    """A field that is not there or null is None, and so is one of something that is no object."""
    values: tuple[Any, ...] = ({}, {"key": None}, [], "x", None)
    for of in map(node, values):
        assert getattr(of, getter)("key") is None
        assert wrong(of) == []


def test_items_skip_what_is_no_object() -> None:
    """A list of objects is read item by item; others are noted at their place."""
    of = node({"list": [{"n": 1}, 2, {"n": 3}, None]})
    assert [(item.at, item.whole("n")) for item in of.items("list")] == [
        ("/list/0", 1),
        ("/list/2", 3),
    ]
    assert wrong(of) == [("/list/1", "wrong-type"), ("/list/3", "wrong-type")]


def test_a_list_that_is_none_is_one_problem() -> None:
    """A value where a list or an object belongs is noted once."""
    of = node({"list": {}, "object": [], "none": None})
    assert (list(of.items("list")), list(of.fields("object"))) == ([], [])
    assert (list(of.items("none")), list(of.fields("none"))) == ([], [])
    assert wrong(of) == [("/list", "wrong-type"), ("/object", "wrong-type")]


def test_texts_take_one_or_many() -> None:
    """A list of strings, or a single string; each with its place."""
    of = node({"one": "a", "many": ["b", 1, "c"], "empty": ""})
    assert of.texts("one") == [("a", "/one")]
    assert of.texts("many") == [("b", "/many/0"), ("c", "/many/2")]
    assert of.texts("empty") == []
    assert wrong(of) == [("/many/1", "wrong-type")]


def test_pointers_are_escaped() -> None:
    """A field's name may hold what separates a pointer."""
    of = node({"a/b": {"~": [1]}})
    assert of.child("a/b").child("~").child(0).at == "/a~1b/~0/0"
    assert of.child("a/b").child("~").child(5).value is None
    assert [child.at for _, child in of.fields()] == ["/a~1b"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026-02-22T20:00:00Z", datetime(2026, 2, 22, 20, tzinfo=UTC)),
        (" 2026-02-22T20:00:00.5 ", datetime(2026, 2, 22, 20, 0, 0, 500_000, tzinfo=UTC)),
        ("0001-01-01T00:00:00+23:00", None),
        ("", None),
        (None, None),
        (5, None),
    ],
)
def test_times_are_aware(text: object, found: datetime | None) -> None:
    """ISO 8601 with or without a zone; anything else is no time."""
    assert parse_time(text) == found


@given(JSON)
def test_no_value_surprises_a_getter(value: Any) -> None:
    """Whatever stands in a field or instead of the document, each gives its type or nothing."""
    types = dict(zip(GETTERS, (str, int | float, int, bool, datetime), strict=True))
    for of in (node(value), node({"key": value}), node([value])):
        for getter, wanted in types.items():
            found = getattr(of, getter)("key")
            assert found is None or isinstance(found, wanted)
        for each in (*of.items("key"), *of.items()):
            assert type(each.value) is dict
        for name, each in (*of.fields("key"), *of.fields()):
            assert isinstance(name, str)
            assert each.at.startswith(of.at)
        assert all(isinstance(text, str) for text, _ in of.texts("key"))
        assert not (of.child(0).has("key") and type(value) is not dict and type(value) is not list)
