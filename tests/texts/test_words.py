"""Which words of a line changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.texts.words import MAX_CHARS, Piece, likeness, most_parts, words

LINES = st.text(st.sampled_from("ab \t.,é漢字かحر-"), max_size=60) | st.text(max_size=60)


def changed(pieces: tuple[Piece, ...]) -> list[str]:
    """Return the parts that differ."""
    return [piece.text for piece in pieces if piece.changed]


@given(LINES, LINES)
def test_the_parts_joined_are_the_lines(a: str, b: str) -> None:
    """Nothing is lost or added, and what is the same is the same on both sides."""
    found = words(a, b)
    assert "".join(piece.text for piece in found.a) == a
    assert "".join(piece.text for piece in found.b) == b
    same = [
        "".join(piece.text for piece in side if not piece.changed) for side in (found.a, found.b)
    ]
    assert same[0] == same[1]
    assert max(len(found.a), len(found.b)) <= most_parts(a, b)


@given(LINES)
def test_a_line_does_not_differ_from_itself(line: str) -> None:
    """There is no changed part."""
    assert changed(words(line, line).a) == changed(words(line, line).b) == []


@pytest.mark.parametrize(
    ("a", "b", "removed", "added"),
    [
        ("Fill in a form.", "Fill in and sign a form.", [], ["and sign "]),
        ("the quick fox", "the slow fox", ["quick"], ["slow"]),
        ("one two three", "one II III", ["two three"], ["II III"]),
        ("say hello, world", "say hello! world", [","], ["!"]),
        ("don’t stop", "don’t start", ["stop"], ["start"]),
        ("version 1.2.0", "version 1.3.0", ["2"], ["3"]),
        ("snake_case", "snake_cases", ["snake_case"], ["snake_cases"]),
    ],
)
def test_whole_words_are_marked(a: str, b: str, removed: list[str], added: list[str]) -> None:
    """A change within a word marks the word; spaces between two changed words belong to them."""
    found = words(a, b)
    assert (changed(found.a), changed(found.b)) == (removed, added)


@pytest.mark.parametrize(
    ("a", "b", "removed", "added"),
    [
        ("今日は良い天気", "今日は悪い天気", ["良"], ["悪"]),
        ("カ\u3099ス", "カス", ["カ\u3099"], ["カ"]),
        ("مرحبا بالعالم القديم", "مرحبا بالعالم الجديد", ["القديم"], ["الجديد"]),
        ("कि कहा", "की कहा", ["कि"], ["की"]),
        ("ok 👩‍💻 go", "ok 👩‍🔬 go", ["👩‍💻"], ["👩‍🔬"]),
        ("cafe\u0301 au lait", "cafe au lait", ["cafe\u0301"], ["cafe"]),
    ],
)
def test_words_of_every_script_stay_whole(
    a: str, b: str, removed: list[str], added: list[str]
) -> None:
    """Signs without spaces are words of their own; marks and joined signs are not torn off."""
    found = words(a, b)
    assert (changed(found.a), changed(found.b)) == (removed, added)


def test_white_space_alone_is_a_change() -> None:
    """Two spaces for one, or spaces for a tab, is marked and nothing else is."""
    found = words("a  b\tc", "a b    c")
    assert (changed(found.a), changed(found.b)) == (["  ", "\t"], [" ", "    "])


def test_one_word_in_a_long_line_is_found() -> None:
    """What a line of a megabyte begins and ends with alike costs nothing."""
    line = "word " * 200_000
    found = words(f"{line}old {line}", f"{line}new {line}")
    assert (changed(found.a), changed(found.b), found.compared) == (["old"], ["new"], True)


def test_what_differs_in_too_much_says_so() -> None:
    """Beyond the limit the differing middle is one change on each side."""
    a, b = ("x " * MAX_CHARS, "y " * MAX_CHARS)
    found = words(f"same {a}end", f"same {b}end")
    assert not found.compared
    assert [len(changed(side)) for side in (found.a, found.b)] == [1, 1]


def test_what_only_the_other_side_has_keeps_parts_apart() -> None:
    """So a long line can be shortened at the same places on both sides."""
    assert words("a b", "a X b").a == (Piece("a ", False), Piece("b", False))


@pytest.mark.parametrize(
    ("a", "b", "alike"),
    [("", "", 1), ("a", "", 0), ("a b c d", "a b c e", 0.75), ("漢字", "漢語", 0.5), ("!", "?", 0)],
)
def test_likeness_is_the_share_of_common_words(a: str, b: str, alike: float) -> None:
    """Twice the common words over all words of both."""
    assert likeness(a, b) == alike
