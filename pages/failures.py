"""What failed and why: counts, the list or its shared causes, and people's corrections."""

from functools import partial

import streamlit as st

from evalcore.failures.detail import described
from evalcore.failures.find import failures
from evalcore.views.blocks.base import Block
from evalcore.views.failures.chosen import (
    detail_blocks,
    evidence_blocks,
    failure_chain,
    head_blocks,
)
from evalcore.views.failures.listing import failures_listing, list_blocks, outside_blocks
from evalcore.views.failures.state import FailuresState, View, opened
from evalcore.views.failures.top import top_blocks, type_picture, version_picture
from pages.parts.address import set_parameters
from pages.parts.failures import forms, suite_acts
from pages.parts.frame import notice
from pages.parts.page import LOOK_HEIGHT, follow_links, suite_page
from pages.parts.panels.components import grades_panel, sheet_panel
from pages.parts.share import export, report_of, share

ws, choice, suite = suite_page("Failures")
view = View.of(st.query_params.to_dict())
follow_links(choice, "failures")
set_parameters(**view.parameters())
state = FailuresState(ws, suite, choice.version, choice.configuration, view, choice.scores)


def sheet(blocks: list[Block], key: str) -> None:
    sheet_panel(blocks, choice.query(), key)


sheet(top_blocks(state), "failures-top")
place = opened(state)
if view.failure is not None and place is None:
    notice("The failure in this link is no longer in the suite.")
if len(failures(ws, suite, choice.scores)):
    with st.container(horizontal=True, vertical_alignment="center", key="sharing-failures"):
        report = report_of(state.ws, state.suite, state.scores)
        share(partial(type_picture, state), "failures-type", report, label="Share by type")
        share(partial(version_picture, state), "failures-version", report, label="Share by version")
        export(partial(failures_listing, state), "failures", "failures")
        suite_acts(ws, choice, suite)
    with st.container(key="stacks-failures"):
        left, right = st.columns([7, 6], gap="medium")
    # Each sheet carries its style and script, so the list and the lost records are one sheet.
    with left:
        sheet([*list_blocks(state, place), *outside_blocks(state)], "failures-list")
    with right:
        if place is not None:
            (found,) = described(ws, suite, [place], choice.scores)
            with st.container(height=LOOK_HEIGHT, border=False, key="failures-evidence"):
                said = [*head_blocks(ws, found), *detail_blocks(ws, found)]
                seen = [*evidence_blocks(ws, found), *failure_chain(ws, found)]
                grades_panel([*said, *seen], "failures-grades", str(place), base=choice.query())
            forms(ws, choice, found)
elif apart := outside_blocks(state):
    sheet(apart, "failures-outside")
