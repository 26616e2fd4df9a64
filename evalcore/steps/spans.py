"""Spans of OpenTelemetry (OTLP JSON) by the conventions for generative AI."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import orjson

from evalcore.steps.collecting import Collector
from evalcore.steps.messages import message, plain
from evalcore.steps.model import Spent, as_text, first, moment, seconds_between, tokens_of

MAX_SPANS: Final = 100_000
_USAGE: Final = ("input_tokens", "output_tokens")
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


def spans(out: Collector, value: Mapping[str, Any], at: str) -> None:
    """Take in the spans of models, tools and agents, in the order of their beginning.

    What a model was given is said once: each further request repeats the messages before.
    """
    found = sorted(_spans(value, at), key=lambda span: span.start)
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
        )
        if operation == "execute_tool" or "gen_ai.tool.name" in about:
            _tool(out, span)
        elif operation == "invoke_agent" and opened:
            id_, failed = _id(span.span), _failed(span.span)
            out.call(id_, "agent", {"name": about.get("gen_ai.agent.name")}, span.at)
            out.result(id_, None, span.at, failed=failed, duration_s=_took(span.span))
        elif operation in ("chat", "generate_content", "text_completion"):
            if isinstance(about.get("gen_ai.response.model"), str):
                out.state(model=about["gen_ai.response.model"])
            for name in (
                ("gen_ai.output.messages",)
                if opened
                else (
                    "gen_ai.system_instructions",
                    "gen_ai.input.messages",
                    "gen_ai.output.messages",
                )
            ):
                _messages(out, about.get(name), span.at, name)
            if _failed(span.span):
                out.say("error", _why(span.span), span.at)
        opened = opened or isinstance(operation, str)
        out.has_tools = out.has_tools or opened


def _spans(value: Mapping[str, Any], at: str) -> Iterator[_Span]:
    left = MAX_SPANS
    for path, resource in _each(value, "resourceSpans", at):
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


def _attributes(span: Mapping[str, Any]) -> dict[str, Any]:
    found = {}
    for _, each in _each(span, "attributes", ""):
        key, value = each.get("key"), each.get("value")
        if isinstance(key, str) and isinstance(value, Mapping):
            one = first(value, "stringValue", "intValue", "doubleValue", "boolValue")
            digits = isinstance(one, str) and "intValue" in value and one.isdecimal()
            found[key] = int(one) if digits and len(one) < 20 else one
    return found


def _tool(out: Collector, span: _Span) -> None:
    about, id_ = span.attributes, _id(span.span)
    asked = _decoded(about.get("gen_ai.tool.call.arguments"))
    out.call(id_, about.get("gen_ai.tool.name"), asked, span.at)
    given = _decoded(about.get("gen_ai.tool.call.result"))
    failed = _failed(span.span) or "error.type" in about
    text = plain(given) or (_why(span.span) if failed else "")
    out.result(id_, text, span.at, failed=failed, duration_s=_took(span.span))


def _messages(out: Collector, value: object, at: str, name: str) -> None:
    said = _decoded(value)
    for each in said if isinstance(said, list) else ():
        if not isinstance(each, Mapping):
            out.unknown(each, at)
        elif name == "gen_ai.system_instructions":
            out.say("system", plain(each), at)
        elif name == "gen_ai.input.messages":
            message(out, each, at)
        else:  # its calls are spans of their own, with what they gave
            parts = each.get("parts")
            held = parts if isinstance(parts, list) else []
            kept = [
                one
                for one in held
                if not (isinstance(one, Mapping) and one.get("type") == "tool_call")
            ]
            message(out, {**each, "role": each.get("role", "assistant"), "parts": kept}, at)


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
