"""Runs that count in no rate, which are no failures: how many, why, and which."""

from typing import Final

from evalcore.counting.cells import typed
from evalcore.counting.coded import Numbers
from evalcore.counting.outcomes import UNREAD, outcomes
from evalcore.failures.find import EXCLUDED, failures
from evalcore.families.base import PENDING
from evalcore.tables.rows import RunRow
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Entry, Fold, Folds, Heading, Say
from evalcore.views.failures.state import FailuresState
from evalcore.views.gradings.reasons import line
from evalcore.views.words import wording

LISTED: Final = 10
WORDS: Final = {
    "error": "ended with an error",
    "cancelled": "cancelled",
    "interrupted": "interrupted",
    "rate_limited": "stopped by a rate limit",
    "budget_stopped": "stopped by the budget",
    "not_run": "not run",
    PENDING: wording.UNGRADED,
    UNREAD: wording.UNREAD,
    EXCLUDED: "excluded by a person",
    "draft or deprecated case": "of draft or deprecated cases",
}


def outside_blocks(state: FailuresState) -> list[Block]:
    """Describe the runs of the chosen version that count in no rate; empty without any."""
    found = failures(state.ws, state.suite, state.scores)
    folds = [
        _fold(state, WORDS.get(why, why), chosen)
        for why, runs in found.outside.items()
        if len(chosen := _chosen(state, runs))
    ]
    if not folds:
        return []
    about = "These runs are not failures of the version and do not count."
    return [Heading("Not counted"), Say(about, quiet=True), Folds("Not counted", folds)]


def _chosen(state: FailuresState, runs: Numbers) -> Numbers:
    """Return the runs of the chosen version and configuration."""
    frame, columns = outcomes(state.ws, state.suite).runs, outcomes(state.ws, state.suite).columns
    keep = [
        state.version in (None, column.version)
        and state.configuration in (None, column.configuration)
        for column in columns
    ]
    wanted = frame["column"].loc[runs].to_numpy()
    chosen: Numbers = runs[[keep[column] for column in wanted.tolist()]]
    return chosen


def _fold(state: FailuresState, what: str, runs: Numbers) -> Fold:
    rows = typed(state.ws, "runs", RunRow, runs[:LISTED])
    entries = [
        Entry(
            line(row.case_id or "no case", 90),
            f"{row.version or ''} · run {row.run or ''}",
            link("gradings", run=row.run_id),
        )
        for row in rows
    ]
    noun = "run" if len(runs) == 1 else wording.plural("run")
    return Fold(
        n=len(runs), what=f"{noun} {what}", entries=entries, more=max(len(runs) - LISTED, 0)
    )
