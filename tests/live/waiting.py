"""Wait for what another thread does, for a bounded time."""

import time
from collections.abc import Callable


def until(true: Callable[[], bool], seconds: float = 15.0) -> bool:
    """Return True as soon as `true` says so, False when the time is over."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
