"""What people add: notes, excluded runs, runs sent to judging, and the notes for the loop."""

from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.errors import EvalcoreError
from evalcore.ids import parse_run_id
from evalcore.judging.answering.deciding import Decided, decide
from evalcore.judging.answering.excluding import exclude, exclusion_of, lift
from evalcore.judging.answering.independent import chosen, reveal, start_batch
from evalcore.judging.answering.notes import Note, add_note, correct_note, notes_of
from evalcore.judging.answering.sending import MOST, send
from evalcore.judging.asking.asked import asked
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.storing.record_factory import suite_of
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews, review_folder
from evalcore.proposals.proposal import Proposal, write
from evalcore.views.gradings.grid import Grid
from evalcore.views.gradings.notes import (
    feedback_proposals,
    loops,
    noted,
    preview,
    shown_notes,
    signed,
    will_do,
)
from evalcore.views.gradings.selected import about_runs, run_ids, runs_to_send, sent_words
from evalcore.views.gradings.state import GradingsState
from evalcore.views.judge.batches import WHAT, started_words
from evalcore.views.judge.receipt import record_words
from evalcore.views.runs.again import run_by_model
from evalcore.views.words.wording import REVEAL, count
from pages.parts.forms import Form, Sent, answer, choose_judges, receipts
from pages.parts.judge_name import here
from pages.parts.own_acts import stored_here
from pages.parts.session_state import now
from pages.parts.state import Choice

GIVEN_UP: Final = "It is shown; that you gave it up is on record"
ASKED: Final = "It joins the suggestions on Rubric; `evalcore aggregate` takes it into evals.json."
JUDGES: Final = "aside-send-judges"


def suite_footer(state: GradingsState, found: Grid, choice: Choice) -> None:
    """Draw what can be done below the list: send its runs to judging, add a note on the suite."""
    ws, suite = state.ws, state.suite
    reviews, of = review_folder(ws, suite), f"sent {suite}"
    runs = runs_to_send(ws, state.outcomes, found)
    these = {0: "runs", 1: "this run"}.get(len(runs), f"these {count(len(runs), 'run')}")

    def act(sent: Sent) -> str:
        judges, submission, ids = judges_of(), sent.submission, run_ids(ws, runs)
        if not (judges.ids or judges.names):
            done = send(ws.unmasked, ids, sent.text, sent.judge, submission=submission)
            return sent_words(done)
        draw = chosen(ids, len(ids))
        started = start_batch(
            ws.unmasked, draw, judges, sent.judge, reason=sent.text, submission=submission
        )
        return started_words(started, draw, (*judges.ids, *judges.names))

    form = Form("send", of, f"Send {these}", act, "Why a person should look (optional)")
    with st.container(horizontal=True, vertical_alignment="center", key="aside-suite"):
        with form.popover(f"Send {these} to judging …"):
            st.text(about_runs(runs, found))
            if 0 < len(runs) <= MOST:
                judges_of = choose_judges("Independently, by (else by anybody)", reviews, JUDGES)
                if now().get(JUDGES):
                    st.text(WHAT)
                form.draw(reviews)
        note_form(ws, suite, None, notes_of(load_reviews(reviews), None)).draw(reviews)
        receipts(suite)
        if receipts(of):
            st.page_link("pages/judge.py", label="Judge them", query_params=choice.query())


def note_form(ws: Workspace, suite: str, run: str | None, notes: tuple[Note, ...]) -> Form:
    """Return the form for a note about a run, or about the suite without one, below those there."""
    what, of = ("suite", suite) if run is None else ("run", run)
    judge = here()
    mine = [note for note in notes if judge is not None and note.author == judge.id]

    def act(sent: Sent) -> str:
        text, judge, submission = sent.text, sent.judge, sent.submission
        if sent.ticked and mine:
            receipt = correct_note(ws, suite, mine[-1], text, judge, submission=submission)
            return record_words("Corrected" if text.strip() else "Taken back", receipt.id)
        if not text.strip():
            raise ValueError("The note is empty.")
        receipt = add_note(ws, suite, run, text, judge, submission=submission)
        return record_words("The note is stored", receipt.id)

    def newest() -> None:
        shown = shown_notes(notes)
        if len(shown) < len(notes):
            st.text(f"The newest {len(shown)} of {len(notes):,} notes:")
        for place, note in enumerate(shown):
            st.text(note.text)
            with st.container(key=f"aside-by-{what}-{place}"):
                st.text(signed(note))

    return Form(
        f"note-{what}",
        of,
        "Store the note" if run else "Store the note on the suite",
        act,
        f"What should be known about this {what}",
        noted(notes, what),
        newest,
        tick="In place of my last note (empty: take it back)" if mine else "",
        height=110,
    )


def run_footer(ws: Workspace, choice: Choice, run: str) -> None:
    """Draw what can be done with a run below its evidence; forms only once they are opened."""
    suite = suite_of(run)
    reviews = review_folder(ws, suite)
    if run in ws.hidden.runs:
        _hidden_footer(ws, choice, run, reviews)
        return
    records = load_reviews(reviews)

    def left_out(sent: Sent) -> str:
        receipt = exclude(ws, run, sent.text, sent.judge, submission=sent.submission)
        return record_words("It is excluded and stays visible", receipt.id)

    def counted(sent: Sent) -> str:
        lifted = lift(ws, run, sent.judge)
        return record_words("It counts again", lifted[0].id) if lifted else "It counts again."

    def criterion(sent: Sent) -> str:
        said = Decided(stored(sent.text, LIMITS.note, "The criterion"), None, run, "asked")
        receipt = decide(ws, suite, said, sent.judge, submission=sent.submission)
        return record_words("It is a suggestion on Rubric now", receipt.id)

    with st.container(horizontal=True, vertical_alignment="center", key="aside-run"):
        note_form(ws, suite, run, notes_of(records, run)).draw(reviews)
        if exclusion_of(records, run) is None:
            if asked(ws, run):
                query = choice.query(run=run, v=None, c=None)
                st.page_link("pages/judge.py", label="Judge this run", query_params=query)
            if (by_model := run_by_model(ws, run)) is not None:
                query = choice.query(v=None, c=None, **by_model)
                st.page_link("pages/runs.py", label="Judge by a model", query_params=query)
            Form(
                "out",
                run,
                "Exclude run",
                left_out,
                "Why it is excluded",
                "Exclude run …",
                "It stays visible, and no rate counts it.",
                required="Say why the run is excluded.",
            ).draw(reviews)
        else:
            Form(
                "again",
                run,
                "Include run",
                counted,
                opens="Include run again …",
                above="The rates count this run again; that it was excluded stays on record.",
            ).draw(reviews)
        if loops(ws, suite):
            feedback_box(ws, suite, run)
            Form(
                "criterion",
                run,
                "Ask for it",
                criterion,
                "What this case should be judged by",
                "Add a criterion …",
                ASKED,
                required="Write the criterion.",
            ).draw(reviews)
        receipts(run)


def _hidden_footer(ws: Workspace, choice: Choice, run: str, reviews: ReviewFolder) -> None:
    """Lead to the Judge page, or let the judge give up judging the run independently."""

    def act(sent: Sent) -> str:
        receipt = reveal(ws, run, sent.judge)
        return record_words(GIVEN_UP, receipt.id) if receipt else GIVEN_UP

    with st.container(horizontal=True, vertical_alignment="center", key="aside-run"):
        query = choice.query(v=None, c=None)
        st.page_link("pages/judge.py", label="Judge the runs that wait", query_params=query)
        with st.container(key="aside-reveal"):
            Form("reveal", run, "Show it anyway", act).draw(reviews)
        st.text(REVEAL)


def feedback_box(ws: Workspace, suite: str, run: str) -> None:
    """Offer the notes of a run's iteration where skill-creator's loop reads them."""
    key = parse_run_id(run)
    if key is None:
        return
    box = st.popover("feedback.json …", type="tertiary", key="aside-feedback", on_change="rerun")
    if not box.open:
        return
    with box:
        for proposal in feedback_proposals(ws, suite, key.version):
            _offered(ws, proposal)


def _offered(ws: Workspace, proposal: Proposal) -> None:
    """Show the proposed content, and write exactly that on a click."""
    about = proposal.path or ""
    st.text(will_do(proposal))
    if proposal.data is not None:
        with st.container(height=300, border=False):
            st.code(preview(proposal), language="diff" if proposal.read is not None else "json")

        def clicked() -> None:
            try:
                write(ws.root, proposal)
            except EvalcoreError as fault:
                answer(about, str(fault))
            except OSError as fault:
                answer(about, f"Nothing was written: {fault.strerror or 'a fault'}.")
            else:
                stored_here()
                answer(about, "Written: " + " ".join(proposal.messages))

        st.button("Write this file", on_click=clicked, key="aside-feedback-write")
    receipts(about)
