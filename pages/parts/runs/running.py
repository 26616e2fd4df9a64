"""What runs now, in the sidebar of every page, and the way to a new run."""

from pathlib import Path
from typing import Final

import streamlit as st

from evalcore.views.runs.listing import running_now
from evalcore.views.verdict.prepare import to_new
from pages.parts.state import Choice

TICK_SECONDS: Final = 2.0


def running(choice: Choice, root: Path) -> None:
    """Draw the link to a new run, and a line for each run that is going on here."""
    with st.container(key="new-run"):
        query = choice.query(**to_new().query)
        st.page_link("pages/runs.py", label="New run", query_params=query)
    _going_on(choice, root)


@st.fragment(run_every=TICK_SECONDS)
def _going_on(choice: Choice, root: Path) -> None:
    with st.container(key="running-now"):
        for each in running_now(root):
            st.progress(each.share, text=f"{each.done:,} of {each.total:,} done")
            query = choice.query(id=each.id)
            st.page_link("pages/runs.py", label="Show run", query_params=query)
