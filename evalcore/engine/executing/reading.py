"""Read what an executor leaves: plain text, a JSON object, or one JSON object a line; and when."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from evalcore.disk.values import time_text
from evalcore.engine.plan import Plan, Reading
from evalcore.families.running import TestRun

MAX_FILES: Final = 500
MAX_REPLY: Final = 200_000


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
    of = _total if reading.each_line else _newest
    counts = [of(_found(values, path, (int,))) for path in reading.tokens]
    tokens = [count for count in counts if count is not None]
    said = [value for value in values if _is_reply(value, reading.when)]
    reply = _last(_found(said, reading.reply, (str,)))
    cost = of(_found(values, reading.cost, (int, float)))
    failed = _found(values, reading.failed, (bool, str, dict))
    return Read(
        text.strip() if reply is None else reply,
        sum(tokens) if tokens else None,
        None if cost is None else float(cost),
        _last(_found(values, reading.model, (str,))),
        any(any(found) for found in failed),
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


def _found(values: Iterable[Any], path: str, kinds: tuple[type, ...]) -> list[list[Any]]:
    """Return, of each line that has some, the values at a dotted path of some types."""
    found = []
    for value in values if path else ():
        here = [value]
        for name in path.split("."):
            here = [inner for each in here for inner in _inner(each, name)]
        if mine := [each for each in here if type(each) in kinds]:
            found.append(mine)
    return found


def _inner(value: Any, name: str) -> Iterable[Any]:
    if not isinstance(value, dict):
        return ()
    if name == "*":
        return value.values()
    return (value[name],) if name in value else ()


def _is_reply(value: Any, when: str) -> bool:
    path, _, wanted = when.partition("=")
    return not when or any(wanted in each for each in _found([value], path, (str,)))


def _last(found: list[list[Any]]) -> Any:
    return found[-1][-1] if found else None


def _newest(found: list[list[Any]]) -> Any:
    return sum(found[-1]) if found else None


def _total(found: list[list[Any]]) -> Any:
    return sum(map(sum, found)) if found else None


def output_of(plan: Plan, run: TestRun, reply: str) -> Any:
    """Return a reply as the JSON object that it is, else under the name that is expected."""
    try:
        value = json.loads(reply)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    expected = plan.case(run).expected
    names = list(expected) if isinstance(expected, dict) else []
    return {names[0] if len(names) == 1 else "output": reply}


class Times(NamedTuple):
    """When an execution began and ended, as it is written, and how long it took."""

    started_at: str
    ended_at: str
    seconds: float


def times_of(started: datetime, seconds: float) -> Times:
    """Return the times of an execution that began then and took so long."""
    ended = started + timedelta(milliseconds=round(seconds * 1000))
    return Times(time_text(started), time_text(ended), round(seconds, 3))


def now() -> datetime:
    """Return the current time in whole milliseconds, as it is written."""
    found = datetime.now(UTC)
    return found.replace(microsecond=found.microsecond // 1000 * 1000)
