"""The footer below the evidence: notes, excluding the run, and the notes for the loop."""

from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.judging.answering.deciding import Decided, decide
from evalcore.judging.answering.excluding import exclude, exclusion_of, lift
from evalcore.judging.answering.independent import reveal
from evalcore.judging.answering.notes import notes_of
from evalcore.judging.asking.asked import asked
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.model import Judge
from evalcore.judging.storing.record_factory import suite_of
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews, review_folder
from evalcore.views.gradings.notes import loops, receipt_words
from evalcore.views.runs.again import run_by_model
from evalcore.views.words.wording import REVEAL
from pages.parts.gradings.feedback_files import feedback_box
from pages.parts.gradings.notes import note_box
from pages.parts.small_form import FormSpec, popover, receipts, store_form
from pages.parts.state import Choice

GIVEN_UP: Final = "It is shown; that you gave it up is on record"
OUT: Final = "out"
AGAIN: Final = "again"


def run_footer(ws: Workspace, choice: Choice, run: str) -> None:
    """Draw the footer of a run; forms only once they are opened."""
    suite = suite_of(run)
    reviews = review_folder(ws, suite)
    if run in ws.hidden.runs:
        _hidden(ws, choice, run, reviews)
        return
    records = load_reviews(reviews)
    with st.container(horizontal=True, vertical_alignment="center", key="aside-run"):
        note_box(ws, suite, run, notes_of(records, run), reviews)
        if exclusion_of(records, run) is None:
            if asked(ws, run):
                query = choice.query(run=run, v=None, c=None)
                st.page_link("pages/judge.py", label="Judge this run", query_params=query)
            _by_model(ws, choice, run)
            _leave_out(ws, run, reviews)
        else:
            _count_again(ws, run, reviews)
        feedback_box(ws, suite, run)
        if loops(ws, suite):
            _ask_for_criterion(ws, run, reviews)
        receipts(run)


def _hidden(ws: Workspace, choice: Choice, run: str, reviews: ReviewFolder) -> None:
    """Lead to the Judge page, or let the judge give up judging the run independently."""

    def act(_: str, __: bool, judge: Judge, submission: str) -> str:  # noqa: ARG001 - one id a run
        receipt = reveal(ws, run, judge)
        return receipt_words(GIVEN_UP, receipt) if receipt else GIVEN_UP

    with st.container(horizontal=True, vertical_alignment="center", key="aside-run"):
        query = choice.query(v=None, c=None)
        st.page_link("pages/judge.py", label="Judge the runs that wait", query_params=query)
        with st.container(key="aside-reveal"):
            store_form(FormSpec("reveal", run, "Show it anyway"), act, reviews)
        st.text(REVEAL)


def _by_model(ws: Workspace, choice: Choice, run: str) -> None:
    """Link to the form of a new run in which a model judges this output."""
    asked_for = run_by_model(ws, run)
    if asked_for is not None:
        query = choice.query(v=None, c=None, **asked_for)
        st.page_link("pages/runs.py", label="Judge by a model", query_params=query)


def _leave_out(ws: Workspace, run: str, reviews: ReviewFolder) -> None:
    def act(reason: str, _: bool, judge: Judge, submission: str) -> str:
        receipt = exclude(ws, run, reason, judge, submission=submission)
        return receipt_words("It is excluded and stays visible", receipt)

    spec = FormSpec(
        OUT,
        run,
        "Exclude run",
        "Why it is excluded",
        "Say why the run is excluded.",
    )
    with popover("Exclude run …", spec):
        st.text("It stays visible, and no rate counts it.")
        store_form(spec, act, reviews)


def _ask_for_criterion(ws: Workspace, run: str, reviews: ReviewFolder) -> None:
    """Store a criterion that somebody thinks of at the sight of an output, as a suggestion."""

    def act(text: str, _: bool, judge: Judge, submission: str) -> str:
        said = Decided(stored(text, LIMITS.note, "The criterion"), None, run, "asked")
        return receipt_words(
            "It is a suggestion on Rubric now",
            decide(ws, suite_of(run), said, judge, submission=submission),
        )

    spec = FormSpec(
        "criterion", run, "Ask for it", "What this case should be judged by", "Write the criterion."
    )
    with popover("Add a criterion …", spec):
        st.text(
            "It joins the suggestions on Rubric; `evalcore aggregate` takes it into evals.json."
        )
        store_form(spec, act, reviews)


def _count_again(ws: Workspace, run: str, reviews: ReviewFolder) -> None:
    def act(_: str, __: bool, judge: Judge, ___: str) -> str:
        lifted = lift(ws, run, judge)
        return receipt_words("It counts again", lifted[0]) if lifted else "It counts again."

    spec = FormSpec(AGAIN, run, "Include run")
    with popover("Include run again …", spec):
        st.text("The rates count this run again; that it was excluded stays on record.")
        store_form(spec, act, reviews)
