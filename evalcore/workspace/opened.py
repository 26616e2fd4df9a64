"""Open a folder: an immutable snapshot of everything that its documents say."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

from evalcore.disk.listing import Listing, ordered, walk
from evalcore.disk.reader import MISSING, Reader, inside, parse, read_bytes
from evalcore.errors import PathOutside, UnknownName
from evalcore.problems import Problem
from evalcore.tables.builder import Rows
from evalcore.tables.frame import laid, to_frame, to_texts
from evalcore.tables.rows import TABLES
from evalcore.tables.spool import SpoolFailed
from evalcore.workspace import index
from evalcore.workspace.read import read_all

CHECK_SECONDS = 2.0


class Tables:
    """The tables of one snapshot, each a data frame that is made when first asked for.

    Their names are those of `tables.rows.TABLES`. Nothing may be written into them.
    """

    def __init__(
        self, frames: Callable[[str], pd.DataFrame], long_texts: Mapping[str, pa.Table]
    ) -> None:
        self._make = frames
        self._frames: dict[str, pd.DataFrame] = {}
        self._texts = long_texts
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> pd.DataFrame:
        if name not in TABLES:
            raise UnknownName("table", name, TABLES)
        with self._lock:
            if name not in self._frames:
                self._frames[name] = self._make(name)
            return self._frames[name]

    def __dir__(self) -> list[str]:
        return [*TABLES, "text", "names"]

    @property
    def names(self) -> list[str]:
        """The names of all tables."""
        return list(TABLES)

    def text(self, name: str, rows: Iterable[int] | None = None) -> pd.DataFrame:
        """Return the long texts of a table at the given row positions (all when None).

        The index is the positions; a missing text is None.
        """
        if name not in self._texts:
            raise UnknownName("table with long texts", name, self._texts)
        table = self._texts[name]
        positions = list(range(len(table))) if rows is None else [int(row) for row in rows]
        taken = table.take(pa.array(positions, pa.int64())) if positions else table.slice(0, 0)
        return pd.DataFrame(
            {column: pd.Series(taken[column].to_pylist(), dtype=object, index=positions)
             for column in taken.column_names}, index=positions,
        )  # fmt: skip

    def text_columns(self, name: str) -> pa.Table:
        """Return the long texts of a table as Arrow columns, for search."""
        return self._texts[name]


class Opened(NamedTuple):
    """What an opening found."""

    tables: Tables
    unrecognised: list[str]
    manifest: index.Manifest
    from_index: bool


class Workspace:
    """A folder of evaluations as it was when it was opened; nothing in it changes."""

    def __init__(self, root: Path, opened: Opened) -> None:
        self.root = root
        self.tables = opened.tables
        self.unrecognised = opened.unrecognised
        self.fingerprint = opened.manifest.fingerprint
        self.from_index = opened.from_index
        self._manifest = opened.manifest
        self._checked = time.monotonic()
        self._stale = False

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.root.name or str(self.root)

    @cached_property
    def problems(self) -> list[Problem]:
        """Every problem found while opening, as values."""
        rows = self.tables.problems.astype(object)
        return [Problem(*row) for row in rows.where(rows.notna(), None).itertuples(index=False)]

    def raw(self, source: str, pointer: str = "") -> Any:
        """Return the JSON value at a pointer of a file of this workspace, as it is now.

        Raises:
            UnknownName: the file or the place in it is gone.
        """
        value = _load(self.root, source)
        for part in pointer.split("/")[1:] if pointer else []:
            key = part.replace("~1", "/").replace("~0", "~")
            try:
                value = value[_position(key)] if isinstance(value, list) else value[key]
            except (KeyError, IndexError, ValueError, TypeError) as error:
                raise UnknownName("place", f"{source}#{pointer}", []) from error
        return value

    def changed(self) -> bool:
        """Say whether any file changed since opening; looks at most every two seconds."""
        if not self._stale and time.monotonic() - self._checked >= CHECK_SECONDS:
            self._checked = time.monotonic()
            extras = index.extras_now(self.root, self._manifest)
            now = index.manifest_of(walk(self.root), extras, 0)
            self._stale = not index.same(now, self._manifest)
        return self._stale


def open_workspace(path: str | Path, *, cache: bool = True) -> Workspace:
    """Open a folder of evaluations; changes no byte of it.

    With `cache`, an index outside the folder makes the next open quick.

    Raises:
        WorkspaceNotFound: `path` is not a folder.
    """
    root = Path(path).expanduser().absolute()
    started = time.time_ns()
    listing = walk(root)
    stored = index.load(listing) if cache else None
    if stored is not None:
        return Workspace(root, _opened(stored.tables, stored.unrecognised, stored.manifest, True))
    fresh = index.begin(root) if cache else None
    try:
        return Workspace(root, _read(listing, started, fresh))
    except SpoolFailed:  # a full disk, most likely: the next open reads the files again
        return Workspace(root, _read(listing, started, None))
    finally:
        if fresh is not None:
            index.drop(fresh)


def _read(listing: Listing, started: int, fresh: Path | None) -> Opened:
    """Read all files; what does not fit into little memory is kept in `fresh`, the index to be."""
    reader, rows = Reader(ordered(listing)), Rows(fresh)
    lost = read_all(reader, rows)
    extras = {path: index.extra_stat(listing.root, path) for path in reader.extras}
    manifest = index.manifest_of(listing, extras, started)
    if fresh is None:
        tables: index.LaidTables = {name: laid(table) for name, table in rows.tables.items()}
    else:
        tables = index.save(fresh, listing.root, manifest, rows, lost)
    return _opened(tables, lost, manifest, False)


def _opened(
    tables: index.LaidTables, unrecognised: list[str], manifest: index.Manifest, from_index: bool
) -> Opened:
    found = {name: to_texts(columns) for name, columns in tables.items()}
    long_texts = {name: table for name, table in found.items() if table is not None}
    shown = Tables(lambda name: to_frame(tables[name]), long_texts)
    return Opened(shown, unrecognised, manifest, from_index)


def _load(root: Path, source: str) -> Any:
    try:
        data = read_bytes(str(inside(root, source)))
    except (OSError, ValueError, PathOutside) as error:
        raise UnknownName("file", source, []) from error
    value = parse(data, source.endswith(".jsonl"))
    if value is MISSING:
        raise UnknownName("readable document", source, [])
    return value


def _position(key: str) -> int:
    """Return the position that a part of a pointer names; only digits do."""
    if not key.isdecimal():
        raise KeyError(key)
    return int(key)
