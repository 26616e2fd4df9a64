"""Read a few rows of large tables as typed rows, without touching the others."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from evalcore.counting.coded import coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.errors import UnknownName
from evalcore.families.base import Family
from evalcore.families.registry import family
from evalcore.tables.arrays import time_of
from evalcore.tables.cells import cells
from evalcore.tables.columns import FinishedColumn, picked
from evalcore.tables.rows import Row
from evalcore.workspace.opened import Workspace

R = TypeVar("R", bound=Row)
Positions = NDArray[np.intp]


def where(ws: Workspace, table: str, **wanted: str | None) -> Positions:
    """Return the positions of the rows whose code columns have the wanted words.

    Only integer codes are compared; an unknown word matches no row.
    """
    asked = []
    for name, word in wanted.items():
        column = coded(ws, table, name)
        code = -1 if word is None else column.place(word)
        if code < 0 and word is not None:
            return np.zeros(0, np.intp)
        asked.append((column, code))
    # The rows of the column with the most words are the fewest to look at in the others.
    asked.sort(key=lambda one: -one[0].width)
    rows: Positions = asked[0][0].rows_of(asked[0][1])
    for column, code in asked[1:]:
        rows = rows[column.codes[rows] == code]
    return rows


def has(ws: Workspace, table: str, column: str, word: str | None) -> bool:
    """Return whether any row of a table has this word in a code column."""
    return word is not None and bool(coded(ws, table, column).among({word}).any())


def typed(ws: Workspace, table: str, row_type: type[R], positions: Iterable[int]) -> list[R]:
    """Return the rows at these positions; missing values are None."""
    rows = [int(row) for row in positions]
    columns = ws.tables.columns[table]
    return list(map(row_type, *(_cells(columns[name], rows) for name in row_type._fields)))


@memoize_per_workspace
def family_of(ws: Workspace, suite: str | None) -> Family:
    """Return the family of a suite.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    known = dict(cells(ws.tables, "suites", "suite", "family"))
    if suite not in known:
        raise UnknownName("suite", str(suite), known)
    return family(known[suite])


def _cells(column: FinishedColumn, rows: Sequence[int]) -> list[Any]:
    found = picked(column, rows)
    if column.kind != "time":
        return found
    return [None if value is None else time_of(value) for value in found]
