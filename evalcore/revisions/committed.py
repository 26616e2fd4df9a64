"""Whether a folder's files are those of the last commit, from git's objects alone."""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Final, NamedTuple

from dulwich.objects import ObjectID

from evalcore.errors import NoRevision, UnknownName
from evalcore.revisions.repository import Repository, damage_reported, opened

MAX_DEPTH: Final = 64
FILE: Final = 0o100644
PROGRAM: Final = 0o100755
LINK: Final = 0o120000


class Content(NamedTuple):
    """A file as git stores it: its mode, and the id of its bytes or of a link's target."""

    mode: int
    blob: str


class Committed(NamedTuple):
    """The commit that holds exactly some files; None without one, and then `why`."""

    sha: str | None
    why: str = ""


def blob_id(data: bytes) -> str:
    """Return the id that git gives to a file's bytes."""
    start = b"blob %d\0" % len(data)
    return hashlib.sha1(start + data, usedforsecurity=False).hexdigest()


def committed(root: Path, files: Mapping[str, Content], passed_over: Set[str]) -> Committed:
    """Return the commit of `HEAD` if its folder `root` has exactly these files.

    `files` is by path below `root`; `passed_over` are paths that are not compared. A file that
    HEAD lacks counts as uncommitted whatever a .gitignore says, as the commit does not hold it.
    Takes as long as there are files, however large the repository is.
    """
    try:
        with opened(root) as repo, damage_reported(repo):
            head = repo.resolved("HEAD")
            tree = repo.folder_in(head)
            if tree is None:
                return Committed(None, "the last commit does not have the folder")
            changed = _changed(repo, tree, dict(files), passed_over)
    except UnknownName:
        return Committed(None, "the repository has no commit yet")
    except NoRevision as error:
        return Committed(None, str(error).rstrip("."))
    if changed is not None:
        return Committed(None, f"{changed} is not as in the last commit")
    return Committed(head.decode())


def _changed(
    repo: Repository, tree: ObjectID, left: dict[str, Content], passed_over: Set[str]
) -> str | None:
    """Return the first path that differs; what is equal is taken out of `left`."""
    for path, content in _entries(repo, tree, "", 0, passed_over):
        if left.pop(path, None) != content:
            return path
    return min(left, default=None)


def _entries(
    repo: Repository, tree: ObjectID, above: str, depth: int, passed_over: Set[str]
) -> Iterator[tuple[str, Content]]:
    for entry in repo.tree(tree).iteritems():
        path = above + os.fsdecode(entry.path)
        if path in passed_over:
            continue
        if stat.S_ISDIR(entry.mode) and depth < MAX_DEPTH:
            yield from _entries(repo, entry.sha, f"{path}/", depth + 1, passed_over)
        else:
            yield path, Content(_mode(entry.mode), entry.sha.decode())


def _mode(mode: int) -> int:
    """Return a mode as git writes it today; very old repositories have others for files."""
    if not stat.S_ISREG(mode):
        return mode
    return PROGRAM if mode & stat.S_IXUSR else FILE
