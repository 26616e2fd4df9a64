"""Answers in pieces, as servers send them, and what can go wrong in the middle of one."""

import json
import time
from collections.abc import Iterator
from typing import Any, Protocol

SIZE = 3
"""Characters of a piece."""


class Sends(Protocol):
    """What a handler offers to send an answer in pieces."""

    def start_pieces(self) -> None: ...
    def send_part(self, data: bytes) -> None: ...


class Streams:
    """The handler's part that sends pieces; each fault is a method, as in the rest of it."""

    def send_pieces(self: Sends, value: dict[str, Any]) -> None:
        self.start_pieces()
        for each in pieces_of(value):
            self.send_part(event(each))
        self.send_part(b"data: [DONE]\n\n")

    def _no_usage(self: Any, detail: str, _: Any) -> None:
        """Never say how many tokens it took."""
        self.start_pieces()
        for each in pieces_of(said(detail)):
            self.send_part(event({**each, "usage": None}))

    def _cut(self: Any, detail: str, _: Any) -> None:
        """End in the middle of the answer."""
        self.start_pieces()
        for each in list(pieces_of(said(detail)))[:-2]:
            self.send_part(event(each))

    def _midway(self: Any, detail: str, _: Any) -> None:
        """Send an error event in the middle; `detail` is its code."""
        self.start_pieces()
        self.send_part(event(next(pieces_of(said("half an answer")))))
        self.send_part(event({"error": {"message": "overloaded", "code": detail}}))

    def _endings(self: Any, detail: str, _: Any) -> None:
        """Send the whole answer, then nothing, and never end."""
        self.start_pieces()
        for each in pieces_of(said(detail)):
            self.send_part(event(each))
        time.sleep(6)

    def _junk(self: Any, _detail: str, _: Any) -> None:
        """Send what is no piece at all, then a good one."""
        self.start_pieces()
        odd: list[Any] = [{}, {"choices": None}, {"choices": [{}]}, {"choices": [{"delta": 3}]}]
        odd.append({"choices": [{"delta": {"content": 7, "tool_calls": [{"index": "x"}]}}]})
        for each in [*odd, *pieces_of(said("fine"))]:
            self.send_part(event(each))

    def _flood(self: Any, detail: str, _: Any) -> None:
        """Send so many bytes of pieces."""
        self.start_pieces()
        one = event(piece({"content": "x" * 65536}))
        for _each in range(int(detail) // len(one)):
            self.send_part(one)

    def _no_stream(self: Any, _detail: str, _: Any) -> None:
        """Refuse the field that asks for the usage."""
        self._json(400, {"error": {"message": "Unrecognized argument: stream_options"}})


def said(text: str) -> dict[str, Any]:
    """Return a completion with a text."""
    choice = {"finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    return {"model": "fake-1", "choices": [choice], "usage": None}


def event(value: Any) -> bytes:
    """Return an event of a stream."""
    return f"data: {json.dumps(value)}\n\n".encode()


def piece(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    """Return a piece with what it adds to an answer."""
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {"object": "chat.completion.chunk", "model": "fake-1", "choices": choices}


def pieces_of(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a completion as pieces of a few characters: words, then tool calls, then its end."""
    choice = value["choices"][0]
    message = choice["message"]
    yield piece({"role": "assistant", "content": ""})
    for name in ("content", "refusal"):
        for part in _parts(message.get(name) or ""):
            yield piece({name: part})
    for index, each in enumerate(message.get("tool_calls") or ()):
        asked = each["function"]
        head = {"index": index, "id": each["id"], "type": "function"}
        yield piece({"tool_calls": [head | {"function": {"name": asked["name"]}}]})
        for part in _parts(asked["arguments"]):
            yield piece({"tool_calls": [{"index": index, "function": {"arguments": part}}]})
    yield piece({}, choice["finish_reason"])
    yield {"object": "chat.completion.chunk", "choices": [], "usage": value["usage"]}


def _parts(text: str) -> Iterator[str]:
    return (text[at : at + SIZE] for at in range(0, len(text), SIZE))
