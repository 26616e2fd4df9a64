"""Nobody comes in without the token, nothing is said to strangers, nothing leaves the machine."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect
from starlette.types import Message, Receive, Scope, Send

from pages.parts.guard import Gate, Guard, cookie_name, gate_from_environment, security_headers
from tests.dashboard.live import PAGES, Served, Visit

CLOSED_PATHS = [
    "/",
    *(f"/{page}" for page in PAGES),
    "/media/0000.png",
    "/_stcore/health",
    "/_stcore/host-config",
    "/_stcore/stream",
    "/_stcore/upload_file/x",
    "/_stcore/agent/openapi.json",
    "/static/js/index.js",
    "/favicon.png",
    "/no-such-page",
]
HANDSHAKE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@pytest.mark.parametrize("path", CLOSED_PATHS)
def test_without_a_cookie_every_address_is_closed(dashboard: Served, path: str) -> None:
    """Pages, media and Streamlit's own addresses answer 403 to who was not let in."""
    assert dashboard.request(path).status == 403


def test_without_a_cookie_the_websocket_is_closed(dashboard: Served) -> None:
    """The handshake is refused before anything is said; with the cookie it goes through."""
    path = "/_stcore/stream"
    assert dashboard.request(path, **HANDSHAKE).status == 403
    assert dashboard.request(path, Cookie=dashboard.cookie, **HANDSHAKE).status == 101


@pytest.mark.parametrize(
    "cookie", ["evalcore-{port}=", "evalcore-{port}=guess", "x={value}", ";;="]
)
def test_a_made_up_cookie_opens_nothing(dashboard: Served, cookie: str) -> None:
    """Only a value that this server handed out, under its own name, is a key."""
    value = dashboard.cookie.partition("=")[2]
    sent = cookie.format(port=dashboard.port, value=value)
    assert dashboard.request("/", Cookie=sent).status == 403


def test_the_token_is_no_cookie(dashboard: Served) -> None:
    """What the browser keeps is not what the address carried."""
    sent = f"evalcore-{dashboard.port}={dashboard.token}"
    assert dashboard.token not in dashboard.cookie
    assert dashboard.request("/", Cookie=sent).status == 403


def test_a_token_is_used_once(dashboard: Served) -> None:
    """A second use is refused with the command that gives a new address."""
    again = dashboard.request(f"/?token={dashboard.token}")
    assert again.status == 403
    assert again.getheader("Set-Cookie") is None


def test_a_spent_token_is_taken_out_of_the_address(dashboard: Served) -> None:
    """Who is in already and opens the printed address again simply gets the page."""
    path = f"/data?token={dashboard.token}&suite=alpha"
    answer = dashboard.request(path, Cookie=dashboard.cookie)
    assert (answer.status, answer.getheader("Location")) == (303, "/data?suite=alpha")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "0.0.0.0", "", "[::1]"])
def test_a_foreign_host_is_refused(dashboard: Served, host: str) -> None:
    """A name that an attacker made point to this machine gets nothing, cookie or not."""
    for name in (host, f"{host}:{dashboard.port}"):
        answer = dashboard.request("/", Host=name, Cookie=dashboard.cookie)
        # An empty name is refused by the server before it reaches the guard.
        assert answer.status in {400, 403}
        assert dashboard.request("/_stcore/stream", Host=name, **HANDSHAKE).status in {400, 403}


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "null"])
def test_another_site_cannot_use_my_cookie(dashboard: Served, origin: str) -> None:
    """Another port of this machine is another site, though browsers send it the same cookies."""
    answer = dashboard.request(
        "/_stcore/stream", Cookie=dashboard.cookie, Origin=origin, **HANDSHAKE
    )
    assert answer.status == 403


def test_every_answer_carries_the_headers(dashboard: Served) -> None:
    """Pages, refusals and missing files alike forbid foreign scripts, frames and sniffing."""
    for path, cookie in (("/", dashboard.cookie), ("/", ""), ("/media/x", dashboard.cookie)):
        answer = dashboard.request(path, Cookie=cookie)
        for name, value in security_headers(f"127.0.0.1:{dashboard.port}").items():
            assert answer.getheader(name) == value


def test_media_is_not_kept_by_the_browser(dashboard: Served) -> None:
    """An image out of a workspace leaves no copy behind."""
    answer = dashboard.request("/media/x", Cookie=dashboard.cookie)
    assert answer.getheader("Cache-Control") == "no-store"


def test_the_policy_names_no_outside_address() -> None:
    """Everything comes from here; inline scripts and frames are not allowed."""
    policy = security_headers("127.0.0.1:8421")["Content-Security-Policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert "'unsafe-inline'" not in rules["script-src"]
    assert "'unsafe-eval'" not in rules["script-src"].split()
    assert rules["frame-src"] == rules["object-src"] == rules["frame-ancestors"] == "'none'"
    assert "http" not in policy
    assert rules["connect-src"].count("ws") == 2


def test_the_cookie_is_out_of_reach_of_scripts_and_sites() -> None:
    """HttpOnly, Strict, and named after the port, so that two dashboards do not collide."""
    headers = exchanged("/", "token=right")
    (cookie,) = SimpleCookie(headers["set-cookie"]).values()
    assert cookie.key == cookie_name("localhost:8421") == "evalcore-8421"
    assert cookie["httponly"]
    assert cookie["samesite"] == "strict"


def test_the_exchange_keeps_the_address_and_the_host() -> None:
    """Everything but the token stays, and a path with two slashes is no other host."""
    location = urlsplit(exchanged("//evil.example/..", "token=right&b=1&a=%26&a=2")["location"])
    assert (location.netloc, location.path) == ("", "/evil.example/..")
    assert parse_qs(location.query) == {"b": ["1"], "a": ["&", "2"]}


def exchanged(path: str, query: str) -> dict[str, str]:
    """Return the headers of the answer to a first GET with the token `right`."""
    sent: list[Message] = []

    async def never(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise AssertionError("a stranger came through")

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode()}
    scope["headers"] = [(b"host", b"127.0.0.1:8421")]
    # The browser of other tests keeps a loop running in this thread.
    with ThreadPoolExecutor() as thread:
        thread.submit(asyncio.run, Guard(never, Gate("right"))(scope, receive, send)).result()
    assert sent[0]["status"] == 303
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def test_a_gate_opens_once() -> None:
    """A wrong token does not spend the right one; the right one is spent by its use."""
    gate = Gate("right")
    assert gate.exchange("wrong") is None
    session = gate.exchange("right")
    assert session is not None
    assert gate.admits(session)
    assert gate.exchange("right") is None
    assert not gate.admits("right")


def test_the_token_leaves_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process started later inherits it."""
    monkeypatch.setenv("EVALCORE_TOKEN", "passed-on")
    assert gate_from_environment().exchange("passed-on") is not None
    monkeypatch.delenv("EVALCORE_TOKEN", raising=False)


def test_started_by_hand_the_door_is_closed_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a token from `evalcore open` one is drawn, and said to the person at the terminal."""
    monkeypatch.delenv("EVALCORE_TOKEN", raising=False)
    gate = gate_from_environment()
    token = capsys.readouterr().err.strip().rpartition("=")[2]
    assert gate.exchange("") is None
    assert gate.exchange(token) is not None


@pytest.mark.parametrize("page", PAGES)
def test_a_deep_link_works_first_thing_on_a_cold_server(
    serve: Callable[..., Served],
    small_workspace: Path,
    new_visit: Callable[..., Visit],
    page: str,
) -> None:
    """The printed address of any page gives the framed page, and the token leaves the address."""
    fresh = serve(small_workspace)
    visit = new_visit(fresh)
    visit.page.goto(fresh.address(page, suite="alpha", token=fresh.token))
    expect(visit.page.get_by_role("heading", level=1)).to_have_text(page.capitalize())
    sidebar = visit.page.get_by_test_id("stSidebar")
    expect(sidebar.get_by_text("no judge name set")).to_be_visible()
    assert visit.page.url.startswith(fresh.address(page, suite="alpha"))
    assert fresh.token not in visit.page.url
    assert visit.foreign_requests() == []
    assert visit.errors == []


def test_a_stranger_is_told_what_to_do(dashboard: Served, new_visit: Callable[..., Visit]) -> None:
    """The refusal is a page with one sentence and the command, and sets nothing up."""
    stranger = new_visit(Served(dashboard.port, dashboard.name, ""))
    answer = stranger.page.goto(dashboard.address("gradings"))
    assert answer is not None
    assert answer.status == 403
    expect(stranger.page.get_by_text("evalcore open FOLDER")).to_be_visible()
    assert stranger.requested == [dashboard.address("gradings")]
