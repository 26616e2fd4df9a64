"""Who judges in this browser."""

import streamlit as st

from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import current_judge, only_known_judge, remember_judge
from pages.parts.guard import cookie_name


def browser() -> str | None:
    """Return the id of this browser: its session from the guard."""
    host = st.context.headers.get("Host")
    session = st.context.cookies.get(cookie_name(host)) if isinstance(host, str) else None
    return session if isinstance(session, str) and session else None


def here() -> Judge | None:
    """Return who judges in this browser, None if no name is set."""
    return current_judge(browser())


def likely_name() -> str:
    """Return the name to offer if none is set: that of the only known judge."""
    judge = only_known_judge()
    return judge.name if judge else ""


def become(name: str) -> Judge:
    """Assign this browser to the judge of this name.

    Raises:
        CannotJudge: the name is too long.
        CannotWrite: it cannot be stored.
    """
    return remember_judge(name, browser())
