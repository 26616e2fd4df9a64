"""Seconds, tokens and money of a run; where a document has 0 or null, nothing was measured."""

from datetime import datetime
from typing import Final

from evalcore.disk.reader import MISSING
from evalcore.disk.values import Node, parse_time
from evalcore.families.iterations.runs import Desk, Measured

SECONDS: Final = ("total_duration_seconds", "duration_seconds")
INNER_SECONDS: Final = ("total_duration_seconds", "executor_duration_seconds")
COSTS: Final = ("cost_usd", "total_cost_usd")
STARTS: Final = ("executor_start", "start_time", "started_at", "start")


def read_timing(desk: Desk, path: str | None, doc: Node) -> Measured:
    """Return what a run's timing.json tells, or where it is silent its grading."""
    value = desk.reader.json(path) if path is not None else MISSING
    timing = desk.node(path or "", {} if value is MISSING else value)
    inner = doc.child("timing")
    seconds, milliseconds = _first(timing, *SECONDS), _first(timing, "duration_ms")
    if not seconds and milliseconds:
        seconds = milliseconds / 1000
    if path is not None and value is not MISSING:
        desk.judged[path] = 1
    return Measured(
        seconds or _first(inner, *INNER_SECONDS),
        _first(timing, "total_tokens") or _first(inner, "total_tokens"),
        _first(timing, *COSTS),
        _started(doc, timing, inner),
    )


def _first(node: Node, *keys: str) -> float | None:
    """Return the first of the fields that was measured."""
    if not isinstance(node.value, dict):
        return None
    for key in keys:
        if node.get(key) not in (None, 0) and (found := node.number(key)):
            return found
    return None


def _started(doc: Node, *timings: Node) -> datetime | None:
    """Return when a run started, from the first of the names that is used."""
    for node in timings:
        for key in STARTS:
            found = parse_time(node.get(key))
            if found is not None:
                return found
    return parse_time(doc.get("timestamp"))
