"""A link that admits another browser of the same person."""

from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from pages.parts.access.gate import GATE, MINUTES_FOR_ANOTHER
from pages.parts.access.guard import IN_ADDRESS
from pages.parts.session_state import session_object


@dataclass
class _Link:
    """The link made last in this session."""

    url: str = ""


def another_browser(workspace: str) -> None:
    """Offer a link that admits one more browser to `workspace`, and show it once it is made."""
    made, host = session_object(_Link), st.context.headers.get("Host")
    label = "Link for another browser of mine"
    if st.button(label, key="another-browser", type="tertiary") and isinstance(host, str):
        query = urlencode({"w": workspace, IN_ADDRESS: GATE.new_token()})
        made.url = f"http://{host}/overview?{query}"
    if made.url:
        st.code(made.url, language=None, wrap_lines=True)
        st.text(f"Lets in one browser, once, within {MINUTES_FOR_ANOTHER} minutes.")
