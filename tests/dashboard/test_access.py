"""Nobody comes in without the token, nothing is said to strangers, nothing leaves the machine."""

import asyncio
import html
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from streamlit.file_util import get_static_dir
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_handler

from evalcore.views.panels.served import PLACE
from pages.parts.access.answers import asset, security_headers
from pages.parts.access.gate import Gate
from pages.parts.access.guard import Guard, cookie_name
from pages.parts.access.owner import take_tokens
from tests.dashboard.listener import HANDSHAKE
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
    f"{PLACE}grid.js",
    "/favicon.png",
    "/no-such-page",
]


@pytest.mark.parametrize("path", CLOSED_PATHS)
def test_without_a_cookie_every_address_is_closed(dashboard: Served, path: str) -> None:
    """Pages, media and Streamlit's own addresses answer 403 to who was not let in."""
    assert dashboard.request(path).status == 403


STREAM = "/_stcore/stream"
SAME_EVERYWHERE = ("/static/", PLACE)
DATA_PATHS = [
    path for path in CLOSED_PATHS if path.count("/") > 1 and not path.startswith(SAME_EVERYWHERE)
]


def own(served: Served, **headers: str) -> dict[str, str]:
    """Return the headers that the dashboard's own page would send."""
    protocols = f"streamlit, x, evalcore.{served.key}"
    origin = f"http://127.0.0.1:{served.port}"
    sent = {"Cookie": served.cookie, "Origin": origin, "Sec_WebSocket_Protocol": protocols}
    return {**sent, "X_Evalcore_Key": served.key, **headers}


def test_the_websocket_opens_for_the_dashboards_own_page(dashboard: Served) -> None:
    """Cookie, key and origin together open it."""
    assert dashboard.request(STREAM, **HANDSHAKE, **own(dashboard)).status == 101


def test_messages_to_a_browser_are_compressed(dashboard: Served) -> None:
    """A click sends a third of its bytes, which counts where the dashboard is used over ssh."""
    offered = own(dashboard, Sec_WebSocket_Extensions="permessage-deflate; client_max_window_bits")
    answer = dashboard.request(STREAM, **HANDSHAKE, **offered)
    agreed = answer.getheader("Sec-WebSocket-Extensions") or ""
    assert agreed.startswith("permessage-deflate")
    assert "server_no_context_takeover" not in agreed


@pytest.mark.parametrize(
    "changed",
    [
        {"Cookie": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_WebSocket_Protocol": "streamlit", "X_Evalcore_Key": ""},
        {"Sec_WebSocket_Protocol": "streamlit, x, evalcore.guess", "X_Evalcore_Key": ""},
    ],
)
def test_the_websocket_needs_cookie_key_and_origin(
    dashboard: Served, changed: dict[str, str]
) -> None:
    """Each of the three that is missing or foreign closes it before anything is said."""
    assert dashboard.request(STREAM, **HANDSHAKE, **own(dashboard, **changed)).status == 403


def test_a_websocket_without_an_origin_is_closed(dashboard: Served) -> None:
    """Browsers always name one."""
    sent = own(dashboard)
    del sent["Origin"]
    assert dashboard.request(STREAM, **HANDSHAKE, **sent).status == 403


@pytest.mark.parametrize("path", DATA_PATHS)
def test_the_cookie_alone_opens_nothing_of_a_workspace(dashboard: Served, path: str) -> None:
    """Without the key, media and Streamlit's own addresses are closed, whatever else is sent."""
    forged = own(dashboard, Sec_Fetch_Site="same-origin", X_Evalcore_Key="")
    del forged["Sec_WebSocket_Protocol"]
    assert dashboard.request(path, **forged).status == 403
    assert dashboard.request(path, **own(dashboard)).status != 403


def test_what_the_cookie_opens_is_the_same_in_every_dashboard(
    dashboard: Served, small_workspace: Path
) -> None:
    """The shell of a page holds no word of the workspace, its path or its judges."""
    page = dashboard.text("/gradings?w=skills&suite=alpha", Cookie=dashboard.cookie)
    assert "access.js" in page
    assert page == dashboard.text("/", Cookie=dashboard.cookie)
    assert not any(word in page for word in ("alpha", dashboard.key, str(small_workspace)))


def test_a_key_opens_nothing_with_the_cookie_of_another_browser() -> None:
    """Both were given to one browser: who has stolen one half needs the other half of it."""
    gate = Gate()
    gate.accept("one")
    gate.accept("other")
    one, other = gate.exchange("one"), gate.exchange("other")
    assert one is not None and other is not None
    assert gate.opens(one.cookie, one.key)
    assert not gate.opens(one.cookie, other.key)
    assert not gate.opens(one.cookie, "")


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
        assert dashboard.request(STREAM, Host=name, **HANDSHAKE).status in {400, 403}


def test_every_answer_carries_the_headers(dashboard: Served) -> None:
    """Pages, refusals and missing files alike forbid foreign scripts, frames and sniffing."""
    for path, cookie in (("/", dashboard.cookie), ("/", ""), ("/media/x", dashboard.cookie)):
        answer = dashboard.request(path, Cookie=cookie)
        for name, value in security_headers(f"127.0.0.1:{dashboard.port}").items():
            assert answer.getheader(name) == value


@pytest.mark.parametrize("kind", ["js", "css", "media"])
def test_streamlits_own_files_are_sent_as_streamlit_sends_them(kind: str) -> None:
    """Whole, with their type and how long a browser keeps them."""
    root = Path(get_static_dir())
    theirs = TestClient(create_streamlit_static_handler(str(root), None))
    for file in sorted((root / "static" / kind).iterdir())[:5]:
        address = f"/{file.relative_to(root).as_posix()}"
        sent, expected = asset(address), theirs.get(address)
        assert sent is not None and sent.body == expected.content
        for name in ("Content-Type", "Content-Length", "Cache-Control"):
            assert sent.headers[name] == expected.headers[name]


@pytest.mark.parametrize("name", ["none.js", "", "../../index.html", "../../../web/cli.py"])
def test_no_other_file_is_sent_as_streamlits(name: str) -> None:
    """A name that leads elsewhere is none of these files."""
    assert asset(f"/static/js/{name}") is None


def test_what_every_page_is_drawn_with_is_loaded_with_the_shell(dashboard: Served) -> None:
    """The parts of Streamlit for panels, links and choices, and what those import."""
    page = dashboard.text("/", Cookie=dashboard.cookie)
    for part in ("BidiComponent", "PageLink", "Selectbox", "serialization"):
        assert re.search(rf'<link rel="modulepreload" href="/static/js/{part}\.', page)
    loaded = re.findall(r"static/js/([\w.-]+)", page)
    assert len(loaded) == len(set(loaded))


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
    """HttpOnly, Lax, and named after the port, so that two dashboards do not collide."""
    headers, _ = exchanged("/", "token=right")
    (cookie,) = SimpleCookie(headers["set-cookie"]).values()
    assert cookie.key == cookie_name("localhost:8421") == "evalcore-8421"
    assert cookie["httponly"]
    assert cookie["samesite"] == "lax"


def test_the_exchange_keeps_the_address_and_the_host() -> None:
    """Everything but the token stays, and a path with two slashes is no other host."""
    _, page = exchanged("//evil.example/..", "token=right&b=1&a=%26&a=2")
    (target,) = re.findall(r'data-next="([^"]+)"', page)
    location = urlsplit(html.unescape(target))
    assert (location.netloc, location.path) == ("", "/evil.example/..")
    assert parse_qs(location.query) == {"b": ["1"], "a": ["&", "2"]}


def exchanged(path: str, query: str) -> tuple[dict[str, str], str]:
    """Return headers and body of the answer to a first GET with the token `right`."""
    sent: list[Message] = []
    gate = Gate()
    gate.accept("right")

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
        thread.submit(asyncio.run, Guard(never, gate)(scope, receive, send)).result()
    assert sent[0]["status"] == 200
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return headers, sent[1]["body"].decode()


def test_a_gate_opens_once() -> None:
    """A wrong token does not spend the right one; the right one is spent by its use."""
    gate = Gate()
    gate.accept("right")
    assert gate.exchange("wrong") is None
    found = gate.exchange("right")
    assert found is not None
    assert gate.admitted([found.cookie]) == found.cookie
    assert gate.exchange("right") is None
    assert gate.admitted(["right"]) is None


def test_a_token_for_another_browser_ends_after_ten_minutes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is taken shortly before, and no more shortly after."""
    gate, start = Gate(), time.monotonic()
    early, late = gate.new_token(), gate.new_token()
    monkeypatch.setattr("pages.parts.access.gate.time.monotonic", lambda: start + 599)
    assert gate.exchange(early) is not None
    monkeypatch.setattr("pages.parts.access.gate.time.monotonic", lambda: start + 602)
    assert gate.exchange(late) is None


def test_any_of_several_cookies_lets_in(dashboard: Served) -> None:
    """Another port can add cookies of our name: none of them, wherever it stands, locks out."""
    name = dashboard.cookie.partition("=")[0]
    for cookies in (
        f"{name}=planted; {dashboard.cookie}",
        f"{dashboard.cookie}; {name}=planted",
        f'{name}="a;b"; {dashboard.cookie}; {name}=',
    ):
        sent = own(dashboard, Cookie=cookies)
        assert dashboard.request("/", Cookie=cookies).status == 200
        assert dashboard.request(STREAM, **HANDSHAKE, **sent).status == 101


def test_a_lost_cookie_is_given_again_for_the_key(dashboard: Served) -> None:
    """Only the key of a browser that was let in, from this origin, gets one."""
    sent = own(dashboard, Cookie="", Content_Length="0")
    answer = dashboard.request("/evalcore/renew", "POST", **sent)
    assert answer.status == 204
    cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
    assert cookie != dashboard.cookie
    sent |= {"Cookie": cookie}
    assert dashboard.request(STREAM, **HANDSHAKE, **sent).status == 101
    for changed in ({"X_Evalcore_Key": "guess"}, {"Origin": "http://127.0.0.1:1"}):
        refused = dashboard.request("/evalcore/renew", "POST", **{**sent, **changed})
        assert refused.status == 403
        assert refused.getheader("Set-Cookie") is None


def test_started_by_hand_it_is_closed_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without `evalcore open` a token is drawn, and said to the person at the terminal."""
    monkeypatch.delenv("EVALCORE_OWNED", raising=False)
    gate = Gate()
    take_tokens(gate)
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
    expect(sidebar.get_by_text("not signed in")).to_be_visible()
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
    script = f"http://127.0.0.1:{dashboard.port}/evalcore/access.js"
    assert stranger.requested == [dashboard.address("gradings"), script]
