"""Replace a file that others write too: atomically, and only if unchanged since it was read."""

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from evalcore.disk.creating import unsettled, why
from evalcore.disk.handles import READ, finished, flush, folder, names_of
from evalcore.disk.naming import Unsettled, is_named, move, name_once, wait_for_turn
from evalcore.disk.unfinished import unfinished_beside
from evalcore.errors import CannotWrite, ChangedMeanwhile

_WRITABLE: Final = READ | os.O_RDWR
"""A file server locks only what is open for writing."""


def digest(data: bytes) -> str:
    """Return the digest of a file's content."""
    return hashlib.sha256(data).hexdigest()


def put(root: Path, path: str, data: bytes, *, seen: str | None) -> None:
    """Write `data` to `path`, a file below `root`.

    `seen` is the `digest` of the content that was read; None creates the file, which must not
    exist. The file always has the old or the new content, never a part; permissions stay. Nothing
    is written through a link. The file itself is locked meanwhile, so that whoever writes it with
    evalcore waits, as whatever user and on whatever machine.

    Raises:
        ChangedMeanwhile: the file changed since it was read; it was left alone.
        MayBeWritten: it was written, perhaps; the message says why that is not known.
        CannotWrite: it is a link, not a regular file or read-only, or locked by another evalcore,
            or cannot be written; the message says why and what to do.
        PathOutside: it is outside the root.
    """
    *folders, name = names_of(path)
    whole = root / path
    try:
        with folder(root, folders) as handle, unsettled(whole, Unsettled):
            if seen is None:
                _create(handle, name, data, whole)
            else:
                mode = _unchanged(handle, name, seen, whole)
                with (
                    _locked(handle, name, whole),
                    finished(handle, unfinished_beside(name), data, mode) as temporary,
                ):
                    _unchanged(handle, name, seen, whole)
                    move(handle, temporary, handle, name)
            with unsettled(whole):
                flush(handle)
    except OSError as error:
        raise CannotWrite(whole, why(error)) from error


def _create(handle: int, name: str, data: bytes, whole: Path) -> None:
    _unchanged(handle, name, None, whole)
    with finished(handle, unfinished_beside(name), data) as temporary:
        if not name_once(handle, temporary, handle, name):
            _unchanged(handle, name, None, whole)  # raises: it is there


@contextmanager
def _locked(handle: int, name: str, whole: Path) -> Iterator[None]:
    """Hold the lock of a file; who waited for the one that was replaced finds it changed."""
    try:
        file = os.open(name, _WRITABLE, dir_fd=handle)
    except PermissionError:
        file = os.open(name, READ, dir_fd=handle)
    try:
        wait_for_turn(file)
        if not is_named(os.fstat(file), handle, name):
            _unchanged(handle, name, "", whole)  # raises: it was replaced or removed
        yield
    finally:
        with suppress(OSError):  # nothing was written through it
            os.close(file)


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
