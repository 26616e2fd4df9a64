"""The pass rate of each benchmark run, from its own test runs."""

from typing import NamedTuple

import numpy as np

from evalcore.benchmarks.members import members
from evalcore.counting.coded import Numbers, slots, values
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.rates import EFFICIENCY, OTHER, measured_by, on_scale, valued
from evalcore.counting.tally import mean
from evalcore.workspace.opened import Workspace


class PassRates(NamedTuple):
    """The pass rate (0 to 1) of each benchmark run (a row of its table), NaN if unknown.

    `stated` says that no test run has a value, so that it is the one that the document states.
    """

    value: Numbers
    stated: Numbers


@memoize_per_workspace
def pass_rates(ws: Workspace) -> PassRates:
    """Return the pass rates: the mean over cases of each case's mean over the runs that count.

    It is the suite's headline by recorded scores, and the mean score where that is no rate of runs
    or checks.
    """
    row, run = members(ws)
    known = valued(ws)
    value = np.where(measured_by(ws, EFFICIENCY), _scores(known), known["value"])
    counts = known["end"][run] >= OTHER
    row, run = row[counts], run[counts]
    total = len(values(ws, "benchmark_runs", "pass_rate"))
    width = int(known["case"].max(initial=0)) + 1
    cells, cell = slots(row * width + known["case"][run], total * width)
    found = mean(mean(value[run], cell, len(cells)), cells // width, total)
    stated = np.isnan(found)
    return PassRates(np.where(stated, values(ws, "benchmark_runs", "pass_rate"), found), stated)


def _scores(known: dict[str, Numbers]) -> Numbers:
    top = np.where(known["max_score"] > 0, known["max_score"], np.nan)
    return on_scale(known["score"] / top)
