"""Runs: what was started here and how far it is, and the form that starts a new one."""

import streamlit as st

from evalcore.views.runs.listing import listing_blocks
from evalcore.views.runs.state import FAILURES, opened, runs_of, to_improve, view_of
from pages.parts.address import replace_address, set_parameters
from pages.parts.evidence import nothing_chosen
from pages.parts.frame import frame, notice
from pages.parts.links import follow, go_to_page
from pages.parts.panels.components import new_acts, sheet_panel
from pages.parts.runs.chosen import followed
from pages.parts.runs.failures import failures_form
from pages.parts.runs.improve import improve_form
from pages.parts.runs.new_run import new_run_form, start_fault

WIDTH = 860
_FORMS = {None: new_run_form, FAILURES: failures_form}

shown = frame("Runs")
ws, choice = shown.workspace, shown.choice
if choice.suite is None:
    nothing_chosen(ws)
    st.stop()

for did in new_acts():
    if asked := follow(choice, did, "runs"):
        replace_address(**choice.query(**asked))
        st.rerun()
view = view_of(st.query_params.to_dict())
set_parameters(**view.parameters())
folders = runs_of(ws)
improving = to_improve(ws, choice.suite)
# A link to this page would look chosen.
if improving and st.button("Improve the skill", key="run-improve-link"):
    go_to_page(choice, "runs", **improving.query)
folder = opened(folders, view)
if fault := start_fault():
    notice(fault)
elif view.id is not None and folder is None:
    notice("The run in this link was not started on this machine, or its folder was deleted.")
if folder is not None and not view.new:
    followed(ws, choice, folders, folder)
    st.stop()
with st.container(key="stacks-runs"):
    left, right = st.columns([5, 8], gap="medium") if folders else (st.container(), None)
with left:
    sheet_panel(listing_blocks(folders, None), choice.query(), "runs-list")
with right or st.container(width=WIDTH, key="run-form"):
    _FORMS.get(view.form, improve_form)(ws, choice, view)
