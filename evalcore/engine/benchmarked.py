"""A run of a benchmark that new test runs make: written when all of them are graded, once."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np

from evalcore.benchmarks.definitions import RETIRED, Benchmark, benchmark_named
from evalcore.benchmarks.members import row_of
from evalcore.counting.coded import coded
from evalcore.counting.outcomes import Column
from evalcore.disk.values import now_text
from evalcore.engine.journal import Benchmarked, Journal, events
from evalcore.engine.people import is_left_to_people
from evalcore.engine.plan import OfBenchmark, Plan
from evalcore.engine.progress import Progress, progress_of
from evalcore.engine.store import RunFolder
from evalcore.errors import AlreadyStored, CannotRun, EvalcoreError
from evalcore.families.reviews.review import BY_RULE
from evalcore.ids import derived_id
from evalcore.memory.benchmarking import follow
from evalcore.memory.following import sentence
from evalcore.memory.taking import Asked, complete, write_run
from evalcore.workspace.opened import Workspace, open_workspace

ALL: Final = ("all",)


def benchmark_of(
    ws: Workspace, suite: str, asked: OfBenchmark, cases: tuple[str, ...]
) -> Benchmark:
    """Return the benchmark that new test runs are asked for.

    Raises:
        UnknownName, CannotBenchmark: there is none of that name, or several.
        CannotRun: it is retired, or only some of its cases are asked for.
    """
    found = benchmark_named(ws, suite, asked.name)
    if found.status == RETIRED:
        raise CannotRun(f"The benchmark {found.name!r} is retired. Create one in its place.")
    if cases != ALL:
        raise CannotRun(f"The benchmark {found.name!r} runs all of its cases; name none.")
    return found


def write_benchmark_runs(folder: RunFolder, journal: Journal) -> str:
    """Write the benchmark runs of a run whose test runs are all graded; return why not, if not.

    Each version and configuration makes one. Nothing is written while people have something left
    to judge; the run's lock must be held.
    """
    progress = progress_of(folder.plan, events(folder.path))
    plan = progress.plan
    if plan.benchmark is None:
        return ""
    undone = sum(not one.is_done for one in progress.runs)
    if undone:
        return f"No benchmark run is written: {undone:,} of its test runs are not done."
    if not owes_benchmark_runs(progress):
        return ""
    faults = list[str]()
    for column in _owed(progress):
        try:
            journal.add(_written(plan, plan.benchmark, column))
        except (EvalcoreError, OSError) as error:
            faults.append(f"No benchmark run of {column.key}: {error}")
    return " ".join(faults)


def owes_benchmark_runs(progress: Progress) -> bool:
    """Return whether a run is to write a benchmark run now: nothing of it is open any more."""
    if progress.plan.benchmark is None or not list(_owed(progress)):
        return False
    return all(
        one.is_done and (one.has_grading or not is_left_to_people(one.execution, one.graded))
        for one in progress.runs
    )


def _owed(progress: Progress) -> Iterator[Column]:
    """Yield the versions and configurations whose benchmark run is not written yet."""
    done = {event.column for event in progress.log if isinstance(event, Benchmarked)}
    columns = (Column(run.version, run.configuration) for run in progress.plan.runs)
    for column in dict.fromkeys(columns):
        if column.key not in done:
            yield column


def _written(plan: Plan, asked: OfBenchmark, column: Column) -> Benchmarked:
    """Write the benchmark run of a version and configuration, and what follows from it."""
    ws = open_workspace(Path(plan.workspace))
    identity = derived_id(plan.id, f"benchmark-run {column.key}")
    if row_of(ws, plan.suite, identity) is None:  # else a process died before it was journaled
        benchmark = _as_it_is_now(ws, plan.suite, asked)
        mine = {run.run_id for run in plan.runs if Column(run.version, run.configuration) == column}
        runs = np.flatnonzero(coded(ws, "runs", "run_id").among(mine))
        taken = complete(ws, benchmark, column, runs)
        about = Asked(column, asked.triggered_by, asked.notes)
        with suppress(AlreadyStored):
            write_run(ws, benchmark, taken, about, identity, BY_RULE)
    done = follow(ws, plan.suite, identity)
    fell = done.following.regression
    paths = tuple(receipt.path for receipt in done.following.receipts)
    return Benchmarked(
        now_text(), column.key, identity, paths, "" if fell is None else sentence(fell)
    )


def _as_it_is_now(ws: Workspace, suite: str, asked: OfBenchmark) -> Benchmark:
    """Return the benchmark; another record may stand for it by now, of the same name."""
    try:
        return benchmark_named(ws, suite, asked.id)
    except EvalcoreError:
        return benchmark_named(ws, suite, asked.name)
