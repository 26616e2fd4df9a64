"""The benchmarks of a suite with their runs, and the direction of their scores."""

from typing import NamedTuple

from evalcore.benchmarks.definitions import Benchmark, benchmarks
from evalcore.benchmarks.drops import Step, newest_steps, runs_of_older_versions
from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.statistics.trend import Trend, trend
from evalcore.tables.aggregated import BenchmarkRunRow
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
    steps = [step for step in newest_steps(ws, suite) if step.drop.level == "critical"]
    return tuple(_followed(ws, each, steps) for each in benchmarks(ws, suite))


def _followed(ws: Workspace, benchmark: Benchmark, steps: list[Step]) -> Followed:
    rows = where(ws, "benchmark_runs", suite=benchmark.suite, benchmark=benchmark.id).tolist()
    runs = sorted(typed(ws, "benchmark_runs", BenchmarkRunRow, rows), key=_position)
    older = runs_of_older_versions(ws, benchmark.suite)
    followed = (run for run in runs if run.ran_at and run.benchmark_run not in older)
    scores = [run.overall_score for run in followed if run.overall_score is not None]
    told = trend(scores, relative=any(score > 1 for score in scores))
    return Followed(benchmark, tuple(runs), told, tuple(s for s in steps if s.row in rows))


def _position(run: BenchmarkRunRow) -> tuple[float, str]:
    """Return where a run stands: those without a date first."""
    return run.ran_at.timestamp() if run.ran_at else 0.0, run.benchmark_run or ""
