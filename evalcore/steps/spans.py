"""Spans of OpenTelemetry (OTLP JSON) by the conventions for generative AI."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import orjson

from evalcore.steps.collecting import Collector
from evalcore.steps.messages import message, part, plain
from evalcore.steps.model import Spent, as_text, first, moment, seconds_between, tokens_of

MAX_SPANS: Final = 100_000
NOT_RECORDED: Final = "[the trace does not record what was said]"
_MAX_DEPTH: Final = 20
_USAGE: Final = ("input_tokens", "output_tokens")
_ANSWERS: Final = ("chat", "generate_content", "text_completion")
_FAILED: Final = (2, "STATUS_CODE_ERROR")


class _Span(NamedTuple):
    """A span, with its attributes as plain values and its place."""

    start: int
    at: str
    span: Mapping[str, Any]
    attributes: Mapping[str, Any]


def is_trace(value: object) -> bool:
    """Return whether a value is an export of spans."""
    return isinstance(value, Mapping) and isinstance(value.get("resourceSpans"), list)


def spans(out: Collector, exports: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
    """Take in the spans of models, tools and agents, in the order of their beginning.

    They stand in one export or in several, each with its place. What a model was given is said
    once: each further request repeats the messages before. Calls are spans of their own, with what
    they gave; where no span is one, they stand in the messages alone.
    """
    found = sorted(_spans(exports), key=lambda span: span.start)
    in_messages = not any(map(_is_tool, found))
    opened = False
    for span in found:
        about = span.attributes
        operation = about.get("gen_ai.operation.name")
        out.message(
            _id(span.span),
            span.span.get("startTimeUnixNano"),
            Spent(
                tokens_of(
                    {name: about.get(f"gen_ai.usage.{name}") for name in _USAGE},
                )
            ),
            inside=span.span.get("parentSpanId"),
            place=span.at,
        )
        if _is_tool(span):
            _tool(out, span)
        elif operation == "invoke_agent" and opened:
            id_, failed = _id(span.span), _failed(span.span)
            out.call(id_, "agent", {"name": about.get("gen_ai.agent.name")}, span.at)
            out.result(id_, None, span.at, failed=failed, duration_s=_took(span.span))
        elif operation in _ANSWERS or "gen_ai.output.messages" in about:
            if isinstance(about.get("gen_ai.response.model"), str):
                out.state(model=about["gen_ai.response.model"])
            given = _list(about.get("gen_ai.input.messages"))
            if opened:
                _results(out, given if in_messages else [], span.at)
            else:
                for each in _list(about.get("gen_ai.system_instructions")):
                    out.say("system", plain(each), span.at)
                _messages(out, given, span.at)
            said = _list(about.get("gen_ai.output.messages"))
            _messages(out, said, span.at, calls=in_messages)
            if "gen_ai.output.messages" not in about:  # content is recorded only where asked for
                out.say("assistant", NOT_RECORDED, span.at)
            if _failed(span.span):
                out.say("error", _why(span.span), span.at)
        opened = opened or isinstance(operation, str)
        out.has_tools = out.has_tools or opened


def _spans(exports: Iterable[tuple[str, Mapping[str, Any]]]) -> Iterator[_Span]:
    left = MAX_SPANS
    found = (each for at, value in exports for each in _each(value, "resourceSpans", at))
    for path, resource in found:
        for name in ("scopeSpans", "instrumentationLibrarySpans"):
            for within, scope in _each(resource, name, path):
                for place, span in _each(scope, "spans", within):
                    if left <= 0:
                        return
                    left -= 1
                    start = span.get("startTimeUnixNano")
                    try:
                        began = int(start) if isinstance(start, str | int) else 0
                    except ValueError:
                        began = 0
                    yield _Span(began, place, span, _attributes(span))


def _each(value: Mapping[str, Any], name: str, at: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    held = value.get(name)
    for number, each in enumerate(held if isinstance(held, list) else ()):
        if isinstance(each, Mapping):
            yield f"{at}/{name}/{number}", each


def _attributes(
    span: Mapping[str, Any], name: str = "attributes", depth: int = 0
) -> dict[str, Any]:
    found = {}
    for _, each in _each(span, name, ""):
        key, value = each.get("key"), each.get("value")
        if isinstance(key, str) and isinstance(value, Mapping):
            found[key] = _value(value, depth)
    return found


def _value(value: Mapping[str, Any], depth: int) -> Any:
    """Return a value as JSON would write it; one that is nested too deeply as it is."""
    held, named = value.get("arrayValue"), value.get("kvlistValue")
    if depth < _MAX_DEPTH and isinstance(held, Mapping):
        return [_value(each, depth + 1) for _, each in _each(held, "values", "")]
    if depth < _MAX_DEPTH and isinstance(named, Mapping):
        return _attributes(named, "values", depth + 1)
    one = first(value, "stringValue", "intValue", "doubleValue", "boolValue")
    digits = isinstance(one, str) and "intValue" in value and one.isdecimal()
    return int(one) if digits and len(one) < 20 else one


def _is_tool(span: _Span) -> bool:
    about = span.attributes
    return about.get("gen_ai.operation.name") == "execute_tool" or "gen_ai.tool.name" in about


def _tool(out: Collector, span: _Span) -> None:
    about, id_ = span.attributes, _id(span.span)
    asked = _decoded(about.get("gen_ai.tool.call.arguments"))
    out.call(id_, about.get("gen_ai.tool.name"), asked, span.at)
    given = _decoded(about.get("gen_ai.tool.call.result"))
    failed = _failed(span.span) or "error.type" in about
    text = plain(given) or (_why(span.span) if failed else "")
    out.result(id_, text, span.at, failed=failed, duration_s=_took(span.span))


def _messages(out: Collector, said: list[Any], at: str, *, calls: bool = True) -> None:
    for each in said:
        if not isinstance(each, Mapping):
            out.unknown(each, at)
            continue
        parts = each.get("parts")
        held = parts if isinstance(parts, list) else []
        kept = [part for part in held if calls or _type(part) != "tool_call"]
        message(out, {"role": "assistant", **each, "parts": kept}, at)


def _results(out: Collector, said: list[Any], at: str) -> None:
    """Take in what calls gave that have no result yet."""
    for each in said:
        parts = each.get("parts") if isinstance(each, Mapping) else None
        for given in parts if isinstance(parts, list) else ():
            if _type(given) == "tool_call_response" and out.is_open(given.get("id")):
                part(out, given, at)


def _type(value: object) -> object:
    return value.get("type") if isinstance(value, Mapping) else None


def _list(value: object) -> list[Any]:
    said = _decoded(value)
    return said if isinstance(said, list) else []


def _decoded(value: object) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return value


def _id(span: Mapping[str, Any]) -> str | None:
    id_ = span.get("spanId")
    return id_ if isinstance(id_, str) else None


def _took(span: Mapping[str, Any]) -> float | None:
    ends = (moment(span.get("startTimeUnixNano")), moment(span.get("endTimeUnixNano")))
    return seconds_between(*ends)


def _failed(span: Mapping[str, Any]) -> bool:
    status = span.get("status")
    return isinstance(status, Mapping) and status.get("code") in _FAILED


def _why(span: Mapping[str, Any]) -> str:
    status = span.get("status")
    said = status.get("message") if isinstance(status, Mapping) else None
    return as_text(said) if said else "It failed."
