"""A stop for what would go on for hours."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 60.0
"""CPU seconds: far above what a slow machine needs, far below what a second pass per part takes."""


@contextmanager
def bounded() -> Iterator[None]:
    """Stop what is still at work after `PATIENCE`, so that an endless reading fails, not hangs.

    No measurement: the inputs are so large that anything but one pass over them takes hours.
    """

    def stop(number: int, frame: object) -> None:
        raise AssertionError(f"Still at work after {PATIENCE:.0f} CPU seconds.")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
