"""Run a benchmark: write the run, and at once what follows from it."""

from typing import Final, NamedTuple

from evalcore.benchmarks.definitions import Benchmark
from evalcore.benchmarks.drops import Step, step_of
from evalcore.benchmarks.members import members, row_of
from evalcore.comparing.model import Break
from evalcore.disk.creating import turn
from evalcore.errors import CannotBenchmark
from evalcore.memory.following import Following, follow_up
from evalcore.memory.taking import HIDDEN, Asked, hidden_among, take
from evalcore.trends.alerts import regression_at
from evalcore.workspace.opened import Workspace, reopened

TURN_SECONDS: Final = 120.0
"""As many may wait for each other as a person starts at once; each takes some seconds."""


class Done(NamedTuple):
    """A benchmark run that was written: its suite and id, the step that it is, what followed.

    `stop` says why it cannot be compared with the run before: other cases, criteria or judges.
    `workspace` is the folder as it was then. It is not `new` where another process wrote it at the
    same moment.
    """

    suite: str
    benchmark_run: str
    step: Step
    stop: Break | None
    following: Following
    workspace: Workspace
    new: bool = True


def run_finished(ws: Workspace, benchmark: Benchmark, asked: Asked, author: str) -> Done:
    """Take finished test runs as a run of a benchmark, and write what follows from it.

    Raises:
        CannotBenchmark: the message says what is missing.
        CannotWrite: something cannot be written; `follow` completes what follows.
    """
    receipt = take(ws, benchmark, asked, author)
    return follow(ws, benchmark.suite, receipt.id)._replace(new=receipt.new)


def follow(ws: Workspace, suite: str, benchmark_run: str) -> Done:
    """Write what follows from a benchmark run; what is written already is left alone.

    Several runs of a suite are followed up one after the other: each changes its benchmark as the
    one before left it.

    Raises:
        UnknownName: the suite has no such benchmark run.
        CannotBenchmark: runs of it are hidden from the reader of this snapshot.
        CannotWrite: something cannot be written; doing it again completes it.
    """
    row = row_of(ws, suite, benchmark_run)
    if row is not None and hidden_among(ws, members(ws).of(row)):
        raise CannotBenchmark(HIDDEN)
    with turn(ws.root, TURN_SECONDS):
        ws = reopened(ws.unmasked)
        found = follow_up(ws, suite, benchmark_run)
    row = row_of(ws, suite, benchmark_run)
    assert row is not None
    step = step_of(ws, row)
    stop = None if step.previous is None else regression_at(ws, suite, step).stop
    return Done(suite, benchmark_run, step, stop, found, reopened(ws))
