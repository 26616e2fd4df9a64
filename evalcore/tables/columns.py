"""Columns that grow: values go in as they are met, arrays with nothing to convert come out."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from math import isnan
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from evalcore.tables.kinds import Kind
from evalcore.tables.spool import Spool

Array = npt.NDArray[Any]

NO_INT: Final = -(2**63)
"""A missing whole number or time; a missing truth value is -1, a missing number NaN."""

GATHERED: Final = 64
"""So many small arrays are made one: each costs more than the few numbers in it."""

FEW: Final = 32
"""So many times the same value are written out: to say that it repeats takes longer."""

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
    strings: pa.Array | pa.ChunkedArray | None

    @property
    def rows(self) -> int:
        """How many rows the column has."""
        column: Any = self.strings if self.values is None else self.values
        return len(column)


class Codes(defaultdict[str | None, int]):
    """Words in the order met, each with its number; nothing is -1."""

    def __init__(self) -> None:
        super().__init__(count().__next__)  # no call of ours for each new word
        self[None] = -1
        self._strings: pa.Array | None = None

    def strings(self) -> pa.Array:
        """Return the words in their order; the same array until there is a new one."""
        words = list(self)[1:]
        if self._strings is None or len(self._strings) < len(words):
            self._strings = strings(words)
        return self._strings


class _Parts:
    """Arrays one after the other; a value that repeats, as in most columns, is kept once."""

    def __init__(self, convert: Callable[[Sequence[Any]], Array]) -> None:
        self._convert = convert
        self._arrays: list[Array] = []
        self._recent: list[Array] = []
        self._value: Any = None
        self._rows = 0

    def put(self, array: Array) -> None:
        self._settle()
        self._take(array)

    def repeat(self, value: Any, rows: int) -> None:
        if value != self._value:
            self._settle()
            self._value = value
        self._rows += rows

    def joined(self) -> Array:
        self._settle()
        self._gather()
        if len(self._arrays) != 1:
            self._arrays[:] = [np.concatenate(self._arrays) if self._arrays else self._convert([])]
        return np.ascontiguousarray(self._arrays[0])

    def _settle(self) -> None:
        if 0 < self._rows <= FEW:
            self._take(self._convert([self._value] * self._rows))
        elif self._rows:
            self._gather()
            self._arrays.append(np.broadcast_to(self._convert([self._value]), self._rows))
        self._rows = 0

    def _take(self, array: Array) -> None:
        self._recent.append(array)
        if len(self._recent) >= GATHERED:
            self._gather()

    def _gather(self) -> None:
        if self._recent:
            self._arrays.append(np.concatenate(self._recent))
            self._recent.clear()


class CodeColumn:
    """Short strings that repeat, kept as numbers in as few bytes as they need."""

    def __init__(self, codes: Codes | None = None) -> None:
        """Begin with words of its own, or with those that columns of other tables share."""
        self.codes = Codes() if codes is None else codes
        self._parts = _Parts(self._coded)

    def extend(self, values: Sequence[str | None]) -> None:
        """Append strings, None where there is none."""
        if _same(values):
            self.repeat(values[0], len(values))
        else:
            self.put(self._coded(values))

    def repeat(self, value: str | None, rows: int) -> None:
        """Append one value several times."""
        _ = self.codes[value]  # words are numbered in the order met
        self._parts.repeat(value, rows)

    def put(self, codes: Array) -> None:
        """Append codes that `self.codes` gave."""
        self._parts.put(_narrow(codes, len(self.codes)))

    def append(self, column: Laid) -> None:
        """Append the rows of a finished column."""
        if column.values is not None and column.strings is not None:
            words = column.strings.to_pylist()
            codes = self._coded([*words, None])  # the last is the place of code -1
            self.put(codes[column.values])

    def lay(self) -> Laid:
        """Return the column as it is now."""
        values = _narrow(self._parts.joined(), len(self.codes))
        return Laid("code", values, self.codes.strings())

    def _coded(self, values: Sequence[str | None]) -> Array:
        return np.fromiter(map(self.codes.__getitem__, values), np.int32, len(values))


class NumberColumn:
    """Numbers, truth values or times, None where there is none."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self._convert = _CONVERT[kind]
        self._parts = _Parts(self._convert)

    def extend(self, values: Sequence[Any]) -> None:
        """Append values, None where there is none."""
        if _same(values):
            self.repeat(values[0], len(values))
        else:
            self.put(self._convert(values))

    def repeat(self, value: Any, rows: int) -> None:
        """Append one value several times."""
        self._parts.repeat(value, rows)

    def put(self, values: Array) -> None:
        """Append numbers, missing ones as the column's dtype writes them; narrower ones may do."""
        self._parts.put(values)

    def append(self, column: Laid) -> None:
        """Append the rows of a finished column."""
        if column.values is not None:
            self.put(column.values)

    def lay(self) -> Laid:
        """Return the column as it is now."""
        return Laid(self.kind, self._parts.joined().astype(DTYPES[self.kind], copy=False), None)


class StringColumn:
    """Names and texts, None where there is none."""

    def __init__(self, kind: Kind, spool: Spool) -> None:
        self.kind = kind
        self.spool = spool
        self._lengths = _Parts(_lengths)

    def extend(self, values: Sequence[str | None]) -> None:
        """Append strings, None where there is none."""
        if values[0] is None and _same(values):
            self._lengths.repeat(-1, len(values))
            return
        encoded = [None if value is None else value.encode() for value in values]
        self.spool.write(b"".join(filter(None, encoded)))
        self._lengths.put(_lengths([-1 if value is None else len(value) for value in encoded]))

    def repeat(self, value: str | None, rows: int) -> None:
        """Append one value several times."""
        self.extend([value] * rows)

    def append(self, column: Laid) -> None:
        """Append the rows of a finished column."""
        if isinstance(column.strings, pa.Array) and len(column.strings):
            _, offsets, data = column.strings.buffers()
            lengths = np.diff(np.frombuffer(offsets, np.int64)[: len(column.strings) + 1])
            missing = column.strings.is_null().to_numpy(zero_copy_only=False)
            self.spool.write(memoryview(data) if data is not None else b"")
            self._lengths.put(np.where(missing, -1, lengths).astype(np.int32))

    def lay(self) -> Laid:
        """Return the column as it is now."""
        return Laid(self.kind, None, _strings(self._lengths.joined(), self.spool.buffer()))


Column = CodeColumn | NumberColumn | StringColumn


def to_list(column: Laid) -> list[Any]:
    """Return the values of a column of strings, None where there is none."""
    words: list[Any] = [] if column.strings is None else column.strings.to_pylist()
    if column.values is None:
        return words
    words.append(None)  # the place of code -1
    return [words[code] for code in column.values.tolist()]


def picked(column: Laid, rows: Sequence[int]) -> list[Any]:
    """Return the values of some rows, None where there is none; times as microseconds."""
    if column.values is None:
        words: Any = column.strings
        return [words[row].as_py() for row in rows]
    found = column.values[list(rows)].tolist()
    if column.kind == "code":
        words = column.strings
        return [None if code < 0 else words[code].as_py() for code in found]
    return plain(column.kind, found)


def plain(kind: Kind, values: list[Any]) -> list[Any]:
    """Return numbers, truth values or times of a column, None where one is missing."""
    if kind == "float":
        return [None if isnan(value) else value for value in values]
    if kind == "bool":
        return [None if value < 0 else value > 0 for value in values]
    return [None if value == NO_INT else value for value in values]


def strings(values: Sequence[str | None]) -> pa.Array:
    """Return strings as one Arrow array."""
    # Arrow would import pandas to look at a list.
    encoded = [None if value is None else value.encode() for value in values]
    lengths = _lengths([-1 if value is None else len(value) for value in encoded])
    return _strings(lengths, pa.py_buffer(b"".join(filter(None, encoded))))


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


def _narrow(codes: Array, words: int) -> Array:
    """Keep codes in the fewest bytes; a column of ten words needs one byte a row."""
    dtype = np.int8 if words < 128 else np.int16 if words < 32_768 else np.int32
    return codes if codes.dtype == dtype else codes.astype(dtype)


def _lengths(values: Sequence[int]) -> Array:
    """Return lengths in bytes; -1 is that of a missing string."""
    return np.array(values, np.int32)


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
