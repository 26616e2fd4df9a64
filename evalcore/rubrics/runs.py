"""The judgments behind one criterion, in one column or in all, the worst first."""

from typing import NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, columns_of_runs
from evalcore.counting.people import Scores
from evalcore.rubrics.cells import judged_criteria
from evalcore.rubrics.spread import rows_of
from evalcore.workspace.opened import Workspace


class Given(NamedTuple):
    """One judgment of a criterion: its run and case, its column, its share of the highest score.

    `row` is its position in `tables.judgments`, `run` and `case` are positions, too.
    """

    run: int
    case: int
    column: Column
    share: float
    row: int


@memoize_per_workspace
def judgments_of_criterion(
    ws: Workspace, suite: str, criterion: int, column: int | None, scores: Scores = "recorded"
) -> Numbers:
    """Return the judgments of a criterion (position), the lowest scores first, the newest before.

    They are positions among those of `judged_criteria`; see `given`.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    _, judged = judged_criteria(ws, suite, scores)
    rows = rows_of(ws, suite, criterion, scores)
    of_row = judged.column[judged.run[rows]]
    if column is not None:
        rows, of_row = rows[of_row == column], of_row[of_row == column]
    order = np.lexsort((judged.case[judged.run[rows]], -of_row, judged.share[rows]))
    found: Numbers = rows[order]
    return found


def given(
    ws: Workspace, suite: str, rows: Numbers, scores: Scores = "recorded"
) -> tuple[Given, ...]:
    """Return some judgments by their positions among those of `judged_criteria`."""
    _, judged = judged_criteria(ws, suite, scores)
    columns, run = columns_of_runs(ws, suite).columns, judged.run[rows]
    fields = (run, judged.case[run], judged.column[run], judged.share[rows], judged.row[rows])
    found = zip(*(of.tolist() for of in fields), strict=True)
    return tuple(Given(run, case, columns[at], share, row) for run, case, at, share, row in found)
