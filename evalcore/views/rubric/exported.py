"""The criteria of a column as a list to export, with their faults."""

from evalcore.counting.people import Scores
from evalcore.rubrics.quality import findings
from evalcore.rubrics.spread import Spread
from evalcore.tables.exported import Listing
from evalcore.views.rubric.words import abouts
from evalcore.workspace.opened import Workspace

HEAD = (
    "kind", "criterion", "about", "min_score", "max_score", "mean", "low", "high", "stddev",
    "stddev_within_cases", "min", "max", "cases", "judgments", "faults",
)  # fmt: skip


def criteria_listing(
    ws: Workspace, suite: str, found: tuple[Spread, ...], scores: Scores
) -> Listing:
    """Return a row for each criterion of a column, the weakest first; faults are of all versions.

    Where criteria have no common scale, scores are shares of the highest score.
    """
    about = abouts(ws, suite)
    faults: dict[int, list[str]] = {}
    for fault in findings(ws, suite, scores):
        faults.setdefault(fault.criterion, []).append(fault.fault)
    rows = [
        (
            *one.criterion,
            about.get(one.criterion),
            *(one.least, one.top, one.mean, one.low, one.high, one.stddev, one.within),
            *(one.lowest, one.highest, one.cases, one.judged),
            ", ".join(faults.get(one.key, ())) or None,
        )
        for one in found
    ]
    return Listing("criteria", HEAD, rows)
