"""What waits on each page, as a count for the sidebar: of the functions that the pages list."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from evalcore.benchmarks.drops import newest_steps
from evalcore.counting.focus import focus_columns, focused
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.counting.score_source import outcomes_by
from evalcore.failures.find import unresolved
from evalcore.judging.hiding import studies
from evalcore.judging.model import Judge
from evalcore.judging.queueing.queue import to_review
from evalcore.rubrics.suggestions import open_suggestions
from evalcore.views.problems import Problems, so_far
from evalcore.views.trends.alerts import current_alerts
from evalcore.views.words.wording import count
from evalcore.workspace.opened import Workspace


class Place(NamedTuple):
    """What is chosen: the suite, and the version and configuration, None for all of them.

    `judge` is who judges in this browser, None where nobody said so.
    """

    suite: str
    version: str | None
    configuration: str | None
    scores: Scores
    judge: Judge | None = None


def waiting(ws: Workspace, place: Place, problems: Problems) -> dict[str, str]:
    """Return for each page on which something waits how much, and of what: `12 failing`."""
    found = {page: words(ws, place) for page, words in WAITING.items()}
    if problems.n:
        found["data"] = f"{count(problems.n, 'problem')}{so_far(problems)}"
    return {page: words for page, words in found.items() if words}


def _failing(ws: Workspace, place: Place) -> str:
    found = outcomes_by(ws, place.suite, place.scores)
    at = focus_columns(found, place.version, place.configuration)
    n = int(focused(ws, place.suite, *at, place.scores).masks["failing"].sum())
    return f"{n:,} failing" if n else ""


def _failures(ws: Workspace, place: Place) -> str:
    n = unresolved(ws, place.suite, place.scores)
    chosen = [
        place.version in (None, column.version)
        and place.configuration in (None, column.configuration)
        for column in outcomes(ws, place.suite).columns
    ]
    # Records whose runs are not here are in no version.
    total = int(n[[*chosen, place.version is None and place.configuration is None]].sum())
    return f"{total:,} open" if total else ""


def _suggestions(ws: Workspace, place: Place) -> str:
    n = open_suggestions(ws, place.suite)
    return count(n, "suggestion") if n else ""


def _to_review(ws: Workspace, place: Place) -> str:
    n = len(to_review(ws, place.suite, place.version, place.configuration))
    return f"{n:,} to review" if n else ""


def _alerts(ws: Workspace, place: Place) -> str:
    # The rule alone: whether chance is ruled out takes longer, and every page shows this count.
    fell = (step.drop.level == "critical" for step in newest_steps(ws, place.suite))
    n = current_alerts(ws, place.suite, place.scores) + sum(fell)
    return count(n, "alert") if n else ""


def _to_compare(ws: Workspace, place: Place) -> str:
    """Return how many pairs a judge has left in blind studies; nothing of what they are."""
    if place.judge is None:
        return ""
    n = sum(len(study.open_for(place.judge)) for study in studies(ws, place.suite))
    return f"{n:,} to compare" if n else ""


WAITING: Final[Mapping[str, Callable[[Workspace, Place], str]]] = {
    "gradings": _failing,
    "rubric": _suggestions,
    "trends": _alerts,
    "failures": _failures,
    "judge": _to_review,
    "blind": _to_compare,
}
"""The pages that have a count of a suite, and its function."""
