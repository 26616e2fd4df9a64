"""Find what is new, changed or deleted between two listings of a folder."""

import os
import stat
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalcore.disk.listing import TRACKED, Listing

RACY_NS = 2_000_000_000
"""A file changed this shortly before it was read may change again unseen, so it is read again."""

FEW = 64
"""So many changed files are looked up one by one."""

Stats = npt.NDArray[np.int64]


class Change(NamedTuple):
    """New, changed and deleted tracked files, and added or removed folders."""

    files: frozenset[str]
    folders: frozenset[str]


def since(before: Listing, now: Listing, made_ns: int) -> Change:
    """Return the changes since `before`, a listing whose files began to be read at `made_ns`."""
    folders = before.folders ^ now.folders if before.folders != now.folders else frozenset()
    sizes, mtimes = _stats(now)
    old_sizes, old_mtimes = _stats(before)
    if before.paths == now.paths:
        moved = (sizes != old_sizes) | (mtimes != old_mtimes) | (mtimes >= made_ns - RACY_NS)
        return Change(frozenset(now.paths[at] for at in np.flatnonzero(moved)), folders)
    places = dict(zip(before.paths, range(len(before.paths)), strict=True))
    at = np.fromiter((places.get(path, -1) for path in now.paths), np.int64, len(now.paths))
    moved = (at < 0) | (mtimes >= made_ns - RACY_NS)
    if before.paths:
        moved |= (sizes != old_sizes[at]) | (mtimes != old_mtimes[at])
    files = {now.paths[place] for place in np.flatnonzero(moved)}
    if int((at >= 0).sum()) < len(before.paths):
        files.update(set(before.paths).difference(now.paths))
    return Change(frozenset(files), folders)


def relisted(
    listing: Listing, changed: Iterable[str], context_folders: Callable[[str], Iterable[str]]
) -> tuple[Listing, Change] | None:
    """Return a listing updated for the named files; None if a walk is needed.

    A walk is needed if the folder of a file was added or removed, or for anything but a regular
    file. Of other folders, only those in `context_folders` of a file are inspected.
    """
    names = sorted(set(changed))
    if len(names) > FEW:
        return None
    paths, sizes, mtimes = list(listing.paths), listing.sizes[:], listing.mtimes[:]
    for path in names:
        if not path.endswith(TRACKED):
            return None
        about = _about(listing.root / path)
        at = paths.index(path) if path in listing.paths else None
        folder = path.rpartition("/")[0]
        if about is None:
            if at is not None:
                del paths[at], sizes[at], mtimes[at]
            if not (listing.root / folder).is_dir():
                return None
        elif not stat.S_ISREG(about.st_mode):
            return None
        elif at is not None:
            sizes[at], mtimes[at] = about.st_size, about.st_mtime_ns
        elif not _is_listed(folder, paths):
            return None
        else:
            paths.append(path)
            sizes.append(about.st_size)
            mtimes.append(about.st_mtime_ns)
    near = {folder for path in names for folder in context_folders(path)}
    there = {folder for folder in near if (listing.root / folder).is_dir()}
    folders = (listing.folders - near) | there
    found = listing._replace(paths=paths, sizes=sizes, mtimes=mtimes, folders=folders)
    return found, Change(frozenset(names), listing.folders ^ folders)


def _is_listed(folder: str, paths: list[str]) -> bool:
    """Return whether a walk entered a folder, as a file in it shows."""
    prefix = f"{folder}/" if folder else ""
    return any(path.startswith(prefix) and "/" not in path[len(prefix) :] for path in paths)


def _about(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except (OSError, ValueError):
        return None


def _stats(listing: Listing) -> tuple[Stats, Stats]:
    return _numbers(listing.sizes), _numbers(listing.mtimes)


def _numbers(values: "array[int]") -> Stats:
    return np.frombuffer(values, np.int64) if len(values) else np.zeros(0, np.int64)
