"""Replace a file that others write too: atomically, and only if unchanged since it was read."""

import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from evalcore.disk.handles import LINK, NEW, READ, folder, names_of
from evalcore.errors import CannotWrite, ChangedMeanwhile

LOCK_SECONDS: Final = 10

_NO_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK})


def digest(data: bytes) -> str:
    """Return the digest of a file's content."""
    return hashlib.sha256(data).hexdigest()


def put(root: Path, path: str, data: bytes, *, seen: str | None, locks: Path) -> None:
    """Write `data` to `path`, a file below `root`.

    `seen` is the `digest` of the content that was read; None creates the file, which must not
    exist. The file always has the old or the new content, never a part; permissions stay. Nothing
    is written through a link. The lock is in `locks`, outside the workspace.

    Raises:
        ChangedMeanwhile: the file changed since it was read; it was left alone.
        CannotWrite: it is a link, not a regular file or read-only, or locked by another evalcore.
        PathOutside: it is outside the root.
        OSError: it cannot be written.
    """
    *folders, name = names_of(path)
    whole = root / path
    with _locked(whole, locks), _folder(root, folders, whole) as handle:
        mode = _unchanged(handle, name, seen, whole)
        temporary = f".{name}.{secrets.token_hex(6)}.tmp"
        try:
            _write(handle, temporary, data, mode)
            if seen is None:
                _create(handle, temporary, name, whole)
            else:
                _unchanged(handle, name, seen, whole)
                os.replace(temporary, name, src_dir_fd=handle, dst_dir_fd=handle)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=handle)
        os.fsync(handle)


@contextmanager
def _locked(whole: Path, locks: Path) -> Iterator[None]:
    """Hold the lock of a file, by its real path, so that two names of one folder share it."""
    locks.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = digest(os.fsencode(os.path.realpath(whole.parent) + os.sep + whole.name))
    try:
        with FileLock(locks / f"{name[:32]}.lock", timeout=LOCK_SECONDS):
            yield
    except Timeout as error:
        raise CannotWrite(whole, "another evalcore is writing it; try again") from error


@contextmanager
def _folder(root: Path, folders: list[str], whole: Path) -> Iterator[int]:
    """Yield a handle of the file's folder; nothing is written through a link."""
    try:
        with folder(root, folders) as handle:
            yield handle
    except OSError as error:
        if error.errno in LINK:
            raise CannotWrite(whole, "a link leads there, and links are not followed") from error
        raise


def _unchanged(handle: int, name: str, seen: str | None, whole: Path) -> int | None:
    """Return the permissions of an unchanged file; None if there is none."""
    try:
        file = os.open(name, READ, dir_fd=handle)
    except FileNotFoundError:
        if seen is None:
            return None
        raise ChangedMeanwhile(whole, None) from None
    about = os.fstat(file)
    if not stat.S_ISREG(about.st_mode):
        os.close(file)
        raise CannotWrite(whole, "it is no regular file")
    with os.fdopen(file, "rb") as opened:
        now = opened.read()
    if seen is None or digest(now) != seen:
        raise ChangedMeanwhile(whole, now)
    if not about.st_mode & 0o222:
        raise CannotWrite(whole, "it is read-only; allow writing first")
    return stat.S_IMODE(about.st_mode)


def _write(handle: int, name: str, data: bytes, mode: int | None) -> None:
    """Write a new file, with given or default permissions, and flush it."""
    file = os.open(name, NEW, 0o666 if mode is None else 0o600, dir_fd=handle)
    with os.fdopen(file, "wb") as opened:
        opened.write(data)
        opened.flush()
        if mode is not None:
            os.fchmod(opened.fileno(), mode)
        os.fsync(opened.fileno())


def _create(handle: int, temporary: str, name: str, whole: Path) -> None:
    """Give a finished file its name unless the name is taken."""
    try:
        os.link(temporary, name, src_dir_fd=handle, dst_dir_fd=handle, follow_symlinks=False)
    except FileExistsError:
        _unchanged(handle, name, None, whole)  # raises: it is there
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # Without links the empty file takes the name first, then the finished one takes its place.
        os.close(os.open(name, NEW, 0o666, dir_fd=handle))
        os.replace(temporary, name, src_dir_fd=handle, dst_dir_fd=handle)
