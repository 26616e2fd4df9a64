"""Regressions: the newest benchmark run of a benchmark where the rule of drops fires."""

from typing import NamedTuple

from evalcore.benchmarks.drops import Step, newest_steps
from evalcore.comparing.model import Break
from evalcore.counting.cells import typed
from evalcore.counting.memo import memoize_per_workspace
from evalcore.tables.aggregated import BenchmarkRunRow
from evalcore.trends.alerts import Certainty, certainty_of
from evalcore.trends.breaks import break_between
from evalcore.trends.lines import Place
from evalcore.trends.metrics import HEADLINE
from evalcore.workspace.opened import Workspace


class Regression(NamedTuple):
    """The rule fired at a benchmark run, `now`; `certainty` is the paired comparison's word.

    `stop` says why both cannot be compared: their cases, criteria or judges differ.
    """

    before: BenchmarkRunRow
    now: BenchmarkRunRow
    step: Step
    certainty: Certainty
    stop: Break | None


@memoize_per_workspace
def regressions(ws: Workspace, suite: str) -> tuple[Regression, ...]:
    """Return the benchmarks of a suite that dropped at their newest benchmark run, newest first.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    return tuple(
        regression_at(ws, suite, step)
        for step in newest_steps(ws, suite)
        if step.drop.level == "critical"
    )


def regression_at(ws: Workspace, suite: str, step: Step) -> Regression:
    """Return a step with the word of the paired comparison of its two benchmark runs.

    Raises:
        ValueError: no benchmark run is before it.
    """
    if step.previous is None:
        raise ValueError("The first benchmark run of a benchmark has nothing to be compared with.")
    before, now = typed(ws, "benchmark_runs", BenchmarkRunRow, (step.previous, step.row))
    places = _place(before), _place(now)
    stop = break_between(ws, suite, HEADLINE, places, "recorded")
    sure = "not tested" if stop else certainty_of(ws, suite, HEADLINE, places, "recorded")
    return Regression(before, now, step, sure, stop)


def _place(row: BenchmarkRunRow) -> Place:
    return Place(row.version or "", row.configuration or "-", row.benchmark_run or "")
