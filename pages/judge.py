"""Human judging: read a run, score it with a rationale, go on to the next; agreement and trust."""

import streamlit as st

from pages.parts.address import change_address, parameter
from pages.parts.frame import end_page
from pages.parts.judge.form import SECTIONS, judge_form
from pages.parts.judge.scores import (
    PARAMETERS,
    agreement_section,
    batches_section,
    follow_section_links,
    reasons_section,
    trust_section,
)
from pages.parts.judge_name import here, scores_are_shown
from pages.parts.page import suite_page

ws, choice, suite = suite_page("Judge")
section = parameter("view", SECTIONS)
if section is None:
    judge_form(choice)
    reasons_section(ws, suite, here())
    batches_section(ws, choice, suite)
    end_page()
with st.container(horizontal=True, key="judge-sections"):
    own = dict.fromkeys(PARAMETERS)
    if st.button("‹ Back to judging", key="judge-back", type="tertiary"):
        change_address(view=None, **own)
        st.rerun()
    other = next(name for name in SECTIONS if name != section)
    if st.button(other.capitalize(), key=f"judge-to-{other}", type="tertiary"):
        change_address(**own | {"view": other})
        st.rerun()
scores_are_shown(ws, suite)
follow_section_links(choice)
if section == "trust":
    trust_section(ws, choice, suite)
else:
    agreement_section(ws, choice, suite, here())
