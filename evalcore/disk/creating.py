"""Create a file that is never changed afterwards: atomically, once, and flushed to disk."""

import ctypes
import errno
import fcntl
import functools
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from evalcore.disk.handles import (
    LINK,
    NEW,
    content,
    flush,
    folder,
    names_of,
    regular,
    write_all,
)
from evalcore.disk.unfinished import unfinished_name
from evalcore.errors import AlreadyStored, CannotWrite

MAX_BYTES: Final = 4 * 1024 * 1024
"""What is larger is not created, and not read to be compared."""

LOCK_SECONDS: Final = 10

_NO_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK})
_NO_SUCH_CALL: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EPERM})
_WHY: Final = {
    errno.ENOSPC: "the disk is full; free some space, then try again",
    errno.EDQUOT: "your share of the disk is used up; free some space, then try again",
    errno.EFBIG: "a limit of this system cuts files off; raise it, then try again",
    errno.EROFS: "the folder is read-only; work on a copy that can be written",
    errno.EACCES: "you may not write there; ask for the permission, or work on a copy",
    errno.EPERM: "you may not write there; ask for the permission, or work on a copy",
    errno.EIO: "the disk reported an error; check the disk, then try again",
    errno.ENOENT: "its folder was removed meanwhile; open the workspace again",
    errno.EINTR: "the system broke off; try again",
    **dict.fromkeys(LINK, "a link leads there, and links are not followed; put a folder there"),
}


def create(root: Path, path: str, data: bytes, *, unfinished: str) -> bool:
    """Create the file `path` below `root` with `data`; False if it exists with this content.

    At any moment there is the whole file or none, and an existing file is never overwritten. When
    this returns, content and name are flushed to disk. The file is written in the folder
    `unfinished`, which must be on the same file system. Missing folders are created; nothing is
    written through a link. Retrying is always safe.

    Raises:
        AlreadyStored: it exists with other content, and was left alone.
        CannotWrite: it cannot be written; the message says why and what to do.
        PathOutside: a path is not a plain path below the root.
    """
    *inner, name = names_of(path)
    spare = names_of(unfinished)
    whole = root / path
    if len(data) > MAX_BYTES:
        raise CannotWrite(whole, f"it has {len(data):,} bytes, at most {MAX_BYTES:,} are kept")
    try:
        with folder(root, inner, make=True) as home, folder(root, spare, make=True) as away:
            if _is_there(home, name):
                return _same(home, name, data, whole)
            with _written(away, data) as temporary:
                new = _named(away, temporary, home, name)
            if not new:
                return _same(home, name, data, whole)
            flush(home)
    except OSError as error:
        raise CannotWrite(whole, why(error)) from error
    return True


def why(error: OSError) -> str:
    """Return the reason of a failed write, and the next step, as the end of a sentence."""
    return _WHY.get(error.errno or 0) or f"{error.strerror or error}; mend that, then try again"


def _is_there(home: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=home, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _same(home: int, name: str, data: bytes, whole: Path) -> bool:
    """Return False if the file holds these bytes, after flushing it to disk.

    Its creator may have died before the flush.
    """
    try:
        with regular(home, name) as file:
            held = content(file, MAX_BYTES)
            flush(file)
    except OSError as error:
        if error.errno in LINK or error.errno in (errno.EINVAL, errno.EFBIG):
            raise AlreadyStored(whole, None) from error
        raise
    flush(home)
    if held != data:
        raise AlreadyStored(whole, held)
    return False


@contextmanager
def _written(away: int, data: bytes) -> Iterator[str]:
    """Yield the temporary name of a finished and flushed file; the name is removed afterwards."""
    name = unfinished_name()
    file = os.open(name, NEW, 0o666, dir_fd=away)
    try:
        try:
            write_all(file, data)
            flush(file)
        finally:
            os.close(file)
        yield name
    finally:
        # It may have been moved; what cannot be removed is swept up later.
        with suppress(OSError):
            os.unlink(name, dir_fd=away)


def _named(away: int, temporary: str, home: int, name: str) -> bool:
    """Give a finished file its name; False if the name is taken.

    Creating a hard link fails on every file system if the name is taken. Without hard links, a move
    without replacement does the same. Without either, evalcore processes use a lock that is
    released with its holder; only another program could then interfere between check and move.
    """
    try:
        os.link(temporary, name, src_dir_fd=away, dst_dir_fd=home, follow_symlinks=False)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
    else:
        return True
    try:
        _move_new(away, temporary, home, name)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_SUCH_CALL:
            raise
    else:
        return True
    return _move_in_turn(away, temporary, home, name)


@functools.cache
def _mover() -> tuple[object, int]:
    """Return the system call that moves a file without replacing one, and its flag."""
    library = ctypes.CDLL(None, use_errno=True)
    name, flag = ("renameatx_np", 4) if sys.platform == "darwin" else ("renameat2", 1)
    call = getattr(library, name, None)
    if call is not None:
        call.argtypes = (
            ctypes.c_int,
            ctypes.c_char_p,
            ctypes.c_int,
            ctypes.c_char_p,
            ctypes.c_uint,
        )
    return call, flag


def _move_new(away: int, temporary: str, home: int, name: str) -> None:
    call, flag = _mover()
    if not callable(call):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    if call(away, os.fsencode(temporary), home, os.fsencode(name), flag) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _move_in_turn(away: int, temporary: str, home: int, name: str) -> bool:
    _wait_for_turn(away)  # ends when the handle is closed
    if _is_there(home, name):
        return False
    os.rename(temporary, name, src_dir_fd=away, dst_dir_fd=home)
    return True


def _wait_for_turn(handle: int) -> None:
    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
