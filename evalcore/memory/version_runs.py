"""The benchmark runs of versions: the newest one of each, its score and its cases."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from evalcore.benchmarks.definitions import Benchmark, benchmark_named
from evalcore.benchmarks.members import members
from evalcore.benchmarks.messages import COMPARE
from evalcore.comparing.sides import side_of
from evalcore.counting.cells import typed, where
from evalcore.counting.coded import coded
from evalcore.counting.outcomes import Column, in_order, version_orders
from evalcore.errors import CannotBenchmark
from evalcore.memory.benchmarking import run_finished
from evalcore.memory.taking import Asked
from evalcore.tables.rows import BenchmarkRunRow
from evalcore.workspace.opened import Workspace


class VersionRun(NamedTuple):
    """The newest benchmark run of a version: its row, and the name of the version."""

    row: int
    run: BenchmarkRunRow
    version: str


def newest_run(ws: Workspace, benchmark: Benchmark, version: str) -> VersionRun:
    """Return the newest run of a benchmark with a version, or VERSION@CONFIGURATION.

    Raises:
        CannotBenchmark: there is none, or it is one of several configurations.
    """
    mine = _runs_with(ws, benchmark, version)
    if not mine:
        known = sorted({_key(run) for _, run in _runs(ws, benchmark) if run.version})
        there = f"It has runs of {', '.join(known)}." if known else "It has none yet."
        raise CannotBenchmark(
            f"The benchmark {benchmark.name!r} has no run of {version!r}. {there} Use finished "
            "runs of the version (evalcore benchmark run, or --take), or start new ones."
        )
    keys = sorted({_key(run) for _, run in mine})
    if len(keys) > 1:
        raise CannotBenchmark(
            f"{version!r} ran in {len(keys)} configurations; name one of {', '.join(keys)}."
        )
    row, run = max(mine, key=lambda each: _when(each[1]))
    return VersionRun(row, run, version)


def runs_taken(
    ws: Workspace, benchmark: Benchmark, versions: Iterable[str], author: str
) -> tuple[Workspace, Benchmark]:
    """Run a benchmark for each version that it did not run yet, from its finished runs.

    The older version first, with what follows from each benchmark run. Returns the folder and the
    benchmark as they are then.

    Raises:
        UnknownName: there is no such version.
        CannotBenchmark: the finished runs of a version are not all that is needed.
        CannotWrite: something cannot be written.
    """
    missing = [each for each in dict.fromkeys(versions) if not _runs_with(ws, benchmark, each)]
    columns = {side_of(ws, benchmark.suite, version).column for version in missing}
    for column in in_order(columns, version_orders(ws).get(benchmark.suite, {})):
        done = run_finished(ws, benchmark, Asked(column, COMPARE), author)
        ws = done.workspace.hiding(ws.hidden.runs, ws.hidden.judge)
        benchmark = benchmark_named(ws, benchmark.suite, benchmark.name)
    return ws, benchmark


def _runs_with(
    ws: Workspace, benchmark: Benchmark, version: str
) -> list[tuple[int, BenchmarkRunRow]]:
    """Return the runs of a benchmark with a version, or with a version and configuration."""
    return [each for each in _runs(ws, benchmark) if version in {each[1].version, _key(each[1])}]


def _runs(ws: Workspace, benchmark: Benchmark) -> list[tuple[int, BenchmarkRunRow]]:
    rows = where(ws, "benchmark_runs", suite=benchmark.suite, benchmark=benchmark.id).tolist()
    return list(zip(rows, typed(ws, "benchmark_runs", BenchmarkRunRow, rows), strict=True))


def score_of(of: VersionRun, benchmark: Benchmark) -> float:
    """Return the overall score of a benchmark run.

    Raises:
        CannotBenchmark: it has none here.
    """
    score = of.run.overall_score
    if score is None:
        raise CannotBenchmark(
            f"The run {of.run.benchmark_run!r} of {benchmark.name!r} with {of.version!r} has no "
            "overall score here, so it is not compared. Run the benchmark again with it."
        )
    return score


def named_apart(a: VersionRun, b: VersionRun) -> tuple[VersionRun, VersionRun]:
    """Return both sides by their versions, with the configurations where these alone differ."""
    if a.run.version != b.run.version:
        return a._replace(version=a.run.version or ""), b._replace(version=b.run.version or "")
    return a._replace(version=_key(a.run)), b._replace(version=_key(b.run))


def cases_of(ws: Workspace, row: int) -> set[int]:
    """Return the cases (codes) of the test runs of a benchmark run that are here."""
    case = coded(ws, "runs", "case_id").codes[members(ws).of(row)]
    return set(np.unique(case).tolist())


def _key(run: BenchmarkRunRow) -> str:
    return Column(run.version or "", run.configuration or "-").key


def _when(run: BenchmarkRunRow) -> tuple[float, str]:
    return (run.ran_at.timestamp() if run.ran_at is not None else 0.0, run.benchmark_run or "")
