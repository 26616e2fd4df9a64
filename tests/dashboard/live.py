"""A dashboard that is served to a test, and a browser window on it."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import (
    BrowserContext,
    Error,
    Page,
    Request,
    ViewportSize,
    WebSocket,
    WebSocketRoute,
    expect,
)

from evalcore import server
from evalcore.recent import remember

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("overview", "gradings", "compare", "rubric", "trends", "failures", "judge", "blind",
         "runs", "data")  # fmt: skip
# With five processes to a core a first page takes half a minute: that is no fault of the page.
PATIENCE_MS = 60_000
_MOVE_MS = 10_000
KEY = "evalcore-key"
DESK: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
_KEEP = "([at, ...item]) => location.origin === at && localStorage.setItem(...item)"
_GO = """(address) => {
  history.pushState(null, '', address);
  dispatchEvent(new PopStateEvent('popstate'));
}"""
expect.set_options(timeout=PATIENCE_MS)


@dataclass
class Served:
    """A dashboard on this machine, and ways to speak to it."""

    port: int
    name: str
    token: str
    cookie: str = ""
    key: str = ""

    def address(self, page: str = "overview", **query: str) -> str:
        """Return the address of a page of the served workspace, without the token."""
        return f"http://127.0.0.1:{self.port}/{page}?{urlencode({'w': self.name} | query)}"

    def request(self, path: str, method: str = "GET", **headers: str) -> HTTPResponse:
        """Send a request with exactly these headers (underscores stand for hyphens)."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        sent = {"Host": f"127.0.0.1:{self.port}"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in sent.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        if answer.status != 101:
            answer.read()
        connection.close()
        return answer

    def text(self, path: str, **headers: str) -> str:
        """Return what a GET with these headers is answered."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", path, headers=headers)
        text = connection.getresponse().read().decode("utf-8", "replace")
        connection.close()
        return text

    def let_in(self) -> None:
        """Spend the token and keep the cookie and the key it was exchanged for."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", f"/?token={self.token}")
        answer = connection.getresponse()
        page = answer.read().decode("utf-8", "replace")
        connection.close()
        self.cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
        found = re.search(r'data-key="([^"]+)"', page)
        self.key = found[1] if found else ""

    def admit(self, context: BrowserContext) -> None:
        """Give a browser what it would have after opening the address, if somebody was let in."""
        if not self.cookie:
            return
        origin = f"http://127.0.0.1:{self.port}"
        name, _, value = self.cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": origin}])
        given = json.dumps([origin, KEY, self.key])
        context.add_init_script(f"({_KEEP})({given})")


@dataclass
class Visit:
    """A browser window that was let in, and what it asked for and complained about."""

    page: Page
    served: Served
    requested: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def open(self, page: str = "overview", **query: str) -> Page:
        """Open a page and wait until its title stands there."""
        self.page.goto(self.served.address(page, **query))
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()
        return self.page

    def move(self, page: str, **query: str) -> Page:
        """Open a page as the sidebar does: the window keeps the program that it has loaded.

        That takes half as long. A window that shows this page already, or none, loads it anew; so
        does one that goes on with the page before, which asked for a part of it meanwhile.
        """
        address, here = self.served.address(page, **query), urlsplit(self.page.url)
        title = self.page.get_by_role("heading", level=1)
        if here.path == f"/{page}" or here.netloc != urlsplit(address).netloc:
            self.open(page, **query)
        else:
            self.page.evaluate(_GO, address)
            try:
                expect(title).to_have_text(page.capitalize(), timeout=_MOVE_MS)
            except AssertionError:
                self.open(page, **query)
        app = self.page.get_by_test_id("stApp")
        expect(app).to_have_attribute("data-test-script-state", "notRunning")
        expect(title).to_have_text(page.capitalize())
        return self.page

    def foreign_requests(self) -> list[str]:
        """Return the addresses asked for that are not the dashboard's own."""
        own = {"", f"127.0.0.1:{self.served.port}"}
        return [url for url in self.requested if urlsplit(url).netloc not in own]

    def watch(self) -> None:
        """Note every request and every error of the page from now on."""
        self.page.on("request", self._note)
        self.page.on("websocket", self._note)
        self.page.on("pageerror", self._complain)

    def look_away(self) -> None:
        """Note nothing any more: the window goes on to another test."""
        self.page.remove_listener("request", self._note)
        self.page.remove_listener("websocket", self._note)
        self.page.remove_listener("pageerror", self._complain)

    def _note(self, asked: Request | WebSocket) -> None:
        self.requested.append(asked.url)

    def _complain(self, error: Error) -> None:
        self.errors.append(str(error))


class Line:
    """The connection of a window, of which either direction can be cut.

    `lost` is what the window sent meanwhile.
    """

    def __init__(self, page: Page) -> None:
        self.up = self.down = True
        self.lost: list[bytes | str] = []
        self._sockets: list[WebSocketRoute] = []
        page.route_web_socket("**/_stcore/stream*", self._open)

    def _open(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda sent: server.send(sent) if self.up else self.lost.append(sent))
        server.on_message(lambda message: socket.send(message) if self.down else None)
        self._sockets.append(socket)

    def hang_up(self) -> None:
        """Close it; the page connects again by itself."""
        self._sockets[-1].close(code=1001)


def any_port() -> int:
    """Return a port that is free now; the usual one is left to the person at the machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(workspace: Path, state: Path, others: tuple[Path, ...] = ()) -> Iterator[Served]:
    """Serve a workspace with its own memory of recent ones; nobody was let in yet."""
    with own_state(state):
        for other in others:
            remember(other)
        dashboard = server.start(workspace, port=any_port())
        name = remember(workspace)
    try:
        assert dashboard.wait_until_ready(), "the dashboard did not start"
        yield Served(dashboard.port, name, dashboard.token)
    finally:
        dashboard.stop()


@contextmanager
def own_state(folder: Path) -> Iterator[None]:
    """Let what is remembered and cached lie in a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVALCORE_STATE_DIR", str(folder))
        patch.setenv("EVALCORE_CACHE_DIR", str(folder / "cache"))
        yield


def write_alpha(root: Path) -> None:
    """Write a suite with one case, graded once in each of two versions."""
    expectation = {"criterion": "greets", "description": "Says hello by name", "required": True}
    case = {"id": "case-01", "prompt": "Say hello", "files": [], "expectations": [expectation]}
    suite = {"version": "1.0", "skill": "/elsewhere/alpha", "cases": [case]}
    write(root / "alpha/evals/evals.json", suite)
    versions = []
    for number, score in enumerate((2, 4)):
        day = f"2026-02-2{number}T20:00:00Z"
        versions.append(
            {"version": number, "timestamp": day, "description": "", "git_hash": None}
            | {"path": f"v{number}/skill", "average_score": float(score)}
        )
        result = {"criterion": "greets", "score": score, "passed": score >= 3, "reasoning": "ok"}
        grading = {
            "case_id": "case-01",
            "version": number,
            "run": 1,
            "overall_score": float(score),
            "required_score": float(score),
            "results": [result],
            "overall": "pass" if score >= 3 else "fail",
        }
        write(root / f"alpha-workspace/grading/case-01_v{number}_run1.json", grading)
    history = {"versions": versions, "current_version": 1}
    write(root / "alpha-workspace/history.json", history)


def write(path: Path, document: object) -> None:
    """Write one JSON document, its folder too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
