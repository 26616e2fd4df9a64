"""The default comparisons: the newest version with the previous one, and with its baseline."""

from typing import NamedTuple

from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison
from evalcore.comparing.sides import default_sides, sides_of_version
from evalcore.counting.case_values import case_values
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column
from evalcore.counting.people import Scores
from evalcore.statistics.intervals import mean_interval
from evalcore.workspace.opened import Workspace


class HeadlineComparisons(NamedTuple):
    """The comparisons at the top of the page; None if there are not two sides.

    `second` compares the configurations of the newest version if `first` compares versions.
    """

    first: Comparison | None
    second: Comparison | None


@memoize_per_workspace
def headline_comparisons(
    ws: Workspace,
    suite: str,
    version: str | None = None,
    configuration: str | None = None,
    scores: Scores = "recorded",
) -> HeadlineComparisons:
    """Return the default comparisons of a suite.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    sides = default_sides(ws, suite, version, configuration)
    if sides is None:
        return HeadlineComparisons(None, None)
    a, b = sides
    first = compare(a, b, scores)
    if a.column.version == b.column.version:
        return HeadlineComparisons(first, None)
    second = sides_of_version(ws, suite, b.column.version)
    return HeadlineComparisons(first, compare(*second, scores) if second else None)


@memoize_per_workspace
def likely_range(
    ws: Workspace, suite: str, column: Column, scores: Scores = "recorded"
) -> tuple[float, float] | None:
    """Return the 95 % interval of a column's rate over its cases; None below two cases.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = case_values(ws, suite, scores).get(column)
    return None if found is None else mean_interval(found)
