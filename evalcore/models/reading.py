"""Read what came of a call: a completion, an error of the server, or pieces that broke off."""

import re
from typing import Any, Final

from evalcore.models.calls import Answer, Call, CallStatus, ToolCall
from evalcore.models.configuration import Model
from evalcore.models.streaming import MAX_TOOL_CALLS, Pieces, text_in

MAX_COUNT: Final = 2**53
_TOO_LONG: Final = re.compile(r"context.{0,20}(?:length|size|window)", re.IGNORECASE)
_FINISHED: Final[dict[str, tuple[CallStatus, str]]] = {
    "length": ("length_cut", "The answer was cut at the model's limit of length."),
    "content_filter": ("refused", "The server's content filter stopped the answer."),
}


def refused(error: Any, model: Model) -> Answer:
    """Return what a server's error status means; of a refused key, nothing that it says is told."""
    code, where = error.status_code, model.base_url
    said = " ".join(str(error.message).split())
    status: CallStatus = "error"
    if code == 400 and error.code == "content_filter":
        status, why = _FINISHED["content_filter"]
    elif code in (400, 413) and _TOO_LONG.search(said):
        status, why = "length_cut", f"The conversation is longer than {model.model} takes. {said}"
    elif code in (401, 403):
        why = f"{where} refused the key ({code}). Check the endpoint {model.endpoint!r}."
    elif 300 <= code < 400:
        why = (
            f"{where} answered with a redirect ({code}), which is not followed. Correct the "
            f"address of the endpoint {model.endpoint!r}."
        )
    elif code == 429:
        after = error.response.headers.get("retry-after")
        wait = f" It asks to wait: {after}." if after else ""
        status, why = "rate_limited", f"{where} limits the rate of calls (429).{wait} {said}"
    elif code == 404:
        why = f"{where} knows no model {model.model!r}, or is no such server (404). {said}"
    else:
        why = f"{where} answered with an error ({code}). {said}"
    return Answer(status, why, code=code)


def read(said: Any, model: Model, call: Call) -> Answer:
    """Return what a completion says; the client does not check that it has the form of one.

    Who may use tools can be done without a word; of anybody else an empty answer is a fault.
    """
    choices = getattr(said, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    if message is None:
        why = f"{model.base_url} answered with something that is no chat completion."
        return Answer("error", why, text=said if isinstance(said, str) else "")
    usage = getattr(said, "usage", None)
    content, refusal = getattr(message, "content", None), getattr(message, "refusal", None)
    text = text_in(content)
    tools = tuple(_tools(getattr(message, "tool_calls", None)))
    status, why = _FINISHED.get(str(getattr(choice, "finish_reason", "")), ("completed", ""))
    if isinstance(refusal, str) and refusal:
        status, why, text = "refused", "The model refused to answer.", text or refusal
    elif status == "completed" and not (text.strip() or tools or call.tools):
        status, why = "error", "The model's answer is empty."
    name = getattr(said, "model", None)
    return Answer(
        status,
        why,
        text=text,
        tool_calls=tools,
        model=name if isinstance(name, str) else None,
        tokens_in=_count(usage, "prompt_tokens"),
        tokens_out=_count(usage, "completion_tokens"),
    )


def _tools(calls: Any) -> list[ToolCall]:
    found: list[ToolCall] = []
    for each in calls[:MAX_TOOL_CALLS] if isinstance(calls, list) else ():
        asked = getattr(each, "function", None)
        name, given = getattr(asked, "name", None), getattr(asked, "arguments", None)
        if isinstance(name, str):
            number = getattr(each, "id", None)
            called = (str(number or f"call-{len(found)}"), name, text_in(given))
            found.append(ToolCall(*called))
    return found


def _count(usage: Any, name: str) -> int | None:
    value = getattr(usage, name, None)
    return value if type(value) is int and 0 <= value <= MAX_COUNT else None


def broken(model: Model, pieces: Pieces, said: str) -> Answer:
    """Return an answer in pieces that ended too early, with what came of it."""
    why = f"The answer of {model.base_url} broke off: {said}"
    return Answer("error", why, text=pieces.text)
