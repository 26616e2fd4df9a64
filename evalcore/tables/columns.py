"""Growing columns: values are appended, arrays without conversion come out."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count
from math import isnan
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from evalcore.tables.arrays import (
    CONVERT,
    DTYPES,
    NO_INT,
    Array,
    encoded,
    lengths_array,
    narrow,
    string_array,
    strings,
)
from evalcore.tables.kinds import Kind
from evalcore.tables.spool import Spool

GATHERED: Final = 64
"""Number of small arrays that are joined into one, as each has an overhead."""

FEW: Final = 32
"""A value repeated at most this often is written out, which is faster than a repetition."""


class FinishedColumn(NamedTuple):
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
    """Words in order of first use, each with its code; None is -1."""

    def __init__(self) -> None:
        super().__init__(count().__next__)  # no call of ours for each new word
        self[None] = -1
        self._strings: pa.Array | None = None

    def strings(self) -> pa.Array:
        """Return the words in order; the same array until there is a new word."""
        words = list(self)[1:]
        if self._strings is None or len(self._strings) < len(words):
            self._strings = strings(words)
        return self._strings


class _Parts:
    """Consecutive arrays; a repeated value, as in most columns, is stored once."""

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
    """Short repeating strings, stored as codes of minimal width."""

    def __init__(self, codes: Codes | None = None) -> None:
        """Start with own words, or with words shared by columns of other tables."""
        self.codes = Codes() if codes is None else codes
        self._parts = _Parts(self._coded)

    def extend(self, values: Sequence[str | None]) -> None:
        """Append strings, None if missing."""
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
        self._parts.put(narrow(codes, len(self.codes)))

    def append(self, column: FinishedColumn) -> None:
        """Append the rows of a finished column."""
        if column.values is not None and column.strings is not None:
            words = column.strings.to_pylist()
            codes = self._coded([*words, None])  # the last is the place of code -1
            self.put(codes[column.values])

    def finished(self) -> FinishedColumn:
        """Return the current content as a finished column."""
        values = narrow(self._parts.joined(), len(self.codes))
        return FinishedColumn("code", values, self.codes.strings())

    def _coded(self, values: Sequence[str | None]) -> Array:
        return np.fromiter(map(self.codes.__getitem__, values), np.int32, len(values))


class NumberColumn:
    """Numbers, booleans or times, None if missing."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self._convert = CONVERT[kind]
        self._parts = _Parts(self._convert)

    def extend(self, values: Sequence[Any]) -> None:
        """Append values, None if missing."""
        if _same(values):
            self.repeat(values[0], len(values))
        else:
            self.put(self._convert(values))

    def repeat(self, value: Any, rows: int) -> None:
        """Append one value several times."""
        self._parts.repeat(value, rows)

    def put(self, values: Array) -> None:
        """Append numbers in the storage form of the column, or in a narrower type."""
        self._parts.put(values)

    def append(self, column: FinishedColumn) -> None:
        """Append the rows of a finished column."""
        if column.values is not None:
            self.put(column.values)

    def finished(self) -> FinishedColumn:
        """Return the current content as a finished column."""
        return FinishedColumn(
            self.kind, self._parts.joined().astype(DTYPES[self.kind], copy=False), None
        )


class StringColumn:
    """Names and texts, None if missing."""

    def __init__(self, kind: Kind, spool: Spool) -> None:
        self.kind = kind
        self.spool = spool
        self._lengths = _Parts(lengths_array)

    def extend(self, values: Sequence[str | None]) -> None:
        """Append strings, None if missing."""
        if values[0] is None and _same(values):
            self._lengths.repeat(-1, len(values))
            return
        lengths, data = encoded(values)
        self.spool.write(data)
        self._lengths.put(lengths)

    def repeat(self, value: str | None, rows: int) -> None:
        """Append one value several times."""
        self.extend([value] * rows)

    def append(self, column: FinishedColumn) -> None:
        """Append the rows of a finished column."""
        if isinstance(column.strings, pa.Array) and len(column.strings):
            _, offsets, data = column.strings.buffers()
            lengths = np.diff(np.frombuffer(offsets, np.int64)[: len(column.strings) + 1])
            missing = column.strings.is_null().to_numpy(zero_copy_only=False)
            self.spool.write(memoryview(data) if data is not None else b"")
            self._lengths.put(np.where(missing, -1, lengths).astype(np.int32))

    def finished(self) -> FinishedColumn:
        """Return the current content as a finished column."""
        return FinishedColumn(
            self.kind, None, string_array(self._lengths.joined(), self.spool.buffer())
        )


Column = CodeColumn | NumberColumn | StringColumn


def to_list(column: FinishedColumn) -> list[Any]:
    """Return the values of a column of strings, None if missing."""
    words: list[Any] = [] if column.strings is None else column.strings.to_pylist()
    if column.values is None:
        return words
    words.append(None)  # the place of code -1
    return [words[code] for code in column.values.tolist()]


def picked(column: FinishedColumn, rows: Sequence[int]) -> list[Any]:
    """Return the values of some rows, None if missing; times as microseconds."""
    if column.values is None:
        words: Any = column.strings
        return [words[row].as_py() for row in rows]
    found = column.values[list(rows)].tolist()
    if column.kind == "code":
        words = column.strings
        return [None if code < 0 else words[code].as_py() for code in found]
    return plain(column.kind, found)


def plain(kind: Kind, values: list[Any]) -> list[Any]:
    """Return numbers, booleans or times of a column, None for missing ones."""
    if kind == "float":
        return [None if isnan(value) else value for value in values]
    if kind == "bool":
        return [None if value < 0 else value > 0 for value in values]
    return [None if value == NO_INT else value for value in values]


def _same(values: Sequence[Any]) -> bool:
    """Return whether all values are equal, as in many columns."""
    first = values[0]
    return bool(values[-1] == first) and values.count(first) == len(values)
