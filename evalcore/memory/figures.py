"""The figures of a benchmark run, from its test runs by recorded scores."""

from typing import NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.rates import (
    EFFICIENCY,
    OTHER,
    UNSCORED,
    measured_by,
    on_scale,
    valued,
)
from evalcore.counting.tally import mean
from evalcore.workspace.opened import Workspace


class Figures(NamedTuple):
    """The figures of some test runs, from 0 to 1; None where no run has a value.

    `overall_score` is the mean over cases of the share of the score that their runs reached,
    `pass_rate` that of the suite's headline. `counted` are the runs (positions) that both are of,
    `unscored` those that wait for a score, `lost` those that count in no rate.
    """

    overall_score: float | None
    pass_rate: float | None
    counted: tuple[int, ...]
    unscored: tuple[int, ...]
    lost: tuple[int, ...]


def figures(ws: Workspace, runs: Numbers) -> Figures:
    """Return the figures of some test runs (positions) of a suite."""
    known = valued(ws)
    end = known["end"][runs]
    open_ = (end == UNSCORED) | (known["ungraded"] & ~known["unread"])[runs]
    counted, unscored = runs[end >= OTHER], runs[open_]
    lost = runs[(end < OTHER) & ~open_]
    score = on_scale(values(ws, "runs", "fraction"))
    # A run that was refused or timed out has no score, and is worth what its rate says: nothing.
    score = np.where(np.isnan(score), known["value"], score)
    rate = np.where(measured_by(ws, EFFICIENCY), score, known["value"])
    case = coded(ws, "runs", "case_id")
    overall, passed = (_over_cases(of[counted], case.keys_of(counted)) for of in (score, rate))
    return Figures(overall, passed, *(tuple(of.tolist()) for of in (counted, unscored, lost)))


def _over_cases(value: Numbers, case: Numbers) -> float | None:
    """Return the mean over cases of the mean of their runs; None without any."""
    cases, of_run = np.unique(case, return_inverse=True)
    if not len(cases):
        return None
    found = mean(value, of_run, len(cases))
    return float(found.mean())
