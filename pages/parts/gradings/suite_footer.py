"""One quiet line under the list: send what the filters leave to judging, note on the suite."""

import streamlit as st

from evalcore.judging.answering.notes import notes_of
from evalcore.judging.answering.sending import MOST, send
from evalcore.judging.model import Judge
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews, review_folder
from evalcore.views.gradings.grid import Grid
from evalcore.views.gradings.send_to_judging import about_runs, runs_left, sent_words
from evalcore.views.gradings.state import Scene
from evalcore.views.words.wording import count
from pages.parts.gradings.notes import note_box
from pages.parts.small_form import Ask, popover, receipts, store_form
from pages.parts.state import Choice


def aside_of_suite(scene: Scene, found: Grid, choice: Choice) -> None:
    """Draw what can be done with the runs that the list shows."""
    reviews = review_folder(scene.ws, scene.suite)
    with st.container(horizontal=True, vertical_alignment="center", key="aside-suite"):
        _send(scene, found, reviews)
        notes = notes_of(load_reviews(reviews), None)
        note_box(scene.ws, scene.suite, None, notes, reviews)
        receipts(scene.suite)
        if receipts(_sent(scene.suite)):
            st.page_link("pages/judge.py", label="Judge them", query_params=choice.query())


def _send(scene: Scene, found: Grid, reviews: ReviewFolder) -> None:
    runs = runs_left(scene.ws, scene.outcomes, found)
    these = "this run" if len(runs) == 1 else f"these {count(len(runs), 'run')}"

    def act(reason: str, _: bool, judge: Judge, submission: str) -> str:
        return sent_words(send(scene.ws, runs, reason, judge, submission=submission))

    ask = Ask(
        "send",
        _sent(scene.suite),
        f"Send {these}",
        "Why a person should look (optional)",
    )
    with popover(f"Send {these} to judging …", ask):
        st.text(about_runs(runs, found))
        if 0 < len(runs) <= MOST:
            store_form(ask, act, reviews)


def _sent(suite: str) -> str:
    return f"sent {suite}"
