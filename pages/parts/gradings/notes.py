"""The notes about a run or a suite, and a field for a new one."""

import streamlit as st

from evalcore import Workspace
from evalcore.judging.answering.notes import Note, add_note, correct_note
from evalcore.judging.model import Judge
from evalcore.judging.storing.stored_reviews import ReviewFolder
from evalcore.views.gradings.notes import noted, receipt_words, shown_notes, signed
from pages.parts.judge_name import here
from pages.parts.small_form import FormSpec, popover, store_form


def note_box(
    ws: Workspace, suite: str, run: str | None, notes: tuple[Note, ...], reviews: ReviewFolder
) -> None:
    """Show the notes about a run, or about the suite without one, and a field for a new one."""
    what, of = ("suite", suite) if run is None else ("run", run)
    judge = here()
    mine = [note for note in notes if judge is not None and note.author == judge.id]

    def act(text: str, ticked: bool, judge: Judge, submission: str) -> str:
        if ticked and mine:
            receipt = correct_note(ws, suite, mine[-1], text, judge, submission=submission)
            return receipt_words("Corrected" if text.strip() else "Taken back", receipt)
        if not text.strip():
            raise ValueError("The note is empty.")
        receipt = add_note(ws, suite, run, text, judge, submission=submission)
        return receipt_words("The note is stored", receipt)

    spec = FormSpec(
        f"note-{what}",
        of,
        "Store the note" if run else "Store the note on the suite",
        f"What should be known about this {what}",
        tick="In place of my last note (empty: take it back)" if mine else "",
        height=110,
    )
    with popover(noted(notes, what), spec):
        _notes(notes, what)
        store_form(spec, act, reviews)


def _notes(notes: tuple[Note, ...], what: str) -> None:
    """Show the newest notes with their authors, as untrusted text."""
    shown = shown_notes(notes)
    if len(shown) < len(notes):
        st.text(f"The newest {len(shown)} of {len(notes):,} notes:")
    for place, note in enumerate(shown):
        st.text(note.text)
        with st.container(key=f"aside-by-{what}-{place}"):
            st.text(signed(note))
