"""The blind studies of a suite, and the form that creates one."""

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.blind.judging import take_part
from evalcore.blind.ranking import may_see, ranks
from evalcore.blind.writing import end
from evalcore.errors import EvalcoreError
from evalcore.judging.hiding import studies
from evalcore.judging.model import Judge
from evalcore.judging.studies import Study
from evalcore.views.blind.ranking import LATER, ranking_blocks
from evalcore.views.blind.words import WHAT, ended_words, study_state, study_title
from evalcore.views.judge.receipt import refusal
from pages.parts.address import change_address
from pages.parts.blind.new_study import new_study
from pages.parts.blind.packets import packets
from pages.parts.judge_name import become, here, likely_name
from pages.parts.panels.components import sheet_panel
from pages.parts.small_form import answer, receipts

WIDTH: Final = 420
"""A field for a name need not be as wide as the page."""


def listing(ws: Workspace, suite: str) -> None:
    """Draw the studies, the newest first, and the form for a new one."""
    known, judge = studies(ws, suite)[::-1], here()
    receipts(about(suite))
    st.text(WHAT)
    if judge is None and known:
        _name()
    for study in known:
        with st.container(border=True, key=f"blind-study-{study.id}"):
            st.text(study_title(study, judge))
            st.text(study_state(study))
            with st.container(horizontal=True, key=f"blind-acts-{study.id}"):
                _acts(ws, study, judge)
    _ranking(known, judge)
    if judge is not None or not known:  # the form asks for a name too: once is enough
        new_study(ws, suite, opened=not known)


def _ranking(known: Sequence[Study], judge: Judge | None) -> None:
    """Draw the ranking by closed studies; not to who still compares: it names who won before."""
    found = ranks(known)
    if found is None:
        return
    if may_see(known, judge):
        sheet_panel(ranking_blocks(found), {}, "blind-ranking")
    else:
        st.text(LATER)


def about(suite: str) -> str:
    """Return what the replies of this page are about, in the list and on the results."""
    return f"blind {suite}"


def _name() -> None:
    """Ask who judges in this browser: verdicts carry the name."""
    with st.form("blind-name", border=False, width=WIDTH):
        name = st.text_input("Your name (stored on this machine)", likely_name(), key="blind-who")
        if st.form_submit_button("Start judging"):
            become(name)
            st.rerun()


def _acts(ws: Workspace, study: Study, judge: Judge | None) -> None:
    if study.closed is not None:
        _opens("Results", study)
        return
    if judge is None:
        return
    if study.takes_part(judge):
        left = len(study.open_for(judge))
        _opens(f"Judge, {left:,} left" if left else "All judged", study)
    elif study.may_join(judge) and st.button("Join and judge", key=f"blind-join-{study.id}"):
        _act(study, lambda: f"Stored: {take_part(ws.unmasked, study, judge, 'joined').path}")
    packets(ws.unmasked, study, _tell)
    with st.popover("Close and reveal …", type="tertiary", key=f"blind-end-{study.id}"):
        st.text("Judging ends, and everybody sees which side was which. This cannot be undone.")
        if st.button("Reveal and close", key=f"blind-close-{study.id}"):
            _act(study, lambda: f"Stored: {ended_words(end(ws.unmasked, study, judge))}")


def _opens(label: str, study: Study) -> None:
    """Draw the button that opens a study; a link to the same page would lead nowhere."""
    if st.button(label, key=f"blind-open-{study.id}"):
        _open(study)
        st.rerun()


def _open(study: Study) -> None:
    change_address(study=study.id, a=None, b=None, v=None, c=None)


def _act(study: Study, act: Callable[[], str]) -> None:
    """Do what leads to the study itself: its first pair, or its results."""
    if _tell(study, act):
        _open(study)
    st.rerun()


def _tell(study: Study, act: Callable[[], str]) -> bool:
    """Do something and remember what it says; return whether it was done."""
    try:
        words, done = act(), True
    except EvalcoreError as fault:
        words, done = refusal(fault), False
    answer(about(study.suite), words)
    return done
