"""Gather rows table by table in narrow columns, so that a huge workspace stays small in memory."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from evalcore.tables.columns import Array, CodeColumn, Column, NumberColumn, StringColumn
from evalcore.tables.rows import TABLES, Kind, Row, columns
from evalcore.tables.spool import Spool

CHUNK = 4096


class Same(NamedTuple):
    """One value for all rows."""

    value: Any


MISSING = Same(None)

Values = Array | list[Any] | tuple[Any, ...] | Same


class TableBuilder:
    """Takes the rows of one table and keeps them as columns."""

    def __init__(self, row_type: type[Row], spill: Path | None = None) -> None:
        """Begin a table; with `spill`, long columns of strings go to files of that name."""
        self.columns = {
            name: _column(name, kind, spill) for name, kind in columns(row_type).items()
        }
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
        for column, values in zip(
            self.columns.values(), zip(*self._rows, strict=True), strict=True
        ):
            column.extend(values)
        self._flushed += len(self._rows)
        self._rows.clear()

    def extend(self, rows: int, values: Mapping[str, Values]) -> None:
        """Take many rows at once, by column.

        A column is given as values like those of `add`, as an array that is ready for it (codes,
        or numbers with missing ones as its dtype writes them), or as one value for all rows; what
        is not given is missing.
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


class Partial:
    """Takes rows of one table that differ in few columns, as tuples of those alone."""

    def __init__(
        self, table: TableBuilder, varying: tuple[str, ...], fixed: Mapping[str, Any]
    ) -> None:
        """Begin with the columns that vary and the values of others; the rest is missing."""
        self.table = table
        self._varying = varying
        self._fixed = {name: Same(value) for name, value in fixed.items()}
        self._rows: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: tuple[Any, ...]) -> None:
        """Take the varying values of one row; they reach the table with `flush`."""
        self._rows.append(row)

    def flush(self) -> None:
        """Move the rows gathered so far into the table."""
        if self._rows:
            varying = zip(self._varying, zip(*self._rows, strict=True), strict=True)
            self.table.extend(len(self._rows), {**self._fixed, **dict(varying)})
            self._rows.clear()


class Rows:
    """Takes the rows of all tables: `rows.add(row)` finds the table by the row's type."""

    def __init__(self, spill: Path | None = None) -> None:
        """Begin all tables; with `spill`, long columns of strings go to files in that folder."""
        self.tables = {
            name: TableBuilder(row_type, spill / name if spill else None)
            for name, row_type in TABLES.items()
        }
        self._by_type = {row_type: self.tables[name] for name, row_type in TABLES.items()}

    def add(self, row: Row) -> None:
        """Take one row of any table."""
        self._by_type[type(row)].add(row)


def _column(name: str, kind: Kind, spill: Path | None) -> Column:
    if kind == "code":
        return CodeColumn()
    if kind in ("str", "text"):
        return StringColumn(kind, Spool(spill.with_name(f"{spill.name}.{name}") if spill else None))
    return NumberColumn(kind)
