"""Agreement between judges, the largest disagreements, and the form for adjudication."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import streamlit as st

from evalcore import Workspace
from evalcore.errors import EvalcoreError, StaleTask
from evalcore.judging.agreeing.adjudicating import Decision, adjudicate
from evalcore.judging.agreeing.agreement import agreement
from evalcore.judging.agreeing.disagreements import Disagreement, disagreements, with_rationales
from evalcore.judging.model import Asked, Judge
from evalcore.judging.storing.store import new_id, unwritable
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.views.blocks.plain import BUDGET
from evalcore.views.judge.agreement import Whose, agreement_blocks, criterion_names, hidden_blocks
from evalcore.views.judge.disagreements import (
    disagreement_blocks,
    open_blocks,
    reading_blocks,
    receipt_words,
    score_words,
)
from evalcore.views.judge.receipt import refusal
from pages.parts.address import apply_changes, change_address, parameter, set_parameters
from pages.parts.frame import notice
from pages.parts.judge.answered import write_answered
from pages.parts.links import follow
from pages.parts.panels.components import grades_panel, new_acts, sheet_panel
from pages.parts.session_state import session_object
from pages.parts.state import Choice

PARAMETERS: Final = ("settle", "on", "judges", "only")
"""The address parameters of this section: run and criterion to decide, and which scores."""
READ_HEIGHT: Final = 620
GONE: Final = "Nothing to decide any more: it was decided, or the scores are equal now."
NAME_FIRST: Final = "Set your name before you decide."


class _Shown(NamedTuple):
    """What was on the screen: the judgments, the adjudication, and the id of the decision."""

    name: str
    ids: tuple[str, ...]
    over: str | None
    submission: str


@dataclass
class _Work:
    """The open decision, and the reply to the last one until it was shown."""

    shown: _Shown | None = None
    reply: str = ""


def agreement_section(ws: Workspace, choice: Choice, judge: Judge | None) -> None:
    """Draw the section and handle its actions."""
    if choice.suite is None:
        return
    for did in new_acts():
        asked = follow(choice, did, "judge")
        change_address(**{name: asked[name] for name in PARAMETERS if name in asked})
    apply_changes("Judge")
    work = session_object(_Work)
    _agreement(ws, choice, choice.suite, judge)
    if work.reply:
        notice(work.reply)
        work.reply = ""
    reviews = review_folder(ws, choice.suite)
    run, key = parameter("settle"), parameter("on")
    wanted = None if run is None or key is None else (run, key)
    found = disagreements(ws, choice.suite, judge, load_reviews(reviews), wanted)
    if found.opened is not None:
        _decide(ws, choice, with_rationales(ws, found.opened), judge, unwritable(reviews))
    elif wanted is not None:
        notice(GONE)
        set_parameters(settle=None, on=None)
    compared = agreement(ws, choice.suite).units > 0
    named = judge is not None
    blocks = disagreement_blocks(ws, choice.suite, found, named=named, compared=compared)
    sheet_panel(blocks, choice.query(), "judge-disagreements")


def _agreement(ws: Workspace, choice: Choice, suite: str, judge: Judge | None) -> None:
    whose = Whose(
        recorded=parameter("judges", {"all"}) is not None,
        independent=parameter("only", {"independent"}) is not None,
    )
    counted = agreement(ws, suite, **whose._asdict())
    recorded = None
    if not counted.units:  # what people cannot be compared with each other by
        recorded = agreement(ws, suite, recorded=True, independent=whose.independent)
    names, reader = criterion_names(ws, suite, whose), judge.id if judge else ""
    blocks = agreement_blocks(counted, whose, names, recorded, reader)
    blocks += hidden_blocks(ws, suite)
    sheet_panel(blocks, choice.query(), "judge-agreement")


def _decide(
    ws: Workspace, choice: Choice, one: Disagreement, judge: Judge | None, closed: str | None
) -> None:
    """Draw one disagreement with its form, and store the decision.

    The stored record names the scores that were on the screen while the person typed, which may
    differ from the current ones.
    """
    name = f"{one.run_id} {one.asked.key}"
    work = session_object(_Work)
    shown = work.shown
    if shown is None or shown.name != name:
        shown = _Shown(name, one.ids, one.over, new_id())
    left, right = st.columns([1, 1], gap="large")
    with right, st.container(height=READ_HEIGHT, border=False, key="judge-decide-read"):
        grades_panel(reading_blocks(ws, one.run_id), "judge-decide-reading", of=one.run_id)
    with left:
        blocks = open_blocks(ws, choice.suite or "", one)
        sheet_panel(blocks, choice.query(), "judge-decide", budget=BUDGET)
        if closed or judge is None:
            notice(closed or NAME_FIRST)
            return
        typed = _form(one.asked, shown.submission)
    work.shown = _Shown(name, one.ids, one.over, shown.submission)
    if typed is None:
        return
    score, why = typed
    if score is None:
        notice("Choose a score first; what you typed is kept.")
        return
    decision = Decision(
        one.run_id, one.asked.key, score, why, shown.ids, shown.over, shown.submission
    )
    try:
        receipt = adjudicate(ws, decision, judge)
    except StaleTask as fault:
        notice(f"Not stored: {fault} What you typed is kept.")
    except (EvalcoreError, ValueError) as fault:
        notice(refusal(fault))
    else:
        words = receipt_words(ws, one.asked, decision, receipt)
        work.shown, work.reply = None, f"{words} {write_answered(ws.root, one.run_id)}".strip()
        change_address(settle=None, on=None)
        st.rerun()


def _form(criterion: Asked, submission: str) -> tuple[float | None, str] | None:
    """Draw the form; return its content when it is sent. Ctrl+Enter in the text sends it."""
    with st.form(f"adjudicate-{submission}", border=False):
        score: float | None
        if criterion.choices is not None and not criterion.fine:
            score = st.radio(
                "The score that counts",
                criterion.choices,
                index=None,
                horizontal=True,
                format_func=lambda value: score_words(criterion, value),
                key=f"adjudicate-score-{submission}",
            )
        else:
            score = st.number_input(
                "The score that counts",
                criterion.low,
                criterion.high,
                value=None,
                key=f"adjudicate-score-{submission}",
            )
        why = st.text_area(
            "Why this score counts (required)",
            height=96,
            key=f"adjudicate-why-{submission}",
        )
        sent = st.form_submit_button("Store the score that counts", type="primary")
    return (score, why) if sent else None
