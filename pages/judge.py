"""Human judging: read a run, score it with a rationale, go on to the next; see agreement."""

import streamlit as st

from pages.parts.address import change_address, parameter
from pages.parts.evidence import nothing_chosen
from pages.parts.frame import frame
from pages.parts.judge.agreement import PARAMETERS, agreement_section
from pages.parts.judge.batches import batches_section
from pages.parts.judge.form import judge_form
from pages.parts.judge_name import here
from pages.parts.viewed import scores_are_shown

shown = frame("Judge")
ws, choice = shown.workspace, shown.choice
if choice.suite is None:
    nothing_chosen(ws)
    st.stop()
if parameter("view") != "agreement":
    judge_form(choice)
    batches_section(ws, choice, choice.suite)
    st.stop()
if st.button("‹ back to judging", key="judge-back", type="tertiary"):
    change_address(view=None, **dict.fromkeys(PARAMETERS))
    st.rerun()
scores_are_shown(ws, choice.suite)
agreement_section(ws, choice, here())
