"""Read cells of tables as plain values, without creating a data frame."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.tables.columns import FinishedColumn, plain, to_list
from evalcore.tables.snapshot import Tables

Mask = npt.NDArray[np.bool_]


def cells(
    tables: Tables, table: str, *names: str, where: Mask | None = None
) -> Iterator[tuple[Any, ...]]:
    """Yield the named cells of each row; a missing one is None, a time a number.

    With `where`, a mask, only the selected rows; the columns must then be codes or numbers.
    """
    columns = [tables.columns[table][name] for name in names]
    if where is not None:
        columns = [column._replace(values=column.values[where]) for column in columns]  # type: ignore[index]
    return zip(*map(values, columns), strict=True)


def values(column: FinishedColumn) -> list[Any]:
    """Return the values of a column, None for missing ones."""
    if column.values is None or column.kind == "code":
        return to_list(column)
    return plain(column.kind, column.values.tolist())


def holds(column: FinishedColumn, *words: str) -> Mask:
    """Return a mask of the rows of a code column that have one of some words."""
    known: list[str] = [] if column.strings is None else column.strings.to_pylist()
    wanted = frozenset(words)
    chosen: Mask = np.array([word in wanted for word in known] + [False], bool)  # last: missing
    codes: Any = column.values
    found: Mask = chosen[codes]
    return found
