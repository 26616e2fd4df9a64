"""The independent batches of a suite, and the form that starts one."""

from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.counting.choices import case_ids
from evalcore.judging.answering.independent import (
    MOST,
    Draw,
    chosen,
    drawn,
    start_batch,
)
from evalcore.judging.model import Judge
from evalcore.judging.queueing.batches import batches, runs_to_draw
from evalcore.judging.storing.stored_reviews import ReviewFolder, review_folder
from evalcore.views.judge.batches import batch_blocks, seen_of, started_words
from evalcore.views.words.wording import count
from pages.parts.choose_judges import choose_judges
from pages.parts.panels.components import sheet_panel
from pages.parts.session_state import now
from pages.parts.small_form import FormSpec, receipts, store_form
from pages.parts.state import Choice, offer

USUAL: Final = 12
KEY: Final = "judge-batch"


def batches_section(ws: Workspace, choice: Choice, suite: str) -> None:
    """Draw the batches and the form for a new one, once they are opened."""
    receipts(_about(suite))
    box = st.expander("Independent batches", key=KEY, on_change="rerun")
    if not box.open:
        return
    with box:
        listed, new = st.columns([1, 1], gap="large")
        with listed:
            sheet_panel(batch_blocks(batches(ws, suite)), choice.query(), "judge-batches")
        with new:
            _form(ws, choice, suite, review_folder(ws, suite))


def _form(ws: Workspace, choice: Choice, suite: str, reviews: ReviewFolder) -> None:
    runs = _runs(ws, choice, suite)
    if not runs:
        st.text("No run that can be judged is left. Choose other versions or cases.")
        return
    most = min(len(runs), MOST)
    key, label = f"{KEY}-number-{most}", f"How many of {count(len(runs), 'run')}, drawn at random"
    number = st.number_input(label, 1, most, min(USUAL, most), key=key)
    judges = choose_judges("Judges", reviews, f"{KEY}-judges")
    for sentence in seen_of(reviews, judges().ids):
        st.text(sentence)

    def act(reason: str, _: bool, judge: Judge, submission: str) -> str:
        asked, draw = judges(), _draw(runs, int(now()[key]))
        started = start_batch(ws, draw, asked, judge, reason=reason, submission=submission)
        return started_words(started, draw, (*asked.ids, *asked.names))

    words = f"Ask for independent scores of {count(number, 'run')}"
    store_form(FormSpec(KEY, _about(suite), words, "Why (optional)"), act, reviews)


def _runs(ws: Workspace, choice: Choice, suite: str) -> tuple[str, ...]:
    """Offer versions, configurations and cases; return the runs that they leave."""
    known = offer(ws, suite)
    versions = _some("Versions", known.versions, choice.version)
    configurations = _some("Configurations", known.configurations, choice.configuration)
    return runs_to_draw(
        ws, suite, versions, configurations, _some("Cases", case_ids(ws, suite), None)
    )


def _draw(runs: tuple[str, ...], number: int) -> Draw:
    return chosen(runs, len(runs)) if number == len(runs) else drawn(runs, number)


def _some(label: str, known: tuple[str, ...], first: str | None) -> list[str]:
    """Offer some of several names; nothing chosen is all of them."""
    if len(known) < 2:
        return []
    return st.multiselect(
        label,
        known,
        [first] if first in known else [],
        key=f"{KEY}-{label.lower()}-{first}",
        placeholder=f"all {len(known):,}",
    )


def _about(suite: str) -> str:
    return f"batch {suite}"
