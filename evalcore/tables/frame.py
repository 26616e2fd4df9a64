"""Turn gathered columns into data frames, and Arrow tables back into the same frames."""

import numpy as np
import pandas as pd
import pyarrow as pa

from evalcore.tables.builder import Column, TableBuilder
from evalcore.tables.rows import TABLES, Kind, columns

NO_INT = -(2**63)


def frame(builder: TableBuilder) -> pd.DataFrame:
    """Return the rows gathered so far, without the columns of long text."""
    builder.flush()
    return pd.DataFrame(
        {name: _series(column) for name, column in builder.columns.items() if column.kind != "text"}
    )


def texts(builder: TableBuilder) -> pa.Table | None:
    """Return the long texts of a table as Arrow columns; None when the table has none."""
    builder.flush()
    found = {name: pa.chunked_array(column.values, pa.large_string())
             for name, column in builder.columns.items() if column.kind == "text"}  # fmt: skip
    return pa.table(found) if found else None


def restored(name: str, stored: pa.Table) -> pd.DataFrame:
    """Return the frame of table `name` from Arrow as `frame` made it."""
    kinds = columns(TABLES[name])
    return pd.DataFrame(
        {column: _from_arrow(stored[column], kinds[column]) for column in stored.column_names}
    )


def to_arrow(data: pd.DataFrame) -> pa.Table:
    """Return a frame as an Arrow table that `restored` reads back."""
    return pa.Table.from_pandas(data, preserve_index=False)


def _series(column: Column) -> "pd.Series | pd.Categorical | pd.api.extensions.ExtensionArray":
    if column.kind == "code":
        codes = np.frombuffer(column.values, np.int32) if column.values else np.empty(0, np.int32)
        words = pd.Index(list(column.codes), dtype="str")
        return pd.Categorical.from_codes(_narrow(codes, len(words)), words)
    if column.kind == "str":
        return pd.array(column.values, dtype="str")
    dtype = {"float": np.float64, "int": np.int64, "bool": np.int8, "time": np.int64}[column.kind]
    values = np.frombuffer(column.values, dtype) if column.values else np.empty(0, dtype)
    return _numbers(values, column.kind)


def _numbers(values: "np.ndarray", kind: Kind) -> "pd.Series | pd.api.extensions.ExtensionArray":
    if kind == "float":
        return pd.Series(values)
    if kind == "bool":
        missing = values < 0
        return pd.arrays.BooleanArray(np.where(missing, 0, values).astype(bool), missing)
    missing = values == NO_INT
    if kind == "int":
        return pd.arrays.IntegerArray(np.where(missing, 0, values), missing)
    return pd.Series(values.view("datetime64[us]")).dt.tz_localize("UTC")


def _narrow(codes: "np.ndarray", words: int) -> "np.ndarray":
    """Keep codes in the fewest bytes; a column of ten words needs one byte a row."""
    return codes.astype(np.int8 if words < 128 else np.int16 if words < 32_768 else np.int32)


def _from_arrow(stored: pa.ChunkedArray, kind: Kind) -> "pd.Series | pd.Categorical":
    if kind == "code":
        whole = stored.combine_chunks()
        codes = whole.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        words = pd.Index(whole.dictionary.to_pandas(), dtype="str")
        return pd.Categorical.from_codes(codes, words)
    if kind == "str":
        return pd.Series(stored.to_pandas(), dtype="str")
    if kind == "float":
        return pd.Series(stored.to_numpy(), dtype=np.float64)
    if kind == "time":
        return pd.Series(stored.to_pandas(), dtype="datetime64[us, UTC]")
    dtypes = {"int": pd.Int64Dtype(), "bool": pd.BooleanDtype()}
    return pd.Series(dtypes[kind].__from_arrow__(stored), dtype=dtypes[kind])
