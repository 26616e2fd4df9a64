"""The value of each run of a suite for a metric."""

from typing import NamedTuple

import numpy as np

from evalcore.comparing.measures import COLUMNS, MOST
from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.outcomes import columns_of_runs
from evalcore.counting.people import Scores
from evalcore.counting.rates import ASIDE, OTHER, OUTSIDE, on_scale, valued
from evalcore.counting.score_source import answers_to, valued_by
from evalcore.trends.metrics import Metric
from evalcore.workspace.opened import Workspace


class RunValues(NamedTuple):
    """Known values of runs (positions): shares from 0 to 1, or seconds, tokens and dollars."""

    run: Numbers
    value: Numbers


def run_values(ws: Workspace, suite: str, metric: Metric, scores: Scores) -> RunValues:
    """Return the values of a suite's runs that count, without those that are unknown.

    Draft cases, excluded runs and those that a status keeps out of the rates do not count. What a
    file gives as 0 seconds, tokens or dollars was not measured.
    """
    here = columns_of_runs(ws, suite).here
    known = valued(ws) if scores == "recorded" else valued_by(ws, scores)
    end = known["end"]
    if metric.kind == "criterion":
        run, value = _of_criterion(ws, metric, scores)
        mine = np.zeros(len(end), bool)
        mine[here] = True
        keep = mine[run]
        run, value = run[keep], value[keep]
    else:
        run, value = here, _of_runs(ws, metric, known)[here]
    counted = (end[run] != ASIDE) & (end[run] != OUTSIDE) & ~np.isnan(value)
    return RunValues(run[counted], value[counted])


def _of_runs(ws: Workspace, metric: Metric, known: dict[str, Numbers]) -> Numbers:
    if metric.resource is not None:
        amount = values(ws, "runs", COLUMNS[metric.resource]).astype(float)
        return np.where((amount > 0) & (amount < MOST), amount, np.nan)
    if metric.kind == "gate":
        passed = values(ws, "runs", "gate_passed")
        return np.where(passed < 0, np.nan, passed)
    if metric.kind == "score":
        top = np.where(known["max_score"] > 0, known["max_score"], np.nan)
        value = on_scale(known["score"] / top)
    else:
        value = known["value"]
    return np.where(known["end"] >= OTHER, value, np.nan)


def _of_criterion(ws: Workspace, metric: Metric, scores: Scores) -> tuple[Numbers, Numbers]:
    kind, criterion = (
        int(coded(ws, "judgments", name).places([word])[0])
        for name, word in (("kind", metric.of), ("criterion", metric.criterion))
    )
    found = answers_to(ws, kind, criterion, scores)
    return found.run, on_scale(found.value)
