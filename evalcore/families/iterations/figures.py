"""The numbers of one run, under the names that tools use: how it did, and what it took.

They stand in a timing, in a grading, or in a benchmark that lists the run or its eval.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, TypeVar

from evalcore import names
from evalcore.disk.reader import MISSING
from evalcore.disk.values import Node, parse_time
from evalcore.families.iterations.amounts import amount, finite, parts, rate
from evalcore.families.iterations.documents import HINTS
from evalcore.families.iterations.runs import Measured, SuiteContext
from evalcore.families.iterations.words import unknown_verdict, verdict_of
from evalcore.numbers import NEAR
from evalcore.shapes.remarks import About

INNER: Final = ("result", "summary")
"""The objects inside a run or an eval that may hold its numbers."""
IDEAS: Final[Mapping[str, tuple[str, ...]]] = {
    "passed": names.PASSED,
    "failed": names.FAILED,
    "total": names.TOTAL,
    "rate": names.RATE,
    "parts": (*names.PASSED, *names.RATE, "score"),
    "overall": names.OVERALL,
    "errors": ("errors", "error_count"),
    "seconds": tuple(names.SECONDS),
    "tokens": names.TOKENS,
    "some tokens": ("input_tokens", "output_tokens"),
    "cost": names.COST,
    "starts": ("executor_start", "start_time", "started_at", "start", "start_iso"),
    "ends": (
        "executor_end", "end_time", "ended_at", "completed_at", "finished_at", "end", "end_iso",
    ),
}  # fmt: skip
"""What is read of an object, each with its names; `parts` may be written as `3/4`."""
TOOK: Final = frozenset(
    ("start_ms", "end_ms", *names.SECONDS, *names.TOKENS, *names.COST, *IDEAS["some tokens"],
     *IDEAS["starts"], *IDEAS["ends"])
)  # fmt: skip
FIGURES: Final = TOOK.union(names.PASSED, names.FAILED, names.TOTAL, names.RATE, names.OVERALL)
STANDARD: Final = frozenset(
    {"total_tokens", "duration_ms", "total_duration_seconds", "executor_start", "executor_end",
     "executor_duration_seconds"}
)  # fmt: skip
NOTES: Final = ("note", "notes", "_note", "_notes", "comment")
LARGE: Final = 1e300
DEEPEST: Final = 5

T = TypeVar("T")

_names_in: Final = names.by_ideas(IDEAS)
Held = list[tuple[Node, names.Ideas]]
"""The objects that hold the numbers of one run, each with the names that it has of each idea."""


class Figures(NamedTuple):
    """What one run or eval came to.

    `percent` says that its rate was written as percent, `by_verdict` that a verdict is all it has.
    `unread` is what it says instead of a result: a word that is no known verdict, or a number that
    is no rate and has no total. `broken` says that nothing was judged because of errors.
    """

    passed: int | None = None
    total: int | None = None
    rate: float | None = None
    seconds: float | None = None
    tokens: float | None = None
    cost: float | None = None
    percent: bool = False
    by_verdict: bool = False
    unread: str | float | None = None
    broken: bool = False

    @property
    def result(self) -> bool:
        """Whether a result is told, also in a way that cannot be read; measures are none."""
        return self.broken or any(v is not None for v in (self.passed, self.rate, self.unread))


class Leaf(NamedTuple):
    """One number or text somewhere in an object; `name` joins the names above it with dots."""

    name: str
    node: Node
    number: float | None
    text: str | None


def figures_of(item: Node) -> Figures:
    """Return the numbers that a run or an eval holds, in an inner object or itself."""
    fields = item.value
    places = [item.child(name) for name in INNER if type(fields.get(name)) is dict]
    held: Held = [(place, _names_in(place.value)) for place in (*places, item)]
    took = _took(held)
    passed, total = _first(held, "parts", parts) or (None, None)
    if total is None:
        passed, total = _first(held, "passed", _whole), _first(held, "total", _whole)
    if passed is not None and total is None:
        failed = _first(held, "failed", _whole)
        total = None if failed is None else passed + failed
    if total == 0 and not passed:
        return Figures(None, None, None, *took, broken=bool(_first(held, "errors", _whole)))
    share, percent = None, False
    for place, called in held:
        for name in called["rate"] if share is None else ():
            value = place.value[name]
            found = rate(value.get("mean") if isinstance(value, dict) else value)
            if found is not None:
                # Of a rate whose name says percent, 0.5 is half a percent.
                small = names.is_percent(name) and found.form == "number"
                share, percent = (
                    found.value / (100 if small else 1),
                    small or found.form == "percent",
                )
                break
    if share is not None and percent and passed is None and total:
        # What looks like percent may only be a count: 8 where 8 is the total.
        number, some = share * 100, share * total
        is_whole = round(number) <= total and abs(number - round(number)) < NEAR
        if is_whole and abs(some - round(some)) > 0.005 * total:
            passed, share, percent = round(number), None, False
    if share is None and passed is not None and total:
        share = passed / total
    if share is not None:
        return Figures(passed, total, share, *took, percent)
    if passed is not None:
        return Figures(passed, total, None, *took, unread=passed)
    verdict = _first(held, "overall", verdict_of)
    if verdict is not None:
        return Figures(int(verdict), 1, float(verdict), *took, by_verdict=True)
    for place, _ in held:
        word = unknown_verdict(place.value)
        if word is not None:
            score = finite(place.value.get("score"))
            beside = score if score is not None and 0 <= score <= 1 else None
            return Figures(None, total, beside, *took, unread=word)
    return Figures(None, total, None, *took, unread=_first(held, "passed", finite))


def _first(held: Held, idea: str, read: Callable[[Any], T | None]) -> T | None:
    """Return the first value of an idea that can be read as one."""
    for place, called in held:
        for name in called[idea]:
            found = read(place.value[name])
            if found is not None:
                return found
    return None


def _whole(value: Any) -> int | None:
    found = finite(value)
    return int(found) if found is not None and found == int(found) and abs(found) < 2**53 else None


def read_timing(context: SuiteContext, path: str | None, doc: Node, about: About) -> Measured:
    """Return what a run's timing.json tells, or where it is silent its grading.

    Remarks in the timing become notes of the run.
    """
    value = context.reader.json(path) if path is not None else MISSING
    if path is not None and value is not MISSING:
        context.judged[path] = 1
    timing = context.node(path or "", {} if value is MISSING else value)
    fields = timing.value
    if isinstance(fields, dict) and fields.keys() <= STANDARD:
        pass  # nearly every timing: there is nothing to note
    elif isinstance(fields, dict):
        other = sorted((TOOK & fields.keys()) - STANDARD)
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
    places = [timing] if fields and isinstance(fields, dict) else []
    for node, name in ((timing, "timing"), (doc, "timing"), (timing, "metrics")):
        inner = node.get(name)
        if inner and isinstance(inner, dict):
            places.append(node.child(name))
    held: Held = [(place, _names_in(place.value)) for place in places]
    return Measured(
        *_took(held), _first(held, "starts", moment) or parse_time(doc.get("timestamp"))
    )


def _took(held: Held) -> tuple[float | None, float | None, float | None]:
    """Return the seconds, tokens and US dollars of a run, each of the first object that says it.

    The seconds may be those between its start and its end, the tokens those in and out. 0 and null
    say that nobody measured.
    """
    seconds = tokens = cost = None
    for place, called in held:
        if seconds is None:
            name, seconds = _measured(place, called["seconds"])
            if seconds is not None:
                seconds /= names.SECONDS[name]
            elif called["starts"] or "start_ms" in place.value:
                start, end = finite(place.value.get("start_ms")), finite(place.value.get("end_ms"))
                begun, done = (
                    _first([(place, called)], idea, moment) for idea in ("starts", "ends")
                )
                if start is not None and end is not None:
                    seconds = (end - start) / 1000 if end > start else None
                elif begun and done and done > begun:
                    seconds = (done - begun).total_seconds()
    for place, called in held:
        if tokens is None:
            tokens = _measured(place, called["tokens"])[1]
            some = called["some tokens"] if tokens is None else ()
            found = [each for name in some if (each := _measured(place, (name,))[1]) is not None]
            tokens = sum(found) if found else tokens
    for place, called in held:
        if cost is None:
            cost = _measured(place, called["cost"])[1]
    return seconds, tokens, cost


def _measured(place: Node, called: Iterable[str]) -> tuple[str, float | None]:
    """Return the first of some fields that was measured, and its name.

    What is neither a number nor written as one is noted.
    """
    for name in called:
        value = place.value[name]
        if type(value) in (int, float) and 0 < value < LARGE:
            return name, value
        if value not in (None, 0, ""):
            found = amount(value)
            if found is None:
                place.wrong(name, "a number")
            elif found.value > 0:
                return name, found.value
    return "", None


def moment(value: Any) -> datetime | None:
    """Return a point in time from ISO 8601 text, or from seconds or milliseconds since 1970."""
    number = finite(value)
    if number is None:
        return parse_time(value)
    stamp = number / 1000 if number > 1e11 else number
    return datetime.fromtimestamp(stamp, UTC) if 1e9 <= stamp <= 1e10 else None


def leaf(name: str, node: Node) -> Iterator[Leaf]:
    """Yield what one field says: a number, a text, or all that stands in it."""
    value = node.value
    if isinstance(value, dict):
        for key, inner in node.fields() if name.count(".") < DEEPEST else ():
            yield from leaf(f"{name}.{key}", inner)
    elif isinstance(value, list):
        for inner in node.all_items():
            # An item is one line of words, or a line for each of its fields.
            is_object = isinstance(inner.value, dict)
            said = inner.value.items() if is_object else [("", inner.value)]
            lines = [
                f"{key}: {each}" if is_object else str(each)
                for key, each in said
                if isinstance(each, (str, int, float)) and (is_object or not isinstance(each, bool))
            ]
            if text := "\n".join(lines):
                yield Leaf(name, inner, None, text)
    elif isinstance(value, bool):
        yield Leaf(name, node, None, "yes" if value else "no")
    elif (found := amount(value)) is not None:
        yield Leaf(name, node, found.value, value if isinstance(value, str) else None)
    elif isinstance(value, str) and value.strip():
        yield Leaf(name, node, None, value)
