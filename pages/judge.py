"""Judge by hand: read one run after another, score, explain and go on; see how far judges agree."""

import streamlit as st

from pages.parts.address import ask_for, parameter
from pages.parts.evidence import nothing_chosen
from pages.parts.frame import frame
from pages.parts.judge.agreement import PARAMETERS, agreement_section
from pages.parts.judge.form import judge_form
from pages.parts.judge_name import here

shown = frame("Judge")
ws, choice = shown.workspace, shown.choice
if choice.suite is None:
    nothing_chosen(ws)
    st.stop()
if parameter("view") != "agreement":
    judge_form(choice)
    st.stop()
if st.button("‹ back to judging", key="judge-back", type="tertiary"):
    ask_for(view=None, **dict.fromkeys(PARAMETERS))
    st.rerun()
agreement_section(ws, choice, here())
