"""What a run took, as the names in an object say; 0 and null mean that nobody measured."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

from evalcore.disk.values import Node, parse_time
from evalcore.families.iterations.amounts import amount, finite
from evalcore.names import COST, SECONDS, TOKENS

TOKEN_PARTS: Final = ("input_tokens", "output_tokens")
STARTS: Final = ("executor_start", "start_time", "started_at", "start", "start_iso")
ENDS: Final = (
    "executor_end", "end_time", "ended_at", "completed_at", "finished_at", "end", "end_iso",
)  # fmt: skip
NAMES: Final = frozenset(
    (*SECONDS, *TOKENS, *TOKEN_PARTS, *COST, *STARTS, *ENDS, "start_ms", "end_ms")
)


def seconds_of(node: Node) -> float | None:
    """Return the seconds that a run took: as told, else between its start and its end."""
    held = node.value
    for name, divisor in SECONDS.items():
        found = _measured(node, name) if name in held else None
        if found is not None:
            return found / divisor
    start, end = finite(held.get("start_ms")), finite(held.get("end_ms"))
    if start is not None and end is not None:
        return (end - start) / 1000 if end > start else None
    begun, done = _moment(node, STARTS), _moment(node, ENDS)
    if begun is None or done is None or done <= begun:
        return None
    return (done - begun).total_seconds()


def tokens_of(node: Node) -> float | None:
    """Return the tokens that a run used: as told, else those it took and gave together."""
    tokens = _first(node, TOKENS)
    if tokens is not None:
        return tokens
    parts = [part for name in TOKEN_PARTS if (part := _measured(node, name)) is not None]
    return sum(parts) if parts else None


def cost_of(node: Node) -> float | None:
    """Return what a run cost in US dollars."""
    return _first(node, COST)


def start_of(node: Node) -> datetime | None:
    """Return when a run started."""
    return _moment(node, STARTS)


def _first(node: Node, names: Iterable[str]) -> float | None:
    for name in names:
        found = _measured(node, name) if name in node.value else None
        if found is not None:
            return found
    return None


def _measured(node: Node, name: str) -> float | None:
    """Return a field that was measured; what is neither a number nor written as one is noted."""
    value = node.value.get(name)
    if value in (None, 0, ""):
        return None
    found = amount(value)
    if found is None:
        node.wrong(name, "a number")
        return None
    return found.value if found.value > 0 else None


def _moment(node: Node, names: Iterable[str]) -> datetime | None:
    held = node.value
    return next((found for name in names if (found := moment(held.get(name))) is not None), None)


def moment(value: Any) -> datetime | None:
    """Return a point in time from ISO 8601 text, or from seconds or milliseconds since 1970."""
    number = finite(value)
    if number is None:
        return parse_time(value)
    stamp = number / 1000 if number > 1e11 else number
    if not 1e9 <= stamp <= 1e10:
        return None
    return datetime.fromtimestamp(stamp, UTC)
