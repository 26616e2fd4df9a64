"""Read a few rows of large tables as typed rows, without touching the others."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.tables.rows import Row
from evalcore.workspace.opened import Workspace

R = TypeVar("R", bound=Row)
Positions = NDArray[np.intp]


def where(ws: Workspace, table: str, **wanted: str | None) -> Positions:
    """Return the positions of the rows whose code columns have the wanted words.

    Only integer codes are compared; an unknown word matches no row.
    """
    found = _reader_of(ws, table)
    chosen = np.ones(found.rows, dtype=np.bool_)
    for column, word in wanted.items():
        chosen &= found.codes[column] == found.code(column, word)
    return np.flatnonzero(chosen)


def has(ws: Workspace, table: str, column: str, word: str | None) -> bool:
    """Return whether any row of a table has this word in a code column."""
    found = _reader_of(ws, table)
    code = found.code(column, word)  # tables may share words, so a code alone proves nothing
    return code >= 0 and bool((found.codes[column] == code).any())


def typed(ws: Workspace, table: str, row_type: type[R], positions: Iterable[int]) -> list[R]:
    """Return the rows at these positions; missing values are None."""
    found = _reader_of(ws, table)
    cells = [found.cell(name) for name in row_type._fields]
    return [row_type(*(cell(int(row)) for cell in cells)) for row in positions]


class _TableReader:
    """Cheap access to single cells of one table."""

    def __init__(self, ws: Workspace, table: str) -> None:
        self.frame: pd.DataFrame = getattr(ws.tables, table)
        self.rows = len(self.frame)
        self.texts = ws.tables.text_columns(table) if table == "judgments" else None
        self._cells: dict[str, Callable[[int], Any]] = {}

    @cached_property
    def codes(self) -> dict[str, NDArray[Any]]:
        """The codes of each code column."""
        return {name: values.codes for name, values in self._categories.items()}

    @cached_property
    def words(self) -> dict[str, pa.ChunkedArray]:
        """The words that the codes of each code column stand for."""
        return {name: _arrow(v.categories.array) for name, v in self._categories.items()}

    @cached_property
    def _categories(self) -> dict[str, Any]:
        return {
            str(name): self.frame[name].array
            for name in self.frame
            if isinstance(self.frame[name].dtype, pd.CategoricalDtype)
        }

    def code(self, column: str, word: str | None) -> int:
        """Return the code of a word; -2, which no row has, if it is unknown."""
        if word is None:
            return -1
        at: int = pc.index(self.words[column], word).as_py()
        return at if at >= 0 else -2

    def cell(self, column: str) -> Callable[[int], Any]:
        """Return a function that reads one cell of a column as a plain value."""
        if column not in self._cells:
            self._cells[column] = self._reader(column)
        return self._cells[column]

    def _reader(self, column: str) -> Callable[[int], Any]:
        if column in self.codes:
            codes, words = self.codes[column], self.words[column]
            return lambda row: words[int(codes[row])].as_py() if codes[row] >= 0 else None
        if column not in self.frame:
            return _scalar(self.texts[column]) if self.texts is not None else lambda _: None
        values: Any = self.frame[column].array
        if isinstance(values.dtype, pd.StringDtype):
            return _scalar(_arrow(values))
        missing = values.isna()
        return lambda row: None if missing[row] else _plain(values[row])


def _scalar(values: pa.ChunkedArray) -> Callable[[int], Any]:
    return lambda row: values[row].as_py()


def _arrow(values: Any) -> pa.ChunkedArray:
    whole = pa.array(values, pa.large_string())
    return whole if isinstance(whole, pa.ChunkedArray) else pa.chunked_array([whole])


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


_READERS: WeakKeyDictionary[Workspace, dict[str, _TableReader]] = WeakKeyDictionary()


def _reader_of(ws: Workspace, table: str) -> _TableReader:
    tables = _READERS.setdefault(ws, {})
    if table not in tables:
        tables[table] = _TableReader(ws, table)
    return tables[table]
