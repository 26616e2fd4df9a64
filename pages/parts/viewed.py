"""Note which suites' scores this browser was shown, for the records of its judge."""

from evalcore import Workspace
from evalcore.judging.model import Judge
from evalcore.judging.storing.shown import Periods, note_shown, shown_to
from evalcore.judging.storing.stored_reviews import ReviewFolder, review_folder
from pages.parts.judge_name import browser, here


def scores_are_shown(workspace: Workspace, suite: str | None) -> None:
    """Note that the page shows scores of a suite; call it before it does."""
    if suite is None:
        return
    judge = here()
    viewer = judge.id if judge else browser()
    if viewer is not None:
        note_shown(review_folder(workspace, suite), viewer)


def shown_to_judge(reviews: ReviewFolder, judge: Judge) -> Periods:
    """Return when the scores of a suite were shown to a judge."""
    return shown_to(reviews, judge.id)


def shown_to_browser(reviews: ReviewFolder) -> Periods:
    """Return when the scores of a suite were shown here before a name was set; all of them were."""
    name = browser()
    return shown_to(reviews, name) if name else ()
