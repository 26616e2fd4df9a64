"""Notes of people in display form."""

import difflib
from collections.abc import Sequence
from typing import Final

from evalcore.judging.answering.notes import Note
from evalcore.judging.model import Receipt
from evalcore.judging.storing.names import person
from evalcore.proposals.proposal import Proposal
from evalcore.views.words.wording import moment

MAX_PREVIEW: Final = 20_000
MAX_SHOWN: Final = 12_000


def signed(note: Note) -> str:
    """Return who wrote a note and when, and whether it was corrected."""
    parts = [person(note.author) if note.author else "somebody", moment(note.created_at)]
    parts += ["corrected"] * bool(note.former)
    parts += [f"{note.others + 1} corrections at the same time"] * bool(note.others)
    return " · ".join(parts)


def receipt_words(what: str, receipt: Receipt) -> str:
    """Return a sentence on what was stored, with the id of the record."""
    return f"{what} (record {receipt.id[:13]} …)."


def shown_notes(notes: Sequence[Note]) -> Sequence[Note]:
    """Return the newest notes that fit on a page, at least one."""
    size, first = 0, len(notes)
    while first and (size := size + len(notes[first - 1].text)) <= MAX_SHOWN:
        first -= 1
    return notes[min(first, len(notes) - 1) :] if notes else notes


def preview(proposal: Proposal) -> str:
    """Return the new content of a document, or its changes line by line."""
    new = (proposal.data or b"").decode("utf-8", "replace")
    if proposal.read is None:
        return _short(new)
    old = proposal.read.decode("utf-8", "replace")
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "now", "then", "", "", 3, "")
    return _short("\n".join(lines))


def will_do(proposal: Proposal) -> str:
    """Return what writing a proposal would do to its document."""
    messages = " ".join(proposal.messages)
    doing = {
        "new": f"Writes {proposal.path}, which is not there yet.",
        "changed": f"Changes {proposal.path}; all that others wrote there stays.",
        "same": f"{proposal.path} is right already.",
    }
    return " ".join(filter(None, (doing.get(proposal.state, ""), messages)))


def noted(notes: Sequence[Note], what: str) -> str:
    """Return the name of the field for notes, with how many there are."""
    return f"Note about this {what}" + (f" ({len(notes):,})" if notes else "")


def _short(text: str) -> str:
    cut = f"\n… (cut here; {len(text):,} characters)"
    return text if len(text) <= MAX_PREVIEW else f"{text[:MAX_PREVIEW]}{cut}"
