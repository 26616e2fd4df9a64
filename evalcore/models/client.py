"""The one door to models: a call by the official client, bounded in time and size.

The client would follow redirects, wait without bound for a slow answer and read one of any size;
here a redirect is an error, and each call has a deadline for all of it and a limit of bytes.
"""

import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import msgspec

from evalcore.errors import CannotRun
from evalcore.models.calls import Answer, Call, CallStatus, Form, Stopped, ToolCall
from evalcore.models.configuration import USUAL, Model, key_of

MAX_BYTES: Final = 8 * 1024 * 1024
MAX_SAID: Final = 300
MAX_TEXT: Final = 1_000_000
LOOK: Final = 0.2
"""Seconds between two looks at whether the call is to be stopped."""

_NO_KEY: Final = "none"
_HIDDEN: Final = "[key]"
_TAKES_NO_SCHEMA: Final = frozenset({400, 422})
_FINISHED: Final[dict[str, tuple[CallStatus, str]]] = {
    "length": ("length_cut", "The answer was cut at the model's limit of length."),
    "content_filter": ("refused", "The server's content filter stopped the answer."),
}


def complete(model: Model, call: Call, stopped: Stopped = lambda: False) -> Answer:
    """Return a model's answer; whatever goes wrong is its status, with a sentence.

    Asked for a schema that the server does not take, the call is made again without it.
    """
    from anyio import from_thread  # noqa: PLC0415 - the client takes half a second to import

    try:
        key = key_of(model)
    except CannotRun as error:
        return Answer("error", str(error))
    begun = time.monotonic()
    # In a thread of its own: that of the caller may have a loop already.
    with from_thread.start_blocking_portal() as portal:
        answer = portal.call(_bounded, model, key, call, stopped)
    took = round(time.monotonic() - begun, 3)
    cost = model.cost(answer.tokens_in, answer.tokens_out)
    answer = msgspec.structs.replace(answer, seconds=took, cost_usd=cost)
    return _without(key, answer)


def _without(key: str | None, answer: Answer) -> Answer:
    """Return an answer without the key, which a server may send back."""
    if not key:
        return answer
    data = msgspec.to_builtins(answer)
    return msgspec.convert(_scrubbed(data, key), Answer)


def _scrubbed(value: Any, key: str) -> Any:
    if isinstance(value, str):
        return value.replace(key, _HIDDEN)
    if isinstance(value, list | tuple):
        return [_scrubbed(each, key) for each in value]
    if isinstance(value, dict):
        return {name: _scrubbed(each, key) for name, each in value.items()}
    return value


async def _bounded(model: Model, key: str | None, call: Call, stopped: Stopped) -> Answer:
    """Return the answer, or what ended the wait: the deadline, or that somebody stopped it."""
    import anyio  # noqa: PLC0415 - as above

    found: list[Answer] = []
    guard = _Guard(has_key=key is not None)
    ended = False

    async def ask() -> None:
        found.append(await _asked(model, key, call, guard))
        group.cancel_scope.cancel()

    async def watch() -> None:
        nonlocal ended
        while not stopped():
            await anyio.sleep(LOOK)
        ended = True
        group.cancel_scope.cancel()

    with anyio.move_on_after(call.seconds):
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            group.start_soon(watch)
    if found:
        return msgspec.structs.replace(found[0], requests=guard.requests)
    if ended:
        return Answer("cancelled", "The call was cancelled.", requests=guard.requests)
    why = f"{model.base_url} did not answer within {call.seconds:g} seconds."
    return Answer("timeout", why, requests=guard.requests)


class _Guard:
    """Counts the requests of a call, and ends one whose answer is too large.

    The client insists on a key: where there is none, its header is taken off again.
    """

    def __init__(self, *, has_key: bool) -> None:
        self.requests = 0
        self.is_too_large = False
        self._has_key = has_key

    async def request(self, request: Any) -> None:
        if self.is_too_large:
            raise _TooLarge
        if not self._has_key:
            request.headers.pop("authorization", None)
        self.requests += 1

    async def response(self, response: Any) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            self.is_too_large = True  # nobody asked for it, and its size cannot be known
            raise _TooLarge
        response.stream = self._bounded(response.stream)

    def _bounded(self, stream: Any) -> Any:
        import httpx2  # noqa: PLC0415 - as above

        guard = self

        class Bounded(httpx2.AsyncByteStream):
            async def __aiter__(self) -> AsyncIterator[bytes]:
                size = 0
                async for part in stream:
                    size += len(part)
                    if size > MAX_BYTES:
                        guard.is_too_large = True
                        raise _TooLarge
                    yield part

            async def aclose(self) -> None:
                await stream.aclose()

        return Bounded()


class _TooLarge(Exception):
    """An answer is larger than any that is read."""


async def _asked(model: Model, key: str | None, call: Call, guard: _Guard) -> Answer:
    import httpx2  # noqa: PLC0415 - as above
    import openai  # noqa: PLC0415 - as above

    hooks: dict[str, list[Callable[..., Any]]] = {
        "request": [guard.request],
        "response": [guard.response],
    }
    headers: dict[str, Any] = {"Accept-Encoding": "identity"}
    if model.endpoint != USUAL:  # these are of the user's account at the usual one
        nobody = openai.Omit()
        headers |= {"OpenAI-Organization": nobody, "OpenAI-Project": nobody}
    async with (
        httpx2.AsyncClient(timeout=call.seconds, follow_redirects=False, event_hooks=hooks) as http,
        openai.AsyncOpenAI(
            api_key=key or _NO_KEY,
            base_url=model.base_url,
            http_client=http,
            max_retries=call.retries,
            default_headers=headers,
        ) as client,
    ):
        form: Form = "schema" if call.schema is not None and model.schema else "text"
        answer = await _once(client, model, call, form, guard)
        if form == "schema" and answer.code in _TAKES_NO_SCHEMA:
            answer = await _once(client, model, call, "text", guard)
        return answer


async def _once(client: Any, model: Model, call: Call, form: Form, guard: _Guard) -> Answer:
    import openai  # noqa: PLC0415 - as above

    asked: dict[str, Any] = {"model": model.model, "messages": call.messages}
    if form == "schema":
        schema = {"name": "answer", "strict": True, "schema": call.schema}
        asked["response_format"] = {"type": "json_schema", "json_schema": schema}
    if call.tools:
        asked["tools"] = call.tools
    try:
        said = await client.chat.completions.create(**asked, extra_body=model.parameters or None)
    except openai.APIStatusError as error:
        return _refused(error, model)
    except openai.APITimeoutError:
        return Answer("timeout", f"{model.base_url} did not answer in time.")
    except (openai.OpenAIError, _TooLarge, ValueError, TypeError, RecursionError) as error:
        if guard.is_too_large:
            return Answer("error", f"The answer of {model.base_url} is too large to be read.")
        cause = error.__cause__ or error
        why = f"{model.base_url} could not be asked: {type(cause).__name__}. {cause}"
        return Answer("error", why[:MAX_SAID])
    return msgspec.structs.replace(_read(said, model), form=form)


def _refused(error: Any, model: Model) -> Answer:
    """Return what a server's error status means; of a refused key, nothing that it says is told."""
    code, where = error.status_code, model.base_url
    said = " ".join(str(error.message).split())[:MAX_SAID]
    status: CallStatus = "error"
    if code in (401, 403):
        why = f"{where} refused the key ({code}). Check the endpoint {model.endpoint!r}."
    elif 300 <= code < 400:
        why = (
            f"{where} answered with a redirect ({code}), which is not followed. Correct the "
            f"address of the endpoint {model.endpoint!r}."
        )
    elif code == 429:
        after = error.response.headers.get("retry-after")
        wait = f" It asks to wait: {after[:40]}." if after else ""
        status, why = "rate_limited", f"{where} limits the rate of calls (429).{wait} {said}"
    elif code == 404:
        why = f"{where} knows no model {model.model!r}, or is no such server (404). {said}"
    else:
        why = f"{where} answered with an error ({code}). {said}"
    return Answer(status, why, code=code)


def _read(said: Any, model: Model) -> Answer:
    """Return what a completion says; the client does not check that it has the form of one."""
    choices = getattr(said, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    if message is None:
        why = f"{model.base_url} answered with something that is no chat completion."
        return Answer("error", why, text=said[:MAX_TEXT] if isinstance(said, str) else "")
    usage = getattr(said, "usage", None)
    content, refusal = getattr(message, "content", None), getattr(message, "refusal", None)
    text = content if isinstance(content, str) else ""
    tools = tuple(_tools(getattr(message, "tool_calls", None)))
    status, why = _FINISHED.get(str(getattr(choice, "finish_reason", "")), ("completed", ""))
    if isinstance(refusal, str) and refusal:
        status, why, text = "refused", "The model refused to answer.", text or refusal
    elif status == "completed" and not text.strip() and not tools:
        status, why = "error", "The model's answer is empty."
    name = getattr(said, "model", None)
    return Answer(
        status,
        why,
        text=text[:MAX_TEXT],
        tool_calls=tools,
        model=name if isinstance(name, str) else None,
        tokens_in=_count(usage, "prompt_tokens"),
        tokens_out=_count(usage, "completion_tokens"),
    )


def _tools(calls: Any) -> list[ToolCall]:
    found: list[ToolCall] = []
    for each in calls if isinstance(calls, list) else ():
        asked = getattr(each, "function", None)
        name, given = getattr(asked, "name", None), getattr(asked, "arguments", None)
        if isinstance(name, str):
            number = getattr(each, "id", None)
            text = given if isinstance(given, str) else ""
            found.append(ToolCall(str(number or len(found)), name, text))
    return found


def _count(usage: Any, name: str) -> int | None:
    value = getattr(usage, name, None)
    return value if type(value) is int and value >= 0 else None
