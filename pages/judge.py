"""Human judging: read a run, score it with a rationale, go on to the next; agreement and trust."""

import streamlit as st

from pages.parts.address import change_address, parameter
from pages.parts.evidence import nothing_chosen
from pages.parts.frame import frame
from pages.parts.judge import agreement, trust
from pages.parts.judge.acts import SECTIONS
from pages.parts.judge.batches import batches_section
from pages.parts.judge.form import judge_form
from pages.parts.judge_name import here
from pages.parts.viewed import scores_are_shown

shown = frame("Judge")
ws, choice = shown.workspace, shown.choice
if choice.suite is None:
    nothing_chosen(ws)
    st.stop()
section = parameter("view", SECTIONS)
if section is None:
    judge_form(choice)
    batches_section(ws, choice, choice.suite)
    st.stop()
with st.container(horizontal=True, key="judge-sections"):
    own = dict.fromkeys((*agreement.PARAMETERS, *trust.PARAMETERS))
    if st.button("‹ Back to judging", key="judge-back", type="tertiary"):
        change_address(view=None, **own)
        st.rerun()
    other = next(name for name in SECTIONS if name != section)
    if st.button(other.capitalize(), key=f"judge-to-{other}", type="tertiary"):
        change_address(**own | {"view": other})
        st.rerun()
scores_are_shown(ws, choice.suite)
if section == "trust":
    trust.trust_section(ws, choice, choice.suite)
else:
    agreement.agreement_section(ws, choice, here())
