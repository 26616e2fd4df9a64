"""The hard rules on the Data page, with what breaks the chosen one next to them."""

from dataclasses import replace

import streamlit as st

from evalcore import Workspace
from evalcore.views.data.rules import broken_blocks, chosen_rule, rule_blocks
from evalcore.views.data.state import DataView
from evalcore.views.problems import Problems
from pages.parts.panels.components import sheet_panel
from pages.parts.state import Choice


def rules_list(ws: Workspace, choice: Choice, view: DataView, problems: Problems) -> None:
    """Draw the rules of the chosen suite, and what breaks one of them."""
    del problems  # they are listed on the page, this says which rule they break
    if choice.suite is None:
        st.text("There is no suite in this folder whose records could keep a rule.")
        return
    view = replace(view, rule=chosen_rule(ws, choice.suite, view))
    left, right = st.columns([5, 7], gap="medium")
    with left:
        sheet_panel(rule_blocks(ws, choice.suite, view), choice.query(), "data-rules")
    with right:
        sheet_panel(broken_blocks(ws, choice.suite, view), choice.query(), "data-broken")
