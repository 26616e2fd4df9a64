"""The tables of one snapshot, each created on first use."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from evalcore.errors import UnknownName
from evalcore.tables.builder import empty
from evalcore.tables.columns import FinishedColumn
from evalcore.tables.rows import ALL_TABLES, TABLES

# pandas takes two seconds to import, and not everyone who opens a folder looks at a frame.
if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

ColumnTables = Mapping[str, Mapping[str, FinishedColumn]]


class Tables:
    """The tables of one snapshot: `tables.runs` is a data frame, created on first use.

    `names` lists them; docs/tables.md says what each column means. A frame is the caller's own:
    what is changed in it reaches nobody else.
    """

    def __init__(self, columns: ColumnTables) -> None:
        self._workspace: Any = None
        self._columns = columns
        self._frames: dict[str, pd.DataFrame] = {}
        self._texts: dict[str, pa.Table] = {}
        self._read: dict[str, Mapping[str, FinishedColumn]] = {}
        self._lock = threading.Lock()

    def of(self, workspace: object) -> Tables:
        """Return the same tables as those of an open workspace, which `counted` asks."""
        found = Tables.__new__(Tables)
        found.__dict__.update(self.__dict__, _workspace=workspace)
        return found

    def __repr__(self) -> str:
        filled = {name: n for name in TABLES if (n := self.rows(name))}
        rows = ", ".join(f"{name} {n:,}" for name, n in filled.items()) or "nothing"
        return f"<Tables with rows in {rows}>"

    def rows(self, name: str) -> int:
        """Return how many rows a table has."""
        return next(iter(self._columns[name].values())).rows

    def __getattr__(self, name: str) -> pd.DataFrame:
        if name.startswith("_"):  # asked by programs that look for methods, such as notebooks
            raise AttributeError(name)
        if name not in ALL_TABLES:
            raise UnknownName("table", name, ALL_TABLES)
        from evalcore.tables.frame import empty_frame, to_frame  # noqa: PLC0415

        with self._lock:
            if name not in self._frames:
                columns = self._columns_of(name)
                has_none = columns is empty(ALL_TABLES[name])
                self._frames[name] = empty_frame(name) if has_none else to_frame(columns)
            return self._frames[name].copy(deep=False)

    def __dir__(self) -> list[str]:
        return [*ALL_TABLES, "counted", "text", "names"]

    @property
    def names(self) -> list[str]:
        """The names of all tables."""
        return list(ALL_TABLES)

    @property
    def columns(self) -> ColumnTables:
        """The columns behind the data frames."""
        return self._columns

    def _columns_of(self, name: str) -> Mapping[str, FinishedColumn]:
        """Return the columns of a table; those of the steps are read once, from all transcripts."""
        if name in TABLES:
            return self._columns[name]
        if name not in self._read:
            above: Any = import_module("evalcore.counting.run_steps")
            self._read[name] = above.columns_of_steps(self._workspace)
        return self._read[name]

    def counted(
        self, scores: Literal["recorded", "human", "human-first"] = "recorded"
    ) -> pd.DataFrame:
        """Return the judgments that rates and means are made of, by the chosen score source.

        One row for each criterion of each run: `passed`, `fraction` (the score as a share of the
        highest one, as Rubric has it) and `value` (1 passed, 0 failed, else the fraction, as
        Compare and Trends have it). The index is the position of the judgment in
        `tables.judgments`, of several people's the one nearest to their median. Superseded and
        second judgments, conventions, copies and runs that do not count are left out.
        """
        # What counts is worked out of all tables together, in a layer above them.
        above: Any = import_module("evalcore.counting.counted")
        found: pd.DataFrame = above.counted(self._workspace, scores)
        return found

    def text(self, name: str, rows: Iterable[int] | None = None) -> pd.DataFrame:
        """Return the long texts of a table at the given row positions (all when None).

        The index is the positions; a missing text is None.
        """
        import pandas as pd  # noqa: PLC0415
        import pyarrow as pa  # noqa: PLC0415

        table = self.text_columns(name)
        positions = list(range(len(table))) if rows is None else [int(row) for row in rows]
        taken = table.take(pa.array(positions, pa.int64())) if positions else table.slice(0, 0)
        return pd.DataFrame(
            {
                column: pd.Series(taken[column].to_pylist(), dtype=object, index=positions)
                for column in taken.column_names
            },
            index=positions,
        )

    def text_columns(self, name: str) -> pa.Table:
        """Return the long texts of a table as Arrow columns, for search."""
        from evalcore.tables.frame import to_texts  # noqa: PLC0415

        with self._lock:
            if name in ALL_TABLES and name not in self._texts:
                found = to_texts(self._columns_of(name))
                if found is not None:
                    self._texts[name] = found
            if name not in self._texts:
                raise UnknownName("table with long texts", name, self._texts)
            return self._texts[name]
