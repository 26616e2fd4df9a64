"""The benchmarks of a suite with their runs and direction, and the trends that documents store."""

from collections import defaultdict
from datetime import datetime
from typing import NamedTuple

from evalcore.benchmarks.definitions import Benchmark, benchmarks
from evalcore.benchmarks.drops import Step, newest_steps, runs_of_older_versions
from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.numbers import disagrees
from evalcore.statistics.trend import Trend, trend
from evalcore.tables.aggregated import BenchmarkRunRow, TrendPointRow
from evalcore.trends.lines import benchmark_runs, lines
from evalcore.trends.metrics import Metric
from evalcore.workspace.opened import Workspace


class Followed(NamedTuple):
    """A benchmark, its runs (the newest last), and the direction of their overall scores.

    An older version that ran later has no part in the direction. `fell` are the newest runs of its
    configurations at which the rule of drops fires.
    """

    benchmark: Benchmark
    runs: tuple[BenchmarkRunRow, ...]
    trend: Trend
    fell: tuple[Step, ...]


@memoize_per_workspace
def followed_benchmarks(ws: Workspace, suite: str) -> tuple[Followed, ...]:
    """Return the benchmarks of a suite by name.

    Raises:
        UnknownName: the workspace has no such suite.
    """

    def position(run: BenchmarkRunRow) -> tuple[float, str]:  # those without a date first
        return run.ran_at.timestamp() if run.ran_at else 0.0, run.benchmark_run or ""

    older = runs_of_older_versions(ws, suite)
    steps = [step for step in newest_steps(ws, suite) if step.drop.level == "critical"]
    found = []
    for benchmark in benchmarks(ws, suite):
        rows = where(ws, "benchmark_runs", suite=suite, benchmark=benchmark.id).tolist()
        runs = sorted(typed(ws, "benchmark_runs", BenchmarkRunRow, rows), key=position)
        followed = (run for run in runs if run.ran_at and run.benchmark_run not in older)
        scores = [run.overall_score for run in followed if run.overall_score is not None]
        told = trend(scores, relative=any(score > 1 for score in scores))
        fell = tuple(step for step in steps if step.row in rows)
        found.append(Followed(benchmark, tuple(runs), told, fell))
    return tuple(found)


class StoredPoint(NamedTuple):
    """One point of a stored trend, and the mean score of the benchmark run of that date.

    `computed` is None if no run of the benchmark has that date or a score.
    """

    when: datetime | None
    stated: float
    computed: float | None

    @property
    def disagrees(self) -> bool:
        """Whether the runs give another score."""
        return self.computed is not None and disagrees(self.stated, self.computed)


class StoredTrend(NamedTuple):
    """A stored trend: the direction that its document states, and the one of its points."""

    trend_id: str
    dimension: str
    stated: str | None
    computed: Trend
    points: tuple[StoredPoint, ...]
    source: str

    @property
    def disagrees(self) -> bool:
        """Whether the stated direction is another one.

        A document has no words for "no clear direction" (it stores "stable") and "too early".
        """
        word = self.computed.direction
        if self.stated is None or word == "too early":
            return False
        return self.stated != ("stable" if word == "no clear direction" else word)


@memoize_per_workspace
def stored_trends(ws: Workspace, suite: str) -> tuple[StoredTrend, ...]:
    """Return the stored trends of a suite, by dimension.

    Scores above 1 are on a scale that the document does not state: they count relative to the
    largest, and no run is compared with them.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    rows = where(ws, "trend_points", suite=suite).tolist()
    grouped: dict[str, list[TrendPointRow]] = defaultdict(list)
    for row in typed(ws, "trend_points", TrendPointRow, rows):
        grouped[row.trend_id or ""].append(row)
    # The mean score of each benchmark at each date, from its runs.
    computed: dict[tuple[str | None, datetime | None], float] = {}
    if grouped:
        values = {
            spot.place.benchmark_run: spot.value
            for line in lines(ws, suite, Metric("score"), "benchmark-runs")
            for spot in line.known
            if spot.value is not None and not spot.from_document
        }
        computed = {
            (run.benchmark, run.ran_at): values[run.benchmark_run]
            for run in benchmark_runs(ws, suite)
            if run.benchmark_run in values
        }
    found = []
    for name, points in grouped.items():
        known = [row for row in points if row.score is not None]
        if all(row.date is not None for row in known):
            known.sort(key=lambda row: row.date.timestamp() if row.date else 0.0)
        scores = [row.score for row in known if row.score is not None]
        large, one = any(score > 1 for score in scores), points[0]
        stored = tuple(
            StoredPoint(row.date, score, None if large else computed.get((row.benchmark, row.date)))
            for row, score in zip(known, scores, strict=True)
        )
        dimension, told = one.dimension or "", trend(scores, relative=large)
        source = one.source or ""
        found.append(StoredTrend(name, dimension, one.direction, told, stored, source))
    return tuple(sorted(found, key=lambda each: (each.dimension, each.trend_id)))
