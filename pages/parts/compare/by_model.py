"""The link from a comparison to the form in which a model compares the same two versions."""

import streamlit as st

from evalcore.comparing.model import Side
from evalcore.families.running import ONLY
from evalcore.views.runs.state import to_compare
from pages.parts.state import Choice


def compare_by_model(a: Side, b: Side, choice: Choice) -> None:
    """Draw the link where both sides are versions of a suite that has such documents."""
    if a.ws is not b.ws or a.suite != b.suite:
        return
    if {a.column.configuration, b.column.configuration} != {ONLY}:
        return
    link = to_compare(a.ws, a.suite, a.column.version, b.column.version)
    if link is not None:
        query = choice.query(**link.query)
        st.page_link("pages/runs.py", label="Compare by a model", query_params=query)
