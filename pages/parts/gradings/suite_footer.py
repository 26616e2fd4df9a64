"""The footer below the list: send the matching runs to judging, and notes about the suite."""

from typing import Final

import streamlit as st

from evalcore.judging.answering.independent import chosen, start_batch
from evalcore.judging.answering.notes import notes_of
from evalcore.judging.answering.sending import MOST, send
from evalcore.judging.model import Judge
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews, review_folder
from evalcore.views.gradings.grid import Grid
from evalcore.views.gradings.selected import about_runs, runs_to_send, sent_words
from evalcore.views.gradings.state import GradingsState
from evalcore.views.judge.batches import WHAT, started_words
from evalcore.views.words.wording import count
from pages.parts.choose_judges import choose_judges
from pages.parts.gradings.notes import note_box
from pages.parts.session_state import now
from pages.parts.small_form import FormSpec, popover, receipts, store_form
from pages.parts.state import Choice

JUDGES: Final = "aside-send-judges"


def suite_footer(state: GradingsState, found: Grid, choice: Choice) -> None:
    """Draw the actions on the listed runs."""
    reviews = review_folder(state.ws, state.suite)
    with st.container(horizontal=True, vertical_alignment="center", key="aside-suite"):
        _send(state, found, reviews)
        notes = notes_of(load_reviews(reviews), None)
        note_box(state.ws, state.suite, None, notes, reviews)
        receipts(state.suite)
        if receipts(_sent(state.suite)):
            st.page_link("pages/judge.py", label="Judge them", query_params=choice.query())


def _send(state: GradingsState, found: Grid, reviews: ReviewFolder) -> None:
    runs = runs_to_send(state.ws, state.outcomes, found)
    these = {0: "runs", 1: "this run"}.get(len(runs), f"these {count(len(runs), 'run')}")

    def act(reason: str, _: bool, judge: Judge, submission: str) -> str:
        judges, whole = judges_of(), state.ws.unmasked
        if not (judges.ids or judges.names):
            return sent_words(send(whole, runs, reason, judge, submission=submission))
        draw = chosen(runs, len(runs))
        started = start_batch(whole, draw, judges, judge, reason=reason, submission=submission)
        return started_words(started, draw, (*judges.ids, *judges.names))

    spec = FormSpec(
        "send",
        _sent(state.suite),
        f"Send {these}",
        "Why a person should look (optional)",
    )
    with popover(f"Send {these} to judging …", spec):
        st.text(about_runs(runs, found))
        if 0 < len(runs) <= MOST:
            judges_of = choose_judges("Independently, by (else by anybody)", reviews, JUDGES)
            if now().get(JUDGES):
                st.text(WHAT)
            store_form(spec, act, reviews)


def _sent(suite: str) -> str:
    return f"sent {suite}"
