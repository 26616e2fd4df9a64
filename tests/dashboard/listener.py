"""Another program of this machine that listens on a port of its own, and a thief's handshake."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from tests.dashboard.live import Served

HANDSHAKE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@dataclass
class Listener:
    """What it answers with (`page`, `cookies` to set), and all that it was sent."""

    port: int = 0
    page: str = ""
    cookies: tuple[str, ...] = ()
    heard: list[str] = field(default_factory=list)

    def address(self, host: str = "127.0.0.1") -> str:
        """Return its address under one of the names of this machine."""
        return f"http://{host}:{self.port}/"

    def stolen(self, name: str) -> str:
        """Return the cookie of this name that a browser has sent to it, as `name=value`."""
        found = [part for text in self.heard for part in text.replace("\n", ";").split(";")]
        pairs = [part.removeprefix("Cookie:").strip() for part in found]
        return next((pair for pair in pairs if pair.startswith(f"{name}=")), "")


@contextmanager
def listening(port: int = 0) -> Iterator[Listener]:
    """Listen on a port of 127.0.0.1, any free one for 0."""
    known = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(size).decode("utf-8", "replace")
            known.heard.append(f"{self.command} {self.path}\n{self.headers}\n{body}")
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            for cookie in known.cookies:
                self.send_header("Set-Cookie", cookie)
            self.end_headers()
            self.wfile.write(known.page.encode())

        do_POST = do_GET  # noqa: N815 - the names are the library's

        def log_message(self, *_: object) -> None:
            """Say nothing on the terminal."""

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        known.port = server.server_port
        Thread(target=server.serve_forever, daemon=True).start()
        yield known
        server.shutdown()


def replayed(served: Served, cookie: str, *paths: str) -> dict[str, int]:
    """Return the statuses that a program gets that has the cookie and forges all else it can."""
    origin = f"http://127.0.0.1:{served.port}"
    forged = {"Cookie": cookie, "Origin": origin, "Referer": f"{origin}/overview"}
    forged |= {"Sec_Fetch_Site": "same-origin", "Sec_Fetch_Mode": "cors"}
    stream = served.request("/_stcore/stream", **forged, **HANDSHAKE).status
    return {"stream": stream} | {path: served.request(path, **forged).status for path in paths}
