"""Take finished test runs of a version as a run of a benchmark."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final, NamedTuple

import numpy as np

from evalcore.benchmarks.definitions import RETIRED, Benchmark
from evalcore.benchmarks.drops import order_of
from evalcore.benchmarks.members import members
from evalcore.counting.cells import family_of, typed, where
from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.outcomes import Column
from evalcore.counting.rates import SET_ASIDE, valued
from evalcore.errors import AlreadyStored, CannotBenchmark, UnknownName
from evalcore.families.reviews.models import BenchmarkRunFields
from evalcore.families.reviews.review import BENCHMARK_RUN
from evalcore.ids import derived_id
from evalcore.judging.model import Receipt
from evalcore.memory.figures import figures
from evalcore.memory.store import New, after, remember, stored_already
from evalcore.tables.aggregated import BenchmarkRunRow
from evalcore.tables.arrays import NO_INT, time_of
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace

NAMED: Final = 5


HIDDEN: Final = (
    "Some of its test runs are hidden from you until you have judged them: their figures would "
    "give it away. Judge them first, or let somebody else do this."
)


class Asked(NamedTuple):
    """A run of a benchmark to write: of which version and configuration, by whom, and why.

    `again` takes test runs that a run of the benchmark has already. One that another process
    wrote `since` counts as this one: both were asked for at once.
    """

    column: Column
    triggered_by: str
    notes: str = ""
    again: bool = False
    since: datetime | None = None


class Taken(NamedTuple):
    """Test runs (positions) to take, both figures of them, and what is left out, in sentences."""

    runs: tuple[int, ...]
    overall_score: float
    pass_rate: float
    left_out: tuple[str, ...]


def take(ws: Workspace, benchmark: Benchmark, asked: Asked, author: str) -> Receipt:
    """Write a run of a benchmark from the newest test runs of a version and configuration.

    Of those who do the same at once one writes it; the receipt of the others is not `new`.

    Raises:
        CannotBenchmark: the benchmark is retired, or test runs are missing, unscored or taken; the
            message names each with its next step.
        CannotWrite: it cannot be written.
    """
    if asked.since is not None and (written := _written_since(ws, benchmark, asked)) is not None:
        return written
    found = to_take(ws, benchmark, asked.column, again=asked.again)
    times = len(_with(ws, benchmark, found.runs))
    identity = derived_id(benchmark.id, " ".join((*_ids(ws, found.runs), f"#{times + 1}")))
    try:
        return write_run(ws, benchmark, found, asked, identity, author)
    except AlreadyStored as error:
        return stored_already(ws, identity, error.path.relative_to(ws.root).as_posix())


def _written_since(ws: Workspace, benchmark: Benchmark, asked: Asked) -> Receipt | None:
    """Return the receipt of the run that was written of the same version since it was asked for."""
    every = _runs_of(ws, benchmark.suite, asked.column, benchmark.cases)
    for at in reversed(_benchmark_runs(ws, benchmark).tolist()):
        (row,) = typed(ws, "benchmark_runs", BenchmarkRunRow, [at])
        new = row.ran_at is not None and asked.since is not None and row.ran_at >= asked.since
        if new and np.isin(members(ws).of(at), every).any():
            return stored_already(ws, row.benchmark_run or "", row.source or "")
    return None


def to_take(ws: Workspace, benchmark: Benchmark, column: Column, *, again: bool = False) -> Taken:
    """Return the test runs that `take` would take.

    These are those of the benchmark's cases that no run of it has yet; with `again`, where all are
    taken, those of its newest run of this version and configuration.

    Raises:
        CannotBenchmark: as `take` does.
    """
    if benchmark.status == RETIRED:
        raise CannotBenchmark(
            f"The benchmark {benchmark.name!r} is retired. Create one in its place (--replace)."
        )
    cases, _ = _cases(ws, benchmark)
    every = _runs_of(ws, benchmark.suite, column, cases)
    known = _runs_taken(ws, benchmark)
    fresh = every[~np.isin(every, known)]
    if not len(fresh) and len(every):
        name, last = _newest_with(ws, benchmark, every)
        if not again:
            raise CannotBenchmark(
                f"All test runs of {column.key} were used already, for the benchmark run "
                f"{name}. Start new runs, or use them again (--again)."
            )
        fresh = last
    return complete(ws, benchmark, column, fresh)


def complete(ws: Workspace, benchmark: Benchmark, column: Column, runs: Numbers) -> Taken:
    """Return some test runs with their figures, if they are all that a run of a benchmark needs.

    Raises:
        CannotBenchmark: a case has no run that counts, or a run is unscored.
    """
    if hidden_among(ws, runs):
        raise CannotBenchmark(HIDDEN)
    cases, aside = _cases(ws, benchmark)
    found = figures(ws, runs)
    case = coded(ws, "runs", "case_id")
    counted = {case.words[case.codes[run]] for run in found.counted}
    unscored = {case.words[case.codes[run]] for run in found.unscored}
    missing = [each for each in cases if each not in counted | unscored]
    faults = list(_faults(column, missing, len(found.unscored), sorted(unscored)))
    if faults or found.pass_rate is None or found.overall_score is None:
        why = "; ".join(faults) or f"no run of {column.key} counts"
        raise CannotBenchmark(f"{benchmark.name!r} was not run: {why}.")
    left = []
    if found.lost:
        left.append(f"Skipped, as they do not count: {len(found.lost)} test runs.")
    if aside:
        left.append(f"Skipped, as drafts or deprecated: {_named(aside)}.")
    return Taken(found.counted, found.overall_score, found.pass_rate, tuple(left))


def hidden_among(ws: Workspace, runs: Numbers) -> bool:
    """Return whether some test runs are hidden from the reader of a snapshot."""
    return bool(valued(ws)["hidden"][runs].any())


def _faults(
    column: Column, missing: list[str], open_runs: int, unscored: list[str]
) -> Iterator[str]:
    """Yield why test runs are not all that is needed, each with its next step."""
    if missing:
        has = "has" if len(missing) == 1 else "have"
        yield f"{_named(missing)} {has} no finished run of {column.key} to take; start one"
    if unscored:
        runs = "1 run" if open_runs == 1 else f"{open_runs} runs"
        yield f"{runs} of {_named(unscored)} still without a score; judge first"


def write_run(
    ws: Workspace, benchmark: Benchmark, found: Taken, asked: Asked, identity: str, author: str
) -> Receipt:
    """Write a run of a benchmark, dated after all of its others.

    Raises:
        AlreadyStored: the same was written meanwhile, at another time.
        CannotWrite: it cannot be written.
    """
    when = values(ws, "benchmark_runs", "ran_at")[_benchmark_runs(ws, benchmark)]
    dated = when[when != NO_INT]
    # A benchmark may state a run that is not here.
    at = after(benchmark.last_run_at, time_of(int(dated.max())) if len(dated) else None)
    fields = BenchmarkRunFields(
        benchmark_id=benchmark.id,
        test_run_ids=_ids(ws, found.runs),
        overall_score=found.overall_score,
        pass_rate=found.pass_rate,
        ran_at=at,
        triggered_by=asked.triggered_by,
        notes=" ".join(part for part in (asked.notes.strip(), *found.left_out) if part),
    )
    new = New(BENCHMARK_RUN, identity, fields, about=benchmark.name, at=at)
    return remember(ws, benchmark.suite, [new], author)[0]


def _cases(ws: Workspace, benchmark: Benchmark) -> tuple[list[str], list[str]]:
    """Return the cases of a benchmark in force, and those that are drafts or deprecated.

    Raises:
        CannotBenchmark: a case is gone.
    """
    rows = cells(ws.tables, "cases", "suite", "case_id", "status")
    status = {case: state for suite, case, state in rows if suite == benchmark.suite}
    gone = [case for case in benchmark.cases if case not in status]
    if gone:
        raise CannotBenchmark(
            f"The benchmark {benchmark.name!r} has {_named(gone)}, which the suite no longer "
            "has. Restore what it needs, or replace the benchmark (--replace)."
        )
    aside = [case for case in benchmark.cases if status[case] in SET_ASIDE]
    return [case for case in benchmark.cases if case not in aside], aside


def _named(cases: list[str]) -> str:
    more = f" and {len(cases) - NAMED} more" if len(cases) > NAMED else ""
    return f"{'case' if len(cases) == 1 else 'cases'} {', '.join(cases[:NAMED])}{more}"


def _runs_of(ws: Workspace, suite: str, column: Column, cases: Iterable[str]) -> Numbers:
    wanted = {"suite": {suite}, "version": {column.version}, "case_id": set(cases)}
    wanted["configuration"] = {column.configuration}
    masks = [coded(ws, "runs", name).among(words) for name, words in wanted.items()]
    versions = coded(ws, "runs", "version").words
    if column.version not in versions:
        raise UnknownName("version", column.version, versions[:-1])
    return np.flatnonzero(np.logical_and.reduce(masks))


def _benchmark_runs(ws: Workspace, benchmark: Benchmark) -> Numbers:
    """Return the runs of a benchmark (rows of their table)."""
    return where(ws, "benchmark_runs", suite=benchmark.suite, benchmark=benchmark.id)


def _runs_taken(ws: Workspace, benchmark: Benchmark) -> Numbers:
    rows = _benchmark_runs(ws, benchmark).tolist()
    return np.concatenate([np.zeros(0, np.int64), *(members(ws).of(row) for row in rows)])


def _with(ws: Workspace, benchmark: Benchmark, runs: Iterable[int]) -> list[int]:
    """Return the runs of a benchmark (rows) that have exactly some test runs."""
    wanted = set(runs)
    rows = _benchmark_runs(ws, benchmark).tolist()
    return [row for row in rows if set(members(ws).of(row).tolist()) == wanted]


def _newest_with(ws: Workspace, benchmark: Benchmark, runs: Numbers) -> tuple[str, Numbers]:
    """Return the newest run of a benchmark that has one of some test runs, and these."""
    ids = coded(ws, "benchmark_runs", "benchmark_run")
    order = order_of(ws, benchmark.suite)
    mine = set(_benchmark_runs(ws, benchmark).tolist())
    found = [row for row in (*order.undated.tolist(), *order.row.tolist()) if row in mine]
    last = next(row for row in reversed(found) if np.isin(members(ws).of(row), runs).any())
    of_last = members(ws).of(last)
    return ids.words[ids.codes[last]], of_last[np.isin(of_last, runs)]


def _ids(ws: Workspace, runs: Iterable[int]) -> list[str]:
    """Return the ids by which records of a suite name some test runs."""
    rows = list(runs)
    suites = coded(ws, "runs", "suite")
    by = "run_id"
    if rows and family_of(ws, suites.words[suites.codes[rows[0]]]).is_store:
        by = "run"
    ids = coded(ws, "runs", by)
    return [ids.words[ids.codes[run]] for run in rows]
