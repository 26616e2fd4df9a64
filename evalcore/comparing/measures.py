"""The resources of a run: time, tokens and money, which are compared but never judged."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import numpy as np
import pandas as pd

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
OfCases = Mapping[str, float]
"""The mean of each case that measured something."""
MOST: Final = 1e100
"""What a file gives as more than this is no measurement, and its square no number."""


def measures(a: Side, b: Side, pairs: Iterable[CasePair]) -> tuple[Measure, ...]:
    """Return time, tokens and cost per run over the compared cases that both sides measured."""
    cases = [pair.case_id for pair in pairs]
    of_a, of_b = (
        {name: _of_cases(side.ws, side.suite, side.column, name) for name in COLUMNS}
        for side in (a, b)
    )
    return tuple(measure(name, of_a[name], of_b[name], cases) for name in COLUMNS)


def measure(name: str, of_a: OfCases, of_b: OfCases, cases: Iterable[str]) -> Measure:
    """Return the means over those of some cases that both sides measured, and their difference."""
    both = [(of_a[case], of_b[case]) for case in cases if case in of_a and case in of_b]
    if not both:
        return Measure(name, None, None, None, None, None, 0)
    first, second = np.array(both).T
    low, high = t_interval(second - first) if len(both) > 1 else (None, None)
    means = float(first.mean()), float(second.mean())
    return Measure(name, *means, means[1] - means[0], low, high, len(both))


def measured_runs(ws: Workspace, suite: str, column: Column) -> pd.DataFrame:
    """Return the runs of a column whose amounts count: those within the rates."""
    runs = runs_of(ws, suite, column, "recorded")
    return runs[~runs["end"].isin([ASIDE, OUTSIDE])]


def means_of_cases(
    ws: Workspace, suite: str, runs: pd.DataFrame, amount: Numbers
) -> dict[str, float]:
    """Return the mean of each case over the runs that measured an amount; NaN is not measured."""
    measured: Numbers = ~np.isnan(amount)
    case = runs["case"].to_numpy()[measured]
    ids = outcomes(ws, suite).cases["case_id"]
    n = np.bincount(case)
    sums = np.bincount(case, amount[measured])
    return {str(ids.iloc[at]): float(sums[at] / n[at]) for at in np.flatnonzero(n).tolist()}


@memoize_per_workspace
def _of_cases(ws: Workspace, suite: str, column: Column, name: Name) -> dict[str, float]:
    """Return the mean over the measured runs of each case; 0 in a file means "not measured"."""
    runs = measured_runs(ws, suite, column)
    amount = values(ws, "runs", COLUMNS[name])[runs.index.to_numpy()].astype(float)
    amount[~((amount > 0) & (amount < MOST))] = np.nan
    return means_of_cases(ws, suite, runs, amount)
