"""Who judges in this browser, and which suites' scores were shown in it."""

import streamlit as st

from evalcore import Workspace
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import current_judge, only_known_judge, remember_judge
from evalcore.judging.storing.shown import Periods, note_shown, shown_to
from evalcore.judging.storing.stored_reviews import ReviewFolder, review_folder
from pages.parts.access.guard import BROWSER_HEADER
from pages.parts.session_state import of_this_run


def browser() -> str | None:
    """Return the id of this browser, which the guard gives it."""
    found = st.context.headers.get(BROWSER_HEADER)
    return found if isinstance(found, str) and found else None


def here() -> Judge | None:
    """Return who judges in this browser, None if no name is set; the same throughout a run."""
    answers = of_this_run()
    if here not in answers:
        answers[here] = current_judge(browser())
    found: Judge | None = answers[here]
    return found


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
    judge = of_this_run()[here] = remember_judge(name, browser())
    return judge


def scores_are_shown(workspace: Workspace, suite: str | None) -> None:
    """Note that the page shows scores of a suite; call it before it does."""
    if suite is None:
        return
    judge = here()
    viewer = judge.id if judge else browser()
    if viewer is not None:
        note_shown(review_folder(workspace, suite), viewer)


def shown_to_browser(reviews: ReviewFolder) -> Periods:
    """Return when the scores of a suite were shown here before a name was set; all of them were."""
    name = browser()
    return shown_to(reviews, name) if name else ()
