"""The cases of the grid that match the filters, as a list to export: every column of them."""

import math
from typing import Any

from evalcore.counting.tally import Tally
from evalcore.tables.exported import Listing
from evalcore.views.gradings.grid import Grid
from evalcore.views.gradings.state import GradingsState

HEAD = (
    "case_id", "name", "version", "configuration", "runs", "passed", "failed", "scored",
    "not_counted", "failed_criteria", "unscored_criteria", "score", "max_score", "share", "flaky",
)  # fmt: skip


def cases_listing(state: GradingsState, found: Grid) -> Listing:
    """Return a row for each matching case and version that has runs of it, in the order shown."""
    outcomes = state.outcomes
    columns = [
        at
        for at, column in enumerate(outcomes.columns)
        if state.configuration in {None, column.configuration}
    ]
    tallies = outcomes.tallies(found.cases, columns)
    names = outcomes.cases.get("name")
    rows = []
    for case in found.cases:
        name = None if names is None else names.iloc[case]
        about = (str(outcomes.cases["case_id"].iloc[case]), name if isinstance(name, str) else None)
        for at in columns:
            tally = tallies.get((case, at))
            if tally is not None:
                rows.append((*about, *outcomes.columns[at], *_numbers(tally)))
    return Listing("cases", HEAD, rows)


def _numbers(tally: Tally) -> tuple[Any, ...]:
    shown = tally.n - tally.hidden
    scores = (tally.score, tally.max_score, tally.fraction)
    known = (value if math.isfinite(value) else None for value in scores)
    counts = (shown, tally.passes, tally.fails, tally.scored, tally.outside - tally.hidden)
    return (*counts, tally.failed, tally.unscored, *known, bool(tally.flaky))
