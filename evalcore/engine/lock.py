"""The lock of a run: taken by who starts its process, and held by that process to its end."""

import fcntl
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Final

from evalcore.errors import CannotRun

PATIENCE: Final = 1.0
"""Seconds that a lock is waited for: somebody who only looks holds it for a moment."""

_PAUSE: Final = 0.01


class RunLock:
    """The lock of one run, for a `with` block.

    A process that is started meanwhile and given the handle holds it too, and goes on doing so: the
    lock is free when all of them have closed it or ended.
    """

    def __init__(self, path: Path, given: int | None = None) -> None:
        self._path, self._given = path, given
        self._handle = -1

    def __enter__(self) -> int:
        """Return the handle that holds the lock.

        Raises:
            CannotRun: another process holds it.
        """
        handle = self._given
        if handle is None:
            handle = _taken(self._path, fcntl.LOCK_EX, PATIENCE)
        if handle is None:
            name = self._path.parent.name
            raise CannotRun(f"Run {name} is in progress already. `evalcore runs` shows it.")
        os.set_inheritable(handle, False)
        self._handle = handle
        return handle

    def __exit__(
        self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        os.close(self._handle)  # an explicit unlock would take it from a process it was given to

    def is_held(self) -> bool:
        """Return whether a process of this machine holds it now."""
        # Shared, so that two who look do not take each other for the process.
        handle = _taken(self._path, fcntl.LOCK_SH, 0)
        if handle is None:
            return True
        os.close(handle)
        return False


def _taken(path: Path, how: int, seconds: float) -> int | None:
    """Return a handle that holds the lock; None if somebody else does for all of the time."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    end = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(handle, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                os.close(handle)
                return None
            time.sleep(_PAUSE)
        except OSError:
            os.close(handle)
            raise
        else:
            return handle
