"""What a run will probably take: from the earlier runs of its suite."""

from collections.abc import Iterable
from typing import NamedTuple

from evalcore.engine.plan import Plan
from evalcore.numbers import mean
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables


class Estimate(NamedTuple):
    """Seconds, tokens and US dollars of a whole plan; None where no earlier run measured them.

    `runs` is how many test runs it is, `known` how many earlier ones it was estimated from.
    """

    runs: int
    known: int
    seconds: float | None
    tokens: float | None
    cost_usd: float | None


def estimate(tables: Tables, plan: Plan) -> Estimate:
    """Return what a plan will probably take, at the means of the suite's earlier runs.

    Where stored outputs are graded nothing is executed: earlier runs tell nothing of that.
    """
    count = sum(run.stored is None for run in plan.runs)
    if not count:
        return Estimate(len(plan.runs), 0, None, None, None)
    names = ("suite", "duration_s", "tokens", "cost_usd")
    rows = [row[1:] for row in cells(tables, "runs", *names) if row[0] == plan.suite]
    seconds, tokens, cost = (mean(_known(row[place] for row in rows)) for place in range(3))
    at_once = min(plan.limits.concurrency, count)
    return Estimate(
        len(plan.runs),
        sum(row[0] is not None for row in rows),
        None if seconds is None else seconds * count / at_once,
        None if tokens is None else tokens * count,
        None if cost is None else cost * count,
    )


def _known(column: Iterable[float | None]) -> list[float]:
    return [value for value in column if value is not None and value > 0]
