"""A served dashboard and a browser that was let in: what every test of the pages needs."""

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from evalcore.recent import remember
from tests.dashboard.fonts import FONTS, drawn_in
from tests.dashboard.live import (
    DESK,
    PATIENCE_MS,
    ROOT,
    Served,
    Visit,
    own_state,
    served,
    write,
    write_alpha,
)

BROWSER_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


MOST_SHOWN = 4_000


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add what each window shows to the report of a test that failed: it may fail only once."""
    report = yield
    browser = getattr(item, "funcargs", {}).get("chromium")
    if call.when == "call" and report.failed and isinstance(browser, Browser):
        for page in (page for context in browser.contexts for page in context.pages):
            with suppress(Error):
                shown = f"{page.url}\n{page.locator('body').inner_text(timeout=1_000)}"
                report.sections.append(("what a window shows", shown[:MOST_SHOWN]))
    return report


@pytest.fixture(scope="session", autouse=True)
def packages_searched_once() -> Iterator[None]:
    """Let AppTest search the installed packages for components once, as they stay the same.

    It parses the metadata of each package for each app, which takes longer than any page of ours.
    """
    with pytest.MonkeyPatch.context() as patch:
        found = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", found)
        yield


@pytest.fixture(scope="session")
def small_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two suites: `alpha` with versions v0 and v1, `beta` with two configurations."""
    root = tmp_path_factory.mktemp("small") / "skills"
    write_alpha(root)
    for configuration, passed in (("with_skill", True), ("without_skill", False)):
        grading = {
            "expectations": [{"text": "Names the month", "passed": passed, "evidence": "“May”"}],
            "summary": {"passed": int(passed), "failed": int(not passed), "total": 1},
        }
        write(root / "beta-workspace/iteration-1/eval-1" / configuration / "grading.json", grading)
    prompts = [{"id": 1, "prompt": "When?", "expected_output": "May", "expectations": []}]
    write(root / "beta/evals/evals.json", {"skill_name": "beta", "evals": prompts})
    return root


@pytest.fixture(scope="session")
def shared_state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder where the shared server remembers workspaces."""
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="session")
def shared(small_workspace: Path, shared_state: Path) -> Iterator[Served]:
    """Return one server for all modules that need none of their own, whose gate is open."""
    with served(small_workspace, shared_state) as found:
        found.let_in()
        yield found


@pytest.fixture(scope="session")
def showing(shared: Served, shared_state: Path) -> Callable[[Path], Served]:
    """Return a function that gives the shared server on another workspace."""

    def on(workspace: Path) -> Served:
        with own_state(shared_state):
            return replace(shared, name=remember(workspace))

    return on


@pytest.fixture(scope="session")
def dashboard(shared: Served) -> Served:
    """Return the shared server on the small workspace; modules with another one override this."""
    return shared


@pytest.fixture(scope="module")
def serve(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[..., Served]]:
    """Return a function that starts a server of its own, which takes seconds, for a module."""
    with ExitStack() as running:

        def start(workspace: Path, *others: Path) -> Served:
            state = tmp_path_factory.mktemp("state")
            return running.enter_context(served(workspace, state, others))

        yield start


@pytest.fixture(scope="session")
def chromium(browser_path: Path) -> Iterator[Browser]:
    """Return one browser for all tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(browser_path), args=list(BROWSER_FLAGS)
        )
        yield browser
        browser.close()


@pytest.fixture
def new_visit(chromium: Browser) -> Iterator[Callable[..., Visit]]:
    """Return a function that opens a browser of its own on a dashboard: nothing is known to it.

    It compiles all scripts anew, which takes five times as long as a page of `visit`.
    """
    contexts: list[BrowserContext] = []

    def visit(served: Served, **options: object) -> Visit:
        context = _let_in(chromium, served, **options)
        contexts.append(context)
        found = Visit(context.new_page(), served)
        found.watch()
        return found

    yield visit
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def windows(chromium: Browser) -> Iterator[Callable[[Served], Page]]:
    """Return a function that gives the one window on a server, whatever workspace it shows.

    What a window has compiled once, it need not again.
    """
    opened: dict[int, Page] = {}

    def on(served: Served) -> Page:
        if served.port not in opened:
            opened[served.port] = _let_in(chromium, served).new_page()
        return opened[served.port]

    yield on
    for page in opened.values():
        page.context.close()


@pytest.fixture(scope="module")
def window(windows: Callable[[Served], Page], dashboard: Served) -> Page:
    """Return the one window of a module's tests, which other modules use too."""
    return windows(dashboard)


@pytest.fixture
def visit(window: Page, dashboard: Served) -> Iterator[Visit]:
    """Return the window on the module's dashboard as if it were new: 1440 by 900, light, blank."""
    window.evaluate("try { localStorage.clear(); sessionStorage.clear(); } catch { }")
    window.set_viewport_size(DESK)
    window.emulate_media(color_scheme="light")
    window.mouse.move(0, 0)
    found = Visit(window, dashboard)
    found.watch()
    yield found
    found.look_away()


@pytest.fixture(params=FONTS)
def font(request: pytest.FixtureRequest, window: Page) -> Iterator[str]:
    """Draw what the window opens in a wide and in a narrow font, whatever fonts are installed."""
    with drawn_in(window, request.param):
        yield request.param


def _let_in(chromium: Browser, served: Served, **options: object) -> BrowserContext:
    """Return a browser of its own, with the key to a dashboard where there is one."""
    context = chromium.new_context(**{"viewport": DESK} | options)  # type: ignore[arg-type]
    served.admit(context)
    context.set_default_timeout(PATIENCE_MS)
    return context


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., AppTest]:
    """Return a function that runs a page on a workspace with an address, without a browser."""
    # Not in `tmp_path`, which tests make their workspace of: it would lie in what is opened.
    own = tmp_path_factory.mktemp("own")
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(own / "state"))
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(own / "cache"))
    monkeypatch.chdir(ROOT)

    def run_page(page: str, workspace: Path, /, **query: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.query_params["w"] = remember(workspace)
        app.switch_page(f"pages/{page}.py")
        for name, value in query.items():
            app.query_params[name] = value
        return app.run()

    return run_page
