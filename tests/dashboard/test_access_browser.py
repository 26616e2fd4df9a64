"""What other ports of this machine can do to a browser that was let in, and what it shows then."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from evalcore import server
from tests.dashboard.listener import Listener, listening, replayed
from tests.dashboard.live import KEY, Served, Visit, any_port, own_state, write_alpha
from tests.judging.copies import DEMO
from tests.reliability.serving import serving

RUN = "invoice-extractor::3@iteration-1/with_skill#1"
PICTURE = {"suite": "invoice-extractor", "run": RUN}
BLOB = re.compile(r"^blob:")
CLOSED = "This link works only in the browser that evalcore opened"
SPENT = "This link was used before, or evalcore was started again since"
# Longer than Streamlit tries before it speaks of the connection itself.
STREAMLIT_GIVES_UP_MS = 9_000


@pytest.fixture(scope="session")
def dashboard(showing: Callable[[Path], Served]) -> Served:
    """Show the demo, which has pictures."""
    return showing(DEMO)


@pytest.fixture
def other() -> Iterator[Listener]:
    """Return another program of this machine."""
    with listening() as found:
        yield found


def cookie_name(served: Served) -> str:
    """Return the name of the cookie of a dashboard."""
    return served.cookie.partition("=")[0]


ATTACK = """<form id=f method=post action="/posted"><input name=x></form>
<img src="{target}/media/x.png"><iframe src="{target}/overview"></iframe>
<script>
const tries = [
  fetch("{target}/overview", {{credentials: "include"}}).then(r => r.text()),
  fetch("{target}/evalcore/renew", {{method: "POST", credentials: "include"}}).then(r => r.text()),
  new Promise((done) => {{
    const s = new WebSocket("ws://{host}/_stcore/stream", ["streamlit"]);
    s.onopen = () => done("websocket in"); s.onerror = () => done("");
  }}),
];
Promise.allSettled(tries).then(all => fetch("/told", {{method: "POST", body:
  JSON.stringify([all, localStorage, sessionStorage])}})).then(() => document.title = "done");
</script>"""


def test_a_stolen_cookie_opens_nothing(
    new_visit: Callable[..., Visit], dashboard: Served, other: Listener
) -> None:
    """Another port is sent the cookie and never the key: it gets in with no forged request."""
    visit = new_visit(dashboard)
    page = visit.open("judge", **PICTURE)
    with page.expect_response(lambda found: "/media/" in found.url) as picture:
        page.get_by_role("tab", name="chart.png").click()
    host = f"127.0.0.1:{dashboard.port}"
    other.page = ATTACK.format(target=f"http://{host}", host=host)
    page.goto(other.address())
    expect(page).to_have_title("done")
    stolen = other.stolen(cookie_name(dashboard))
    assert stolen == dashboard.cookie
    heard = "".join(other.heard)
    assert dashboard.key not in heard
    assert "websocket in" not in heard and "access.js" not in heard
    media = picture.value.url.removeprefix(f"http://{host}")
    paths = (media, "/_stcore/health", "/_stcore/host-config", "/evalcore/renew")
    assert set(replayed(dashboard, stolen, *paths).values()) == {403}


def test_a_door_without_a_key_is_opened_by_a_stolen_cookie(tmp_path: Path) -> None:
    """The control: the same replay gets in where the cookie is enough."""
    with serving(DEMO, tmp_path / "state", cookie_alone=True) as (served, _):
        served.let_in()
        assert replayed(served, served.cookie, "/_stcore/health") == {
            "stream": 101,
            "/_stcore/health": 200,
        }


def test_another_port_cannot_lock_out(
    new_visit: Callable[..., Visit], dashboard: Served, other: Listener
) -> None:
    """Its cookies of our name, beside ours or in the place of ours, do not matter."""
    visit = new_visit(dashboard)
    visit.open()
    name = cookie_name(dashboard)
    other.cookies = (f"{name}=planted; Path=/", f"{name}=planted; Path=/gradings")
    visit.page.goto(other.address())
    visit.open("gradings")
    expect(visit.page.get_by_text(CLOSED)).to_have_count(0)


def test_with_neither_cookie_nor_key_it_is_closed(
    new_visit: Callable[..., Visit], dashboard: Served, other: Listener
) -> None:
    """The control: the key is what brings the cookie back."""
    dashboard_without_key = Served(dashboard.port, dashboard.name, "", dashboard.cookie)
    visit = new_visit(dashboard_without_key)
    other.cookies = (f"{cookie_name(dashboard)}=planted; Path=/",)
    visit.page.goto(other.address())
    visit.page.goto(dashboard.address())
    expect(visit.page.get_by_text(CLOSED)).to_be_visible()


def test_a_link_from_another_site_arrives_at_once(
    new_visit: Callable[..., Visit], dashboard: Served, other: Listener
) -> None:
    """The cookie, as the server itself sets it, comes with it: the page is loaded once."""
    visit, link = new_visit(dashboard), dashboard.address("data")
    visit.page.context.clear_cookies()
    visit.open()
    other.page = f'<a href="{link}">evalcore</a>'
    visit.page.goto(other.address("localhost"))
    visit.requested.clear()
    visit.page.get_by_role("link").click()
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("Data")
    assert visit.requested.count(link) == 1
    assert not any("/evalcore/renew" in each for each in visit.requested)


def test_a_link_from_the_sidebar_lets_in_one_more_browser(
    visit: Visit, chromium: Browser, dashboard: Served
) -> None:
    """It opens once; who comes second with it is told what to do."""
    page = visit.open("data", suite="invoice-extractor", level="error")
    page.get_by_role("button", name="Link for another browser").click()
    expect(page.get_by_text("in one more browser, once, within 10 minutes.")).to_be_visible()
    link = page.locator(".st-key-footer code").inner_text()
    first, second = (chromium.new_context().new_page() for _ in range(2))
    first.goto(link)
    expect(first.get_by_role("heading", level=1)).to_have_text("Data")
    assert first.url == page.url
    second.goto(link)
    expect(second.get_by_text(SPENT)).to_be_visible()
    for each in (first, second):
        each.context.close()


@pytest.mark.parametrize("lost", [False, True])
def test_another_link_leaves_a_browser_who_it_is(
    visit: Visit, chromium: Browser, dashboard: Served, lost: bool
) -> None:
    """It keeps its key, by which its judge is known; if it has lost that, it gets a new one."""
    page = visit.open()
    page.get_by_role("button", name="Link for another browser").click()
    link = page.locator(".st-key-footer code").inner_text()
    origin = f"http://127.0.0.1:{dashboard.port}"
    name, _, value = dashboard.cookie.partition("=")
    kept = [] if lost else [{"name": KEY, "value": dashboard.key}]
    context = chromium.new_context(
        storage_state={"origins": [{"origin": origin, "localStorage": kept}]}  # type: ignore[arg-type]
    )
    context.add_cookies([{"name": name, "value": value, "url": origin}])
    known = context.new_page()
    known.goto(link)
    expect(known.get_by_role("heading", level=1)).to_have_text("Overview")
    held = known.evaluate("name => localStorage.getItem(name)", KEY)
    assert (held == dashboard.key) is not lost
    context.close()


def test_pictures_and_downloads_come_with_the_key(visit: Visit) -> None:
    """They are fetched with it and shown from memory: an address alone opens none."""
    page = visit.open("judge", **PICTURE)
    page.get_by_role("tab", name="chart.png").click()
    picture = page.get_by_test_id("stImage").locator("img")
    expect(picture).to_have_attribute("src", BLOB)
    page.wait_for_function(
        "() => document.querySelector('[data-testid=stImage] img').naturalWidth > 0"
    )
    visit.open("gradings", **PICTURE)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "failing-cases.md"
    assert download.value.path().read_text("utf-8").startswith("#")


# ---- the server is stopped, and started again, under an open page


@pytest.fixture
def to_judge(tmp_path: Path) -> Path:
    """A workspace with a run whose output is saved, so that it can be judged."""
    root = tmp_path / "skills"
    write_alpha(root)
    output = root / "alpha-workspace/v1/runs/case-01/run-1/answer.md"
    output.parent.mkdir(parents=True)
    output.write_text("Hello, Ada.", encoding="utf-8")
    return root


def test_a_page_outlives_its_server(chromium: Browser, to_judge: Path, tmp_path: Path) -> None:
    """It says what to run; with the new address in another tab it goes on, and no word is lost."""
    port, state = any_port(), tmp_path / "state"
    context = chromium.new_context()
    page, other_tab = context.new_page(), context.new_page()
    told, command = (
        page.locator("#evalcore-access"),
        'evalcore open FOLDER --view "judge?suite=alpha"',
    )
    why = page.locator("fieldset.criterion textarea").first
    with own_state(state):
        dashboard = started(to_judge, port)
        page.goto(dashboard.url)
        expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
        page.goto(judging(dashboard))
        be(page, "Ana")
        why.fill("typed before")
        dashboard.process.kill()
        dashboard.stop()
        expect(told).to_contain_text(command.removesuffix('"'))
        why.fill("typed after")
        page.wait_for_timeout(STREAMLIT_GIVES_UP_MS)
        expect(page.get_by_role("dialog")).to_have_count(0)
        again = started(to_judge, port)
        try:
            expect(told).to_contain_text("does not know this browser yet")
            other_tab.goto(judging(again))
            expect(other_tab.get_by_role("heading")).to_have_text(CLOSED)
            expect(other_tab.locator("code")).to_have_text(command)
            other_tab.goto(again.url)
            expect(told).to_have_count(0)
            be(page, "Ana")
            expect(why).to_have_value("typed after")
            page.close()
            other_tab.goto(judging(again))
            expect(other_tab.locator("fieldset.criterion textarea").first).to_have_value(
                "typed after"
            )
        finally:
            again.stop()
    context.close()


def test_a_kept_link_says_what_to_run_where_nothing_answers(
    chromium: Browser, small_workspace: Path, tmp_path: Path
) -> None:
    """It names the view; another program on the port is served as if evalcore had never been."""
    port = any_port()
    context = chromium.new_context()
    page = context.new_page()
    with own_state(tmp_path / "state"):
        dashboard = started(small_workspace, port)
        page.goto(dashboard.url)
        expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
        page.evaluate("navigator.serviceWorker.ready.then(() => {})")
        dashboard.stop()
    kept = f"http://127.0.0.1:{port}/gradings?w=skills&suite=alpha&run=%3Cb%3E%26"
    page.goto(f"{kept}&token=secret")
    expect(page.get_by_role("heading")).to_have_text("evalcore does not answer at this address")
    view = "gradings?suite=alpha&run=%3Cb%3E%26"
    expect(page.locator("code")).to_have_text(f'evalcore open FOLDER --view "{view}"')
    assert page.evaluate("caches.keys()") == []
    with listening(port) as other:
        other.page = "<h1>another program</h1>"
        page.goto(kept)
        expect(page.get_by_role("heading")).to_have_text("another program")
        assert not any("X-Evalcore-Key" in heard for heard in other.heard)
    page.goto("about:blank")
    with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
        page.goto(kept)
    context.close()


def started(workspace: Path, port: int) -> server.Dashboard:
    """Start a dashboard and wait for it."""
    found = server.start(workspace, port=port)
    assert found.wait_until_ready()
    return found


def judging(dashboard: server.Dashboard) -> str:
    """Return the address of the first suite's Judge page."""
    return f"http://127.0.0.1:{dashboard.port}/judge?w={dashboard.workspace}&suite=alpha"


def be(page: Page, name: str) -> None:
    """Say who judges."""
    page.locator(".name-field").fill(name)
    page.keyboard.press("Enter")


def test_streamlit_alone_speaks_of_its_own_settings(
    new_visit: Callable[..., Visit], dashboard: Served
) -> None:
    """The control: without our script a refused page talks of CORS."""
    visit = new_visit(dashboard)
    visit.page.route("**/evalcore/access.js", lambda route: route.fulfill(body=""))
    visit.page.goto(dashboard.address())
    expect(visit.page.get_by_role("dialog")).to_contain_text("CORS")
