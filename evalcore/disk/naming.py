"""Give a finished file its name, on disks of this machine and of file servers.

The answer of a server can be lost after it did what it was asked to; the repeated request then
fails, as the name is taken or the file is gone. So what is reported as failed is looked at.
"""

import ctypes
import errno
import fcntl
import functools
import os
import sys
import time
from collections.abc import Callable
from typing import Final

LOCK_SECONDS: Final = 10

_NO_SUCH_CALL: Final = frozenset(
    {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EPERM, errno.EMLINK}
)


class Unsettled(OSError):
    """It could not be found out whether a file has its name."""


Way = Callable[[int, str, int, str], None]
"""A way to give a name: folder and name of the finished file, folder and name that it gets."""


def name_once(away: int, temporary: str, home: int, name: str) -> bool:
    """Give a finished file its name; False if the name is taken by another file.

    Creating a hard link fails on every file system if the name is taken. Without hard links, a move
    without replacement does the same. Without either, evalcore processes use a lock that is
    released with its holder; only another program could then interfere between check and move.

    Raises:
        Unsettled: it may have been named.
        OSError: it was not named.
    """
    file = _about(temporary, away)
    for way in (_link, _move_new):
        try:
            way(away, temporary, home, name)
        except OSError as error:
            if is_named(file, home, name):
                return True
            if isinstance(error, FileExistsError):
                return False
            if error.errno not in _NO_SUCH_CALL:
                raise
        else:
            return True
    wait_for_turn(away)  # ends when the handle is closed
    if is_there(home, name):
        return False
    move(away, temporary, home, name)
    return True


def move(away: int, temporary: str, home: int, name: str) -> None:
    """Move a finished file to a name, replacing what has it.

    Raises:
        Unsettled: it may have been moved.
        OSError: it was not moved.
    """
    file = _about(temporary, away)
    try:
        os.replace(temporary, name, src_dir_fd=away, dst_dir_fd=home)
    except OSError:
        # Where it has neither name, it was moved, and somebody has replaced it since.
        if not is_named(file, home, name) and is_named(file, away, temporary):
            raise


def is_there(home: int, name: str) -> bool:
    """Say whether an open folder contains a name, whatever kind of file it is."""
    try:
        _about(name, home)
    except FileNotFoundError:
        return False
    return True


def is_named(file: os.stat_result, home: int, name: str) -> bool:
    """Say whether a folder has a file by a name.

    Raises:
        Unsettled: that cannot be found out.
    """
    try:
        return os.path.samestat(file, _about(name, home))
    except FileNotFoundError:
        return False
    except OSError as error:
        raise Unsettled(error.errno, error.strerror) from error


def wait_for_turn(handle: int, seconds: float = LOCK_SECONDS) -> None:
    """Lock an open file or folder until it is closed.

    Raises:
        BlockingIOError: another process held the lock for so long.
        OSError: its file system has no locks.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def _about(name: str, folder: int) -> os.stat_result:
    return os.stat(name, dir_fd=folder, follow_symlinks=False)


def _link(away: int, temporary: str, home: int, name: str) -> None:
    os.link(temporary, name, src_dir_fd=away, dst_dir_fd=home, follow_symlinks=False)


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
