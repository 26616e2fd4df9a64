"""Read what an executor prints: plain text, a JSON object, or one JSON object a line."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from evalcore.engine.plan import Reading


class Read(NamedTuple):
    """The answer of an executor and what it used, as far as it tells."""

    reply: str
    tokens: int | None = None
    cost_usd: float | None = None
    model: str | None = None
    failed: bool = False


def read_output(text: str, reading: Reading) -> Read:
    """Return what an executor's output says; text that is not of the stated form is the reply."""
    values = list(_values(text, reading.form))
    if not values:
        return Read(text.strip())
    counts = [_last(values, path, (int,)) for path in reading.tokens]
    tokens = [count for count in counts if count is not None]
    reply = _last(values, reading.reply, (str,))
    cost = _last(values, reading.cost, (int, float))
    return Read(
        text.strip() if reply is None else reply,
        sum(tokens) if tokens else None,
        None if cost is None else float(cost),
        _last(values, reading.model, (str,)),
        _last(values, reading.failed, (bool,)) is True,
    )


def _values(text: str, form: str) -> Iterator[Any]:
    if form == "text":
        return
    for part in [text] if form == "json" else text.splitlines():
        try:
            value = json.loads(part)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _last(values: Iterable[Any], path: str, kinds: tuple[type, ...]) -> Any:
    """Return the last value at a dotted path that has one of some types; None without one."""
    found = None
    for value in values if path else ():
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None  # noqa: PLW2901
        if type(value) in kinds:
            found = value
    return found
