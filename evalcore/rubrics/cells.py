"""Every criterion in every column of a suite: the mean over cases, and how many judgments."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded, numbered, slots, values
from evalcore.counting.counted import counted_answers
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, cases_of_runs, columns_of_runs
from evalcore.counting.people import Scores
from evalcore.counting.tally import mean
from evalcore.workspace.opened import Workspace


class Criterion(NamedTuple):
    """A criterion of a suite, whatever cases have it."""

    kind: str
    name: str

    @property
    def key(self) -> str:
        """The name in addresses and commands: `rubric:clarity`."""
        return f"{self.kind}:{self.name}"


class Judged(NamedTuple):
    """Judgments with a value: one element each, and what is known of their runs.

    `criterion` is a position, `run` that of the run and `row` that of the judgment in the tables,
    `share` the score as a share of the highest score. `column` and `case` are positions by run.
    """

    criterion: Numbers
    run: Numbers
    row: Numbers
    share: Numbers
    column: Numbers
    case: Numbers


@dataclass(frozen=True, eq=False)
class CriterionCells:
    """Means by criterion and column (arrays of that shape); NaN where nothing was judged.

    `mean` is over cases, each the mean of its runs, as a share of the highest score; `cases` and
    `judged` are how many. `top` and `least` are the ends of a criterion's scale, NaN if its
    judgments do not share one. `of_case` has the same by case: positions in `key` order, which is
    criterion, column and case.
    """

    criteria: tuple[Criterion, ...]
    columns: tuple[Column, ...]
    mean: Numbers
    cases: Numbers
    judged: Numbers
    top: Numbers
    least: Numbers
    key: Numbers
    of_case: Numbers
    all_cases: int

    @cached_property
    def places(self) -> tuple[Numbers, Numbers, Numbers]:
        """Criterion, column and case (positions) of each element of `key`."""
        cell, case = self.key // self.all_cases, self.key % self.all_cases
        columns = max(len(self.columns), 1)
        return cell // columns, cell % columns, case

    def values_of(self, criterion: int, column: int) -> tuple[Numbers, Numbers]:
        """Return the cases (positions) of a cell and their means."""
        start = (criterion * len(self.columns) + column) * self.all_cases
        low, high = np.searchsorted(self.key, [start, start + self.all_cases])
        return self.key[low:high] - start, self.of_case[low:high]

    def place(self, key: str) -> int | None:
        """Return the position of a criterion by its key; None for an unknown one."""
        return next((at for at, each in enumerate(self.criteria) if each.key == key), None)


@memoize_per_workspace
def judged_criteria(
    ws: Workspace, suite: str, scores: Scores = "recorded"
) -> tuple[tuple[Criterion, ...], Judged]:
    """Return the criteria of a suite, and every judgment of them (see `counted_answers`).

    Raises:
        UnknownName: the workspace has no such suite.
    """
    every, _, of_run = columns_of_runs(ws, suite)
    results = counted_answers(ws, every, scores)
    names = coded(ws, "judgments", "criterion")
    asked = results.kind * names.width + results.criterion
    space = coded(ws, "judgments", "kind").width * names.width
    keys, of_row, _ = numbered(asked, space)
    total = len(values(ws, "runs", "passed"))
    column, case = np.zeros(total, np.int64), np.zeros(total, np.int64)
    column[every], case[every] = of_run, cases_of_runs(ws, suite)[1]
    judged = Judged(of_row, results.run, results.row, results.share, column, case)
    kinds = coded(ws, "judgments", "kind").words
    criteria = tuple(
        Criterion(kinds[key // names.width], names.words[key % names.width]) for key in keys
    )
    return criteria, judged


@memoize_per_workspace
def criterion_cells(ws: Workspace, suite: str, scores: Scores = "recorded") -> CriterionCells:
    """Return the means of every criterion in every column of a suite.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    names = columns_of_runs(ws, suite).columns
    criteria, judged = judged_criteria(ws, suite, scores)
    columns, all_cases = len(names), max(len(cases_of_runs(ws, suite)[0]), 1)
    shape = (len(criteria), columns)
    of_run = judged.column * all_cases + judged.case
    one = judged.criterion * (columns * all_cases) + of_run[judged.run]
    keys, of_row = slots(one, len(criteria) * columns * all_cases)
    of_case = mean(judged.share, of_row, len(keys))
    many = np.bincount(of_row, minlength=len(keys))
    there = many > 0
    keys, of_case, many = keys[there], of_case[there], many[there]
    cells = keys // all_cases
    size = max(len(criteria) * columns, 1)
    cases = np.bincount(cells, minlength=size)[: len(criteria) * columns]
    return CriterionCells(
        criteria=criteria,
        columns=names,
        mean=mean(of_case, cells, size)[: len(criteria) * columns].reshape(shape),
        cases=cases.reshape(shape),
        judged=np.bincount(cells, many, size)[: len(criteria) * columns].reshape(shape).astype(int),
        top=_shared(values(ws, "judgments", "max_score"), judged, len(criteria)),
        least=_shared(values(ws, "judgments", "min_score"), judged, len(criteria)),
        key=keys,
        of_case=of_case,
        all_cases=all_cases,
    )


def _shared(of: Numbers, judged: Judged, criteria: int) -> Numbers:
    """Return the value that all judgments of each criterion share; NaN if they differ."""
    given, one = of[judged.row], np.full(criteria, np.nan)
    one[judged.criterion] = given
    differs = given != one[judged.criterion]
    if differs.any():
        one[judged.criterion[differs]] = np.nan
    return one


class Change(NamedTuple):
    """How a criterion changed between two columns: the mean difference over cases in both."""

    difference: float
    cases: int


def change(cells: CriterionCells, criterion: int, before: int, after: int) -> Change | None:
    """Return the change of a criterion on the cases that both columns judged; None without any."""
    (old, was), (new, now) = (cells.values_of(criterion, at) for at in (before, after))
    _, first, second = np.intersect1d(old, new, assume_unique=True, return_indices=True)
    if not len(first):
        return None
    return Change(float((now[second] - was[first]).mean()), len(first))
