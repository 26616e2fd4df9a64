"""Open a folder: an immutable snapshot of everything that its documents say."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from evalcore.disk.documents import value_in, value_of
from evalcore.disk.files import Files
from evalcore.disk.listing import Listing, ordered, walk
from evalcore.disk.reader import Progress, Reader
from evalcore.errors import HiddenUntilJudged, PathOutside, UnknownName
from evalcore.problems import Problem
from evalcore.tables.builder import Rows
from evalcore.tables.columns import to_list
from evalcore.tables.snapshot import ColumnTables, Tables
from evalcore.tables.spool import SpoolFailed
from evalcore.workspace import index
from evalcore.workspace.above import is_above, read_above
from evalcore.workspace.changes import Change, relisted, since
from evalcore.workspace.hidden import NOTHING, Hidden, hide
from evalcore.workspace.read import read_all
from evalcore.workspace.update import context_folders, updated

CHECK_SECONDS = 2.0
MAX_HIDING = 4
"""So many views of a snapshot are kept, each of a judge from whom some runs are hidden."""


class Opened(NamedTuple):
    """What an opening found."""

    listing: Listing
    manifest: index.Manifest
    tables: Tables
    unrecognised: list[str]
    from_index: bool


class Workspace:
    """A folder of evaluations as it was when it was opened; nothing in it changes.

    `hidden` is what is hidden in it from a judge: nothing, but in what `hiding` returns.
    """

    def __init__(
        self, root: Path, opened: Opened, cached: bool = True, hidden: Hidden = NOTHING
    ) -> None:
        self.root = root
        self.cached = cached
        self.unrecognised = opened.unrecognised
        self.from_index = opened.from_index
        self.opened = opened
        self.hidden = hidden
        self._unmasked: Workspace | None = None
        self._hiding: dict[tuple[frozenset[str], str], Workspace] = {}
        self._lock = threading.Lock()
        self._checked = time.monotonic()
        self._stale = False

    def __repr__(self) -> str:
        names = ("suites", "cases", "runs", "problems")
        held = {name: self.opened.tables.rows(name) for name in names}
        words = ", ".join(f"{n:,} {name if n != 1 else name[:-1]}" for name, n in held.items())
        return f"<Workspace {str(self.root)!r}: {words}>"

    @property
    def tables(self) -> Tables:
        """What its documents say, as data frames: `workspace.tables.runs`."""
        return self.opened.tables.of(self)

    def hiding(self, runs: Collection[str], judge: str) -> Workspace:
        """Return this snapshot as a judge sees it from whom some runs are hidden.

        Without any, it is the snapshot itself; for the same runs and judge, the same one again.
        """
        key, whole = (frozenset(runs), judge), self.unmasked
        if not runs:
            return whole
        with whole._lock:
            if key not in whole._hiding:
                tables, hidden = hide(whole.tables.columns, *key)
                opened = whole.opened._replace(tables=Tables(tables))
                found = whole._hiding[key] = Workspace(whole.root, opened, whole.cached, hidden)
                found._unmasked = whole
                while len(whole._hiding) > MAX_HIDING:
                    del whole._hiding[next(iter(whole._hiding))]
            return whole._hiding[key]

    @property
    def unmasked(self) -> Workspace:
        """The snapshot with everything that is hidden in this one."""
        return self._unmasked or self

    def require_visible(self, path: str) -> None:
        """Raise `HiddenUntilJudged` if a file is about a run that is hidden here."""
        if self.hidden.covers(path):
            raise HiddenUntilJudged(path)

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.root.name or str(self.root)

    @cached_property
    def fingerprint(self) -> str:
        """A digest that changes when any file does."""
        return self.opened.manifest.fingerprint

    @cached_property
    def problems(self) -> list[Problem]:
        """Every problem found while opening, as values."""
        columns = [to_list(column) for column in self.tables.columns["problems"].values()]
        return [Problem(*row) for row in zip(*columns, strict=True)]

    def raw(self, source: str, pointer: str = "") -> Any:
        """Return the JSON value at a pointer of a file of this workspace, as it is now.

        Raises:
            UnknownName: the file or the place in it is gone.
            HiddenUntilJudged: it is about a run that is hidden here.
        """
        self.require_visible(source)
        try:
            if is_above(source):
                return value_of(read_above(self.root, source), source, pointer)
            return value_in(Files(self.root), source, pointer)
        except (OSError, PathOutside, ValueError) as error:  # no name of a file, perhaps
            raise UnknownName("file", source, []) from error

    def changed(self) -> bool:
        """Say whether any file changed since opening; looks at most every two seconds."""
        if not self._stale and time.monotonic() - self._checked >= CHECK_SECONDS:
            self._checked = time.monotonic()
            self._stale = self.differs(walk(self.root))
        return self._stale

    def differs(self, listing: Listing) -> bool:
        """Say whether a listing of the folder names other files than were read."""
        manifest = self.opened.manifest
        return not index.same(index.manifest_now(listing, manifest), manifest)


def open_workspace(
    path: str | Path, *, cache: bool = True, progress: Progress | None = None
) -> Workspace:
    """Open a folder of evaluations; changes no byte of it.

    What comes back is a snapshot: `.tables` holds what the documents say as data frames,
    `.problems` the faults found in them, and `.raw(source, pointer)` returns any part of a document
    as it is written. With `cache`, an index outside the folder makes the next open quick.
    `progress` is called with how many files are read and how many there are, if they have to be
    read.

    Raises:
        WorkspaceNotFound: `path` is not a folder.
        TypeError: `path` is no path at all.
    """
    try:
        root = Path(path).expanduser().absolute()
    except TypeError as error:
        raise TypeError(
            "open_workspace needs the path of the folder that holds your evaluations, as str or "
            f"pathlib.Path, not as {type(path).__name__}."
        ) from error
    started = time.time_ns()
    listing = walk(root)
    stored = index.load(listing.root) if cache else None
    found = _restored(listing, stored, started) if stored is not None else None
    return Workspace(root, found or _all_read(listing, started, cache, progress), cache)


def reopened(workspace: Workspace, changed: Iterable[str] | None = None) -> Workspace:
    """Open a workspace's folder again, as it is now.

    `changed` names the files (relative paths) that are known to be new, changed or gone since;
    None when that is not known.

    Raises:
        WorkspaceNotFound: the folder is gone.
    """
    before, started = workspace.unmasked.opened, time.time_ns()
    found = None if changed is None else relisted(before.listing, changed, context_folders)
    listing, change = found or (walk(workspace.root), None)
    opened = _moved_on(before, listing, change, started)
    opened = opened or _all_read(listing, started, workspace.cached)
    return Workspace(workspace.root, opened, workspace.cached)


def _restored(listing: Listing, stored: index.Stored, started: int) -> Opened | None:
    """Return what an index holds, with the few files taken in that changed since; else None."""
    before = Opened(
        index.listing_of(stored.manifest, listing),
        stored.manifest,
        Tables(stored.tables),
        stored.unrecognised,
        True,
    )
    return None if _readable_now(before) else _moved_on(before, listing, None, started)


def _readable_now(before: Opened) -> bool:
    """Say whether a file that could not be read can be now: its size and time do not tell."""
    columns, files = before.tables.columns["problems"], Files(before.listing.root)
    places = zip(to_list(columns["path"]), to_list(columns["code"]), strict=True)
    return any(code == "unreadable" and _can_be_read(files, str(path)) for path, code in places)


def _can_be_read(files: Files, path: str) -> bool:
    try:
        files.read(path)
    except (OSError, PathOutside):
        return False
    return True


def _moved_on(
    before: Opened, listing: Listing, change: Change | None, started: int
) -> Opened | None:
    """Return `before` with what changed since taken in; None when all files must be read.

    `change` is what is known to have changed; None when the listings tell.
    """
    extras = index.extras_now(listing.root, before.manifest)
    if extras != before.manifest.extra_stats or not index.same_faults(before.manifest, listing):
        return None
    # A file named as changed says nothing of those that were written while they were read.
    made = before.manifest.made_ns if change is not None else started
    change = since(before.listing, listing, before.manifest.made_ns) if change is None else change
    if not change.files and not change.folders:
        return before._replace(listing=listing)  # named in another order, perhaps
    tables = before.tables
    found = updated(tables.columns, tables.__getattr__, listing, change)
    if found is None:
        return None
    further = {path: index.extra_stat(listing.root, path) for path in found.extras}
    manifest = index.manifest_of(listing, extras | further, made)
    return Opened(listing, manifest, Tables(found.tables), before.unrecognised, before.from_index)


def _all_read(
    listing: Listing, started: int, cache: bool, progress: Progress | None = None
) -> Opened:
    """Read all files, and keep an index of them where one can be written."""
    fresh = index.begin(listing.root) if cache else None
    try:
        return _read(listing, started, fresh, progress)
    except SpoolFailed:  # a full disk, most likely: the next open reads the files again
        return _read(listing, started, None, progress)
    finally:
        if fresh is not None:
            index.drop(fresh)


def _read(listing: Listing, started: int, fresh: Path | None, progress: Progress | None) -> Opened:
    """Read all files; what does not fit into little memory is kept in `fresh`, the index to be."""
    reader, rows = Reader(ordered(listing), progress), Rows(fresh)
    lost = read_all(reader, rows)
    extras = {path: index.extra_stat(listing.root, path) for path in reader.extras}
    manifest = index.manifest_of(listing, extras, started)
    if fresh is None:
        tables: ColumnTables = rows.finished()
    else:
        tables = index.save(fresh, listing.root, manifest, rows, lost)
    return Opened(listing, manifest, Tables(tables), lost, False)
