"""A link that admits another browser of the same person."""

from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

import streamlit as st

from pages.parts.access.gate import GATE, MINUTES_FOR_ANOTHER
from pages.parts.access.guard import IN_ADDRESS
from pages.parts.address import parameters
from pages.parts.session_state import session_object


@dataclass
class _Link:
    """The link made last in this session."""

    url: str = ""


def another_browser(workspace: str) -> None:
    """Offer a link that lets one more browser see this view, and show it once it is made."""
    made, here = session_object(_Link), st.context.url
    label = "Link for another browser"
    if st.button(label, key="another-browser", type="tertiary") and isinstance(here, str):
        view = {"w": [workspace]} | {name: parameters(name) for name in st.query_params}
        query = urlencode(view | {IN_ADDRESS: GATE.new_token()}, doseq=True)
        made.url = urlsplit(here)._replace(query=query, fragment="").geturl()
    if made.url:
        st.code(made.url, language=None, wrap_lines=True)
        st.text(f"Opens this view in one more browser, once, within {MINUTES_FOR_ANOTHER} minutes.")
