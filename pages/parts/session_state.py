"""State of one user's session between two script runs.

Streamlit interrupts a run at any access to its session state once the user acts again, even inside
a callback. Data that belongs together, such as a record on disk and the reply to it, is therefore
stored in a plain object: it is fetched once, and changing it cannot be interrupted.
"""

from typing import Any, TypeVar

import streamlit as st

Kind = TypeVar("Kind")


def session_object(kind: type[Kind]) -> Kind:
    """Return this session's single object of a class, created at its first use."""
    name = f"kept {kind.__module__} {kind.__qualname__}"
    found: Kind | None = now().get(name)
    if found is None:
        found = st.session_state[name] = kind()
    return found


def now() -> dict[str, Any]:
    """Return a copy of the session state; unlike an access to it, this is never interrupted."""
    return st.session_state.to_dict()


def end_if_replaced() -> None:
    """End this run if a newer one has begun.

    Until its next access to the session state an older run goes on beside the newer one. It must
    not take what the user did since: whatever it does with that ends with it.
    """
    _ = "replaced" in st.session_state


def show_in_field(key: str, text: str) -> None:
    """Set the text of a text field.

    A field that already has it is left alone: the browser would overwrite what the user typed in
    the meantime, and send it back as the user's own.
    """
    if now().get(key) != text:
        st.session_state[key] = text
