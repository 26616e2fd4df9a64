"""The link from a comparison to a blind study of the same two sides."""

import streamlit as st

from evalcore.comparing.model import Side
from pages.parts.state import Choice


def judge_blind(a: Side, b: Side, choice: Choice) -> None:
    """Draw the link where both sides are of one suite of one folder."""
    if a.ws is not b.ws or a.suite != b.suite:
        return
    sides = {"a": a.column.key, "b": b.column.key}
    query = {"w": choice.workspace, "suite": a.suite, **sides}
    st.page_link("pages/blind.py", label="Judge blind", query_params=query)
