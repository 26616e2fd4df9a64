"""The one door to models: a call by the official client, bounded in time and size.

The client would follow redirects, wait without bound for a slow answer and read one of any size;
here a redirect is an error, and each call has a deadline for all of it and a limit of bytes.
Somebody who wants to be told how far an answer is gets it in pieces, within the same bounds.
"""

import logging
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import msgspec

from evalcore.errors import CannotRun
from evalcore.models.calls import Answer, Call, CallStatus, Form, Stopped
from evalcore.models.cleaning import cleaned
from evalcore.models.configuration import USUAL, Model, is_local, key_of
from evalcore.models.reading import broken, read, refused
from evalcore.models.streaming import Heard, Pieces

MAX_BYTES: Final = 8 * 1024 * 1024
MAX_STREAMED: Final = 32 * 1024 * 1024
"""Of an answer in pieces, each of which has a few hundred bytes around a word."""
LOOK: Final = 0.2
"""Seconds between two looks at whether the call is to be stopped."""

_NO_KEY: Final = "none"
_LOGS: Final = ("openai", "httpx2", "httpcore2")
_TAKES_NO_FIELD: Final = frozenset({400, 422})
_LIMITED: Final = frozenset({"429", "rate_limit_exceeded"})


def complete(
    model: Model, call: Call, stopped: Stopped = lambda: False, heard: Heard | None = None
) -> Answer:
    """Return a model's answer; whatever goes wrong is its status, with a sentence.

    With `heard` it comes in pieces, and that is told how many characters have come. Asked for a
    schema or for pieces that the server does not give, the call is made again without.
    """
    from anyio import from_thread  # noqa: PLC0415 - the client takes half a second to import

    _load()
    try:
        key = key_of(model)
    except CannotRun as error:
        return Answer("error", str(error))
    begun = time.monotonic()
    # In a thread of its own: that of the caller may have a loop already.
    with from_thread.start_blocking_portal() as portal:
        answer = portal.call(_bounded, model, key, call, stopped, heard if model.stream else None)
    took = round(time.monotonic() - begun, 3)
    cost = model.cost(answer.tokens_in, answer.tokens_out)
    answer = msgspec.structs.replace(answer, seconds=took, cost_usd=cost)
    return cleaned(key, answer)


def _load() -> None:
    """Import the client before a call's time runs, and close its logs.

    What OPENAI_LOG makes it write has headers that a server sent, among which may be the key.
    """
    import openai  # noqa: F401, PLC0415 - as above

    for name in _LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


async def _bounded(
    model: Model, key: str | None, call: Call, stopped: Stopped, heard: Heard | None
) -> Answer:
    """Return the answer, or what ended the wait: the deadline, or that somebody stopped it."""
    import anyio  # noqa: PLC0415 - as above

    found: list[Answer] = []
    guard = _Guard(has_key=key is not None, heard=heard)
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
    answer = found[0] if found else _unfinished(model, call, guard, ended=ended)
    return msgspec.structs.replace(answer, requests=guard.requests)


def _unfinished(model: Model, call: Call, guard: "_Guard", *, ended: bool) -> Answer:
    """Return that a call was ended before its answer was whole; of pieces, what came of it.

    A server that had answered with an error until then was not slow: waiting was for the next try.
    """
    pieces = guard.pieces
    if pieces is not None and pieces.finish and not ended:
        return read(pieces.completion(), model, call)  # only the end of the stream did not come
    text = "" if pieces is None else pieces.text
    if ended:
        return Answer("cancelled", "The call was cancelled.", text=text)
    why = f"{model.base_url} did not answer within {call.seconds:g} seconds."
    if guard.failed is not None:
        status: CallStatus = "rate_limited" if guard.failed == 429 else "error"
        return Answer(status, f"{why} It answered with an error before ({guard.failed}).")
    return Answer("timeout", why, text=text)


class _Guard:
    """Counts the requests of a call, keeps what came in pieces, ends an answer that is too large.

    The client insists on a key: where there is none, its header is taken off again. `failed` is the
    status of the newest answer if that was an error.
    """

    def __init__(self, *, has_key: bool, heard: Heard | None) -> None:
        self.requests = 0
        self.is_too_large = False
        self.failed: int | None = None
        self.heard = heard
        self.pieces: Pieces | None = None
        self._has_key = has_key

    async def request(self, request: Any) -> None:
        if self.is_too_large:
            raise _TooLarge
        if not self._has_key:
            request.headers.pop("authorization", None)
        self.requests += 1

    async def response(self, response: Any) -> None:
        self.failed = response.status_code if response.status_code >= 400 else None
        if response.headers.get("content-encoding", "identity") != "identity":
            self.is_too_large = True  # nobody asked for it, and its size cannot be known
            raise _TooLarge
        response.stream = self._bounded(response.stream)

    def _bounded(self, stream: Any) -> Any:
        import httpx2  # noqa: PLC0415 - as above

        guard, most = self, MAX_BYTES if self.heard is None else MAX_STREAMED

        class Bounded(httpx2.AsyncByteStream):
            async def __aiter__(self) -> AsyncIterator[bytes]:
                size = 0
                async for part in stream:
                    size += len(part)
                    if size > most:
                        guard.is_too_large = True
                        raise _TooLarge
                    yield part

            async def aclose(self) -> None:
                await stream.aclose()

        return Bounded()


class _Unreadable(Exception):
    """An answer cannot be read."""


class _TooLarge(_Unreadable):
    """It is larger than any that is read."""


class _BrokeOff(_Unreadable):
    """It came in pieces, and the last ones are missing."""

    def __str__(self) -> str:
        return "The stream ended before the answer did."


_UNREADABLE: Final = (_Unreadable, ValueError, TypeError, RecursionError)


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
        httpx2.AsyncClient(
            timeout=call.seconds,
            follow_redirects=False,
            event_hooks=hooks,
            trust_env=not is_local(model.base_url),  # no proxy for this machine
        ) as http,
        openai.AsyncOpenAI(
            api_key=key or _NO_KEY,
            base_url=model.base_url,
            http_client=http,
            max_retries=call.retries,
            default_headers=headers,
        ) as client,
    ):
        form: Form = "schema" if call.schema is not None and model.schema else "text"
        answer = await _whole(client, model, call, form, guard)
        if form == "schema" and _lacks(answer, ""):
            answer = await _whole(client, model, call, "text", guard)
        if guard.heard is not None and _lacks(answer, "stream"):
            guard.heard = None
            answer = await _whole(client, model, call, answer.form, guard)
            answer = msgspec.structs.replace(answer, streams=False)
        return answer


def _lacks(answer: Answer, field: str) -> bool:
    """Return whether a server may have refused a request for a field that it does not know."""
    refused = answer.status == "error" and answer.code in _TAKES_NO_FIELD
    return refused and field in answer.why


async def _whole(client: Any, model: Model, call: Call, form: Form, guard: _Guard) -> Answer:
    """Return an answer, asking again for one in pieces that broke off, as often as for others."""
    began, left = guard.requests, call.retries
    while True:
        tried = client.with_options(max_retries=left)
        answer, broke = await _once(tried, model, call, form, guard)
        left = call.retries - (guard.requests - began)
        if not broke or left < 0:
            return answer


async def _once(
    client: Any, model: Model, call: Call, form: Form, guard: _Guard
) -> tuple[Answer, bool]:
    """Return an answer, and whether it came in pieces and broke off."""
    import httpx2  # noqa: PLC0415 - as above
    import openai  # noqa: PLC0415 - as above

    asked: dict[str, Any] = {"model": model.model, "messages": call.messages}
    if form == "schema":
        schema = {"name": "answer", "strict": True, "schema": call.schema}
        asked["response_format"] = {"type": "json_schema", "json_schema": schema}
    if call.tools:
        asked["tools"] = call.tools
    asked["extra_body"] = model.parameters or None
    guard.pieces = None
    try:
        if guard.heard is None:
            said = await client.chat.completions.create(**asked)
        else:
            said = await _in_pieces(client, asked, guard, guard.heard)
    except openai.APIStatusError as error:
        return msgspec.structs.replace(refused(error, model), form=form), False
    except openai.APITimeoutError:
        return Answer("timeout", f"{model.base_url} did not answer in time."), False
    except (openai.OpenAIError, httpx2.HTTPError, *_UNREADABLE) as error:
        return _failed(error, model, call, guard)
    return msgspec.structs.replace(read(said, model, call), form=form), False


async def _in_pieces(client: Any, asked: dict[str, Any], guard: _Guard, heard: Heard) -> Any:
    """Return a completion put together from its pieces, or one that came whole nevertheless."""
    from openai.types.chat import ChatCompletion  # noqa: PLC0415 - as above

    usage = {"include_usage": True}
    create = client.chat.completions.with_streaming_response.create
    async with create(**asked, stream=True, stream_options=usage) as response:
        if "json" in response.headers.get("content-type", ""):
            value = msgspec.json.decode(await response.read())
            return ChatCompletion.construct(**value) if isinstance(value, dict) else value
        guard.pieces = pieces = Pieces(heard)
        async for chunk in await response.parse():
            pieces.take(chunk)
    if pieces.begun and not pieces.finish:
        raise _BrokeOff
    return pieces.completion() if pieces.begun else None


def _failed(error: Exception, model: Model, call: Call, guard: _Guard) -> tuple[Answer, bool]:
    """Return what a fault of a connection or an answer means, and whether pieces broke off."""
    if guard.is_too_large:
        return Answer("error", f"The answer of {model.base_url} is too large to be read."), False
    cause = error.__cause__ or error
    said = str(cause) if isinstance(cause, _BrokeOff) else f"{type(cause).__name__}. {cause}"
    if guard.pieces is None:
        return Answer("error", f"{model.base_url} could not be asked: {said}"), False
    if guard.pieces.finish:
        return read(guard.pieces.completion(), model, call), False
    answer = broken(model, guard.pieces, said)
    is_limited = str(getattr(error, "code", None)) in _LIMITED
    return msgspec.structs.replace(answer, status="rate_limited") if is_limited else answer, True
