"""Run a benchmark: write the run, and at once what follows from it."""

from typing import NamedTuple

from evalcore.benchmarks.definitions import Benchmark
from evalcore.benchmarks.drops import Step, step_of
from evalcore.benchmarks.members import members, row_of
from evalcore.comparing.model import Break
from evalcore.errors import CannotBenchmark
from evalcore.memory.following import Following, follow_up
from evalcore.memory.taking import HIDDEN, Asked, hidden_among, take
from evalcore.trends.regressions import regression_at
from evalcore.workspace.opened import Workspace, reopened


class Done(NamedTuple):
    """A benchmark run that was written: its suite and id, the step that it is, what followed.

    `stop` says why it cannot be compared with the run before: other cases, criteria or judges.
    `workspace` is the folder as it was then.
    """

    suite: str
    benchmark_run: str
    step: Step
    stop: Break | None
    following: Following
    workspace: Workspace


def run_finished(ws: Workspace, benchmark: Benchmark, asked: Asked, author: str) -> Done:
    """Take finished test runs as a run of a benchmark, and write what follows from it.

    Raises:
        CannotBenchmark: the message says what is missing.
        CannotWrite: something cannot be written; `follow` completes what follows.
    """
    receipt = take(ws, benchmark, asked, author)
    return follow(reopened(ws), benchmark.suite, receipt.id)


def follow(ws: Workspace, suite: str, benchmark_run: str) -> Done:
    """Write what follows from a benchmark run; what is written already is left alone.

    Raises:
        UnknownName: the suite has no such benchmark run.
        CannotBenchmark: runs of it are hidden from the reader of this snapshot.
        CannotWrite: something cannot be written; doing it again completes it.
    """
    row = row_of(ws, suite, benchmark_run)
    if row is not None and hidden_among(ws, members(ws).of(row)):
        raise CannotBenchmark(HIDDEN)
    ws = ws.unmasked
    found = follow_up(ws, suite, benchmark_run)
    row = row_of(ws, suite, benchmark_run)
    assert row is not None
    step = step_of(ws, row)
    stop = None if step.previous is None else regression_at(ws, suite, step).stop
    return Done(suite, benchmark_run, step, stop, found, reopened(ws))
