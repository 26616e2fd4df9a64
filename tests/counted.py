"""Count the calls that something takes, which no busy machine changes."""

import sys
from collections.abc import Callable
from types import FrameType


def calls(act: Callable[[], object]) -> int:
    """Return how many functions, of Python and built in, are called."""
    count = 0

    def note(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        del frame, arg
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count
