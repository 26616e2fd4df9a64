"""The weakest criteria of one version and configuration, with n and interval."""

from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from evalcore.counting.coded import Coded, Numbers, coded, slots, values
from evalcore.counting.counted import counted_answers
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.people import Scores
from evalcore.counting.rates import on_scale
from evalcore.counting.tally import mean
from evalcore.statistics.intervals import SAME, mean_interval
from evalcore.views.gradings.grid import case_name
from evalcore.views.gradings.reasons import line
from evalcore.workspace.opened import Workspace

WEAK: Final = 6
MAX_ABOUT: Final = 160
_SEVERAL: Final = "has a different meaning in each case"


class Weak(NamedTuple):
    """A criterion: its mean over the cases judged by it, and the number of cases that failed it.

    `value`, `low` and `high` are from 0 to 1, the interval None for one case. `failed` is None
    if the criterion has a scale without pass mark; `top` is then the end of the scale.
    `about` says what it stands for where its name does not, `case` names its
    only case.
    """

    criterion: str
    about: str
    case: str | None
    value: float
    low: float | None
    high: float | None
    cases: int
    failed: int | None
    top: float | None


class Weakest(NamedTuple):
    """The weakest criteria, and how many of all criteria lost points."""

    first: tuple[Weak, ...]
    losing: int
    asked: int


class _CriterionResults(NamedTuple):
    """Results of a column by case and criterion: the mean, and whether a run failed it."""

    criterion: Numbers
    case: Numbers
    value: Numbers
    failed: Numbers
    graded: Numbers


def weakest(ws: Workspace, suite: str, column: Column, scores: Scores = "recorded") -> Weakest:
    """Return the weakest criteria over the cases of a column, the largest loss first.

    A criterion's loss is the sum of its cases' missing points, so one that fails in five of fifty
    cases ranks above one that fails in its only case.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    criterion = coded(ws, "judgments", "criterion")
    asked = _asked(ws, suite, column, criterion, scores)
    cases = np.bincount(asked.criterion, minlength=criterion.width)
    loss = cases - np.bincount(asked.criterion, asked.value, criterion.width)
    by_name = sorted(np.flatnonzero(loss > SAME), key=criterion.words.__getitem__)
    worst = sorted(by_name, key=lambda at: (-loss[at], cases[at]))[:WEAK]
    first = tuple(_weak(ws, suite, criterion.words[at], asked, int(at)) for at in worst)
    return Weakest(first, len(by_name), int((cases > 0).sum()))


def _asked(
    ws: Workspace, suite: str, column: Column, criterion: Coded, scores: Scores
) -> _CriterionResults:
    found = outcomes(ws, suite)
    runs = found.runs
    here = runs.index[runs["column"] == found.columns.index(column)].to_numpy()
    results = counted_answers(ws, here, scores)
    value = on_scale(results.value)
    known = ~np.isnan(value)
    passed, value = results.passed[known], value[known]
    # What people are divided on has passed or failed all the same.
    scaled = values(ws, "judgments", "passed")[results.row[known]] < 0
    case = np.full(len(values(ws, "runs", "passed")), -1, np.int64)
    case[runs.index] = runs["case"]
    keys = case[results.run[known]] * criterion.width + results.criterion[known]
    cells, of_row = slots(keys, max(len(found.cases), 1) * criterion.width)
    filled = np.bincount(of_row, minlength=len(cells)) > 0
    failed, graded = (
        np.bincount(of_row[chosen], minlength=len(cells))[filled] > 0
        for chosen in (passed == 0, scaled)
    )
    means = mean(value, of_row, len(cells))[filled]
    there = cells[filled]
    return _CriterionResults(
        there % criterion.width, there // criterion.width, means, failed, graded
    )


def _weak(ws: Workspace, suite: str, name: str, asked: _CriterionResults, at: int) -> Weak:
    here = asked.criterion == at
    of_cases, graded = asked.value[here], bool(asked.graded[here].any())
    low, high = mean_interval(of_cases) or (None, None)
    criteria = ws.tables.criteria
    defined = criteria[(criteria["suite"] == suite) & (criteria["criterion"] == name)]
    return Weak(
        criterion=name,
        about=_about(name, defined),
        case=_only_case(ws, suite, asked.case[here]),
        value=float(of_cases.mean()),
        low=low,
        high=high,
        cases=len(of_cases),
        failed=None if graded else int(asked.failed[here].sum()),
        top=_top(defined) if graded else None,
    )


def _only_case(ws: Workspace, suite: str, cases: Numbers) -> str | None:
    if len(cases) > 1:
        return None
    return case_name(outcomes(ws, suite).cases.iloc[int(cases[0])].to_dict())


def _about(name: str, defined: pd.DataFrame) -> str:
    """Return the description of a criterion if its name does not say it already."""
    described = defined["description"].dropna().unique()
    if len(described) > 1:
        return _SEVERAL if (defined["kind"] == "structural").all() else ""
    return line(str(described[0]), MAX_ABOUT) if len(described) and described[0] != name else ""


def _top(defined: pd.DataFrame) -> float | None:
    """Return the end of a criterion's scale if all its cases share one."""
    tops = defined["max_score"].dropna().unique()
    return float(tops[0]) if len(tops) == 1 else None
