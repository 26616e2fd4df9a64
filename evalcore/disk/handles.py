"""Folder handles, opened name by name and never through a link, and operations on them."""

import errno
import fcntl
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from evalcore.disk.files import TooLarge
from evalcore.errors import PathOutside

LINK: Final = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})
"""What opening a name says when it is a link, or is no folder on the way."""

READ: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW
NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW

FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NOT_NAMES: Final = frozenset({"", ".", ".."})
_NO_FLUSH: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})
_KNOWN: Final = 10_000

# Folders whose own names are known to be on the disk, by device and inode.
_flushed: set[tuple[int, int]] = set()


def names_of(path: str) -> list[str]:
    """Return the names of a plain path below a root.

    Raises:
        PathOutside: it is not a plain path.
    """
    names = path.split("/")
    if _NOT_NAMES.intersection(names) or "\0" in path:
        raise PathOutside(path)
    return names


@contextmanager
def folder(
    root: str | Path, names: Sequence[str] = (), *, make: bool = False, durable: bool = True
) -> Iterator[int]:
    """Yield a handle of `root` or a folder below; with `make`, missing folders are created.

    With `make`, the names of all folders on the path are flushed to disk where `durable`.

    Raises:
        OSError: a folder cannot be opened or made; one of `LINK` where a link leads there.
    """
    handle = os.open(root, FOLDER)
    try:
        for name in names:
            inner = _entered(handle, name, make, durable)
            os.close(handle)
            handle = inner
        yield handle
    finally:
        with suppress(OSError):  # nothing is lost with the handle of a folder
            os.close(handle)


def _entered(handle: int, name: str, make: bool, durable: bool) -> int:
    made = False
    try:
        inner = os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=handle)
    except FileNotFoundError:
        if not make:
            raise
        made = _made(handle, name)
        inner = os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=handle)
    if make and durable:
        try:
            _flush_name(handle, inner, made)
        except OSError:
            os.close(inner)
            raise
    return inner


def _made(handle: int, name: str) -> bool:
    try:
        os.mkdir(name, dir_fd=handle)
    except FileExistsError:
        return False  # somebody else made it a moment ago
    return True


def _flush_name(handle: int, inner: int, made: bool) -> None:
    """Flush the name of a folder to disk once, as another process may have just created it."""
    about = os.fstat(inner)
    key = about.st_dev, about.st_ino
    if made or key not in _flushed:
        flush(handle)
        if len(_flushed) >= _KNOWN:
            _flushed.clear()
        _flushed.add(key)


def flush(handle: int) -> None:
    """Flush the content of a file, or the names in a folder, to disk.

    Folders of file systems that do not support this are skipped.
    """
    try:
        if hasattr(fcntl, "F_FULLFSYNC"):  # where fsync stops at the disk's own memory (macOS)
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
        else:
            os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_FLUSH or not stat.S_ISDIR(os.fstat(handle).st_mode):
            raise


def write_all(handle: int, data: bytes) -> None:
    """Write all bytes to an open file; the system may take them in parts."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


@contextmanager
def finished(handle: int, name: str, data: bytes, mode: int | None = None) -> Iterator[str]:
    """Yield the name of a new, complete and flushed file; what still has the name is removed.

    Without `mode` it has the usual permissions.
    """
    file = os.open(name, NEW, 0o666 if mode is None else 0o600, dir_fd=handle)
    try:
        try:
            write_all(file, data)
            if mode is not None:
                os.fchmod(file, mode)
            flush(file)
        finally:
            os.close(file)
        yield name
    finally:
        with suppress(OSError):  # it was moved, or is swept up later
            os.unlink(name, dir_fd=handle)


def listed(handle: int) -> list[str]:
    """Return the names in an open folder.

    Raises:
        OSError: they cannot be read.
    """
    return os.listdir(handle)


@contextmanager
def regular(handle: int, name: str) -> Iterator[int]:
    """Yield a handle of a regular file of an open folder, never waiting on a pipe.

    Raises:
        OSError: it cannot be opened, is a link, or is not a regular file (EINVAL).
    """
    file = os.open(name, READ, dir_fd=handle)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", name)
        yield file
    finally:
        with suppress(OSError):  # it was only read
            os.close(file)


def content(file: int, limit: int) -> bytes:
    """Return the bytes of an open file.

    Raises:
        TooLarge: it has more than `limit` bytes.
        OSError: it cannot be read.
    """
    parts, size = [b""], 0
    while part := os.pread(file, min(limit + 1 - size, 1024 * 1024), size):
        parts.append(part)
        size += len(part)
        if size > limit:
            raise TooLarge(max(size, os.fstat(file).st_size))
    return b"".join(parts)
