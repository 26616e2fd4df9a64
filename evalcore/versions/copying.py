"""Copy the files of a skill: all of them or none, within bounds, and never through a link."""

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.disk.creating import why
from evalcore.disk.files import DEEPEST, TooLarge, inside
from evalcore.disk.handles import NEW, content, flush, folder, listed, regular, write_all
from evalcore.disk.listing import PRUNED
from evalcore.disk.unfinished import is_unfinished
from evalcore.errors import CannotSnapshot, CannotWrite, PathOutside
from evalcore.revisions.committed import FILE, LINK, PROGRAM, Content, blob_id

MAX_FILES: Final = 2_000
MAX_FILE_BYTES: Final = 64 * 1024**2
MAX_BYTES: Final = 1024**3
MAX_NAMES: Final = 20_000
"""So many names are looked at, whatever they stand for."""

_SHOWN: Final = 3
_NOT_FILES: Final = frozenset({".DS_Store", "Thumbs.db"})
_NOT_ENDINGS: Final = (".pyc", ".pyo", ".swp")
_NOT_FOLDERS: Final = (".venv", ".egg-info", "-workspace")

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

Names = tuple[str, ...]
"""The names of the folders from the skill to a file."""


class SkillFile(NamedTuple):
    """A file that belongs to a skill: its folders below the skill, its name, if it is run."""

    folders: Names
    name: str
    executable: bool

    @property
    def path(self) -> str:
        """The path below the skill."""
        return "/".join((*self.folders, self.name))


class Contents(NamedTuple):
    """The files of a skill, and what is passed over: links by their target, others by path."""

    root: Path
    files: tuple[SkillFile, ...]
    links: dict[str, Content]
    others: tuple[str, ...]
    passed_over: frozenset[str]

    @property
    def remarks(self) -> Iterator[str]:
        """Sentences about what a copy does not have, though somebody may expect it."""
        for what, paths in (("Links", sorted(self.links)), ("Pipes and devices", self.others)):
            if paths:
                more = f" and {len(paths) - _SHOWN:,} more" if len(paths) > _SHOWN else ""
                yield f"{what} are not copied: {', '.join(paths[:_SHOWN])}{more}."


class Copied(NamedTuple):
    """What was read: the digest of all paths and bytes, and each file as git would store it."""

    digest: str
    files: dict[str, Content]


class _File(NamedTuple):
    file: SkillFile
    data: bytes


def contents_of(root: Path, workspace: Path | None = None) -> Contents:
    """Return the files of a skill, without caches, virtual environments and workspaces.

    The folder `workspace` is passed over, whatever its name is.

    Raises:
        CannotSnapshot: it has too many files, or one is too large or cannot be looked at.
    """
    walk = _Walk(root, workspace)
    waiting: list[Names] = [()]
    while waiting:
        folders = waiting.pop()
        waiting += walk.entered(folders)
        if walk.seen > MAX_NAMES or len(folders) > DEEPEST:
            raise CannotSnapshot(
                f"{root} has more than {MAX_NAMES:,} names, or more than {DEEPEST} folders inside "
                "each other, which is too much for a skill. Name the skill's own folder."
            )
    files = sorted(walk.files, key=lambda file: file.path)
    return Contents(
        root, tuple(files), walk.links, tuple(sorted(walk.others)), frozenset(walk.passed_over)
    )


class _Walk:
    """What was found so far in the folders of a skill."""

    def __init__(self, root: Path, workspace: Path | None) -> None:
        self.root = root
        self.files: list[SkillFile] = []
        self.links: dict[str, Content] = {}
        self.others: list[str] = []
        self.passed_over: set[str] = set()
        self.seen = 0
        self._workspace = _about(workspace)

    def entered(self, folders: Names) -> list[Names]:
        """Take in the names of one folder; return the folders to enter."""
        inner: list[Names] = []
        with _readable(self.root, "/".join(folders)), folder(self.root, folders) as handle:
            for name in sorted(listed(handle)):
                about = os.stat(name, dir_fd=handle, follow_symlinks=False)
                if not stat.S_ISDIR(about.st_mode):
                    self._file(handle, SkillFile(folders, name, _is_run(about)), about)
                elif self._is_no_part(handle, name, about):
                    self.passed_over.add("/".join((*folders, name)))
                else:
                    inner.append((*folders, name))
                self.seen += 1
        return inner

    def _file(self, handle: int, file: SkillFile, about: os.stat_result) -> None:
        name = file.name
        if is_unfinished(name):
            return  # another process is writing it, and what it becomes is not there yet
        if name in _NOT_FILES or name.endswith(_NOT_ENDINGS) or _is_git(name):
            self.passed_over.add(file.path)
        elif stat.S_ISREG(about.st_mode):
            self.files.append(file)
            _check(self.root, file.path, about.st_size, len(self.files))
        elif stat.S_ISLNK(about.st_mode):
            target = os.fsencode(os.readlink(name, dir_fd=handle))
            self.links[file.path] = Content(LINK, blob_id(target))
        else:
            self.others.append(file.path)

    def _is_no_part(self, handle: int, name: str, about: os.stat_result) -> bool:
        """Return whether a folder is none of a skill's: a cache, an environment, a workspace."""
        if self._workspace is not None and os.path.samestat(about, self._workspace):
            return True
        if name in PRUNED or _is_git(name) or name.endswith(_NOT_FOLDERS):
            return True
        inner = os.open(name, _FOLDER, dir_fd=handle)
        try:
            return "pyvenv.cfg" in listed(inner)
        finally:
            os.close(inner)


def copied(contents: Contents, into: Path) -> Copied:
    """Copy the files of a skill into a new folder, flushed to disk; nobody else knows it yet.

    Raises:
        CannotSnapshot: a file cannot be read, or they have become too large.
        CannotWrite: the copy cannot be written.
    """
    digests: list[bytes] = []
    found: dict[str, Content] = {}
    for each in _read(contents):
        try:
            with folder(into, each.file.folders, make=True) as home:
                _write(home, each)
                flush(home)
        except OSError as error:
            raise CannotWrite(into, why(error)) from error
        digests.append(_line(each))
        found[each.file.path] = Content(
            PROGRAM if each.file.executable else FILE, blob_id(each.data)
        )
    return Copied(_digest(digests), found)


def digest_of(workspace: Path, path: str) -> str | None:
    """Return the digest of a copy below a workspace as `copied` gives it; None if there is none."""
    try:
        root = inside(workspace, path)
        return _digest([_line(each) for each in _read(contents_of(root))])
    except (CannotSnapshot, PathOutside, ValueError):
        return None


def _digest(lines: list[bytes]) -> str:
    return hashlib.sha256(b"".join(sorted(lines))).hexdigest()


def _line(each: _File) -> bytes:
    content_digest = hashlib.sha256(each.data).hexdigest().encode()
    return os.fsencode(each.file.path) + b"\0" + content_digest + b"\n"


def _read(contents: Contents) -> Iterator[_File]:
    total = 0
    for file in contents.files:
        with (
            _readable(contents.root, file.path),
            folder(contents.root, file.folders) as handle,
            regular(handle, file.name) as opened,
        ):
            data = content(opened, MAX_FILE_BYTES)
        total += len(data)
        if total > MAX_BYTES:
            raise CannotSnapshot(
                f"{contents.root} has more than {MAX_BYTES // 1024**3} GB in its files, which "
                "is too much for a skill. Move what does not belong to it elsewhere."
            )
        yield _File(file, data)


def _write(home: int, each: _File) -> None:
    mode = 0o777 if each.file.executable else 0o666
    handle = os.open(each.file.name, NEW, mode, dir_fd=home)
    try:
        write_all(handle, each.data)
        flush(handle)
    finally:
        os.close(handle)


def _check(root: Path, path: str, size: int, count: int) -> None:
    if size > MAX_FILE_BYTES:
        raise _too_large(root, path, size)
    if count > MAX_FILES:
        raise CannotSnapshot(
            f"{root} has more than {MAX_FILES:,} files, which is too much for a skill. Name the "
            "skill's own "
            "folder, or move what does not belong to it elsewhere."
        )


def _too_large(root: Path, path: str, size: int) -> CannotSnapshot:
    return CannotSnapshot(
        f"{root / path} has {size:,} bytes; files of a skill have at most "
        f"{MAX_FILE_BYTES // 1024**2} MB. Move it elsewhere; nothing was copied."
    )


@contextmanager
def _readable(root: Path, path: str) -> Iterator[None]:
    """Report errors of reading as `CannotSnapshot`."""
    try:
        yield
    except TooLarge as error:
        raise _too_large(root, path, error.size) from error
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise CannotSnapshot(
            f"{root / path} could not be read: {reason}. Correct that, then try again; nothing "
            "was copied."
        ) from error


def _about(path: Path | None) -> os.stat_result | None:
    try:
        return None if path is None else path.stat()
    except OSError:
        return None


def _is_git(name: str) -> bool:
    return name.lower() == ".git"


def _is_run(about: os.stat_result) -> bool:
    return bool(about.st_mode & stat.S_IXUSR)
