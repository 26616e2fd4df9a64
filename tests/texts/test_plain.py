"""Forms of a text in which what looks the same is the same."""

import pytest

from evalcore.texts.plain import fold, squeeze, unmarked


@pytest.mark.parametrize(
    ("text", "same"),
    [("“Quoted” – ‘so’", "\"quoted\" - 'so'"), ("A\u00a0B", "a b"), ("co\u00adop", "coop")],
)
def test_typographic_forms_are_folded(text: str, same: str) -> None:
    """Quotes, dashes, hard spaces and soft hyphens have one plain form each."""
    assert fold(text) == same


def test_markdowns_marks_are_no_text() -> None:
    """Emphasis, code, headings and quotes are left out; lines stay."""
    assert unmarked("## **Bold** and `code`\n> said") == " Bold and code\n said"


def test_white_space_of_any_kind_goes() -> None:
    """What is left are the other characters, in order."""
    assert squeeze(" a\tb\n\u3000c ") == "abc"
