"""Convert Python values to arrays with missing values, and strings to Arrow arrays."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.tables.kinds import Kind

Array = npt.NDArray[Any]

NO_INT: Final = -(2**63)
"""The marker of a missing integer or time; a missing boolean is -1, a missing float NaN."""

DTYPES: Final = {"float": np.float64, "int": np.int64, "bool": np.int8, "time": np.int64}
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def strings(values: Sequence[str | None]) -> pa.Array:
    """Return strings as one Arrow array."""
    # Arrow would import pandas to inspect a list.
    lengths, data = encoded(values)
    return string_array(lengths, pa.py_buffer(data)) if len(lengths) else _NO_STRINGS


def encoded(values: Sequence[str | None]) -> tuple[Array, bytes]:
    """Return the lengths in bytes of strings, -1 for a missing one, and their joined bytes."""
    each = [None if value is None else value.encode() for value in values]
    lengths = lengths_array([-1 if value is None else len(value) for value in each])
    return lengths, b"".join(filter(None, each))


def string_array(lengths: Array, data: pa.Buffer) -> pa.Array:
    """Return an Arrow array of strings from their lengths and their joined bytes."""
    missing, bits = lengths < 0, None
    if missing.any():
        bits = pa.py_buffer(np.packbits(~missing, bitorder="little"))
        lengths = np.maximum(lengths, 0)
    offsets = np.zeros(len(lengths) + 1, np.int64)
    lengths.cumsum(out=offsets[1:])
    return pa.Array.from_buffers(
        pa.large_string(), len(lengths), [bits, pa.py_buffer(offsets), data]
    )


_NO_STRINGS: Final = string_array(np.zeros(0, np.int32), pa.py_buffer(b""))
"""Many columns are missing throughout, and have no words."""


def true_places(mask: pa.Array | pa.ChunkedArray) -> Array:
    """Return the positions at which an Arrow array of booleans is true."""
    found = pc.indices_nonzero(mask)
    # What turns Arrow's values into numbers elsewhere would import pandas.
    data = found.buffers()[1]
    return np.frombuffer(data, np.uint64)[: len(found)] if len(found) else np.zeros(0, np.uint64)


def narrow(codes: Array, words: int) -> Array:
    """Return codes in the narrowest type; ten words need one byte for each row."""
    dtype = np.int8 if words < 128 else np.int16 if words < 32_768 else np.int32
    return codes if codes.dtype == dtype else codes.astype(dtype)


def lengths_array(values: Sequence[int]) -> Array:
    """Return lengths in bytes; -1 for a missing string."""
    return np.array(values, np.int32)


def _floats(values: Sequence[Any]) -> Array:
    return np.array(values, np.float64)  # None becomes NaN


def _ints(values: Sequence[Any]) -> Array:
    return np.array([NO_INT if value is None else value for value in values], np.int64)


def _bools(values: Sequence[Any]) -> Array:
    return np.array([-1 if value is None else value for value in values], np.int8)


def time_of(value: int) -> datetime:
    """Return a time of a column, exactly: as a float the last moment there is would be too late."""
    return _EPOCH + value * _MICROSECOND


def _times(values: Sequence[datetime | None]) -> Array:
    return np.array(
        [NO_INT if v is None else (v - _EPOCH) // _MICROSECOND for v in values], np.int64
    )


CONVERT: Final[dict[Kind, Callable[[Sequence[Any]], Array]]] = {
    "float": _floats,
    "int": _ints,
    "bool": _bools,
    "time": _times,
}
