"""Whether the values of one benchmark run improve on those of another."""

from typing import Literal, NamedTuple

import numpy as np

from evalcore.benchmarks.rates import pass_rates
from evalcore.counting.coded import values
from evalcore.numbers import printed
from evalcore.statistics.trend import PLACES
from evalcore.workspace.opened import Workspace

Improvement = Literal["better", "same", "worse", "unknown"]


class Values(NamedTuple):
    """What a benchmark run has: the pass rate of its runs, and the overall score that it states."""

    pass_rate: float | None
    overall_score: float | None


def values_of(ws: Workspace, row: int) -> Values:
    """Return the values of a benchmark run, a row of its table."""
    found = (pass_rates(ws).value[row], values(ws, "benchmark_runs", "overall_score")[row])
    return Values(*(None if np.isnan(each) else float(each) for each in found))


def improvement(ws: Workspace, before: int, now: int) -> Improvement:
    """Compare two benchmark runs (rows): better is one value higher and neither lower.

    Values are compared as decimals: the order in which scores were added up is no difference.
    """
    pairs = zip(values_of(ws, before), values_of(ws, now), strict=True)
    known = [
        (printed(old, PLACES), printed(new, PLACES))
        for old, new in pairs
        if old is not None and new is not None
    ]
    if not known:
        return "unknown"
    if any(new < old for old, new in known):
        return "worse"
    return "better" if any(new > old for old, new in known) else "same"
