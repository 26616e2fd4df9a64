"""Whether a page of this session has been painted: what is heavy for a browser waits for that."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from pages.parts.panels.components import source
from pages.parts.session_state import session_object

_TELLER: Final = st.components.v2.component("evalcore.painted", js=source("painted.js"))


@dataclass
class FirstPaint:
    """Whether the browser has painted a page of this session."""

    done: bool = False


def painted(height: int) -> bool:
    """Return whether a page has been painted; if not, leave a place that is `height` pixels high.

    The script runs again as soon as it is.
    """
    found = session_object(FirstPaint)

    def tell() -> None:
        found.done = True

    if not found.done:
        with st.container(height=height, border=False):
            _TELLER(key="painted", data={}, on_shown_change=tell)
    return found.done
