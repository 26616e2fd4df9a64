"""The judgments behind one criterion, in one column or in all, the worst first."""

from typing import NamedTuple

import numpy as np

from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, outcomes
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
) -> tuple[Given, ...]:
    """Return the judgments of a criterion (position), the lowest scores first, the newest before.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    _, judged = judged_criteria(ws, suite, scores)
    rows = rows_of(ws, suite, criterion, scores)
    of_row = judged.column[judged.run[rows]]
    if column is not None:
        rows, of_row = rows[of_row == column], of_row[of_row == column]
    case, share = judged.case[judged.run[rows]], judged.share[rows]
    order = np.lexsort((case, -of_row, share))
    columns = outcomes(ws, suite).columns
    fields = (judged.run[rows], case, of_row, share, judged.row[rows])
    found = zip(*(of[order].tolist() for of in fields), strict=True)
    return tuple(Given(run, case, columns[at], share, row) for run, case, at, share, row in found)
