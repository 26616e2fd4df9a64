"""A step of a run, and all that a transcript says."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from math import isfinite
from typing import Any, Final, Literal, NamedTuple

import orjson

Kind = Literal[
    "system",
    "user",
    "assistant",
    "thinking",
    "tool_call",
    "tool_result",
    "sub_agent",
    "error",
    "text",
]
CALLS: Final = frozenset({"tool_call", "sub_agent"})
"""The kinds of steps that use a tool."""
TOO_DEEP: Final = "[nested too deeply to be shown]"

_MAX_AMOUNT: Final = 1e12
_YEAR_2200: Final = 7_258_118_400.0
_UNITS: Final = (1.0, 1e3, 1e6, 1e9)
"""Times since 1970 are written in seconds, milliseconds, microseconds or nanoseconds."""


class Step(NamedTuple):
    """One thing that an agent did, or that was said to it.

    `turn` counts the answers of the model from 1, each with what its tools gave; what an agent
    prints before is of turn 0. The result of a
    call is part of it; a `tool_result` is one whose call is not there. `text` is a step that could
    not be understood, as it is written. `status` is `ok` or `error`, and None where nothing says.
    `parent` is the position of the call that began the sub-agent whose step this is. `pointer` is
    the place in a JSON document or among the JSON lines of a file.
    """

    position: int
    turn: int
    kind: Kind
    text: str | None = None
    tool: str | None = None
    arguments: Any = None
    result: str | None = None
    status: Literal["ok", "error"] | None = None
    started_at: datetime | None = None
    duration_s: float | None = None
    tokens: float | None = None
    cost_usd: float | None = None
    parent: int | None = None
    pointer: str | None = None


class Spent(NamedTuple):
    """What one message took."""

    tokens: float | None = None
    cost_usd: float | None = None


NOTHING: Final = Spent()


class Stated(NamedTuple):
    """What a transcript says of itself as a whole."""

    model: str | None = None
    tokens: float | None = None
    cost_usd: float | None = None
    duration_s: float | None = None


NOTHING_STATED: Final = Stated()


class Totals(NamedTuple):
    """What a run took, by its transcript; None is not known.

    What the transcript states of itself comes before what its steps add up to.
    """

    turns: int
    tools: int
    errors: int
    tokens: float | None
    cost_usd: float | None
    duration_s: float | None


@dataclass(frozen=True, eq=False)
class Steps:
    """The steps of one transcript.

    `unread` counts the lines and values that could not be understood (their steps are of the kind
    `text`), `left_out` the steps beyond the most that are kept. `has_tools` says that the
    transcript would tell of tools if there were any: a list of plain messages does not.
    """

    steps: tuple[Step, ...] = ()
    unread: int = 0
    left_out: int = 0
    has_tools: bool = False
    stated: Stated = NOTHING_STATED
    source: str | None = None

    @cached_property
    def understood(self) -> int:
        """How many steps are more than text that nobody could read."""
        return sum(step.kind != "text" for step in self.steps)

    @cached_property
    def calls(self) -> list[Step]:
        """The uses of tools, in their order."""
        return [step for step in self.steps if step.kind in CALLS]

    @cached_property
    def errors(self) -> list[int]:
        """The positions of the steps that failed."""
        failed = (step.status == "error" or step.kind == "error" for step in self.steps)
        return [at for at, is_error in enumerate(failed) if is_error]

    @cached_property
    def totals(self) -> Totals:
        """What the run took."""
        stated = self.stated
        tokens, cost = (
            [amount for step in self.steps if (amount := getattr(step, name)) is not None]
            for name in ("tokens", "cost_usd")
        )
        times = [step.started_at for step in self.steps if step.started_at is not None]
        lasted = seconds_between(min(times), max(times)) if len(times) > 1 else None

        def known(said: float | None, counted: float | None) -> float | None:
            return counted if said is None else said

        return Totals(
            turns=self.steps[-1].turn if self.steps else 0,
            tools=len(self.calls),
            errors=len(self.errors),
            tokens=known(stated.tokens, sum(tokens) if tokens else None),
            cost_usd=known(stated.cost_usd, sum(cost) if cost else None),
            duration_s=known(stated.duration_s, lasted),
        )


NO_STEPS: Final = Steps()
"""What a run without a transcript has."""


def as_text(value: object) -> str:
    """Return a JSON value as text that can be written as UTF-8: a text as it is."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    try:
        return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
    except (TypeError, ValueError, RecursionError):
        return TOO_DEEP


def subject(step: Step, most: int = 2_000) -> str:
    """Return the first argument of a call, so many characters of it, with the whole numbers."""
    asked = step.arguments
    if not isinstance(asked, Mapping) or not asked:
        return "" if asked is None or asked == {} else as_text(asked)[:most]
    (_, begins), *others = asked.items()
    numbers = [f"{name}={value}" for name, value in others if type(value) is int]
    return " ".join([as_text(begins)[:most], *numbers[:4]])


def amount(value: object) -> float | None:
    """Return a number that can be an amount of something; None for what cannot."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if isfinite(value) and 0 <= value <= _MAX_AMOUNT else None


def moment(value: object) -> datetime | None:
    """Return a time, written in ISO form or as a number since 1970; None for what is none."""
    try:
        if isinstance(value, str) and not value.isdigit():
            found = datetime.fromisoformat(value)
            found = found if found.tzinfo else found.replace(tzinfo=UTC)
            return found.astimezone(UTC) if found.year >= 1970 else None
        number = float(value) if isinstance(value, int | float | str) else -1.0
    except (ValueError, OverflowError):
        return None
    if isinstance(value, bool) or not isfinite(number):
        return None
    scaled = (number / unit for unit in _UNITS)
    seconds = next((each for each in scaled if each < _YEAR_2200), -1.0)
    return datetime.fromtimestamp(seconds, UTC) if seconds > 0 else None


def seconds_between(start: datetime | None, end: datetime | None) -> float | None:
    """Return how long something took; None where that is unknown, or ends before it begins."""
    if start is None or end is None or end < start:
        return None
    return (end - start).total_seconds()


def tokens_of(usage: object) -> float | None:
    """Return all tokens that a model's usage counts, read and written; None if it counts none."""
    if not isinstance(usage, Mapping):
        return None
    total = first(usage, "total_tokens", "totalTokens", "totalTokenCount", "total")
    if (known := amount(total)) is not None:
        return known
    cache = usage.get("cache")
    cached = cache if isinstance(cache, Mapping) else {}
    counted = [
        first(usage, "input_tokens", "prompt_tokens", "promptTokenCount", "input"),
        first(usage, "output_tokens", "completion_tokens", "candidatesTokenCount", "output"),
        # These stand beside the input of their makers; others count them as part of it.
        first(usage, "cache_read_input_tokens", "cacheRead"),
        first(usage, "cache_creation_input_tokens", "cacheWrite"),
        *(cached.get(name) for name in ("read", "write")),
    ]
    found = [each for each in map(amount, counted) if each is not None]
    return sum(found) if found else None


def first(value: Mapping[str, Any], *names: str) -> Any:
    """Return what stands under the first of some names that is there; None without any."""
    return next((value[name] for name in names if value.get(name) is not None), None)


def joined(texts: Iterable[str]) -> str:
    """Return texts below each other, without empty ones."""
    return "\n".join(text for text in texts if text)
