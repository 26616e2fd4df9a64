"""Documents with their recognised kinds, problems, and the definitions of cases and criteria."""

from dataclasses import replace

import streamlit as st

from evalcore.views.data.documents import part_words, summary
from evalcore.views.data.state import PARTS, data_view
from pages.parts.address import apply_changes, change_address, set_parameters
from pages.parts.data import cases_list, documents_list, messages_list, problems_list, rules_list
from pages.parts.frame import frame, notice
from pages.parts.full_check import checked, still_checking
from pages.parts.links import follow
from pages.parts.panels.components import new_acts
from pages.parts.session_state import bound

shown = frame("Data")
ws, choice = shown.workspace, shown.choice
check, problems = checked(ws)
for did in new_acts():
    change_address(**follow(choice, did, "data"))
apply_changes("Data")
view = data_view(st.query_params.to_dict(), problems=bool(problems.rows))
words = part_words(ws, problems, choice.suite)
st.text(summary(ws, problems))
if problems.why:
    notice(f"The full check ended early: {problems.why}")
with st.container(horizontal=True, vertical_alignment="center", key="data-parts"):
    bound(
        st.segmented_control,
        "What to look at",
        PARTS,
        name="data-part",
        value=view.part,
        on_choice=lambda part: change_address(
            **replace(
                view, part=part, text="", page=1, file=None, at="", case=None, message=None
            ).parameters()
        ),
        required=True,
        format_func=lambda part: words[part],
        label_visibility="collapsed",
    )
    if not problems.complete:
        still_checking(check)
set_parameters(**view.parameters())
draw = {
    "files": documents_list,
    "problems": problems_list,
    "rules": rules_list,
    "messages": messages_list,
    "cases": cases_list,
}[view.part]
draw(ws, choice, view, problems)
