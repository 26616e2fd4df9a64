"""Store finished tables in a folder: one memory-mapped file of columns, and its directory."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa

from evalcore.tables.arrays import DTYPES, Array
from evalcore.tables.builder import Rows, empty
from evalcore.tables.columns import FinishedColumn, StringColumn
from evalcore.tables.rows import TABLES, columns
from evalcore.tables.spool import mapped

COLUMNS = "columns"
ALIGNED = 64


class Piece(NamedTuple):
    """The position of a column's buffer: offset and size in `file` (`""`: the file of columns)."""

    start: int
    size: int
    dtype: str
    file: str = ""


_Shared = dict[tuple[Piece, ...], pa.Array]
"""Strings by where they lie: several columns may have the same words."""

Directory = dict[str, dict[str, list[list[Any]]]]
"""Table to column to its pieces: values, then offsets, validity and data of strings.

A table without rows has no columns here.
"""


class _Writer:
    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.at = 0
        self._words: dict[int, tuple[pa.Array, list[Piece]]] = {}

    def words(self, words: pa.Array) -> list[Piece]:
        """Write the words of a column; shared words are written once."""
        held = self._words.get(id(words))
        if held is None:
            held = self._words[id(words)] = words, _strings(self, words, None)
        return held[1]

    def put(self, data: Any, dtype: str) -> Piece:
        """Write one buffer at an aligned offset."""
        view = memoryview(data).cast("B")
        if not view:
            return Piece(self.at, 0, dtype)
        padding = -self.at % ALIGNED
        self.file.write(b"\0" * padding)
        self.file.write(view)
        start = self.at + padding
        self.at = start + len(view)
        return Piece(start, len(view), dtype)


def write(folder: Path, rows: Rows) -> Directory:
    """Write all tables below `folder` and return the directory; the rows are consumed.

    Raises:
        OSError: something cannot be written.
    """
    directory: Directory = {}
    with (folder / COLUMNS).open("xb") as file:
        writer = _Writer(file)
        rows.flush()
        for name, builder in rows.tables.items():
            directory[name] = {}
            for column in list(builder.columns) if len(builder) else ():
                taken = builder.columns.pop(column)
                spooled = taken.spool.file if isinstance(taken, StringColumn) else None
                pieces = _put(writer, taken.finished(), spooled)
                directory[name][column] = [list(piece) for piece in pieces]
    return directory


def _put(writer: _Writer, column: FinishedColumn, spooled: Path | None) -> Iterable[Piece]:
    pieces = []
    if column.values is not None:
        pieces.append(writer.put(column.values, column.values.dtype.str))
    if column.strings is not None and column.kind == "code":
        pieces += writer.words(column.strings)
    elif column.strings is not None:
        pieces += _strings(writer, column.strings, spooled)
    return pieces


def _strings(writer: _Writer, strings: pa.Array, spooled: Path | None) -> list[Piece]:
    validity, offsets, data = strings.buffers()
    wide = np.frombuffer(offsets, np.int64)[: len(strings) + 1]
    pieces = [
        writer.put(wide, "offsets"),
        writer.put(validity if validity is not None else b"", "validity"),
    ]
    if spooled is not None:
        return [*pieces, Piece(0, data.size, "data", spooled.name)]
    return [*pieces, writer.put(data if data is not None else b"", "data")]


def read(folder: int, directory: Directory) -> dict[str, dict[str, FinishedColumn]]:
    """Return the tables that `write` stored in an open folder.

    Raises:
        OSError: a file is missing.
        ValueError: the content does not match the directory.
        KeyError: a table or a column is missing.
    """
    files = {"": mapped(Path(COLUMNS), folder)}
    columns_of = (pieces for table in directory.values() for pieces in table.values())
    for name in {piece[-1] for pieces in columns_of for piece in pieces} - files.keys():
        files[name] = mapped(Path(Path(name).name), folder)
    shared: _Shared = {}
    return {
        name: _table(name, directory[name], files, shared)
        if directory[name]
        else empty(TABLES[name])
        for name in TABLES
    }


def _table(
    name: str,
    directory: Mapping[str, list[list[Any]]],
    files: Mapping[str, pa.Buffer],
    shared: _Shared,
) -> dict[str, FinishedColumn]:
    found = {
        column: _read_column(
            kind, [Piece._make(piece) for piece in directory[column]], files, shared
        )
        for column, kind in columns(TABLES[name]).items()
    }
    if len({column.rows for column in found.values()}) != 1:
        raise ValueError("the columns of a table have different lengths")
    return found


def _read_column(
    kind: Any, pieces: list[Piece], files: Mapping[str, pa.Buffer], shared: _Shared
) -> FinishedColumn:
    values: Array | None = None
    if kind not in ("str", "text"):
        first, *pieces = pieces
        values = np.frombuffer(_slice(first, files), np.dtype(first.dtype))
        if kind != "code" and values.dtype != DTYPES[kind]:
            raise ValueError("a column has another type")
    if kind not in ("str", "text", "code"):
        return FinishedColumn(kind, values, None)
    key = tuple(pieces)
    found = shared[key] if key in shared else shared.setdefault(key, _found(pieces, files))
    if kind == "code" and values is not None and values.size and values.max() >= len(found):
        raise ValueError("a code has no word")
    return FinishedColumn(kind, values, found)


def _found(pieces: list[Piece], files: Mapping[str, pa.Buffer]) -> pa.Array:
    offsets, validity, data = (_slice(piece, files) for piece in pieces)
    rows = offsets.size // 8 - 1
    ends = np.frombuffer(offsets, np.int64)
    if rows < 0 or int(ends[-1]) > data.size:
        raise ValueError("a column of strings is cut short")
    bits = validity if validity.size else None
    return pa.Array.from_buffers(pa.large_string(), rows, [bits, offsets, data])


def _slice(piece: Piece, files: Mapping[str, pa.Buffer]) -> pa.Buffer:
    whole = files[piece.file]
    if piece.start < 0 or piece.size < 0 or piece.start + piece.size > whole.size:
        raise ValueError("a file of the index is cut short")
    return whole.slice(piece.start, piece.size)
