"""The browser has nothing to complain about, on any page of any suite of the demo."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Page, Request, Response

from evalcore.counting.choices import suite_ids
from evalcore.workspace.opened import open_workspace
from tests.dashboard.live import PAGES, Served, Visit
from tests.dashboard.screen import idle
from tests.judging.copies import DEMO


@pytest.fixture(scope="session")
def dashboard(showing: Callable[[Path], Served]) -> Served:
    """Show the demo."""
    return showing(DEMO)


@pytest.fixture
def complaints(visit: Visit) -> Iterator[list[str]]:
    """Return what the console, the network and the scripts of the window complain about."""
    found: list[str] = []

    def said(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            found.append(f"{message.type}: {message.text}")

    def failed(request: Request) -> None:
        # Who leaves a page breaks off what it was loading.
        if request.failure != "net::ERR_ABORTED":
            found.append(f"failed: {request.url} {request.failure}")

    def answered(response: Response) -> None:
        if response.status >= 400:
            found.append(f"{response.status}: {response.url}")

    heard = {"console": said, "requestfailed": failed, "response": answered}
    for event, listener in heard.items():
        visit.page.on(event, listener)  # type: ignore[call-overload]
    yield found
    for event, listener in heard.items():
        visit.page.remove_listener(event, listener)


@pytest.mark.parametrize("suite", suite_ids(open_workspace(DEMO, cache=False)))
def test_no_page_has_an_error_on_the_console(
    visit: Visit, complaints: list[str], suite: str
) -> None:
    """No refused script, missing file, failed request, deprecated call or uncaught error."""
    idle(visit.open(PAGES[0], suite=suite))
    for name in PAGES[1:]:
        visit.move(name, suite=suite)
    assert complaints == []
    assert visit.errors == []


def test_what_a_browser_complains_about_is_found(visit: Visit, complaints: list[str]) -> None:
    """The control: a missing file, a refused inline script and an error are each noted."""
    page = visit.open()
    page.evaluate("fetch('/media/none.png')")
    page.evaluate("document.head.append(Object.assign(document.createElement('script'),"
                  " {text: 'window.inline = true'}))")  # fmt: skip
    page.evaluate("setTimeout(() => { throw new Error('uncaught') })")
    _until(page, lambda: len(visit.errors) == 1 and len(complaints) >= 3)
    assert any(text.startswith("404: ") for text in complaints)
    assert any("Content Security Policy" in text for text in complaints)
    assert visit.errors == ["uncaught"]


def _until(page: Page, done: Callable[[], bool]) -> None:
    for _ in range(100):
        if done():
            return
        page.wait_for_timeout(50)
