"""Regressions as lines for `evalcore check`, which imports neither pandas nor scipy."""

from collections.abc import Iterator
from shlex import quote

from evalcore.benchmarks.drops import Step, newest_steps
from evalcore.tables.cells import cells
from evalcore.tables.columns import picked
from evalcore.views.words.wording import count, fall, percent
from evalcore.workspace.opened import Workspace

_NAMES = ("name", "benchmark", "benchmark_run")


def regression_lines(ws: Workspace) -> Iterator[str]:
    """Yield the benchmarks that dropped by more than 10 points at their newest run.

    What is hidden is not among them.
    """
    for suite, step in _dropped(ws):
        table = ws.tables.columns["benchmark_runs"]
        name, benchmark, run = (picked(table[column], [step.row])[0] for column in _NAMES)
        fell = fall(step.drop.points, step.drop.relative)
        failing = count(len(step.newly_failing), "newly failing run")
        yield (
            f"{suite}: {name or benchmark} fell from {percent(step.before)} to {percent(step.now)} "
            f"({fell}) at {run}; {failing}. See: evalcore trends {quote(str(ws.root))} "
            f"--suite {quote(suite)} --over benchmark-runs"
        )


def _dropped(ws: Workspace) -> Iterator[tuple[str, Step]]:
    for (suite,) in cells(ws.tables, "suites", "suite"):
        yield from (
            (suite, step) for step in newest_steps(ws, suite) if step.drop.level == "critical"
        )
