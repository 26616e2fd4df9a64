"""Check out a folder at a revision into the cache, once."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dulwich.objects import Blob, ObjectID

from evalcore.errors import NoRevision
from evalcore.folders import cache_dir
from evalcore.revisions.repository import Repository, damage_reported, opened

MAX_FILES: Final = 250_000
MAX_BYTES: Final = 4 * 1024**3
MAX_DEPTH: Final = 64

_whole: set[Path] = set()
"""Folders that this process found whole: they are read once, not each time."""


def checkout(root: Path, name: str) -> Path:
    """Check out this folder at a revision into the cache, once, and return its path.

    `name` is a commit id or the beginning of one, a branch, a tag or `HEAD`, and may end with `~2`
    or `^` (first parents). Only regular files are written, to be read only; links and submodules
    are left out. The same state is the same folder, whatever revision it belongs to.

    Raises:
        NoRevision: the folder is not in a git repository or not in that revision, is too large, or
            the repository cannot be read.
        UnknownName: there is no such revision.
    """
    with opened(root) as repo, damage_reported(repo):
        tree = repo.folder_in(repo.resolved(name))
        if tree is None:
            where = repo.below.as_posix()
            raise NoRevision(f"The revision {name!r} has no folder {where!r}. Choose a later one.")
        return _kept(repo, tree)


def _kept(repo: Repository, tree: ObjectID) -> Path:
    """Return the folder of a tree; an incomplete or damaged one is never used."""
    place = cache_dir() / "revisions" / tree.decode()
    folder = place / (repo.root.name or "root")
    if folder.is_dir():
        if folder in _whole or _is_whole(repo, tree, folder):
            _whole.add(folder)
            return folder
        shutil.rmtree(folder)
    place.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix="new-", dir=place))
    try:
        _write(repo, tree, unfinished)
        try:
            unfinished.rename(folder)
        except OSError:
            if not folder.is_dir():  # somebody else was quicker
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def _is_whole(repo: Repository, tree: ObjectID, folder: Path) -> bool:
    """Say whether a folder holds the regular files of a tree, byte for byte, and no others."""
    left = {folder / os.fsdecode(path): sha for path, sha in _files(repo, tree, b"", 0)}
    for place, _, names in os.walk(folder):
        for path in (Path(place, name) for name in names):
            sha = left.pop(path, None)
            if sha is None or Blob.from_string(path.read_bytes()).id != sha:
                return False
    return not left


def _write(repo: Repository, tree: ObjectID, into: Path) -> None:
    """Write the regular files of a tree below a new folder."""
    files = size = 0
    for path, sha in _files(repo, tree, b"", 0):
        data = repo.data(sha)
        files, size = files + 1, size + len(data)
        if files > MAX_FILES or size > MAX_BYTES:
            raise NoRevision(
                f"The folder {repo.root.name!r} is too large in this revision: more "
                f"than {MAX_FILES:,} files or {MAX_BYTES // 1024**3} GB. Open a "
                "smaller folder of it."
            )
        target = os.path.join(os.fsencode(into), path)  # noqa: PTH118 - names may be no text
        os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)  # noqa: PTH103, PTH120
        try:
            handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o400)
        except FileExistsError:
            continue  # two names that are one to this file system: the first stays
        with os.fdopen(handle, "wb") as file:
            file.write(data)


def _files(
    repo: Repository, tree: ObjectID, above: bytes, depth: int
) -> Iterator[tuple[bytes, ObjectID]]:
    """Yield path and id of each regular file; names that could lead elsewhere are left out."""
    if depth > MAX_DEPTH:
        return
    for entry in repo.tree(tree).iteritems():
        path = above + entry.path
        if not _plain(entry.path):
            continue
        if stat.S_ISDIR(entry.mode):
            yield from _files(repo, entry.sha, path + b"/", depth + 1)
        elif stat.S_ISREG(entry.mode):
            yield path, entry.sha


def _plain(name: bytes) -> bool:
    return (
        name not in (b"", b".", b"..") and name.lower() != b".git" and not (set(name) & set(b"/\0"))
    )
