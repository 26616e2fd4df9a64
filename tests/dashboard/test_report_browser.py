"""A report opened from disk without any network: everything is read, on every screen."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from evalcore.report.content import Asked, content
from evalcore.report.file import report_file
from evalcore.workspace.opened import open_workspace
from tests.dashboard.live import PATIENCE_MS
from tests.judging.copies import INVOICES
from tests.report.parsed import DEMO

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a suite of the demo."""
    out = tmp_path_factory.mktemp("report") / "report.html"
    out.write_bytes(report_file(content(open_workspace(DEMO), Asked(INVOICES))))
    return out


@pytest.fixture
def opened(chromium: Browser, file: Path) -> Iterator[Open]:
    """Return a function that opens the report offline; it must ask for nothing but itself."""
    contexts, asked, said = [], [], []

    def on(width: int = 1440, **options: object) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            offline=True,
            **options,  # type: ignore[arg-type]
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(file.as_uri())
        return page

    yield on
    for context in contexts:
        context.close()
    assert {url for url in asked if not url.startswith("data:image/svg+xml")} == {file.as_uri()}
    assert said == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_it_is_read_without_a_script(opened: Open, width: int, scheme: str) -> None:
    """Verdict, cautions, charts in their size, changed cases and criteria; it scrolls one way."""
    page = opened(width, color_scheme=scheme, java_script_enabled=False)
    for text in ("overall efficiency 0.94 against 0.92", "Lost runs: none", "Credit note keeps"):
        expect(page.get_by_text(text).first).to_be_visible()
    expect(page.get_by_role("heading", name="Criteria and tags")).to_be_visible()
    for chart in page.locator("img").all():
        box = chart.bounding_box()
        assert box is not None
        assert box["width"] == 720


@pytest.mark.parametrize("width", [360, 1440])
def test_no_page_scrolls_sideways(opened: Open, width: int) -> None:
    """Wide tables and charts scroll in their own place."""
    page = opened(width)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate("[...document.images].every(each => each.naturalWidth === 720)")


@pytest.mark.parametrize(("scheme", "ground"), [("light", "255, 255"), ("dark", "17, 21")])
def test_page_and_charts_follow_the_screen(opened: Open, scheme: str, ground: str) -> None:
    """Each chart is the one for the ground that it stands on."""
    page = opened(color_scheme=scheme)
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour.startswith(f"rgb({ground}")
    dark = page.evaluate("[...document.images].map(i => i.currentSrc !== i.src)")
    assert dark == [scheme == "dark"] * 2


def test_it_prints(opened: Open) -> None:
    """Light, also from a dark screen."""
    page = opened(color_scheme="dark")
    assert page.pdf().startswith(b"%PDF")
    page.emulate_media(media="print", color_scheme="dark")
    page.wait_for_function("[...document.images].every(each => each.currentSrc === each.src)")
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour == "rgb(255, 255, 255)"
