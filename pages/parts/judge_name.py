"""Who judges in this browser."""

import streamlit as st

from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import current_judge, only_known_judge, remember_judge
from pages.parts.access.guard import BROWSER_HEADER


def browser() -> str | None:
    """Return the id of this browser, which the guard gives it."""
    found = st.context.headers.get(BROWSER_HEADER)
    return found if isinstance(found, str) and found else None


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
