"""Seconds, tokens and money of a run; where a document has 0 or null, nothing was measured."""

from typing import Final

from evalcore.disk.reader import MISSING, Json
from evalcore.disk.values import Node, parse_time
from evalcore.families.iterations.amounts import finite
from evalcore.families.iterations.measures import (
    NAMES,
    cost_of,
    seconds_of,
    start_of,
    tokens_of,
)
from evalcore.families.iterations.runs import Desk, Measured
from evalcore.tables.rows import NoteRow

STANDARD: Final = frozenset(
    {"total_tokens", "duration_ms", "total_duration_seconds", "executor_start", "executor_end",
     "executor_duration_seconds"}
)  # fmt: skip
PLAIN: Final = frozenset({"total_tokens", "duration_ms", "total_duration_seconds"})
NOTES: Final = ("note", "notes", "_note", "_notes", "comment")


def read_timing(
    desk: Desk, path: str | None, doc: Node, key: str | None = None, version: str | None = None
) -> Measured:
    """Return what a run's timing.json tells, or where it is silent its grading.

    With the run's id in `key`, remarks of the timing become notes of the run.
    """
    value = desk.reader.json(path) if path is not None else MISSING
    plain = _plain(value) if "timing" not in doc.value and "timestamp" not in doc.value else None
    if path is not None and plain is not None:
        desk.judged[path] = 1
        return plain
    timing = desk.node(path or "", {} if value is MISSING else value)
    if path is not None and value is not MISSING:
        desk.judged[path] = 1
        _look_over(timing)
        if key is not None and isinstance(value, dict):
            _remarks(desk, timing, key, version)
    places = [timing, timing.child("timing"), doc.child("timing")]
    places += [timing.child("metrics")] if timing.has("metrics") else []
    told = [place for place in places if isinstance(place.value, dict) and place.value]
    started = next((begun for place in told if (begun := start_of(place))), None)
    return Measured(
        next((seconds for place in told if (seconds := seconds_of(place))), None),
        next((tokens for place in told if (tokens := tokens_of(place))), None),
        next((cost for place in told if (cost := cost_of(place))), None),
        started or parse_time(doc.get("timestamp")),
    )


def _plain(value: Json) -> Measured | None:
    """Return the measures of the document that most tools write, or None for any other."""
    if type(value) is not dict or value.keys() != PLAIN:
        return None
    tokens, seconds = value["total_tokens"], value["total_duration_seconds"]
    numbers = type(tokens) is int and type(seconds) is float
    return Measured(seconds, tokens, None, None) if numbers and tokens > 0 < seconds else None


def _look_over(timing: Node) -> None:
    """Note what was read under other names, and a number that says nothing of its unit."""
    value = timing.value
    if not isinstance(value, dict):
        if finite(value) is not None:
            timing.note(
                "info",
                "no-unit",
                "This is a bare number, of milliseconds, seconds or tokens; it was not read.",
                "Write an object with total_tokens and duration_ms.",
            )
        elif value is not None:
            timing.type_problem("an object")
        return
    inner = value.get("timing")
    other = sorted((NAMES & value.keys()) - STANDARD)
    if isinstance(inner, dict):
        other.append("timing")
    if other and not STANDARD & {name for name in value if value[name]}:
        timing.note(
            "info",
            "other-field-names",
            f"The measures were read from {', '.join(other)}.",
            "Write total_tokens, duration_ms and total_duration_seconds.",
        )


def _remarks(desk: Desk, timing: Node, key: str, version: str | None) -> None:
    def add(text: str, at: str) -> None:
        desk.rows.add(
            NoteRow(
                suite=desk.suite,
                run_id=key,
                version=version,
                kind="timing",
                text=text,
                source=timing.path,
                pointer=at,
            )
        )

    for name in NOTES:
        if timing.value.get(name):
            for text, at in timing.texts(name):
                add(text, at)
    code = finite(timing.value.get("exit_code"))
    if code:
        add(f"The run ended with exit code {code:g}.", f"{timing.at}/exit_code")
