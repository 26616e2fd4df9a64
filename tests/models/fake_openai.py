"""A server that speaks OpenAI's chat completions over real HTTP, with faults that are asked for.

`faults` are taken one for each request, in order; without any left it answers by `reply`: with a
text, or with the fields of a message. Who asks for pieces gets them, unless `streams` is false.
`faults_of` has such lists for requests whose messages hold a word.
"""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.models.fake_streams import Streams

FOR_EVER = 2**30
"""Bytes; a server that is never left ends all the same."""

Body = dict[str, Any]
Reply = Callable[[Body], str | Body]


@dataclass
class Asked:
    path: str
    headers: dict[str, str]
    body: Body


@dataclass
class FakeOpenAI:
    """A running server: its address, what it was asked, and what it does next.

    `sent` counts the bytes that it got rid of by each fault that does not end by itself.
    """

    url: str = ""
    reply: Reply = lambda _: "fine"
    faults: list[str] = field(default_factory=list)
    faults_of: dict[str, list[str]] = field(default_factory=dict)
    sent: dict[str, int] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    redirect_to: str = ""
    takes_schema: bool = True
    streams: bool = True
    message: Body = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, body: Body) -> str:
        with self.lock:
            text = str(body["messages"])
            own = (faults for word, faults in self.faults_of.items() if word in text)
            faults = next(own, self.faults)
            return faults.pop(0) if faults else ""


def completion(text: str | None, *, finish: str = "stop", **message: Any) -> Body:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "fake-1",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


@contextmanager
def fake_openai(reply: Reply = lambda _: "fine") -> Iterator[FakeOpenAI]:
    fake = FakeOpenAI(reply=reply)

    class Handler(_Handler):
        state = fake

    server = _Server(("127.0.0.1", 0), Handler)
    fake.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()


class _Handler(Streams, BaseHTTPRequestHandler):
    state: FakeOpenAI
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._json(200, {"object": "list", "data": [{"id": "fake-1", "object": "model"}]})

    def do_POST(self) -> None:
        fake = self.state
        data = self.rfile.read(int(self.headers.get("content-length", 0)))
        body = json.loads(data)
        headers = {name.lower(): value for name, value in self.headers.items()}
        with fake.lock:
            fake.asked.append(Asked(self.path, headers, body))
        fault = fake.take(body)
        try:
            self._do(fault, body)
        except (BrokenPipeError, ConnectionResetError):  # who asked waits no longer
            self.close_connection = True

    def _do(self, fault: str, body: Body) -> None:
        fake = self.state
        if fault:
            kind, _, detail = fault.partition(" ")
            getattr(self, f"_{kind}")(detail, body)
        elif "response_format" in body and not fake.takes_schema:
            self._json(400, {"error": {"message": "response_format is not supported"}})
        else:
            said = fake.reply(body)
            if isinstance(said, str):
                said = {"text": said, **fake.message}
            self._whole(completion(said.pop("text", None), **said), body)

    def _whole(self, value: Body, body: Body) -> None:
        """Send a completion as it was asked for: at once or in pieces."""
        if body.get("stream") and self.state.streams:
            self.send_pieces(value)
        else:
            self._json(200, value)

    def _status(self, detail: str, _: Body) -> None:
        code, after = [*detail.split(" ", 1), ""][:2]
        headers = {"retry-after": after} if after else {}
        self._json(int(code), {"error": {"message": "try later"}}, headers)

    def _echo(self, detail: str, _: Body) -> None:
        key = self.headers.get("authorization", "")
        self._json(int(detail), {"error": {"message": f"Incorrect API key provided: {key}"}})

    def _long(self, detail: str, _: Body) -> None:
        self._json(400, {"error": {"message": f"This is too long: {detail}"}})

    def _say(self, detail: str, body: Body) -> None:
        self._whole(completion(detail), body)

    def _key(self, detail: str, body: Body) -> None:
        """Answer with the key, or with a text in which it stands for KEY; \\KEY is it escaped."""
        key = self.headers.get("authorization", "").removeprefix("Bearer ")
        escaped = "".join(f"\\u{ord(each):04x}" for each in key)
        text = detail or "your key is KEY"
        self._whole(completion(text.replace("\\KEY", escaped).replace("KEY", key)), body)

    def _keyed(self, detail: str, body: Body) -> None:
        """Send the key everywhere but in the text of an answer, as an error or not."""
        key = self.headers.get("authorization", "").removeprefix("Bearer ")
        value = {**completion(str(self.state.reply(body))), "model": key, "id": key}
        if int(detail) >= 400:
            value = {"error": {"message": f"{'x' * 270} {key} {key}", "code": key, "type": key}}
        self._json(int(detail), value, {"x-request-id": key, "retry-after": key, "server": key})

    def _finish(self, detail: str, body: Body) -> None:
        self._whole(completion("half an ans", finish=detail), body)

    def _refuse(self, _detail: str, body: Body) -> None:
        self._whole(completion(None, refusal="I will not do that."), body)

    def _raw(self, detail: str, _: Body) -> None:
        self._send(200, detail.encode(), {"content-type": "application/json"})

    def _html(self, _detail: str, _: Body) -> None:
        self._send(200, b"<html>Sign in</html>", {"content-type": "text/html"})

    def _redirect(self, detail: str, _: Body) -> None:
        self._send(int(detail), b"", {"location": self.state.redirect_to})

    def _reset(self, _detail: str, _: Body) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.rfile.close()
        self.wfile.close()
        self.connection.close()

    def _truncated(self, _detail: str, _: Body) -> None:
        self._head(200, {"content-type": "application/json", "content-length": "5000"})
        self.wfile.write(b'{"choices": [')
        self.close_connection = True

    def _hang(self, _detail: str, _: Body) -> None:
        self.rfile.read(1)  # until the other side is gone
        self.close_connection = True

    def _drip(self, _detail: str, _: Body) -> None:
        self._head(200, {"content-type": "application/json", "content-length": "1000000"})
        self._for_ever("drip", b" ", 0.1)

    def _endless(self, _detail: str, _: Body) -> None:
        self._head(200, {"content-type": "text/event-stream"})
        self._for_ever("endless", b'data: {"choices": []}\n\n', 0.1)

    def _large(self, detail: str, _: Body) -> None:
        size = int(detail)
        self._head(200, {"content-type": "application/json", "content-length": str(size)})
        self._for_ever("large", b" " * 65536, most=size)

    def _pour(self, _detail: str, _: Body) -> None:
        self._head(200, {"content-type": "text/event-stream"})
        self._for_ever("pour", b"data: {}\n\n" * 6000)

    def _for_ever(self, fault: str, part: bytes, pause: float = 0.0, most: int = FOR_EVER) -> None:
        """Send the same until the other side is gone, or so many bytes are."""
        self.close_connection = True
        size = 0
        while size < most:
            self.wfile.write(part)
            self.wfile.flush()
            size += len(part)
            self.state.sent[fault] = size
            time.sleep(pause)

    def _compressed(self, _detail: str, _: Body) -> None:
        headers = {"content-type": "application/json", "content-encoding": "gzip"}
        self._send(200, b"\x1f\x8b", headers)

    def _json(self, code: int, value: Any, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(value).encode()
        self._send(code, data, {"content-type": "application/json", **(headers or {})})

    def _send(self, code: int, data: bytes, headers: dict[str, str]) -> None:
        self._head(code, {"content-length": str(len(data)), **headers})
        self.wfile.write(data)

    def send_part(self, data: bytes) -> None:
        self.wfile.write(data)
        self.wfile.flush()

    def start_pieces(self) -> None:
        self._head(200, {"content-type": "text/event-stream", "connection": "close"})
        self.close_connection = True

    def _head(self, code: int, headers: dict[str, str]) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
