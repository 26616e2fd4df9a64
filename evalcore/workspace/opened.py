"""Open a folder: an immutable snapshot of everything that its documents say."""

import threading
import time
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

from evalcore.disk.listing import list_files
from evalcore.disk.reader import MISSING, Reader, inside, parse, read_bytes
from evalcore.errors import UnknownName
from evalcore.problems import Problem
from evalcore.tables.builder import Rows
from evalcore.tables.frame import frame, restored, texts
from evalcore.tables.rows import TABLES
from evalcore.workspace import index
from evalcore.workspace.read import read_all

CHECK_SECONDS = 2.0


class Tables:
    """The tables of one snapshot: each name of `tables.rows.TABLES` is a data frame, made when first asked for."""

    def __init__(
        self, frames: Callable[[str], pd.DataFrame], long_texts: dict[str, pa.Table]
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
        if rows is None:
            return table.to_pandas()
        positions = [int(row) for row in rows]
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
        found = self.tables.problems
        return [Problem(*(None if pd.isna(v) else v for v in row))
                for row in found.itertuples(index=False, name=None)]  # fmt: skip

    def raw(self, source: str, pointer: str = "") -> Any:
        """Return the JSON value at a pointer of a file of this workspace, as it is now.

        Raises:
            UnknownName: the file or the place in it is gone.
        """
        value = _load(self.root, source)
        for part in pointer.split("/")[1:] if pointer else []:
            key = part.replace("~1", "/").replace("~0", "~")
            try:
                value = value[int(key)] if isinstance(value, list) else value[key]
            except (KeyError, IndexError, ValueError, TypeError) as error:
                raise UnknownName("place", f"{source}#{pointer}", []) from error
        return value

    def changed(self) -> bool:
        """Say whether any file changed since opening; looks at most every two seconds."""
        if not self._stale and time.monotonic() - self._checked >= CHECK_SECONDS:
            self._checked = time.monotonic()
            listing = list_files(self.root)
            now = index.manifest_of(listing, {}, 0)
            self._stale = (now.files, now.stats) != (self._manifest.files, self._manifest.stats)
        return self._stale


def open_workspace(path: str | Path, *, cache: bool = True) -> Workspace:
    """Open a folder of evaluations; changes no byte of it.

    With `cache`, an index outside the folder makes the next open quick.

    Raises:
        WorkspaceNotFound: `path` is not a folder.
    """
    root = Path(path).expanduser().absolute()
    listing = list_files(root)
    stored = index.load(listing) if cache else None
    if stored is not None:
        long_texts = {name.removesuffix(".text"): table
                      for name, table in stored.tables.items() if name.endswith(".text")}  # fmt: skip
        tables = Tables(lambda name: restored(name, stored.tables[name]), long_texts)
        return Workspace(root, Opened(tables, stored.unrecognised, stored.manifest, True))
    return Workspace(root, _read(Reader(listing), cache))


def _read(reader: Reader, cache: bool) -> Opened:
    started = index.now_ns()
    rows = Rows()
    lost = read_all(reader, rows)
    frames = {name: frame(builder) for name, builder in rows.tables.items()}
    found = {name: texts(builder) for name, builder in rows.tables.items()}
    long_texts = {name: table for name, table in found.items() if table is not None}
    manifest = index.manifest_of(reader.listing, index.extras_of(reader), started)
    if cache:
        index.save(reader.listing, manifest, frames, long_texts, lost)
    return Opened(Tables(frames.__getitem__, long_texts), lost, manifest, False)


def _load(root: Path, source: str) -> Any:
    try:
        data = read_bytes(str(inside(root, source)))
    except OSError as error:
        raise UnknownName("file", source, []) from error
    value = parse(data, source.endswith(".jsonl"))
    if value is MISSING:
        raise UnknownName("readable document", source, [])
    return value
