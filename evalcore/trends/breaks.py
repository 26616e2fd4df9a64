"""Where a line breaks: two neighbours whose values do not measure the same."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from evalcore.benchmarks.members import row_of
from evalcore.comparing.benchmark_marks import benchmark_marks
from evalcore.comparing.benchmark_sides import side_of_benchmark_run
from evalcore.comparing.comparability import comparability
from evalcore.comparing.model import Break, Side
from evalcore.counting.people import Scores
from evalcore.trends.lines import Place
from evalcore.trends.metrics import Metric
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


def _are_alike(ws: Workspace, suite: str, places: tuple[Place, Place]) -> bool:
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


def break_between(
    ws: Workspace, suite: str, metric: Metric, places: tuple[Place, Place], scores: Scores
) -> Break | None:
    """Return why a line of a metric must not pass between two places; None if it may.

    Two sides can be compared on what they share, and by different judges or models if that is said,
    but a line would say that all of its points are alike. The line of a criterion breaks where the
    sense or scale of that criterion changed, not of another. Benchmark runs are compared by their
    own test runs; one that has none breaks no line.
    """
    sides = None if _are_alike(ws, suite, places) else sides_at(ws, suite, places)
    if sides is None:
        return None
    found = comparability(*sides, scores).breaks
    return next((each for each in found if _parts(each, metric)), None)


def breaks(
    ws: Workspace, suite: str, metric: Metric, places: Sequence[Place], scores: Scores
) -> Iterator[Break | None]:
    """Yield for each place after the first why the line breaks before it, or None."""
    for pair in pairwise(places):
        yield break_between(ws, suite, metric, pair, scores)


def unbroken(
    ws: Workspace, suite: str, metric: Metric, places: Sequence[Place], scores: Scores
) -> int:
    """Return how many of the newest places are comparable with their neighbours."""
    for at in range(len(places) - 1, 0, -1):
        pair = places[at - 1], places[at]
        if break_between(ws, suite, metric, pair, scores) is not None:
            return len(places) - at
    return len(places)


def _parts(found: Break, metric: Metric) -> bool:
    """Return whether a difference between two sides breaks a line.

    Other cases or criteria do, also if only some are: means over them differ without any change
    of the version. A criterion has its own cases, so there only other cases altogether do.
    """
    if found.what in {"judge", "executor"}:
        return not found.cases and not (metric.resource and found.what == "judge")
    if metric.resource is not None and found.what in {"criteria", "headline"}:
        return False
    if metric.kind != "criterion":
        return not found.remark
    if found.what != "criteria":
        return found.stops
    return any(
        each.kind == metric.of and metric.criterion in {each.a, each.b} for each in found.criteria
    )
