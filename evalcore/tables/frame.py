"""Turn finished columns into data frames and Arrow tables."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa

from evalcore.tables.arrays import NO_INT, Array, strings
from evalcore.tables.builder import TableBuilder, empty
from evalcore.tables.columns import FinishedColumn
from evalcore.tables.rows import ALL_TABLES

ColumnTable = Mapping[str, FinishedColumn]

_STR: Any = pd.StringDtype("pyarrow", na_value=np.nan)
# The words of a column are unique by construction; to check it again costs more than all else
# that an indexed open does.
_CATEGORIES = getattr(pd.CategoricalDtype, "_from_fastpath", pd.CategoricalDtype)


def to_frame(columns: ColumnTable) -> pd.DataFrame:
    """Return a table's columns, those of long text left out, sharing their memory."""
    return pd.DataFrame(
        {name: _values(column) for name, column in columns.items() if column.kind != "text"},
        copy=False,
    )


@cache
def empty_frame(name: str) -> pd.DataFrame:
    """Return the frame of a table without rows, which is the same in every workspace."""
    return to_frame(empty(ALL_TABLES[name]))


def to_texts(columns: ColumnTable) -> pa.Table | None:
    """Return the long texts of a table as Arrow columns; None when the table has none."""
    found = {name: c.strings for name, c in columns.items() if c.kind == "text"}
    return pa.table(found) if found else None


def frame(builder: TableBuilder) -> pd.DataFrame:
    """Return the rows gathered so far, without the columns of long text."""
    return to_frame(builder.finished())


def texts(builder: TableBuilder) -> pa.Table | None:
    """Return the long texts of the rows gathered so far; None when the table has none."""
    return to_texts(builder.finished())


def to_arrow(data: pd.DataFrame) -> pa.Table:
    """Return a frame, or a part of one, as an Arrow table."""
    return pa.Table.from_pandas(data, preserve_index=False)


def _values(column: FinishedColumn) -> Any:
    if column.values is None:
        return _STR.__from_arrow__(_chunked(column.strings))
    values = _fixed(column.values.view())
    if column.kind == "code":
        dtype = _words(column.strings) if column.strings else _NO_WORDS
        return pd.Categorical.from_codes(values, dtype=dtype, validate=False)
    if column.kind == "float":
        return values
    if column.kind == "time":
        return pd.DatetimeIndex(values.view("datetime64[us]"), tz="UTC").array
    missing = _fixed(values < 0 if column.kind == "bool" else values == NO_INT)
    kept = np.where(missing, 0, values)
    if column.kind == "bool":
        return pd.arrays.BooleanArray(_fixed(kept.astype(bool)), missing)
    return pd.arrays.IntegerArray(_fixed(kept), missing)


def _words(words: Any) -> Any:
    return _CATEGORIES(pd.Index(_STR.__from_arrow__(_chunked(words)), copy=False), False)


def _fixed(values: Array) -> Array:
    """Return an array that nobody can write to: all frames of a table share it."""
    values.setflags(write=False)
    return values


def _chunked(strings: Any) -> pa.ChunkedArray:
    return strings if isinstance(strings, pa.ChunkedArray) else pa.chunked_array([strings])


_NO_WORDS: Final = _words(strings([]))
"""Of the many columns that are missing throughout."""
