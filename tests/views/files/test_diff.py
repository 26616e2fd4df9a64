"""The differences of two texts, as rows ready to be drawn, within a bounded number of bytes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.texts import diff
from evalcore.views.files.diff import MAX_PIECE, diff_block, diff_portions, diff_words, notes

MAX_BYTES = 60_000


def block(a: str, b: str, portion: int = 1) -> dict[str, Any]:
    """Return the block of two texts."""
    return diff_block(diff(a, b), "SKILL.md", "v1", "v2", portion)


def test_rows_carry_numbers_and_parts_in_turn() -> None:
    """A text's first part is the same on both sides, the next one changed, and so on."""
    assert block("same\nold word here\n", "same\nnew word here\n")["rows"] == [
        ["same", 1, 1, ["same"], None],
        ["changed", 2, 2, ["", "old", " word here"], ["", "new", " word here"]],
    ]


def test_a_line_of_one_side_has_nothing_beside_it() -> None:
    """Added and removed lines are whole, the other side is missing."""
    assert block("a\n", "a\nb\n")["rows"][1] == ["other", None, 2, None, ["b"]]


def test_a_fold_brings_its_lines_along_where_they_fit() -> None:
    """So they can be shown without asking the server; beyond the budget only their number is."""
    lines = [f"line {number}" for number in range(40)]
    few = block("\n".join([*lines, "old"]), "\n".join([*lines, "new"]))["rows"][0]
    assert few == ["fold", 1, 1, 37, lines[:37]]
    long = [f"{number} {'x' * 2_000}" for number in range(40)]
    many = block("\n".join([*long, "old"]), "\n".join([*long, "new"]))["rows"][0]
    assert many == ["fold", 1, 1, 37, None]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("\n".join(f"alt {n}" for n in range(5_000)), "\n".join(f"neu {n}" for n in range(5_000))),
        ("x" * 500_000, "y" * 500_000),
        ("漢字" * 9_000, "語学" * 9_000),
        (
            " ".join(f"a{n} gleich" for n in range(3_000)),
            " ".join(f"b{n} gleich" for n in range(3_000)),
        ),
        ("\n".join(["a,b,c,d,e,f,g,h" * 20] * 300), "\n".join(["a.b.c.d.e.f.g.h" * 20] * 300)),
        ("\x01" * 90_000, '"\\' * 90_000),
        ("\n" * 20_000, ""),
        ("\n".join(["same " * 500] * 100), "\n".join(["same " * 500] * 99 + ["end"])),
    ],
    ids=["lines", "one line", "wide", "words", "parts", "escaped", "empty lines", "folded"],
)
def test_no_portion_is_larger_than_a_page_takes(a: str, b: str) -> None:
    """Whatever the texts are made of, each portion stays small, and together they are all rows."""
    found = diff(a, b)
    total = diff_portions(found)
    for portion in {1, 2, total // 2 + 1, total}:
        assert len(json.dumps(diff_block(found, "x", "A", "B", portion))) < MAX_BYTES


@given(st.lists(st.sampled_from(["same", "old " * 900, "x" * 2_000]), max_size=60))
def test_portions_together_show_every_line(lines: list[str]) -> None:
    """No row is left out between two portions, and none is shown twice."""
    found = diff("\n".join(lines), "\n".join(line.replace("old", "new") for line in lines))
    seen: list[int] = []
    for portion in range(1, diff_portions(found) + 1):
        for row in diff_block(found, "x", portion=portion)["rows"]:
            seen += range(row[1], row[1] + row[3]) if row[0] == "fold" else [row[1]]
    assert seen == list(range(1, len(found.a) + 1))


def test_a_portion_beyond_the_ends_is_the_nearest() -> None:
    """An old address still shows something."""
    assert block("a", "b", 99) == block("a", "b", 1) == block("a", "b", -1)


def test_a_long_line_is_shortened_where_it_is_the_same() -> None:
    """Both sides leave out the same stretch, and say how much; the change is whole."""
    line = "word " * 2_000
    row = block(f"{line}old {line}", f"{line}new {line}")["rows"][0]
    (before, old, after), (first, new, last) = row[3], row[4]
    assert (old, new) == ("old", "new")
    assert (before, after) == (first, last)
    assert "characters left out" in before
    assert len(before) < MAX_PIECE


def test_lines_too_large_for_words_say_so() -> None:
    """They are shown as replaced, with the reason."""
    row = block("same " + "x " * 30_000, "same " + "y " * 30_000)["rows"][0]
    assert row[0] == "other" or row[5] == "too long to compare word by word"


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("", "", "Both are empty."),
        ("", "x\ny", "A is empty; B has 2 lines."),
        ("x", "", "B is empty; A has 1 line."),
        ("x\ny\n", "x\ny\n", "A and B are the same, 2 lines."),
        ("x\n", "x\r\n", "1 line on both sides, and they read the same."),
        ("x\ny\n", "x\nz\nw\n", "1 line of 2 only in A, 2 lines of 3 only in B."),
    ],
)
def test_how_much_differs_is_a_sentence(a: str, b: str, said: str) -> None:
    """Counts with what they are of."""
    assert diff_words(diff(a, b)) == said


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("a\nb\n", "a\r\nb\r\n", "Lines end with LF in A and with CR LF (as on Windows) in B"),
        ("a\nb", "a\nb\n", "The last line of A has no line end; that of B has one."),
        ("a  b\n", "a b\n", "Only white space differs."),
        ("a\n" * 60_000, "b\n", "Only the first 50,000 lines of the 60,000 of A are compared."),
    ],
)
def test_what_lines_do_not_show_is_said(a: str, b: str, said: str) -> None:
    """Line ends, white space and what was left out are sentences of their own."""
    assert any(note.startswith(said) for note in notes(diff(a, b)))


def test_ordinary_changes_need_no_note() -> None:
    """A note is for what cannot be seen."""
    assert notes(diff("a\nb\n", "a\nc\n")) == []
