"""What a run took: seconds, tokens and money; 0 and null mean that nobody measured."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from evalcore.disk.reader import MISSING, Json
from evalcore.disk.values import Node, parse_time
from evalcore.families.iterations.amounts import amount, finite
from evalcore.families.iterations.documents import HINTS
from evalcore.families.iterations.runs import Measured, SuiteContext
from evalcore.names import COST, SECONDS, TOKENS, Ideas, by_ideas
from evalcore.shapes.remarks import About

TOKEN_PARTS: Final = ("input_tokens", "output_tokens")
STARTS: Final = ("executor_start", "start_time", "started_at", "start", "start_iso")
ENDS: Final = (
    "executor_end", "end_time", "ended_at", "completed_at", "finished_at", "end", "end_iso",
)  # fmt: skip
NAMES: Final = frozenset(
    (*SECONDS, *TOKENS, *TOKEN_PARTS, *COST, *STARTS, *ENDS, "start_ms", "end_ms")
)
_names_in: Final = by_ideas(
    {"seconds": SECONDS, "tokens": TOKENS, "parts": TOKEN_PARTS, "cost": COST, "starts": STARTS,
     "ends": ENDS}
)  # fmt: skip
STANDARD: Final = frozenset(
    {"total_tokens", "duration_ms", "total_duration_seconds", "executor_start", "executor_end",
     "executor_duration_seconds"}
)  # fmt: skip
NOTES: Final = ("note", "notes", "_note", "_notes", "comment")
_NUMBERS: Final = (int, float)
LARGE: Final = 1e300


def read_timing(context: SuiteContext, path: str | None, doc: Node, about: About) -> Measured:
    """Return what a run's timing.json tells, or where it is silent its grading.

    Remarks in the timing become notes of the run.
    """
    value = context.reader.json(path) if path is not None else MISSING
    if path is not None and value is not MISSING:
        context.judged[path] = 1
        own = doc.value.get("timing")
        if own is None or (type(own) is dict and own.keys() <= STANDARD):
            used = usual(value, None if own is None else own.get("executor_start"))
            if used is not None:
                started = used.started or parse_time(doc.value.get("timestamp"))
                return used._replace(started=started)
    timing = context.node(path or "", {} if value is MISSING else value)
    fields = timing.value
    if isinstance(fields, dict):
        other = sorted((NAMES & fields.keys()) - STANDARD)
        if isinstance(fields.get("timing"), dict):
            other.append("timing")
        if other and not STANDARD & {name for name in fields if fields[name]}:
            what = f"The measures were read from {', '.join(other)}."
            timing.note("info", "other-field-names", what, HINTS["timing"])
        for name in NOTES:
            for text, at in timing.texts(name) if fields.get(name) else ():
                context.remarks.note(timing.path, at, about, "timing", text)
        code = finite(fields.get("exit_code"))
        if code:
            text = f"The run ended with exit code {code:g}."
            context.remarks.note(timing.path, f"{timing.at}/exit_code", about, "timing", text)
    elif finite(fields) is not None:
        what = "This is a number without a unit (milliseconds, seconds or tokens), so it was "
        timing.note("info", "no-unit", f"{what}not read.", HINTS["timing"])
    elif fields is not None:
        timing.type_problem("an object")
    found = [timing] if fields and isinstance(fields, dict) else []
    for node, name in ((timing, "timing"), (doc, "timing"), (timing, "metrics")):
        inner = node.get(name)
        if inner and isinstance(inner, dict):
            found.append(node.child(name))
    starts = (_moment(node, _names_in(node.value)["starts"]) for node in found)
    begun = next(filter(None, starts), None)
    return Measured(*took(found), begun or parse_time(doc.get("timestamp")))


def usual(value: Json, begun: Json = None) -> Measured | None:
    """Return what a timing of the usual form tells; None where it must be read name by name.

    Nearly every timing is of that form, and this way costs a tenth. `begun` is when its run
    started, where it does not say so itself.
    """
    if type(value) is not dict or not value.keys() <= STANDARD:
        return None
    seconds: Any = value.get("total_duration_seconds")
    tokens: Any = value.get("total_tokens")
    if type(seconds) not in _NUMBERS or type(tokens) is not int or seconds <= 0 or tokens <= 0:
        return None
    start = value.get("executor_start")
    start = begun if start is None else start
    started = parse_time(start)
    if started is None and start is not None:
        return None
    return Measured(seconds, tokens, None, started)


def took(places: Sequence[Node]) -> tuple[float | None, float | None, float | None]:
    """Return the seconds, tokens and US dollars of a run, each of the first object that says it."""
    called = [(place, _names_in(place.value)) for place in places]
    seconds = next(filter(None, (_seconds(*each) for each in called)), None)
    tokens = next(filter(None, (_tokens(*each) for each in called)), None)
    cost = next(filter(None, (_first(place, names["cost"]) for place, names in called)), None)
    return seconds, tokens, cost


def _seconds(node: Node, names: Ideas) -> float | None:
    """Return the seconds that a run took: as told, else between its start and its end."""
    held = node.value
    for name in names["seconds"]:
        found = _measured(node, name)
        if found is not None:
            return found / SECONDS[name]
    start, end = finite(held.get("start_ms")), finite(held.get("end_ms"))
    if start is not None and end is not None:
        return (end - start) / 1000 if end > start else None
    begun, done = _moment(node, names["starts"]), _moment(node, names["ends"])
    if begun is None or done is None or done <= begun:
        return None
    return (done - begun).total_seconds()


def _tokens(node: Node, names: Ideas) -> float | None:
    """Return the tokens that a run used: as told, else those it took and gave together."""
    tokens = _first(node, names["tokens"])
    if tokens is not None:
        return tokens
    parts = [part for name in names["parts"] if (part := _measured(node, name)) is not None]
    return sum(parts) if parts else None


def _first(node: Node, names: Iterable[str]) -> float | None:
    """Return the first of some fields that was measured; any other kind of value is noted."""
    for name in names:
        if (found := _measured(node, name)) is not None:
            return found
    return None


def _measured(node: Node, name: str) -> float | None:
    """Return a field that was measured; what is neither a number nor written as one is noted."""
    value = node.value.get(name)
    if type(value) in _NUMBERS and 0 < value < LARGE:
        return value  # type: ignore[no-any-return]
    if value in (None, 0, ""):
        return None
    found = amount(value)
    if found is None:
        node.wrong(name, "a number")
        return None
    return found.value if found.value > 0 else None


def _moment(node: Node, names: Iterable[str]) -> datetime | None:
    return next(filter(None, (moment(node.value[name]) for name in names)), None)


def moment(value: Any) -> datetime | None:
    """Return a point in time from ISO 8601 text, or from seconds or milliseconds since 1970."""
    number = finite(value)
    if number is None:
        return parse_time(value)
    stamp = number / 1000 if number > 1e11 else number
    if not 1e9 <= stamp <= 1e10:
        return None
    return datetime.fromtimestamp(stamp, UTC)
