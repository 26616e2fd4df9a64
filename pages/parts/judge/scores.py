"""What judges and a model say of the same runs: independent batches, agreement, and trust."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.counting.cells import family_of
from evalcore.counting.choices import case_ids
from evalcore.errors import CannotJudge, EvalcoreError, StaleTask
from evalcore.families.reviews.review import REASONS, Reasons
from evalcore.judging.agreeing.adjudicating import Decision, adjudicate
from evalcore.judging.agreeing.agreement import agreement
from evalcore.judging.agreeing.disagreements import Disagreement, disagreements, with_rationales
from evalcore.judging.answering.independent import MOST, chosen, drawn, start_batch
from evalcore.judging.model import Asked, Judge
from evalcore.judging.queueing.batches import batches, runs_to_draw
from evalcore.judging.storing.judging_rule import WORDS, choose_rule, rule_of
from evalcore.judging.storing.record_factory import suite_of
from evalcore.judging.storing.store import new_id, unwritable
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews, review_folder
from evalcore.validating.trust import trust
from evalcore.views.blocks.plain import BUDGET
from evalcore.views.judge.agreement import (
    Whose,
    agreement_blocks,
    agreements,
    criterion_names,
    hidden_blocks,
)
from evalcore.views.judge.batches import batch_blocks, rule_words, seen_of, started_words
from evalcore.views.judge.disagreements import (
    disagreement_blocks,
    open_blocks,
    reading_blocks,
    receipt_words,
    score_words,
)
from evalcore.views.judge.receipt import refusal
from evalcore.views.judge.trust import trust_blocks
from evalcore.views.words.wording import count
from pages.parts.address import apply_changes, change_address, parameter, set_parameters
from pages.parts.forms import Form, Sent, answer, choose_judges, receipts
from pages.parts.frame import notice
from pages.parts.judge.session import write_answered
from pages.parts.links import follow
from pages.parts.own_acts import stored_here
from pages.parts.page import LOOK_HEIGHT
from pages.parts.panels.components import grades_panel, new_acts, sheet_panel
from pages.parts.session_state import bound, now, session_object
from pages.parts.state import Choice, offer

PARAMETERS: Final = ("settle", "on", "judges", "only", "of")
"""The address parameters of these sections: run and criterion to decide, which scores, whose."""
GONE: Final = "Nothing to decide any more: it was decided, or the scores are equal now."
NAME_FIRST: Final = "Set your name before you decide."
USUAL: Final = 12
NARROW: Final = 460
BATCH: Final = "judge-batch"


@dataclass
class _Work:
    """The open decision and the id it is stored under, and the reply to the last one until shown.

    What is stored names the scores that were on the screen while the person typed, which may
    differ from the current ones.
    """

    shown: Disagreement | None = None
    submission: str = ""
    reply: str = ""


def follow_section_links(choice: Choice) -> None:
    """Follow the links of a section: they change its own parameters, or lead to another page."""
    for did in new_acts():
        asked = follow(choice, did, "judge")
        change_address(**{name: asked[name] for name in PARAMETERS if name in asked})
    apply_changes("Judge")


def trust_section(ws: Workspace, choice: Choice, suite: str) -> None:
    """Draw how far a model as judge can be trusted."""
    independent = parameter("only", {"independent"}) is not None
    records = load_reviews(review_folder(ws, suite))
    found = trust(ws, suite, records, judge=parameter("of"), independent=independent)
    column = None if choice.version is None else (choice.version, choice.configuration)
    here = family_of(ws, suite).judged_here
    blocks = [*trust_blocks(found, column, judged_here=here), *hidden_blocks(ws, suite)]
    sheet_panel(blocks, choice.query(), "judge-trust")


def agreement_section(ws: Workspace, choice: Choice, suite: str, judge: Judge | None) -> None:
    """Draw how far judges agree, the largest disagreements, and the one to be decided."""
    whose = Whose(
        recorded=parameter("judges", {"all"}) is not None,
        independent=parameter("only", {"independent"}) is not None,
    )
    counted, recorded = agreements(ws, suite, whose)
    names, reader = criterion_names(ws, suite, whose), judge.id if judge else ""
    blocks = agreement_blocks(counted, whose, names, recorded, reader)
    sheet_panel([*blocks, *hidden_blocks(ws, suite)], choice.query(), "judge-agreement")
    work, reviews = session_object(_Work), review_folder(ws, suite)
    if work.reply:
        notice(work.reply)
        work.reply = ""
    run, key = parameter("settle"), parameter("on")
    wanted = None if run is None or key is None else (run, key)
    found = disagreements(ws, suite, judge, load_reviews(reviews), wanted)
    if found.opened is not None:
        decide(ws, choice, with_rationales(ws, found.opened), judge, reviews)
    elif wanted is not None:
        notice(GONE)
        set_parameters(settle=None, on=None)
    compared = agreement(ws, suite).units > 0
    blocks = disagreement_blocks(ws, suite, found, named=judge is not None, compared=compared)
    sheet_panel(blocks, choice.query(), "judge-disagreements")


def decide(
    ws: Workspace, choice: Choice, one: Disagreement, judge: Judge | None, reviews: ReviewFolder
) -> None:
    """Draw one disagreement with its form, and store the decision."""
    work, criterion = session_object(_Work), one.asked
    shown, submission = work.shown, work.submission
    if shown is None or (shown.run_id, shown.asked.key) != (one.run_id, criterion.key):
        shown, submission = one, new_id()
    left, right = st.columns([1, 1], gap="large")
    with right, st.container(height=LOOK_HEIGHT, border=False, key="judge-decide-read"):
        grades_panel(reading_blocks(ws, one.run_id), "judge-decide-reading", of=one.run_id)
    with left:
        blocks = open_blocks(ws, suite_of(one.run_id), one)
        sheet_panel(blocks, choice.query(), "judge-decide", budget=BUDGET)
        if (closed := unwritable(reviews)) or judge is None:
            notice(closed or NAME_FIRST)
            return
        sent, score, why = _form(criterion, submission)
    work.shown, work.submission = one, submission
    if not sent:
        return
    if score is None:
        notice("Choose a score first; what you typed is kept.")
        return
    run, ids, over = one.run_id, shown.ids, shown.over
    decision = Decision(run, criterion.key, score, why, ids, over, submission)
    try:
        receipt = adjudicate(ws, decision, judge)
    except StaleTask as fault:
        notice(f"Not stored: {fault} What you typed is kept.")
    except (EvalcoreError, ValueError) as fault:
        notice(refusal(fault))
    else:
        words = receipt_words(ws, criterion, decision, receipt)
        work.shown, work.reply = None, f"{words} {write_answered(ws.root, run)}".strip()
        stored_here()
        change_address(settle=None, on=None)
        st.rerun()


def _form(criterion: Asked, submission: str) -> tuple[bool, float | None, str]:
    """Draw the form; return whether it is sent, and what. Ctrl+Enter in the text sends it."""
    label, key = "The score that counts", f"adjudicate-score-{submission}"
    with st.form(f"adjudicate-{submission}", border=False):
        score: float | None
        if criterion.choices is not None and not criterion.fine:
            score = st.radio(
                label,
                criterion.choices,
                index=None,
                horizontal=True,
                format_func=lambda value: score_words(criterion, value),
                key=key,
            )
        else:
            score = st.number_input(label, criterion.low, criterion.high, value=None, key=key)
        why = st.text_area(
            "Why this score counts (required)",
            height=96,
            key=f"adjudicate-why-{submission}",
        )
        sent = st.form_submit_button("Store the score that counts", type="primary")
    return sent, score, why


def reasons_section(ws: Workspace, suite: str, judge: Judge | None) -> None:
    """Draw for which verdicts the suite requires a reason, and let a judge choose it."""
    reviews = review_folder(ws, suite)
    rule, of = rule_of(load_reviews(reviews)), f"reasons {suite}"

    def choose(reasons: Reasons) -> None:
        try:
            if judge is None:
                raise CannotJudge("Set your name before you choose.")
            receipt = choose_rule(reviews, reasons, judge, rule.id)
        except EvalcoreError as fault:
            answer(of, refusal(fault))
        else:
            stored_here()
            answer(of, f"Stored: {receipt.path}")

    bound(
        st.selectbox,
        "Reasons for scores in this suite",
        REASONS,
        name=of,
        value=rule.reasons,
        on_choice=choose,
        format_func=lambda reasons: f"A{WORDS[reasons][1:]}",
        disabled=judge is None or unwritable(reviews) is not None,
        width=NARROW,
        help="It holds from the next score on. Each score's record says what was required then.",
    )
    st.text(rule_words(rule))
    receipts(of)


def batches_section(ws: Workspace, choice: Choice, suite: str) -> None:
    """Draw the independent batches and the form for a new one, once they are opened."""
    receipts(f"batch {suite}")
    box = st.expander("Independent batches", key=BATCH, on_change="rerun")
    if not box.open:
        return
    with box:
        listed, new = st.columns([1, 1], gap="large")
        with listed:
            sheet_panel(batch_blocks(batches(ws, suite)), choice.query(), "judge-batches")
        with new:
            new_batch(ws, choice, suite, review_folder(ws, suite))


def new_batch(ws: Workspace, choice: Choice, suite: str, reviews: ReviewFolder) -> None:
    """Draw the form that asks for independent scores of some runs."""

    def some(label: str, known: tuple[str, ...], first: str | None) -> list[str]:
        """Offer some of several names; nothing chosen is all of them."""
        if len(known) < 2:
            return []
        return st.multiselect(
            label,
            known,
            [first] if first in known else [],
            key=f"{BATCH}-{label.lower()}-{first}",
            placeholder=f"all {len(known):,}",
        )

    known = offer(ws, suite)
    versions = some("Versions", known.versions, choice.version)
    configurations = some("Configurations", known.configurations, choice.configuration)
    cases = some("Cases", case_ids(ws, suite), None)
    runs = runs_to_draw(ws, suite, versions, configurations, cases)
    if not runs:
        st.text("No run that can be judged is left. Choose other versions or cases.")
        return
    most = min(len(runs), MOST)
    key, label = f"{BATCH}-number-{most}", f"How many of {count(len(runs), 'run')}, drawn at random"
    number = st.number_input(label, 1, most, min(USUAL, most), key=key)
    judges = choose_judges("Judges", reviews, f"{BATCH}-judges")
    for sentence in seen_of(reviews, judges().ids):
        st.text(sentence)

    def act(sent: Sent) -> str:
        asked, typed = judges(), int(now()[key])
        draw = chosen(runs, typed) if typed == len(runs) else drawn(runs, typed)
        started = start_batch(
            ws, draw, asked, sent.judge, reason=sent.text, submission=sent.submission
        )
        return started_words(started, draw, (*asked.ids, *asked.names))

    words = f"Ask for independent scores of {count(number, 'run')}"
    Form(BATCH, f"batch {suite}", words, act, "Why (optional)").draw(reviews)
