"""Remove unfinished files of writers that died, and nothing else."""

import os
import stat
import threading
import time
from contextlib import suppress
from typing import Final

from evalcore.disk.handles import folder, listed
from evalcore.disk.unfinished import is_abandoned
from evalcore.judging.storing.stored_reviews import ReviewFolder

OLD_SECONDS: Final = 600
EVERY_SECONDS: Final = 60
_REMEMBERED: Final = 1_000

_swept: dict[tuple[str, str], float] = {}
_lock = threading.Lock()


def sweep(reviews: ReviewFolder) -> int:
    """Remove unfinished files older than ten minutes whose process is dead; return how many.

    Names tell machine and process. Files of other machines, other programs and running processes
    stay, and so does what cannot be removed, as it does no harm.
    """
    removed = 0
    with suppress(OSError), folder(reviews.root, reviews.unfinished.split("/")) as handle:
        for name in listed(handle):
            if is_abandoned(name) and _is_old(handle, name):
                with suppress(OSError):
                    os.unlink(name, dir_fd=handle)
                    removed += 1
    return removed


def _is_old(handle: int, name: str) -> bool:
    try:
        about = os.stat(name, dir_fd=handle, follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISREG(about.st_mode) and time.time() - about.st_mtime > OLD_SECONDS


def sweep_sometimes(reviews: ReviewFolder) -> int:
    """Sweep a folder unless this process did so within the last minute; return how many went."""
    key, now = (os.fspath(reviews.root), reviews.path), time.monotonic()
    with _lock:
        if now - _swept.get(key, -EVERY_SECONDS) < EVERY_SECONDS:
            return 0
        if len(_swept) >= _REMEMBERED:
            _swept.clear()
        _swept[key] = now
    return sweep(reviews)
