"""A disposable index outside the workspace, so that a second open parses nothing.

One Arrow file a table, one for long texts, and a manifest of path, size and mtime that must match exactly.
Deleting it loses nothing but time.
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import orjson
import pandas as pd
import platformdirs
import pyarrow as pa

from evalcore.disk.listing import Listing
from evalcore.disk.reader import Reader
from evalcore.tables.frame import to_arrow
from evalcore.tables.rows import TABLES, columns

RACY_NS = 2_000_000_000
"""A file changed this shortly before it was read may change again unseen, so it is read again."""

SCHEMA = hashlib.blake2b(
    repr([(name, columns(row)) for name, row in TABLES.items()]).encode(), digest_size=8
).hexdigest()


class Manifest(NamedTuple):
    """What the index was made from, as bytes that are compared whole."""

    files: bytes
    stats: bytes
    extras: bytes
    made_ns: int

    @property
    def fingerprint(self) -> str:
        """A digest that changes when any file does."""
        digest = hashlib.blake2b(digest_size=16)
        for part in (SCHEMA.encode(), self.files, self.stats, self.extras):
            digest.update(len(part).to_bytes(8, "big") + part)
        return digest.hexdigest()


class Stored(NamedTuple):
    """An index that was found: its manifest and its mapped tables."""

    manifest: Manifest
    tables: Mapping[str, pa.Table]
    unrecognised: list[str]


def cache_dir() -> Path:
    """Return the folder of all indexes (`EVALCORE_CACHE_DIR`, else the user's cache)."""
    named = os.environ.get("EVALCORE_CACHE_DIR")
    return Path(named) if named else Path(platformdirs.user_cache_dir("evalcore"))


def manifest_of(listing: Listing, extras: Mapping[str, tuple[int, int]], made_ns: int) -> Manifest:
    """Return what identifies the files of a listing, and further files that were read."""
    files = "\0".join([*listing.paths, "", *sorted(listing.folders)]).encode()
    stats = listing.sizes.tobytes() + listing.mtimes.tobytes()
    return Manifest(files, stats, orjson.dumps(sorted(extras.items())), made_ns)


def load(listing: Listing) -> Stored | None:
    """Return the index of this folder when it matches the files as they are now."""
    folder = folder_of(listing.root)
    try:
        about = orjson.loads((folder / "about.json").read_bytes())
        stored = Manifest(
            (folder / "files").read_bytes(), (folder / "stats").read_bytes(),
            (folder / "extras").read_bytes(), about["made_ns"],
        )  # fmt: skip
        if about["schema"] != SCHEMA or not _matches(stored, listing):
            return None
        tables = {path.stem: _mapped(path) for path in folder.glob("*.arrow")}
    except (OSError, KeyError, TypeError, ValueError, pa.ArrowException):
        return None  # an index that cannot be read is as good as none
    complete = tables.keys() >= TABLES.keys()
    return Stored(stored, tables, about["unrecognised"]) if complete else None


def save(
    listing: Listing, manifest: Manifest, frames: Mapping[str, pd.DataFrame],
    texts: Mapping[str, pa.Table], unrecognised: list[str],
) -> bool:  # fmt: skip
    """Write the index beside the old one, then put it in its place; say whether that worked."""
    folder = folder_of(listing.root)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix="new-", dir=folder.parent))
    except OSError:
        return False
    try:
        for name, data in frames.items():
            _write(fresh / f"{name}.arrow", to_arrow(data))
        for name, table in texts.items():
            _write(fresh / f"{name}.text.arrow", table)
        (fresh / "files").write_bytes(manifest.files)
        (fresh / "stats").write_bytes(manifest.stats)
        (fresh / "extras").write_bytes(manifest.extras)
        about = {"schema": SCHEMA, "made_ns": manifest.made_ns, "unrecognised": unrecognised}
        (fresh / "about.json").write_bytes(orjson.dumps(about))
        _swap(fresh, folder)
    except (OSError, pa.ArrowException):
        return False
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return True


def now_ns() -> int:
    """Return the time to remember as the beginning of a reading."""
    return time.time_ns()


def _matches(stored: Manifest, listing: Listing) -> bool:
    extras = {path: extra_stat(listing.root, path) for path, _ in orjson.loads(stored.extras)}
    now = manifest_of(listing, extras, stored.made_ns)
    if (now.files, now.stats, now.extras) != (stored.files, stored.stats, stored.extras):
        return False
    newest = max(listing.mtimes, default=0)
    newest = max([newest, *(mtime for _, mtime in extras.values())])
    return newest < stored.made_ns - RACY_NS


def extra_stat(root: Path, path: str) -> tuple[int, int]:
    """Return (size, mtime) of a file outside the listing; (-1, -1) when it is not there."""
    try:
        about = (root / path).lstat()
    except OSError:
        return (-1, -1)
    return (about.st_size, about.st_mtime_ns)


def extras_of(reader: Reader) -> dict[str, tuple[int, int]]:
    """Return the files that were read beyond the listing, each with size and mtime."""
    return {path: extra_stat(reader.listing.root, path) for path in reader.extras}


def folder_of(root: Path) -> Path:
    """Return where the index of a folder lies, or would lie."""
    name = hashlib.blake2b(os.fsencode(os.path.realpath(root)), digest_size=12).hexdigest()
    return cache_dir() / "index" / name


def _mapped(path: Path) -> pa.Table:
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()


def _write(path: Path, table: pa.Table) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def _swap(fresh: Path, folder: Path) -> None:
    """Put `fresh` in the place of `folder`; readers that have the old files mapped keep them."""
    old = fresh.with_name(fresh.name + "-old")
    if folder.exists():
        folder.rename(old)
    fresh.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
