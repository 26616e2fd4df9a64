"""Read timing: when a run started and how long it took."""

from datetime import datetime
from typing import Any, Final, NamedTuple

from evalcore.disk.values import Node, parse_time
from evalcore.numbers import disagrees


class Timing(NamedTuple):
    """Start and duration of one run; None is not measured."""

    started_at: datetime | None = None
    duration_s: float | None = None


NOTHING: Final = Timing()


def read_timing(node: Node) -> Timing:
    """Return start and duration, after comparing the duration with start and end."""
    if node.value is None:
        return NOTHING
    if not isinstance(node.value, dict):
        node.type_problem("an object")
        return NOTHING
    start, end = node.time("start"), node.time("end")
    stored = positive(node, "duration_seconds")
    if start is None or end is None:
        return Timing(start, stored)
    measured = (end - start).total_seconds()
    if measured < 0:
        hint = "Write both times in the same zone."
        node.note("warning", "ends-before-start", "The run ends before it starts.", hint, "end")
        return Timing(start, stored)
    if stored is not None and disagrees(stored, measured):
        message = f"duration_seconds is {stored:g}, but from start to end it is {measured:g}."
        hint = "Write the seconds from start to end."
        node.note("warning", "derived-mismatch", message, hint, "duration_seconds")
    return Timing(start, stored or measured or None)


def decoded_timing(timing: Any) -> Timing | None:
    """Return start and duration of a decoded timing; None if `read_timing` is needed.

    It is much quicker, and runs are many.
    """
    if timing is None:
        return NOTHING
    start, end = parse_time(timing.start), parse_time(timing.end)
    stored = timing.duration_seconds
    if start is None or end is None or not stored or end < start:
        return None
    measured = (end - start).total_seconds()
    if stored != measured and disagrees(stored, measured):
        return None
    return Timing(start, stored)


def positive(node: Node, key: str) -> float | None:
    """Return a number above 0; 0 and null both mean "not measured"."""
    value = node.number(key)
    if value is not None and value < 0:
        message = f"{key} is {value:g}; it was not read."
        node.note("warning", "negative", message, "Measure again.", key)
        return None
    return value or None
