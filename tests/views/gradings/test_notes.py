"""How notes, what would be written and what was sent are said."""

from datetime import UTC, datetime
from typing import Any

import pytest

from evalcore.judging.answering.notes import Note
from evalcore.judging.answering.sending import Sent
from evalcore.judging.model import Receipt
from evalcore.proposals.proposal import Proposal
from evalcore.views.gradings.notes import MAX_PREVIEW, noted, preview, shown_notes, signed, will_do
from evalcore.views.gradings.selected import sent_words

AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
RECEIPT = Receipt("id", "sha", "path", new=True)


def note(text: str = "x", **given: Any) -> Note:
    """Return a note of Ana's."""
    return Note("id", "run", text, "ana-3f2a", AT, (), 0)._replace(**given)


def test_a_note_says_whose_it_is() -> None:
    """With its time, and whether it was corrected, also twice at the same time."""
    assert signed(note()) == "Ana · 1 Mar 2026, 09:30 UTC"
    assert signed(note(former=("y",))).endswith(" · corrected")
    assert signed(note(former=("y",), others=1)).endswith("2 corrections at the same time")


def test_the_field_says_how_many_notes_there_are() -> None:
    """Nothing where there is none."""
    assert noted((), "run") == "Note about this run"
    assert noted((note(), note()), "suite") == "Note about this suite (2)"


def test_a_page_shows_as_many_notes_as_it_holds() -> None:
    """The newest, and always one."""
    many = [note("y" * 5_000) for _ in range(5)]
    assert shown_notes(many) == many[-2:]
    assert shown_notes([note("z" * 90_000)]) == [note("z" * 90_000)]
    assert shown_notes([]) == []


def test_a_preview_shows_the_lines_that_change() -> None:
    """All of a new file; it has an end."""
    old, new = b'{\n  "a": 1\n}\n', b'{\n  "a": 2\n}\n'
    changed = Proposal("s", "v", "p", "changed", data=new, read=old)
    assert '-  "a": 1\n+  "a": 2' in preview(changed)
    assert preview(changed._replace(read=None)) == new.decode()
    long = preview(changed._replace(read=None, data=b"x" * (MAX_PREVIEW + 5)))
    assert long.endswith("… (cut here; 20,005 characters)")


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("new", "Writes i/feedback.json, which is not there yet. 3 reviews."),
        ("changed", "Changes i/feedback.json; all that others wrote there stays. 3 reviews."),
        ("same", "i/feedback.json is right already. 3 reviews."),
        ("left", "3 reviews."),
    ],
)
def test_what_would_happen_is_said_first(state: str, words: str) -> None:
    """Whether the file is there, and what becomes of it."""
    assert will_do(Proposal("s", "v", "i/feedback.json", state, ("3 reviews.",))) == words  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (Sent((RECEIPT,) * 12, 3), "12 runs were sent; 3 already waited."),
        (Sent((RECEIPT,), 0), "1 run was sent."),
        (Sent((), 2), "2 runs already waited."),
        (Sent((), 0), "No run was sent."),
        (Sent((RECEIPT,), 0, "No space."), "1 run was sent. The rest was not: No space."),
    ],
)
def test_what_was_sent_is_counted(sent: Sent, words: str) -> None:
    """And what waited already, and what failed."""
    assert sent_words(sent) == words
