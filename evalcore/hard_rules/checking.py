"""Check the hard rules of a suite, and say as problems what breaks them."""

from collections.abc import Iterator
from typing import Final

from evalcore.counting.memo import memoize_per_workspace
from evalcore.hard_rules import approvals, failed_runs, outputs, rationales, regressions
from evalcore.hard_rules.model import Check, Found
from evalcore.problems import Problem
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace

CHECKS: Final[tuple[Check, ...]] = (
    outputs.CHECK,
    rationales.CHECK,
    failed_runs.CHECK,
    regressions.CHECK,
    approvals.CHECK,
)


@memoize_per_workspace
def checked(ws: Workspace, suite: str) -> tuple[Found, ...]:
    """Return how each rule stands in a suite, in the order of `CHECKS`."""
    return tuple(check.find(ws, suite) for check in CHECKS)


def broken_rules(ws: Workspace) -> Iterator[Problem]:
    """Yield the problems of everything that breaks a hard rule, suite by suite."""
    for (suite,) in cells(ws.tables, "suites", "suite"):
        for check, found in zip(CHECKS, checked(ws, suite), strict=True):
            if found.asked and len(found.broken):
                yield from check.problems(ws, suite, found.broken)
