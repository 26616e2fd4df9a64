"""The newest version compared with the one before, and with compared with without the skill."""

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


class Standing(NamedTuple):
    """The comparisons that stand first; None where there are not two sides.

    `second` holds the configurations of the newest version against each other, where `first` holds
    versions.
    """

    first: Comparison | None
    second: Comparison | None


@memoize_per_workspace
def standing(
    ws: Workspace,
    suite: str,
    version: str | None = None,
    configuration: str | None = None,
    scores: Scores = "recorded",
) -> Standing:
    """Return the comparisons of a suite that nobody needs to ask for.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    sides = default_sides(ws, suite, version, configuration)
    if sides is None:
        return Standing(None, None)
    a, b = sides
    first = compare(a, b, scores)
    if a.column.version == b.column.version:
        return Standing(first, None)
    second = sides_of_version(ws, suite, b.column.version)
    return Standing(first, compare(*second, scores) if second else None)


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
