"""Gather rows of one table that share most of their values, and add them by column."""

from collections.abc import Sequence
from typing import Any

from evalcore.tables.builder import Same, TableBuilder


class Gathered:
    """Rows of one table with some columns in common; they reach the table at `flush`.

    Far less work for each row than `TableBuilder.add`: for what comes in hundred thousands.
    """

    def __init__(self, table: TableBuilder, names: Sequence[str], **same: Any) -> None:
        """Begin with the names of the columns that `add` is given, and the values of others."""
        self._table = table
        self._names = names
        self._same = {name: Same(value) for name, value in same.items()}
        self._rows: list[tuple[Any, ...]] = []
        self.add = self._rows.append
        """Take one row: a tuple of the values of the columns named, in that order."""

    def flush(self) -> None:
        """Add the rows taken so far to the table."""
        if self._rows:
            columns = dict(zip(self._names, zip(*self._rows, strict=True), strict=True))
            self._table.extend(len(self._rows), {**columns, **self._same})
            self._rows.clear()
