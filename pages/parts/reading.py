"""What a page shows while its workspace is read for the first time."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from evalcore.live import Opening
from evalcore.views.words.wording import count, percent

_PATIENCE_SECONDS: Final = 0.3
"""A workspace that is open so soon is shown without a bar before it."""
_STEP_SECONDS: Final = 0.2


def wait_for(opening: Opening | None, title: str, aside: Callable[[], None]) -> None:
    """Show how far reading is until the workspace is open; `aside` draws the sidebar meanwhile."""
    if opening is None or opening.wait(_PATIENCE_SECONDS):
        return
    with st.sidebar:
        aside()
    st.title(title, anchor=False, width="content")
    bar = st.progress(0.0, "Reading documents …")
    while not opening.wait(_STEP_SECONDS):
        if opening.whole:
            said = f"Reading {count(opening.whole, 'document')} … {percent(opening.share)}"
            bar.progress(opening.share, said)
    st.rerun()
