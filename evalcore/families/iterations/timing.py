"""Seconds, tokens and money of a run; where a document has 0 or null, nothing was measured."""

from typing import Any, Final

from evalcore.disk.reader import MISSING, Json
from evalcore.disk.values import Node, parse_time
from evalcore.families.iterations.amounts import finite
from evalcore.families.iterations.documents import HINTS
from evalcore.families.iterations.measures import (
    NAMES,
    cost_of,
    seconds_of,
    start_of,
    tokens_of,
)
from evalcore.families.iterations.runs import Measured, SuiteContext
from evalcore.shapes.remarks import About

STANDARD: Final = frozenset(
    {"total_tokens", "duration_ms", "total_duration_seconds", "executor_start", "executor_end",
     "executor_duration_seconds"}
)  # fmt: skip
_NUMBERS: Final = (int, float)
NOTES: Final = ("note", "notes", "_note", "_notes", "comment")


def read_timing(context: SuiteContext, path: str | None, doc: Node, about: About) -> Measured:
    """Return what a run's timing.json tells, or where it is silent its grading.

    Remarks in the timing become notes of the run.
    """
    value = context.reader.json(path) if path is not None else MISSING
    if path is not None and value is not MISSING:
        context.judged[path] = 1
        own = doc.value.get("timing")
        if own is None or (type(own) is dict and own.keys() <= STANDARD):
            found = usual(value, None if own is None else own.get("executor_start"))
            if found is not None:
                started = found.started or parse_time(doc.value.get("timestamp"))
                return found._replace(started=started)
    timing = context.node(path or "", {} if value is MISSING else value)
    _look_over(timing)
    if isinstance(timing.value, dict):
        for name in NOTES:
            if timing.value.get(name):
                for text, at in timing.texts(name):
                    context.remarks.note(timing.path, at, about, "timing", text)
        code = finite(timing.value.get("exit_code"))
        if code:
            text = f"The run ended with exit code {code:g}."
            context.remarks.note(timing.path, f"{timing.at}/exit_code", about, "timing", text)
    places = [timing, timing.child("timing"), doc.child("timing"), timing.child("metrics")]
    filled = [place for place in places if isinstance(place.value, dict) and place.value]
    started = next((begun for place in filled if (begun := start_of(place))), None)
    return Measured(
        next((seconds for place in filled if (seconds := seconds_of(place))), None),
        next((tokens for place in filled if (tokens := tokens_of(place))), None),
        next((cost for place in filled if (cost := cost_of(place))), None),
        started or parse_time(doc.get("timestamp")),
    )


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


def _look_over(timing: Node) -> None:
    """Note what was read under other names, and a number that says nothing of its unit."""
    value = timing.value
    if not isinstance(value, dict):
        if finite(value) is not None:
            timing.note(
                "info",
                "no-unit",
                "This is a number without a unit (milliseconds, seconds or tokens), so it was "
                "not read.",
                HINTS["timing"],
            )
        elif value is not None:
            timing.type_problem("an object")
        return
    other = sorted((NAMES & value.keys()) - STANDARD)
    if isinstance(value.get("timing"), dict):
        other.append("timing")
    if other and not STANDARD & {name for name in value if value[name]}:
        timing.note(
            "info",
            "other-field-names",
            f"The measures were read from {', '.join(other)}.",
            HINTS["timing"],
        )
