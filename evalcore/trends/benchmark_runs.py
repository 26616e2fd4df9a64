"""The benchmark runs of a suite in their order, and the values that their documents state."""

from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import UNASSIGNED, Column, columns_of_runs
from evalcore.counting.rates import SHARE
from evalcore.tables.aggregated import BenchmarkRunRow
from evalcore.trends.metrics import Metric, headline_of
from evalcore.workspace.opened import Workspace


@memoize_per_workspace
def benchmark_runs(ws: Workspace, suite: str) -> tuple[BenchmarkRunRow, ...]:
    """Return the benchmark runs of a suite, oldest first.

    Those of unknown versions are missing. They are in the order of their dates where all have one,
    else of their versions; equal ones in that of their ids.
    """
    order = {column: at for at, column in enumerate(columns_of_runs(ws, suite).columns)}
    last = len(order)
    rows = where(ws, "benchmark_runs", suite=suite).tolist()
    found = [
        row
        for row in typed(ws, "benchmark_runs", BenchmarkRunRow, rows)
        if row.version != UNASSIGNED
    ]
    dated = all(row.ran_at is not None for row in found)

    def position(row: BenchmarkRunRow) -> tuple[float, float, str]:
        moment = row.ran_at.timestamp() if row.ran_at is not None else 0.0
        place = order.get(Column(row.version or "", row.configuration or "-"), last)
        return (0.0 if dated else place, moment, row.benchmark_run or "")

    return tuple(sorted(found, key=position))


def stored_value(ws: Workspace, suite: str, row: BenchmarkRunRow, metric: Metric) -> float | None:
    """Return what the document of a benchmark run states for a metric, from 0 to 1; else None.

    Where the headline is a rate of runs, the document's overall score is the mean score.
    """
    if metric.kind not in {"headline", "score"}:
        return None
    headline = headline_of(ws, suite)
    if metric.kind == "score":
        rated = row.overall_score if headline == SHARE else None
    else:
        rated = row.pass_rate if headline in {SHARE, "pass rate"} else row.overall_score
    return rated if rated is not None and 0 <= rated <= 1 else None
