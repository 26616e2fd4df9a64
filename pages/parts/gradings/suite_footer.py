"""The footer below the list: send the matching runs to judging, and notes about the suite."""

import streamlit as st

from evalcore.judging.answering.notes import notes_of
from evalcore.judging.answering.sending import MOST, send
from evalcore.judging.model import Judge
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews, review_folder
from evalcore.views.gradings.grid import Grid
from evalcore.views.gradings.send_to_judging import about_runs, runs_to_send, sent_words
from evalcore.views.gradings.state import GradingsState
from evalcore.views.words.wording import count
from pages.parts.gradings.notes import note_box
from pages.parts.small_form import FormSpec, popover, receipts, store_form
from pages.parts.state import Choice


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
    these = "this run" if len(runs) == 1 else f"these {count(len(runs), 'run')}"

    def act(reason: str, _: bool, judge: Judge, submission: str) -> str:
        return sent_words(send(state.ws, runs, reason, judge, submission=submission))

    spec = FormSpec(
        "send",
        _sent(state.suite),
        f"Send {these}",
        "Why a person should look (optional)",
    )
    with popover(f"Send {these} to judging …", spec):
        st.text(about_runs(runs, found))
        if 0 < len(runs) <= MOST:
            store_form(spec, act, reviews)


def _sent(suite: str) -> str:
    return f"sent {suite}"
