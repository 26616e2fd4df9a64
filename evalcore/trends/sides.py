"""The places of a line as sides of a comparison."""

from evalcore.benchmarks.members import row_of
from evalcore.comparing.benchmark_marks import benchmark_marks
from evalcore.comparing.benchmark_sides import side_of_benchmark_run
from evalcore.comparing.model import Side
from evalcore.trends.lines import Place
from evalcore.workspace.opened import Workspace


def sides_at(ws: Workspace, suite: str, places: tuple[Place, Place]) -> tuple[Side, Side] | None:
    """Return two places as sides: versions, or benchmark runs with exactly their own test runs.

    None if one of them is a benchmark run without test runs here.
    """
    if not any(place.benchmark_run for place in places):
        before, after = places
        return Side(ws, suite, before.column), Side(ws, suite, after.column)
    rows = [row_of(ws, suite, place.benchmark_run) for place in places]
    sides = [None if row is None else side_of_benchmark_run(ws, row) for row in rows]
    return (sides[0], sides[1]) if sides[0] and sides[1] else None


def are_alike(ws: Workspace, suite: str, places: tuple[Place, Place]) -> bool:
    """Return whether two places are known to be comparable, without comparing them.

    These are versions that are one, and benchmark runs of one version whose cases have the same
    models, judges and criteria.
    """
    before, after = places
    if before.column != after.column:
        return False
    rows = [row_of(ws, suite, place.benchmark_run) for place in places if place.benchmark_run]
    marks = {int(benchmark_marks(ws)[row]) for row in rows if row is not None}
    return len(marks) < 2
