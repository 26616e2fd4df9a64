"""Read execution_metrics: an executor's measurements, under the names that tools use."""

from datetime import datetime
from typing import Final, NamedTuple

from evalcore.disk.values import Node, parse_time

_DURATIONS: Final = (
    "total_duration_seconds", "duration_seconds", "executor_duration_seconds", "duration_s"
)  # fmt: skip
_TOKENS: Final = ("total_tokens", "tokens")
_COSTS: Final = ("total_cost_usd", "cost_usd")
_TEXTS: Final = ("executor", "model", "executor_model")


class Measured(NamedTuple):
    """Time, tokens and money of one run; None is not measured."""

    duration_s: float | None = None
    tokens: float | None = None
    cost_usd: float | None = None
    executor: str | None = None
    model: str | None = None
    started_at: datetime | None = None


NOTHING: Final = Measured()


def measured(node: Node) -> Measured:
    """Return the known metrics; other fields stay in the raw document."""
    if not isinstance(node.value, dict):
        node.type_problem("an object")
        return NOTHING
    duration = _first(node, _DURATIONS)
    if duration is None and (milliseconds := _first(node, ("duration_ms",))) is not None:
        duration = milliseconds / 1000
    executor, model, other = (_text(node, key) for key in _TEXTS)
    return Measured(
        duration,
        _first(node, _TOKENS),
        _first(node, _COSTS),
        executor,
        model or other,
        parse_time(node.get("executor_start")),
    )


def _first(node: Node, keys: tuple[str, ...]) -> float | None:
    """Return the first measured number; 0 and null both mean "not measured"."""
    for key in keys:
        value = node.get(key)
        # A field of this name may hold anything: only a number is meant.
        if type(value) in (int, float) and 0 < value < 1e18:
            return float(value)
    return None


def _text(node: Node, key: str) -> str | None:
    value = node.get(key)
    return value if isinstance(value, str) and value else None
