"""Every case in every version, and the evidence behind the one that is open."""

import streamlit as st

from evalcore.views.grid import grid
from evalcore.views.moves import chosen, moved, view_of
from evalcore.views.panel import grid_block
from pages.parts.evidence import case_without_run, evidence_panel, nothing_chosen
from pages.parts.filters import narrow
from pages.parts.frame import frame, notice
from pages.parts.panels.components import grid_panel, taken
from pages.parts.state import set_parameters

shown = frame("Gradings")
ws, choice = shown.workspace, shown.choice
if choice.suite is None:
    nothing_chosen(ws)
    st.stop()

suite, version, configuration = choice.suite, choice.version, choice.configuration
view = moved(ws, suite, version, configuration, view_of(st.query_params.to_dict()), taken())
left, right = st.columns([6, 7], gap="medium")
with left:
    view = narrow(ws, choice, view)
    found = grid(ws, view.ask(suite, version, configuration))
    run, case = chosen(ws, found, suite, view)
    grid_panel(grid_block(found, run, case, view.filter))
set_parameters(**view.parameters())
with right:
    if view.run is not None and run is None:
        notice("The run in this address is not in the suite; showing the first of the list.")
    if run is not None:
        evidence_panel(ws, choice, found, view, run)
    elif case is not None:
        case_without_run(ws, suite, case)
