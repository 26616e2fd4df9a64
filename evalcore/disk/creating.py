"""Create a file that is never changed afterwards: whole, once, and on the disk before it counts."""

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
    """Make `data` the content of `path`, a new file below `root`; False if it is there already.

    At any moment there is the whole file or none, and what has the name is never overwritten. When
    this returns, content and name are on the disk itself. The file is written in the folder
    `unfinished`, which must be on the same file system. Missing folders are made; nothing is
    written through a link. To try again is safe, whatever happened before.

    Raises:
        AlreadyStored: it is there with other content, and was left alone.
        CannotWrite: it cannot be written; the message says why and what to do.
        PathOutside: a path is no plain path below the root.
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
    """Return the reason of a failed writing, and the next step, as the end of a sentence."""
    return _WHY.get(error.errno or 0) or f"{error.strerror or error}; mend that, then try again"


def _is_there(home: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=home, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _same(home: int, name: str, data: bytes, whole: Path) -> bool:
    """Return False when the file holds these bytes; what is there is on the disk by then.

    Who created it may have died before it was.
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
    """Yield the name of a finished file that is on the disk; the name is gone afterwards."""
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
    """Give a finished file its name; False where something has that name.

    A link is refused by every file system where the name is taken. Where there are no links, a
    move that refuses does the same. Where there is neither, evalcores take turns by a lock that
    dies with its holder, and only a foreign program could come between the look and the move.
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
    """Return the system's call that moves a file and refuses to replace one, and its flag."""
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
