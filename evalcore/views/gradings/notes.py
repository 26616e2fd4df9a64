"""Notes of people, as they are shown, and as proposed changes to the files that a loop reads."""

import difflib
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from evalcore.aggregates.propose import notes_files, reads_notes
from evalcore.counting.cells import where
from evalcore.disk.values import now_text, time_text
from evalcore.errors import UnknownName
from evalcore.families.aggregating import Noted
from evalcore.ids import within
from evalcore.judging.answering.notes import Note, notes_by_run
from evalcore.judging.storing.names import person
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.proposals.proposal import Proposal
from evalcore.tables.cells import cells
from evalcore.views.words.wording import moment
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

MAX_PREVIEW: Final = 20_000
MAX_SHOWN: Final = 12_000


def by_and_when(author: str, at: datetime) -> str:
    """Return who stored a record, and when."""
    return f"{person(author) if author else 'somebody'} · {moment(at)}"


def signed(note: Note) -> str:
    """Return who wrote a note and when, and whether it was corrected."""
    parts = [by_and_when(note.author, note.created_at)]
    parts += ["corrected"] * bool(note.former)
    parts += [f"{note.others + 1} corrections at the same time"] * bool(note.others)
    return " · ".join(parts)


def shown_notes(notes: Sequence[Note]) -> Sequence[Note]:
    """Return the newest notes that fit on a page, at least one."""
    size, first = 0, len(notes)
    while first and (size := size + len(notes[first - 1].text)) <= MAX_SHOWN:
        first -= 1
    return notes[min(first, len(notes) - 1) :] if notes else notes


def noted(notes: Sequence[Note], what: str) -> str:
    """Return the name of the field for notes, with how many there are."""
    return f"Note about this {what}" + (f" ({len(notes):,})" if notes else "")


def loops(ws: Workspace, suite: str | None = None) -> tuple[str, ...]:
    """Return the suites whose loop reads `feedback.json`, of all or of one.

    Those with runs that are hidden here are left out, as the file is about all runs.

    Raises:
        UnknownName: there is no such suite.
    """
    known = dict(cells(ws.tables, "suites", "suite", "family"))
    if suite is not None and suite not in known:
        raise UnknownName("suite", suite, known)
    return tuple(
        name
        for name, family in known.items()
        if suite in (None, name)
        and reads_notes(family)
        and not len(where(ws, "runs", suite=name, status=HIDDEN))
    )


def feedback_proposals(
    ws: Workspace, suite: str | None = None, version: str | None = None
) -> list[Proposal]:
    """Return proposals for `feedback.json`, iteration by iteration; nothing is written.

    Raises:
        UnknownName: there is no such suite, or no such version in any of them.
    """
    found: list[Proposal] = []
    for name in loops(ws, suite):
        notes = notes_by_run(load_reviews(review_folder(ws, name)))
        runs = (run for run, own in cells(ws.tables, "runs", "run_id", "suite") if own == name)
        by_run = {}
        for run in runs:
            if within(run) in notes:
                of_run = notes[within(run)]
                texts = tuple(note.text for note in of_run if note.text)
                former = tuple(text for note in of_run for text in note.former if text)
                latest = time_text(max(note.created_at for note in of_run))
                by_run[run] = Noted(texts, latest, former)
        found += notes_files(ws, name, version, by_run, now_text())
    if version is not None and not found:
        rows = cells(ws.tables, "versions", "suite", "version")
        raise UnknownName("version", version, {v for own, v in rows if suite in (None, own)})
    return found


def preview(proposal: Proposal) -> str:
    """Return the new content of a document, or its changes line by line."""
    text = (proposal.data or b"").decode("utf-8", "replace")
    if proposal.read is not None:
        old = proposal.read.decode("utf-8", "replace").splitlines()
        lines = difflib.unified_diff(old, text.splitlines(), "now", "then", "", "", 3, "")
        text = "\n".join(lines)
    cut = f"\n… (cut here; {len(text):,} characters)"
    return text if len(text) <= MAX_PREVIEW else f"{text[:MAX_PREVIEW]}{cut}"


def will_do(proposal: Proposal) -> str:
    """Return what writing a proposal would do to its document."""
    messages = " ".join(proposal.messages)
    doing = {
        "new": f"Writes {proposal.path}, which is not there yet.",
        "changed": f"Changes {proposal.path}; all that others wrote there stays.",
        "same": f"{proposal.path} is right already.",
    }
    return " ".join(filter(None, (doing.get(proposal.state, ""), messages)))
