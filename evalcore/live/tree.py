"""The folders and tracked files of one tree, kept up to date with notifications."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from evalcore.disk.listing import RUN_DOCUMENTS, TRACKED, Listing, enters, walk


class Resolved(NamedTuple):
    """Notified paths resolved to tracked files, and folders to watch from now on."""

    files: set[str]
    folders: list[str]


class Tree:
    """The known content of one folder; all paths are relative to it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.listing = walk(root)
        self.folders = set(entered(self.listing))
        self._since: set[str] = set()

    def resolved(self, paths: Iterable[str]) -> Resolved:
        """Return the files and folders of notified paths.

        A new folder means the files in it, a deleted one those that were in it.
        """
        files: set[str] = set()
        folders: list[str] = []
        gone: set[str] = set()
        for path in paths:
            mode = _mode(self.root / path)
            if mode is not None and stat.S_ISDIR(mode):
                if path not in self.folders and self._entered(path):
                    found = walk(self.root, path)
                    files.update(found.paths)
                    folders += [path, *entered(found)]
            elif path in self.folders:
                gone.add(path)
            elif path.endswith(TRACKED) and self._counts(path, mode):
                files.add(path)
        files.update(self._files_in(gone))
        self.folders.difference_update(gone)
        self.folders.update(folders)
        self._since |= files
        return Resolved(files, folders)

    def walk_again(self, folders: Iterable[str]) -> Resolved:
        """Walk new folders once more, for files and folders created before they were watched."""
        inside = set(folders)
        files: set[str] = set()
        further: set[str] = set()
        for top in sorted(inside):
            if inside.isdisjoint(_above(top)) and (self.root / top).is_dir():
                found = walk(self.root, top)
                files.update(found.paths)
                further.update(entered(found))
        further -= self.folders
        self.folders |= further
        self._since |= files
        return Resolved(files, sorted(further))

    def walk_all(self) -> Resolved:
        """Walk the whole tree; return the files that changed, and the new folders."""
        before, now = self.listing, walk(self.root)
        files = set(differing(before, now))
        inside = set(entered(now))
        folders = sorted(inside - self.folders)
        self.listing, self.folders = now, inside
        self._since = set()
        return Resolved(files, folders)

    def _entered(self, folder: str) -> bool:
        """Return whether a walk would enter `folder`."""
        parent = folder.rpartition("/")[0]
        if parent and parent not in self.folders:
            return False
        siblings = {name for name in RUN_DOCUMENTS if (self.root / parent / name).is_file()}
        return enters(folder, siblings)

    def _counts(self, path: str, mode: int | None) -> bool:
        """Return whether a walk would list this file, or might have listed it before."""
        parent = path.rpartition("/")[0]
        if parent and parent not in self.folders:
            return False
        if mode is None or not stat.S_ISLNK(mode):
            return True
        target = os.path.realpath(self.root / path)
        return target.startswith(os.path.realpath(self.root) + os.sep)

    def _files_in(self, folders: set[str]) -> Iterator[str]:
        if folders:
            for path in {*self.listing.paths, *self._since}:
                if any(above in folders for above in _above(path)):
                    yield path


def entered(listing: Listing) -> list[str]:
    """Return the folders that a walk entered, without the first one."""
    outputs = {folder for folder in listing.folders if folder.rpartition("/")[2] == "outputs"}
    listed = frozenset(listing.paths) if outputs else frozenset()

    def siblings(folder: str) -> set[str]:
        parent = folder.rpartition("/")[0]
        prefix = f"{parent}/" if parent else ""
        return {name for name in RUN_DOCUMENTS if f"{prefix}{name}" in listed}

    nothing: frozenset[str] = frozenset()
    return [
        folder
        for folder in listing.folders
        if enters(folder, siblings(folder) if folder in outputs else nothing)
    ]


def differing(before: Listing, now: Listing) -> Iterator[str]:
    """Yield the paths that differ between two listings."""
    if (before.paths, before.sizes, before.mtimes) == (now.paths, now.sizes, now.mtimes):
        return
    old = dict(zip(before.paths, zip(before.sizes, before.mtimes, strict=True), strict=True))
    for path, size, mtime in zip(now.paths, now.sizes, now.mtimes, strict=True):
        if old.pop(path, None) != (size, mtime):
            yield path
    yield from old


def _above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _mode(path: Path) -> int | None:
    try:
        return path.lstat().st_mode
    except (OSError, ValueError):
        return None
