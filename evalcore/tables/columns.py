"""Columns that grow: values go in as they are met, arrays with nothing to convert come out."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from evalcore.tables.kinds import Kind
from evalcore.tables.spool import Spool

Array = npt.NDArray[Any]

NO_INT: Final = -(2**63)
"""A missing whole number or time; a missing truth value is -1, a missing number NaN."""

DTYPES: Final = {"float": np.float64, "int": np.int64, "bool": np.int8, "time": np.int64}
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


class Laid(NamedTuple):
    """A finished column.

    `values` are numbers, or the codes of `strings` (-1 is missing) for kind `code`; kinds `str` and
    `text` have `strings` alone, one a row.
    """

    kind: Kind
    values: Array | None
    strings: pa.Array | None

    @property
    def rows(self) -> int:
        """How many rows the column has."""
        column: Any = self.strings if self.values is None else self.values
        return len(column)


class Codes(dict[str | None, int]):
    """Words in the order met, each with its number; nothing is -1."""

    def __missing__(self, word: str | None) -> int:
        code = -1 if word is None else len(self)
        if word is not None:
            self[word] = code
        return code


class CodeColumn:
    """Short strings that repeat, kept as numbers in as few bytes as they need."""

    def __init__(self) -> None:
        self.codes = Codes()
        self._parts: list[Array] = []

    def extend(self, values: Sequence[str | None]) -> None:
        """Append strings, None where there is none."""
        if _same(values):
            self.put(np.broadcast_to(np.int32(self.codes[values[0]]), len(values)))
        else:
            found = map(self.codes.__getitem__, values)
            self.put(np.fromiter(found, np.int32, len(values)))

    def put(self, codes: Array) -> None:
        """Append codes that `self.codes` gave."""
        self._parts.append(_narrow(codes, len(self.codes)))

    def lay(self) -> Laid:
        """Return the column as it is now."""
        values = _joined(self._parts, np.int8)
        return Laid("code", _narrow(values, len(self.codes)), strings(list(self.codes)))


class NumberColumn:
    """Numbers, truth values or times, None where there is none."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.dtype = DTYPES[kind]
        self._convert = _CONVERT[kind]
        self._parts: list[Array] = []

    def extend(self, values: Sequence[Any]) -> None:
        """Append values, None where there is none."""
        if _same(values):
            self.put(np.broadcast_to(self._convert(values[:1]), len(values)))
        else:
            self.put(self._convert(values))

    def put(self, values: Array) -> None:
        """Append values of the column's own dtype, missing ones as that dtype writes them."""
        self._parts.append(values)

    def lay(self) -> Laid:
        """Return the column as it is now."""
        return Laid(self.kind, _joined(self._parts, self.dtype), None)


class StringColumn:
    """Names and texts, None where there is none."""

    def __init__(self, kind: Kind, spool: Spool) -> None:
        self.kind = kind
        self.spool = spool
        self._lengths: list[Array] = []

    def extend(self, values: Sequence[str | None]) -> None:
        """Append strings, None where there is none."""
        if _same(values) and values[0] is None:
            self._lengths.append(np.broadcast_to(np.int32(-1), len(values)))
            return
        encoded = [None if value is None else value.encode() for value in values]
        lengths = [-1 if value is None else len(value) for value in encoded]
        self.put(b"".join(filter(None, encoded)), np.array(lengths, np.int32))

    def put(self, data: bytes, lengths: Array) -> None:
        """Append strings as UTF-8, one after the other; a length of -1 is a missing one."""
        self.spool.write(data)
        self._lengths.append(lengths)

    def lay(self) -> Laid:
        """Return the column as it is now."""
        lengths = _joined(self._lengths, np.int32)
        return Laid(self.kind, None, _strings(lengths, self.spool.buffer()))


Column = CodeColumn | NumberColumn | StringColumn


def strings(values: Sequence[str | None]) -> pa.Array:
    """Return strings as one Arrow array."""
    return pa.array(values, pa.large_string())


def _strings(lengths: Array, data: pa.Buffer) -> pa.Array:
    missing = lengths < 0
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(np.where(missing, 0, lengths), out=offsets[1:])
    bits = pa.py_buffer(np.packbits(~missing, bitorder="little")) if missing.any() else None
    return pa.Array.from_buffers(
        pa.large_string(), len(lengths), [bits, pa.py_buffer(offsets), data]
    )


def _same(values: Sequence[Any]) -> bool:
    """Say whether all values are one and the same, as whole columns often are."""
    first = values[0]
    return bool(values[-1] == first) and values.count(first) == len(values)


def _joined(parts: list[Array], dtype: "npt.DTypeLike") -> Array:
    if len(parts) != 1:
        parts[:] = [np.concatenate(parts) if parts else np.empty(0, dtype)]
    return np.ascontiguousarray(parts[0])


def _narrow(codes: Array, words: int) -> Array:
    """Keep codes in the fewest bytes; a column of ten words needs one byte a row."""
    dtype = np.int8 if words < 128 else np.int16 if words < 32_768 else np.int32
    return codes if codes.dtype == dtype else codes.astype(dtype)


def _floats(values: Sequence[Any]) -> Array:
    return np.array(values, np.float64)  # None becomes NaN


def _ints(values: Sequence[Any]) -> Array:
    return np.array([NO_INT if value is None else value for value in values], np.int64)


def _bools(values: Sequence[Any]) -> Array:
    return np.array([-1 if value is None else value for value in values], np.int8)


def _times(values: Sequence[datetime | None]) -> Array:
    return np.array(
        [NO_INT if v is None else (v - _EPOCH) // _MICROSECOND for v in values], np.int64
    )


_CONVERT: dict[Kind, Callable[[Sequence[Any]], Array]] = {
    "float": _floats,
    "int": _ints,
    "bool": _bools,
    "time": _times,
}
