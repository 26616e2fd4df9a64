"""Text from files cannot steer a terminal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.cli.terminal import harmless


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x1b]0;title\x07", "\\x1b[2J\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("one\r\ntwo\tthree", "one\\r\\ntwo\\tthree"),
        ("user\u202etxt.exe", "user\\u202etxt.exe"),
        ("half \ud800", "half \\ud800"),
        ("line\u2028line", "line\\u2028line"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("größe 名前 שלום 👩‍👩‍👧", "größe 名前 שלום 👩‍👩‍👧"),
        ("[red]not markup[/red]", "[red]not markup[/red]"),
    ],
)
def test_controls_become_visible_and_words_stay(text: str, shown: str) -> None:
    """Escapes, line ends, marks that reorder, and halves of characters are written out."""
    assert harmless(text) == shown


@given(st.text())
def test_what_is_shown_is_one_line_that_can_be_written(text: str) -> None:
    """No control character of any kind is left, and every terminal's encoder takes it."""
    shown = harmless(text)
    assert {unicodedata.category(char) for char in shown} & {"Cc", "Cs", "Zl", "Zp"} == set()
    shown.encode("utf-8")
