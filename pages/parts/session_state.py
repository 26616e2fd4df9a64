"""State of one reader's session between two runs of a page.

Streamlit breaks a run off at any access to its session state once the reader acts again, also in
the middle of a callback. What belongs together, such as a record on the disk and the answer to it,
is therefore kept in a plain object: it is fetched once, and nothing breaks off while it changes.
"""

from typing import Any, TypeVar

import streamlit as st

Kind = TypeVar("Kind")


def kept(kind: type[Kind]) -> Kind:
    """Return this session's one object of a kind, made without arguments at its first use."""
    name = f"kept {kind.__module__} {kind.__qualname__}"
    found: Kind | None = now().get(name)
    if found is None:
        found = st.session_state[name] = kind()
    return found


def now() -> dict[str, Any]:
    """Return a copy of the session state; unlike an access to it, this is never broken off."""
    return st.session_state.to_dict()


def let_show(key: str, text: str) -> None:
    """Let a text field show a text.

    One that shows it already is left alone: the browser would put it over what the reader typed
    meanwhile, and send it back as the reader's own.
    """
    if now().get(key) != text:
        st.session_state[key] = text
