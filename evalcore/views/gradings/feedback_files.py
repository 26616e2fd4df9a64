"""Proposed changes to the files that skill-creator's loop reads, from the current notes."""

from collections.abc import Iterable

from evalcore.aggregates.propose import notes_files, reads_notes
from evalcore.counting.cells import where
from evalcore.disk.values import now_text, time_text
from evalcore.errors import UnknownName
from evalcore.families.aggregating import Noted
from evalcore.ids import within
from evalcore.judging.answering.notes import Note, notes_by_run
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.proposals.proposal import Proposal
from evalcore.tables.cells import cells
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace


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
        found += notes_files(ws, name, version, _noted(ws, name), now_text())
    if version is not None and not found:
        raise UnknownName("version", version, _versions(ws, suite))
    return found


def _noted(ws: Workspace, suite: str) -> dict[str, Noted]:
    """Return the notes about each run of a suite, by run id."""
    notes = notes_by_run(load_reviews(review_folder(ws, suite)))
    runs = (run for run, own in cells(ws.tables, "runs", "run_id", "suite") if own == suite)
    return {run: _joined(notes[within(run)]) for run in runs if within(run) in notes}


def _joined(notes: Iterable[Note]) -> Noted:
    notes = list(notes)
    latest = max(note.created_at for note in notes)
    texts = tuple(note.text for note in notes if note.text)
    return Noted(
        texts, time_text(latest), tuple(text for note in notes for text in note.former if text)
    )


def _versions(ws: Workspace, suite: str | None) -> set[str]:
    rows = cells(ws.tables, "versions", "suite", "version")
    return {label for own, label in rows if suite in (None, own)}
