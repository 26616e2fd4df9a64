"""Vague wording: praise is named, what can be looked for is left alone."""

import pytest

from evalcore.texts.vague import MAX_LENGTH, vague_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The summary is good", "good"),
        ("Output is of high quality", "high quality"),
        ("The structure is appropriate for the reader", "appropriate"),
        ("The code is well-written", "well-written"),
        ("Uses a reasonable tone", "reasonable"),
    ],
)
def test_words_of_praise_are_vague(text: str, words: str) -> None:
    """A judge cannot look for them in an output."""
    assert vague_words(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "The summary names the three causes",
        "The good path returns 200",
        "The heading says 'A good start'",
        "A clear error is printed to stderr.log",
        "Contains an appropriate disclaimer",
        "Die Zusammenfassung ist gut",
        "",
    ],
)
def test_what_can_be_looked_for_is_not_vague(text: str) -> None:
    """A number, a quotation, a file or a verb of presence says what to look for."""
    assert vague_words(text) is None


def test_only_the_beginning_of_a_text_is_read() -> None:
    """A number that would make it concrete counts up to the bound, not beyond."""
    start = "It is good"
    assert vague_words(start.ljust(MAX_LENGTH - 1) + "7") is None
    assert vague_words(start.ljust(MAX_LENGTH) + "7") == "good"
