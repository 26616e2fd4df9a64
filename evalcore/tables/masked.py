"""Take rows and cells out of finished tables so that nothing tells what they held."""

from collections.abc import Collection, Mapping
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.tables.arrays import DTYPES, NO_INT, Array, narrow, strings
from evalcore.tables.builder import SHARED, TableBuilder
from evalcore.tables.columns import FinishedColumn
from evalcore.tables.patch import patched
from evalcore.tables.rows import TABLES

Table = Mapping[str, FinishedColumn]

_MISSING: Final[Mapping[str, Any]] = {"float": np.nan, "int": NO_INT, "time": NO_INT, "bool": -1}


def without(name: str, table: Table, gone: Array) -> Table:
    """Return a table without the marked rows; the table itself if there are none."""
    if not gone.any():
        return table
    return _renumbered(patched(table, gone, TableBuilder(TABLES[name])))


def only(table: Table, rows: Array) -> Table:
    """Return a table with the marked rows alone; the table itself if all are."""
    if rows.all():
        return table
    at = np.flatnonzero(rows)
    return _renumbered({name: _taken(column, at) for name, column in table.items()})


def blanked(table: Table, rows: Array, kept: Collection[str]) -> Table:
    """Return a table with the marked rows missing everything but some columns."""
    if not rows.any():
        return table
    cleared = {
        name: column if name in kept else _cleared(column, rows) for name, column in table.items()
    }
    return _renumbered(cleared)


def said(column: FinishedColumn, rows: Array, word: str) -> FinishedColumn:
    """Return a column of short strings that has one word in the marked rows."""
    words = pa.concat_arrays([column.strings, strings([word])])
    assert column.values is not None
    codes = np.where(rows, len(words) - 1, column.values)
    return _in_order(FinishedColumn("code", codes, words))


def _taken(column: FinishedColumn, at: Array) -> FinishedColumn:
    if column.values is None:
        words: Any = column.strings
        return column._replace(strings=words.take(pa.array(at)))
    return column._replace(values=column.values[at])


def _cleared(column: FinishedColumn, rows: Array) -> FinishedColumn:
    if column.values is None:
        nothing = pa.scalar(None, pa.large_string())
        return column._replace(strings=pc.if_else(pa.array(rows), nothing, column.strings))
    if column.kind == "code":
        return column._replace(values=np.where(rows, -1, column.values))
    values = np.where(rows, _MISSING[column.kind], column.values)
    return column._replace(values=values.astype(DTYPES[column.kind], copy=False))


def _renumbered(table: Table) -> Table:
    """Return a table without the words that no row has any more."""
    return {
        name: _in_order(column) if column.kind == "code" and name not in SHARED else column
        for name, column in table.items()
    }


def _in_order(column: FinishedColumn) -> FinishedColumn:
    """Return a column whose words are those of its rows, in the order of their first use."""
    codes, words = column.values, column.strings
    assert codes is not None
    assert words is not None
    first = np.full(len(words) + 1, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    order = np.argsort(first[:-1], kind="stable")
    order = order[first[order] < len(codes)]
    place = np.full(len(words) + 1, -1)
    place[order] = np.arange(len(order))
    return column._replace(
        values=narrow(place[codes], len(order)), strings=words.take(pa.array(order))
    )
