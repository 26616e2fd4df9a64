"""Collect rows table by table in compact columns, as a workspace may be huge."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from evalcore.tables.arrays import Array
from evalcore.tables.columns import (
    CodeColumn,
    Codes,
    Column,
    FinishedColumn,
    NumberColumn,
    StringColumn,
)
from evalcore.tables.rows import TABLES, Kind, Row, columns
from evalcore.tables.spool import Spool

CHUNK = 4096
SHARED = ("run_id", "source")
_EMPTY: dict[str, dict[str, FinishedColumn]] = {}


class Same(NamedTuple):
    """One value for all rows."""

    value: Any


MISSING = Same(None)

Values = Array | list[Any] | tuple[Any, ...] | Same


class TableBuilder:
    """Collects the rows of one table as columns."""

    def __init__(
        self,
        row_type: type[Row],
        spill: Path | None = None,
        shared: Mapping[str, Codes] = MappingProxyType({}),
    ) -> None:
        """Begin a table; with `spill`, long columns of strings go to files of that name.

        `shared` holds the words of columns that other tables have too, by the column's name.
        """
        self._row_type = row_type
        self._spill = spill
        self._shared = shared
        self._rows: list[Row] = []
        self._flushed = 0

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The columns by name, created on first use, as most tables of a workspace are empty."""
        kinds = columns(self._row_type)
        return {
            name: _column(name, kind, self._spill, self._shared) for name, kind in kinds.items()
        }

    def __len__(self) -> int:
        return self._flushed + len(self._rows)

    def add(self, row: Any) -> None:
        """Add one row."""
        self._rows.append(row)
        if len(self._rows) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        """Move the rows gathered so far into the columns."""
        if not self._rows:
            return
        for column, values in zip(
            self.columns.values(), zip(*self._rows, strict=True), strict=True
        ):
            column.extend(values)
        self._flushed += len(self._rows)
        self._rows.clear()

    def column(self, name: str) -> FinishedColumn:
        """Return the current content of a column; rows may be added afterwards."""
        self.flush()
        return self.columns[name].finished()

    def finished(self) -> dict[str, FinishedColumn]:
        """Return the finished columns, in order; no row may be added afterwards."""
        self.flush()
        if not self._flushed:
            return empty(self._row_type)
        return {name: column.finished() for name, column in self.columns.items()}

    def extend(self, rows: int, values: Mapping[str, Values]) -> None:
        """Add many rows at once, by column.

        A column is given as values like those of `add`, as an array in its storage form (codes, or
        numbers with its marker for missing ones), or as one value for all rows; columns not given
        are missing.
        """
        self.flush()
        for name, column in self.columns.items():
            value = values.get(name, MISSING)
            if isinstance(value, Same):
                column.repeat(value.value, rows)
            elif isinstance(value, (list, tuple)):
                column.extend(value)
            elif not isinstance(column, StringColumn):
                column.put(value)
        self._flushed += rows

    def append(self, table: Mapping[str, FinishedColumn]) -> None:
        """Add the rows of a finished table."""
        self.flush()
        for name, column in self.columns.items():
            column.append(table[name])
        self._flushed += next(iter(table.values())).rows


class Rows:
    """Collects the rows of all tables: `rows.add(row)` finds the table by the row's type."""

    def __init__(self, spill: Path | None = None) -> None:
        """Begin all tables; with `spill`, long columns of strings go to files in that folder."""
        # Thousands of runs and files are named in most tables: each name is kept once.
        shared = {name: Codes() for name in SHARED}
        self.tables = {
            name: TableBuilder(row_type, spill / name if spill else None, shared)
            for name, row_type in TABLES.items()
        }
        self._by_type = {row_type: self.tables[name] for name, row_type in TABLES.items()}

    def add(self, row: Row) -> None:
        """Add one row of any table."""
        self._by_type[type(row)].add(row)

    def flush(self) -> None:
        """Move the rows gathered so far into the columns, so that all shared words are known."""
        for table in self.tables.values():
            table.flush()

    def finished(self) -> dict[str, dict[str, FinishedColumn]]:
        """Return the finished columns of all tables; no row may be added afterwards."""
        self.flush()
        return {name: table.finished() for name, table in self.tables.items()}


def empty(row_type: type[Row]) -> dict[str, FinishedColumn]:
    """Return the finished columns of a table without rows."""
    if row_type.__name__ not in _EMPTY:
        _EMPTY[row_type.__name__] = {
            name: _column(name, kind, None, {}).finished()
            for name, kind in columns(row_type).items()
        }
    return _EMPTY[row_type.__name__]


def _column(name: str, kind: Kind, spill: Path | None, shared: Mapping[str, Codes]) -> Column:
    if kind == "code":
        return CodeColumn(shared.get(name))
    if kind in ("str", "text"):
        return StringColumn(kind, Spool(spill.with_name(f"{spill.name}.{name}") if spill else None))
    return NumberColumn(kind)
