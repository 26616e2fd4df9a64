"""The resources of a run: time, tokens and money, which are compared but never judged."""

from collections.abc import Iterable
from typing import Final, Literal

import numpy as np

from evalcore.comparing.model import CasePair, Measure, Side
from evalcore.comparing.values import runs_of
from evalcore.counting.coded import Numbers, values
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.rates import ASIDE, OUTSIDE
from evalcore.statistics.intervals import t_interval
from evalcore.workspace.opened import Workspace

Name = Literal["time", "tokens", "cost"]
COLUMNS: Final[dict[Name, str]] = {"time": "duration_s", "tokens": "tokens", "cost": "cost_usd"}
MOST: Final = 1e100
"""What a file gives as more than this is no measurement, and its square no number."""


def measures(a: Side, b: Side, pairs: Iterable[CasePair]) -> tuple[Measure, ...]:
    """Return time, tokens and cost per run over the compared cases that both sides measured."""
    cases = [pair.case_id for pair in pairs]
    return tuple(_measure(name, a, b, cases) for name in COLUMNS)


def _measure(name: Name, a: Side, b: Side, cases: list[str]) -> Measure:
    of_a, of_b = (_of_cases(side.ws, side.suite, side.column, name) for side in (a, b))
    both = [(of_a[case], of_b[case]) for case in cases if case in of_a and case in of_b]
    if not both:
        return Measure(name, None, None, None, None, None, 0)
    first, second = np.array(both).T
    low, high = t_interval(second - first) if len(both) > 1 else (None, None)
    means = float(first.mean()), float(second.mean())
    return Measure(name, *means, means[1] - means[0], low, high, len(both))


@memoize_per_workspace
def _of_cases(ws: Workspace, suite: str, column: Column, name: Name) -> dict[str, float]:
    """Return the mean over the measured runs of each case; 0 in a file means "not measured"."""
    runs = runs_of(ws, suite, column, "recorded")
    amount = values(ws, "runs", COLUMNS[name])[runs.index.to_numpy()]
    measured: Numbers = (
        (amount > 0) & (amount < MOST) & ~runs["end"].isin([ASIDE, OUTSIDE]).to_numpy()
    )
    case = runs["case"].to_numpy()[measured]
    ids = outcomes(ws, suite).cases["case_id"]
    n = np.bincount(case)
    sums = np.bincount(case, amount[measured])
    return {str(ids.iloc[at]): float(sums[at] / n[at]) for at in np.flatnonzero(n).tolist()}
