"""Every case in every version, with the evidence of the open one."""

from dataclasses import replace
from typing import Final

import streamlit as st

from evalcore.views.gradings.grid import grid_block
from evalcore.views.gradings.outputs import outputs_block
from evalcore.views.gradings.state import GradingsState, View, chosen, column_of, reduce
from evalcore.views.gradings.version import about_blocks, about_version
from evalcore.views.words.wording import column_words
from pages.parts.address import change_address, set_parameters
from pages.parts.frame import notice
from pages.parts.gradings.evidence import evidence_panel, no_run_panel, score_one
from pages.parts.gradings.filters import narrow
from pages.parts.gradings.footers import run_footer, suite_footer
from pages.parts.links import follow
from pages.parts.page import suite_page
from pages.parts.panels.components import grades_panel, grid_panel, new_acts

ABOVE: Final = 272
"""The height that is left for what is above and below the list, in pixels."""

ws, choice, suite = suite_page("Gradings")
view = View.of(st.query_params.to_dict())
state = GradingsState(ws, suite, choice.version, choice.configuration, view, choice.scores)
for did in new_acts():
    if score_one(ws, choice, did):
        continue
    if to := follow(choice, did, "gradings"):
        asked = {**state.view.parameters(), **to}
        view = View.of({name: each for name, each in asked.items() if each is not None})
    else:
        view = reduce(state, did)
    state = replace(state, view=view)
    change_address(**state.view.parameters())
view = state.view
set_parameters(**view.parameters())

found = state.grid()
run, case = chosen(state, found)
with st.container(key="stacks-gradings"):
    # Outputs side by side need the room of the list, whose buttons then take three lines.
    is_wide = view.tab == "output" and bool(view.beside)
    left, right = st.columns([3, 10] if is_wide else [6, 7], gap="medium")
with left:
    narrow(state, run, choice)
    block = {**grid_block(found, case, column_of(ws, run)), "above": ABOVE + 96 * is_wide}
    if view.outputs:
        block |= outputs_block(ws, found)
    grid_panel(block)
    suite_footer(state, found, choice)
with right:
    if view.run is not None and run != view.run:
        notice("The run in this address is not in the suite; showing the first of the list.")
    elif view.run is None and view.case not in {None, case}:
        notice("The case in this address is not in the suite; showing the first of the list.")
    if run is not None:
        evidence_panel(state, found, run, choice.query())
        run_footer(ws, choice, run)
    elif case is not None:
        no_run_panel(state, found, case)
if found.focus is not None:
    about = about_version(ws, suite, found.focus)
    label = f"Stored about {column_words(found.focus)}: {about.title}"
    box = st.expander(label, key="about-version", on_change="rerun")
    if box.open:
        with box:
            grades_panel(about_blocks(ws, about), key="version-blocks", base=choice.query())
