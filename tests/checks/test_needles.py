"""What a file must contain is searched, and exempted by what stands near."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks.needles import MAX_STRING, MAX_STRINGS, Hit, Needle, first_hit, needle
from evalcore.checks.searching import Unsearchable
from tests.bounded import bounded

TODO = Needle(("TODO",))


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({"match": "x"}, Needle(("x",))),
        ({"match_any": ["x", "y"]}, Needle(("x", "y"))),
        ({"match_regex": "x+"}, Needle((), "x+")),
        ({"match": "x", "match_any": None}, Needle(("x",))),
        ({"match": "x" * MAX_STRING}, Needle(("x" * MAX_STRING,))),
    ],
)
def test_each_field_says_what_is_searched(fields: dict[str, Any], wanted: Needle) -> None:
    """A string, any of several, or a pattern."""
    assert needle(fields) == wanted


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"match": None},
        {"match": "x", "match_regex": "x"},
        {"match": ""},
        {"match": 3},
        {"match": ["x"]},
        {"match": "x" * (MAX_STRING + 1)},
        {"match_any": "x"},
        {"match_any": []},
        {"match_any": ["x", 1]},
        {"match_any": ["x", ""]},
        {"match_any": ["x"] * (MAX_STRINGS + 1)},
        {"match_regex": "("},
        {"match_regex": True},
    ],
)
def test_what_cannot_be_searched_is_said(fields: dict[str, Any]) -> None:
    """A faulty field is a sentence, also where no file would be searched."""
    reason = needle(fields)
    assert isinstance(reason, str)
    assert reason.endswith(".")


def test_the_first_match_is_named_by_its_line() -> None:
    """Lines are counted from 1."""
    assert first_hit("a\n  b TODO \nTODO", TODO) == Hit(2, "b TODO")
    assert first_hit("a", TODO) is None
    assert first_hit("", TODO) is None


@pytest.mark.parametrize(("between", "exempt"), [(0, True), (1, True), (2, False)])
def test_context_reaches_two_lines_either_way(between: int, exempt: bool) -> None:
    """With one line between, the text stands two lines away; with two, three."""
    lines = ["onSubmit", *["-"] * between, "TODO"]
    for order in (lines, lines[::-1]):
        assert (first_hit("\n".join(order), TODO, ["onSubmit"]) is None) is exempt


def test_context_on_the_same_line_exempts() -> None:
    """The nearest place of all."""
    assert first_hit("onSubmit TODO", TODO, ["x", "onSubmit"]) is None


def test_one_match_that_nothing_exempts_is_found_behind_others() -> None:
    """Exempted ones before it, also on lines of their own, do not hide it."""
    text = "ok TODO TODO\n-\n-\n-\nTODO"
    assert first_hit(text, TODO, ["ok"]) == Hit(5, "TODO")
    assert first_hit(text, Needle((), "TO+DO"), ["ok"]) == Hit(5, "TODO")
    assert first_hit("ok a\n-\n-\n-\nb", Needle(("a", "b")), ["ok"]) == Hit(5, "b")


def test_context_of_a_match_over_several_lines_begins_at_its_ends() -> None:
    """Two lines before its first line, and two after its last."""
    wanted = Needle(("a\nb",))
    assert first_hit("a\nb\n-\nok", wanted, ["ok"]) is None
    assert first_hit("a\nb\n-\n-\nok", wanted, ["ok"]) == Hit(1, "a")
    assert first_hit("a\n", Needle(("a\n",)), ["ok"]) == Hit(1, "a")


def test_the_words_for_many_strings_are_few() -> None:
    """Three of them and how many more."""
    assert Needle(("a",)).said == "“a”"
    assert Needle(("a", "b", "c")).said == "any of “a”, “b”, “c”"
    assert Needle(("a", "b", "c", "d")).said == "any of “a”, “b”, “c” or 1 more"
    assert Needle((), "x+").said == "the pattern “x+”"


def test_matches_without_end_are_searched_once() -> None:
    """A million matches on exempted lines."""
    with bounded():
        assert first_hit("aaaa ok\n" * 100_000, Needle(("a",)), ["ok"]) is None
        assert first_hit("ok" + "a" * 1_000_000, Needle(("a",)), ["ok"]) is None


def test_exempted_matches_without_end_are_given_up() -> None:
    """The first is always looked at; a match that nothing exempts may stand behind the others."""
    text = "ok a\n" * 10
    assert first_hit("ok a", Needle(("a",)), ["ok"], seconds=-1) is None
    with pytest.raises(Unsearchable, match="too many"):
        first_hit(text, Needle(("a",)), ["ok"], seconds=-1)


@given(
    st.text("ab\n", max_size=40), st.text("ab\n", min_size=1, max_size=3), st.text("ab", max_size=2)
)
def test_a_hit_is_where_the_text_is(text: str, string: str, exempt: str) -> None:
    """Without exemptions a string is found exactly if the text has it; with them no more often."""
    hit = first_hit(text, Needle((string,)))
    assert (hit is not None) == (string in text)
    assert hit is None or hit.line == text[: text.find(string)].count("\n") + 1
    if exempt and hit is None:
        assert first_hit(text, Needle((string,)), [exempt]) is None
