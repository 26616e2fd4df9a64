"""Who decides on a command sees each of its characters."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.sandbox.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rm -rf \u202etxt.", "rm -rf \\u202etxt."),
        ("a\u200bb", "a\\u200bb"),
        ("a\tb\rc\x1b[2Kd\x00", "a\\tb\\rc\\u001b[2Kd\\u0000"),
        ("a\u00a0b\u3000c", "a\\u00a0b\\u3000c"),
        ("\u2066x\u2069\ufeff", "\\u2066x\\u2069\\ufeff"),
        ("\U000e0041", "\\U000e0041"),
        ("a\u3164b\u115f\u2800", "a\\u3164b\\u115f\\u2800"),
        ("a\ufe0f\U000e0100", "a\\ufe0f\\U000e0100"),
        ("a\u2028b", "a\\u2028b"),
        ("\ud800", "\\ud800"),
    ],
)
def test_hidden_characters_are_shown(text: str, shown: str) -> None:
    """Control, bidirectional and invisible ones are escapes."""
    assert visible(text) == shown


@pytest.mark.parametrize("text", ["plain", "two\nlines", "Grüße, 你好 – “ok” …", "a b"])
def test_text_that_can_be_seen_stays(text: str) -> None:
    """Letters of all languages, and ends of lines."""
    assert visible(text) == text


@given(st.text())
def test_nothing_invisible_is_left(text: str) -> None:
    """Whatever the text, each character that is left is one that is drawn."""
    left = set(visible(text)) - {"\n", " "}
    assert not [c for c in left if unicodedata.category(c)[0] in "CZ"]
