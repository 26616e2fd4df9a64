"""Which lines of a text changed."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.texts import Diff, Fold, Row, diff, folded, rows, words
from evalcore.texts.lines import MAX_CHARS, MAX_LINES

TEXTS = st.text(st.sampled_from("ab \n\r.漢"), max_size=80) | st.text(max_size=80)


def rebuilt(lines: Iterable[str], newline: str, closed: bool) -> str:
    """Join lines as the text had them."""
    lines = list(lines)
    return newline.join(lines) + (newline if closed and lines else "")


@given(TEXTS, TEXTS)
def test_the_rows_give_back_both_texts(a: str, b: str) -> None:
    """Every line of both sides stands in one row, in order; joined they are the texts."""
    found = diff(a, b)
    every = list(rows(found))
    for text, places, lines, newline, closed in (
        (a, [row.a for row in every], found.a, found.newline_a, found.closed_a),
        (b, [row.b for row in every], found.b, found.newline_b, found.closed_b),
    ):
        kept = [place for place in places if place is not None]
        assert kept == list(range(len(lines)))
        assert rebuilt((lines[place] for place in kept), newline, closed) == text


@given(TEXTS, TEXTS)
def test_a_row_is_what_its_kind_says(a: str, b: str) -> None:
    """Same rows are equal, changed ones have two lines that differ."""
    found = diff(a, b)
    for kind, i, j in rows(found):
        if kind == "other":
            assert i is not None or j is not None
            continue
        assert i is not None
        assert j is not None
        assert (found.a[i] == found.b[j]) == (kind == "same")


@given(TEXTS, TEXTS, st.integers(0, 4))
def test_folding_only_leaves_out_what_is_the_same(a: str, b: str, context: int) -> None:
    """Folded stretches and rows together are all lines; a fold holds two or more equal ones."""
    found = diff(a, b)
    opened: list[tuple[int | None, int | None]] = []
    for part in folded(found, context):
        if isinstance(part, Row):
            opened.append((part.a, part.b))
            continue
        assert part.size >= 2
        assert found.a[part.a : part.a + part.size] == found.b[part.b : part.b + part.size]
        opened += [(part.a + at, part.b + at) for at in range(part.size)]
    assert opened == [(row.a, row.b) for row in rows(found)]


def shape(a: list[str], b: list[str]) -> list[Row]:
    """Return the rows of two texts given by lines."""
    return list(rows(diff("\n".join(a), "\n".join(b))))


def test_two_forms_of_a_line_stand_in_one_row() -> None:
    """A line that kept half of its words is the same line; a new one has nothing beside it."""
    a = ["1. Read the form.", "2. Ask for the values.", "3. Write the file."]
    b = ["1. Read the form.", "A new line.", "2. Ask for the missing values.", "3. Write the file."]
    assert shape(a, b) == [
        ("same", 0, 0),
        ("other", None, 1),
        ("changed", 1, 2),
        ("same", 2, 3),
    ]


def test_lines_with_nothing_in_common_are_no_forms_of_each_other() -> None:
    """They may be shown beside each other, but no word of one is compared with the other."""
    assert shape(["alpha beta"], ["gamma delta"]) == [("other", 0, 0)]


def test_unchanged_stretches_are_folded_with_three_lines_beside_a_change() -> None:
    """Ten lines before a change leave three, and the count of the others."""
    a = [f"line {number}" for number in range(20)]
    found = diff("\n".join(a), "\n".join([*a[:10], "new", *a[11:]]))
    parts = list(folded(found))
    assert parts[0] == Fold(0, 0, 7)
    assert parts[-1] == Fold(14, 14, 6)
    assert len([part for part in parts if isinstance(part, Row)]) == 7


def test_one_line_is_not_folded() -> None:
    """To say that a line is left out takes as much room as the line."""
    a = [str(number) for number in range(5)]
    found = diff("\n".join(a), "\n".join([*a[:4], "new"]))
    assert all(isinstance(part, Row) for part in folded(found))


@pytest.mark.parametrize(
    ("text", "newline", "closed", "lines"),
    [
        ("", "\n", False, 0),
        ("\n", "\n", True, 1),
        ("a", "\n", False, 1),
        ("a\n", "\n", True, 1),
        ("a\r\nb\r\n", "\r\n", True, 2),
        ("a\r\nb", "\r\n", False, 2),
        ("a\r\nb\n", "\n", True, 2),
        ("a\rb", "\n", False, 1),
        ("a\u2028b\x0cc", "\n", False, 1),
    ],
)
def test_how_lines_end_is_known(text: str, newline: str, closed: bool, lines: int) -> None:
    """CR LF is an end where every line has it; other signs that break a line are text."""
    found = diff(text, "")
    assert (found.newline_a, found.closed_a, found.lines_a) == (newline, closed, lines)


def test_line_ends_alone_are_no_changed_lines() -> None:
    """A text that was saved on Windows reads the same, and is known not to be the same."""
    found = diff("a\nb\n", "a\r\nb\r\n")
    assert (found.removed, found.added, found.equal) == (0, 0, False)
    assert (found.newline_a, found.newline_b) == ("\n", "\r\n")


def test_mixed_line_ends_are_changes_of_their_lines() -> None:
    """Where only some lines end with CR LF, those differ."""
    found = diff("a\nb\n", "a\r\nb\n")
    assert (found.removed, found.added) == (1, 1)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("\n".join(f"x{n}" for n in range(100_000)), "\n".join(f"y{n}" for n in range(100_000))),
        ("\n".join("ab"[n * n % 7 % 2] for n in range(100_000)), "\n".join("ab" * 50_000)),
        ("x" * 5_000_000, "y" * 5_000_000),
        ("a b " * 250_000, "b a a " * 250_000),
    ],
    ids=["all lines differ", "two lines again and again", "no line end", "one long line"],
)
def test_hostile_texts_are_bounded(a: str, b: str) -> None:
    """What is beyond the bounds is not compared, and known to be left out."""
    found = diff(a, b)
    assert max(len(found.a), len(found.b)) <= MAX_LINES
    assert sum(map(len, found.a)) <= MAX_CHARS
    assert found.cut == (len(found.a) < found.lines_a or len(found.b) < found.lines_b)
    assert found.lines_a == a.count("\n") + 1
    changed = [row for row in rows(found) if row.kind == "changed"][:50]
    assert all(words(*_pair(found, row)) for row in changed)


def _pair(found: Diff, row: Row) -> tuple[str, str]:
    assert row.a is not None
    assert row.b is not None
    return found.a[row.a], found.b[row.b]
