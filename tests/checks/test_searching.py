"""A stranger's regular expression is searched as Python would, and never for long."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks.searching import (
    MAX_PATTERN,
    MAX_REPEATED,
    MAX_TEXT,
    Unsearchable,
    fault_of,
    spans,
)
from tests.bounded import bounded


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\bfoo\b", "a foo b"),
        (r"^b$", "a\nb"),
        (r"(?m)^b$", "a\nb"),
        (r"a.b", "a\nb"),
        (r"(?i)ÄB", "äb"),
        (r"a{2,3}", "caaaab"),
        (r"throw {e}", "throw {e}"),
        (r"throw {e}", "throw "),
        (r"x{i<=2}", "x{i<=2}"),
        (r"\{e}", "{e}"),
        (r"a{}", "a{}"),
        (r"a{,2}b", "aab"),
        (r"\N{EM DASH}", "—"),
        (r"[{]e}", "{e}"),
        (r"x*", "yx"),
    ],
)
def test_a_pattern_means_what_it_means_to_python(pattern: str, text: str) -> None:
    """The library's additions, such as matching with errors, are off."""
    expected = [found.span() for found in re.finditer(pattern, text)]
    assert [tuple(span) for span in spans(pattern, text)] == expected


@pytest.mark.parametrize("pattern", ["(", "(?R)", r"\p{Lu}", "a**", "(?P<a>x)(?P<a>y)", "[z-a]"])
def test_what_python_refuses_is_refused(pattern: str) -> None:
    """With a sentence that says so."""
    reason = fault_of(pattern)
    assert reason is not None
    assert reason.startswith("The pattern is not a Python regular expression: ")


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(.*?,){50}P"])
def test_a_catastrophic_pattern_is_stopped(pattern: str) -> None:
    """It is given up after a second."""
    with bounded(), pytest.raises(Unsearchable, match="took longer than 1 s"):
        list(spans(pattern, ",a" * 5000 if "," in pattern else "a" * 5000 + "c"))


@pytest.mark.parametrize(
    "pattern",
    [
        "((a{1000}){1000}){1000}",
        "(?:" * 100 + "a" + "){1,3}" * 100,
        "(?:a{1000})(?#x){1000}",
        "a{4294967294}",
        "a{0000000000000004294967294}",
        "(?<=(?:a{1000}){1000})b",
        "(?x)(a{1000}) {1000}",
        "(?ix:(a{1000}) {1000})",
    ],
)
def test_repetitions_of_repetitions_are_refused_before_they_are_written_out(pattern: str) -> None:
    """Their memory would not fit any machine."""
    assert fault_of(pattern) is not None


def test_as_many_repetitions_as_the_bound_are_searched() -> None:
    """One more is refused."""
    assert fault_of(f"a{{{MAX_REPEATED}}}") is None
    assert fault_of(f"a{{{MAX_REPEATED + 1}}}") is not None
    assert fault_of(f"(?:a{{5}}){{{MAX_REPEATED // 10}}}") is None


def test_numbers_that_are_no_repetitions_count_little() -> None:
    """Escapes, sets and literal braces are what they are."""
    for pattern in (r"\{99999}", "[{99999}]", r"\d{4}-\d{2}", "a{b}" * 100, "[]{99999}]"):
        assert fault_of(pattern) is None


def test_the_longest_pattern_and_text_are_searched() -> None:
    """One character more is refused."""
    assert fault_of("a" * MAX_PATTERN) is None
    assert fault_of("a" * (MAX_PATTERN + 1)) is not None
    assert len(list(spans("b$", "a" * (MAX_TEXT - 1) + "b"))) == 1
    with pytest.raises(Unsearchable, match="at most"):
        list(spans("b$", "a" * MAX_TEXT + "b"))


@given(
    st.text("ab(){}[]|*+?.\\^$,0123456789:<=!PixRNeL#-", max_size=25), st.text("ab{}1", max_size=30)
)
def test_every_pattern_is_searched_or_refused(pattern: str, text: str) -> None:
    """Only one exception says that a pattern cannot be searched."""
    try:
        found = list(spans(pattern, text))
    except Unsearchable as error:
        assert str(error).endswith(".")
    else:
        assert all(0 <= span.start <= span.end <= len(text) for span in found)


@given(st.text(st.characters(), max_size=20), st.text(st.characters(), max_size=20))
def test_any_characters_are_searched_or_refused(pattern: str, text: str) -> None:
    """Lone surrogates and controls among them."""
    assert fault_of(pattern) is not None or list(spans(pattern, text)) is not None


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), st.text(max_size=20))
def test_an_escaped_text_is_found_literally(text: str, around: str) -> None:
    """As with Python's own library."""
    assert next(spans(re.escape(text), around + text + around)).start <= len(around)
