"""Runs: what was started here and how far it is, and the form that starts a new one."""

import streamlit as st

from evalcore.views.blocks.page import Heading
from evalcore.views.runs.listing import listing_blocks
from evalcore.views.runs.state import FAILURES, View, opened, runs_of, to_improve
from pages.parts.address import set_parameters
from pages.parts.frame import end_page, notice
from pages.parts.links import go_to_page
from pages.parts.page import READING_WIDTH, follow_links, suite_page
from pages.parts.panels.components import sheet_panel
from pages.parts.runs.chosen import followed
from pages.parts.runs.model_forms import failures_form, improve_form
from pages.parts.runs.new_run import new_run_form, start_fault

_FORMS = {
    None: ("New run", new_run_form),
    FAILURES: ("Ask a model why runs failed", failures_form),
}
_IMPROVE = ("Improve the skill", improve_form)

ws, choice, suite = suite_page("Runs")
follow_links(choice, "runs")
view = View.of(st.query_params.to_dict())
set_parameters(**view.parameters())
folders = runs_of(ws, suite)
folder = opened(folders, view)
if fault := start_fault():
    notice(fault)
elif view.id is not None and folder is None:
    notice("The run in this link was not started on this machine, or its folder was deleted.")
if folder is not None and not view.new:
    followed(ws, choice, folders, folder)
    end_page()
with st.container(key="stacks-runs"):
    left, right = st.columns([5, 8], gap="medium") if folders else (st.container(), None)
with left:
    sheet_panel(listing_blocks(folders, None), choice.query(), "runs-list")
with right or st.container(width=READING_WIDTH, key="run-form"):
    title, form = _FORMS.get(view.form, _IMPROVE)
    sheet_panel([Heading(title)], choice.query(), "runs-form")
    form(ws, choice, view)
    improving = to_improve(ws, suite) if view.form is None else None
    # A link to this page would look chosen.
    if improving and st.button("Improve the skill …", key="run-improve-link", type="tertiary"):
        go_to_page(choice, "runs", **improving.query)
