"""Gather rows table by table in narrow columns, so that a huge workspace stays small in memory."""

import math
from array import array
from datetime import datetime
from operator import itemgetter
from typing import Any

import pyarrow as pa

from evalcore.tables.rows import TABLES, Kind, Row, columns

CHUNK = 4096
_NAN = math.nan
_NO_INT = -(2**63)


class Codes(dict[str | None, int]):
    """Words in the order met, each with its number; nothing is -1."""

    def __missing__(self, word: str | None) -> int:
        code = -1 if word is None else len(self)
        if word is not None:
            self[word] = code
        return code


class Column:
    """One column that grows; `values` is an array of numbers or codes, or a list of strings or chunks."""

    __slots__ = ("codes", "kind", "values")

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.codes = Codes()
        self.values: Any = [] if kind in ("str", "text") else array(_TYPES[kind])

    def extend(self, values: tuple[Any, ...]) -> None:
        """Append values, None where there is none."""
        if self.kind == "code":
            self.values.extend(map(self.codes.__getitem__, values))
        elif self.kind == "str":
            self.values.extend(values)
        elif self.kind == "text":
            self.values.append(pa.array(values, pa.large_string()))
        else:
            missing = _EMPTY[self.kind]
            convert = _CONVERT.get(self.kind)
            self.values.extend(
                [missing if v is None else (convert(v) if convert else v) for v in values]
            )


_TYPES = {"code": "i", "float": "d", "int": "q", "bool": "b", "time": "q"}
_EMPTY: dict[str, float | int] = {"float": _NAN, "int": _NO_INT, "bool": -1, "time": _NO_INT}
_CONVERT = {"time": lambda value: _microseconds(value)}


def _microseconds(value: datetime) -> int:
    return int(value.timestamp() * 1_000_000)


class TableBuilder:
    """Takes the rows of one table and keeps them as columns."""

    def __init__(self, row_type: type[Row]) -> None:
        self.columns = {name: Column(kind) for name, kind in columns(row_type).items()}
        self._rows: list[Row] = []
        self._flushed = 0

    def __len__(self) -> int:
        return self._flushed + len(self._rows)

    def add(self, row: Any) -> None:
        """Take one row."""
        self._rows.append(row)
        if len(self._rows) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        """Move the rows gathered so far into the columns."""
        if not self._rows:
            return
        for index, column in enumerate(self.columns.values()):
            column.extend(tuple(map(itemgetter(index), self._rows)))
        self._flushed += len(self._rows)
        self._rows.clear()


class Rows:
    """Takes the rows of all tables: `rows.add(row)` finds the table by the row's type."""

    def __init__(self) -> None:
        self.tables = {name: TableBuilder(row_type) for name, row_type in TABLES.items()}
        self._by_type = {row_type: self.tables[name] for name, row_type in TABLES.items()}

    def add(self, row: Row) -> None:
        """Take one row of any table."""
        self._by_type[type(row)].add(row)
