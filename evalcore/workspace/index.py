"""A disposable index outside the workspace, so that a second open parses nothing.

A folder with the columns of all tables and a manifest of path, size and mtime that must match
exactly. Deleting it costs only time. Every byte of it is compared with a digest before it is used:
mapped as it is, a single damaged one could be a wrong table or end the interpreter.
"""

import hashlib
import os
import shutil
import tempfile
import time
from array import array
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import orjson

from evalcore.disk import handles
from evalcore.disk.listing import Listing
from evalcore.families import registry
from evalcore.folders import cache_dir
from evalcore.tables import store
from evalcore.tables.builder import Rows
from evalcore.tables.rows import TABLES, columns
from evalcore.tables.snapshot import ColumnTables
from evalcore.tables.spool import SpoolFailed
from evalcore.workspace.digests import checked, digests, with_digest

ABANDONED_SECONDS = 24 * 3600
READING = (
    "checks", "disk", "families", "layouts", "shapes", "statistics", "steps", "tables", "texts",
    "workspace",
)  # fmt: skip
"""The parts of the code that decide what an index holds, beside the package's own modules."""

Stat = tuple[int, int]
"""Size and mtime (nanoseconds) of a file."""


class Manifest(NamedTuple):
    """The sources of the index, as bytes that are compared as a whole."""

    files: bytes
    folders: bytes
    stats: bytes
    extras: bytes
    faults: bytes
    made_ns: int

    @property
    def extra_stats(self) -> dict[str, Stat]:
        """Size and mtime of the further files that were read."""
        return {path: (size, mtime) for path, (size, mtime) in orjson.loads(self.extras)}

    @property
    def fingerprint(self) -> str:
        """A digest that changes when any file does."""
        digest = hashlib.blake2b(digest_size=16)
        for part in (schema().encode(), *self[:-1]):
            digest.update(len(part).to_bytes(8, "big") + part)
        return digest.hexdigest()


class Stored(NamedTuple):
    """A stored index: its manifest and its mapped tables."""

    manifest: Manifest
    tables: ColumnTables
    unrecognised: list[str]


def schema() -> str:
    """Return a digest of the tables' columns, of the families, and of the code that fills them."""
    return _schema(tuple(each.name for each in registry.FAMILIES))


@lru_cache(maxsize=1)
def _schema(families: tuple[str, ...]) -> str:
    package = Path(__file__).parent.parent
    code = sorted(about for part in ("", *READING) for about in _sources(package, part))
    shape = [(name, columns(row)) for name, row in TABLES.items()]
    return hashlib.blake2b(repr((shape, families, code)).encode(), digest_size=8).hexdigest()


def _sources(package: Path, part: str) -> Iterator[tuple[str, Stat]]:
    """Yield path, size and mtime of the modules in a part; of the package itself, not below."""
    with os.scandir(package / part) as entries:
        for entry in entries:
            path = f"{part}/{entry.name}"
            if entry.name.endswith(".py"):
                about = entry.stat()
                yield path, (about.st_size, about.st_mtime_ns)
            elif part and entry.is_dir():
                yield from _sources(package, path)


def folder_of(root: Path) -> Path:
    """Return the path of a folder's index."""
    name = hashlib.blake2b(os.fsencode(os.path.realpath(root)), digest_size=12).hexdigest()
    return cache_dir() / "index" / name


def manifest_of(listing: Listing, extras: Mapping[str, Stat], made_ns: int) -> Manifest:
    """Return the manifest of a listing, and of further files that were read."""
    return Manifest(
        _joined(listing.paths),
        _joined(sorted(listing.folders)),
        listing.sizes.tobytes() + listing.mtimes.tobytes(),
        orjson.dumps(sorted(extras.items())),
        _faults(listing),
        made_ns,
    )


def same_faults(manifest: Manifest, listing: Listing) -> bool:
    """Return whether walking the folder found the same problems."""
    return manifest.faults == _faults(listing)


def _faults(listing: Listing) -> bytes:
    return orjson.dumps([tuple(problem) for problem in sorted(listing.problems)])


def manifest_now(listing: Listing, made: Manifest) -> Manifest:
    """Return the current manifest of a folder's files, with the further files of `made`."""
    return manifest_of(listing, extras_now(listing.root, made), made.made_ns)


def listing_of(manifest: Manifest, like: Listing) -> Listing:
    """Return the listing of a manifest; `like` is one of the same folder."""
    paths, stats = _split(manifest.files), array("q", manifest.stats)
    return like._replace(
        paths=paths,
        sizes=stats[: len(paths)],
        mtimes=stats[len(paths) :],
        folders=frozenset(_split(manifest.folders)),
    )


def _joined(names: Iterable[str]) -> bytes:
    return os.fsencode("\0".join(names))


def _split(names: bytes) -> list[str]:
    return os.fsdecode(names).split("\0") if names else []


def load(root: Path) -> Stored | None:
    """Return the index of a folder, whatever happened to the files since; None without one.

    An index that was damaged, or that another folder's or user's was put in the place of, is none.
    """
    try:
        # One open folder: what replaces it meanwhile is never mixed with it.
        with handles.folder(folder_of(root)) as folder:
            about = orjson.loads(checked(_bytes(folder, "about")))
            if (about["schema"], about["of"]) != (schema(), folder_of(root).name) or not _is_own(
                folder
            ):
                return None
            if digests(folder, about["digests"]) != about["digests"]:
                return None
            parts = (_bytes(folder, name) for name in Manifest._fields[:-1])
            manifest = Manifest._make((*parts, int(about["made_ns"])))
            tables = store.read(folder, about["tables"])
            return Stored(manifest, tables, list(map(str, about["unrecognised"])))
    except (OSError, KeyError, TypeError, ValueError, AttributeError):
        return None  # an index that cannot be read is as good as none


def _is_own(folder: int) -> bool:
    return os.fstat(folder).st_uid == os.geteuid()


def begin(root: Path) -> Path | None:
    """Return a new folder for an index in the making; None where none can be written."""
    parent = folder_of(root).parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        for left in parent.glob("new-*"):
            if left.stat().st_mtime < time.time() - ABANDONED_SECONDS:
                drop(left)
        return Path(tempfile.mkdtemp(prefix="new-", dir=parent))
    except OSError:
        return None


def save(
    fresh: Path, root: Path, manifest: Manifest, rows: Rows, unrecognised: list[str]
) -> ColumnTables:
    """Finish the index in `fresh`, put it in its place, and return its tables, mapped.

    The rows are given up on the way.

    Raises:
        SpoolFailed: it cannot be written.
    """
    try:
        directory = store.write(fresh, rows)
        for name, part in zip(Manifest._fields[:-1], manifest[:-1], strict=True):
            (fresh / name).write_bytes(part)
        with handles.folder(fresh) as folder:
            about = {
                "schema": schema(),
                "of": folder_of(root).name,
                "made_ns": manifest.made_ns,
                "unrecognised": unrecognised,
                "tables": directory,
                "digests": digests(folder, handles.listed(folder)),
            }
            (fresh / "about").write_bytes(with_digest(orjson.dumps(about)))
            tables = store.read(folder, directory)
    except OSError as error:
        raise SpoolFailed(str(fresh)) from error
    _swap(fresh, folder_of(root))
    return tables


def drop(folder: Path) -> None:
    """Remove what is left of an index in the making."""
    shutil.rmtree(folder, ignore_errors=True)


def extra_stat(root: Path, path: str) -> Stat:
    """Return (size, mtime) of a file outside the listing; (-1, -1) when it is not there."""
    try:
        about = os.lstat(f"{root}/{path}")
    except (OSError, ValueError):
        return (-1, -1)
    return (about.st_size, about.st_mtime_ns)


def extras_now(root: Path, manifest: Manifest) -> dict[str, Stat]:
    """Return the files that were read beyond the listing, each as it is now."""
    return {path: extra_stat(root, path) for path, _ in orjson.loads(manifest.extras)}


def same(one: Manifest, two: Manifest) -> bool:
    """Say whether two manifests name the same files, in whatever order they were listed."""
    if one[:-1] == two[:-1]:
        return True
    alike = one._replace(files=two.files, stats=two.stats)[:-1] == two[:-1]
    sizes = len(one.files), len(one.stats)
    return alike and sizes == (len(two.files), len(two.stats)) and _files(one) == _files(two)


def _files(manifest: Manifest) -> list[tuple[str, int, int]]:
    """Return path, size and mtime of each file, in order."""
    names, stats = _split(manifest.files), array("q", manifest.stats)
    return sorted(zip(names, stats[: len(names)], stats[len(names) :], strict=True))


def _swap(fresh: Path, folder: Path) -> None:
    """Put `fresh` in the place of `folder`; whoever has the old files open keeps them."""
    old = fresh.with_name(f"{fresh.name}-old")
    try:
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
    except OSError:
        drop(fresh)  # another process was quicker: its index is as good
    drop(old)


def _bytes(folder: int, name: str) -> bytes:
    handle = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder)
    with os.fdopen(handle, "rb") as file:
        return file.read()
