"""A report opened from disk without any network: everything is read, on every screen."""

import gzip
import json
from base64 import b64decode, b64encode
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
from tests.report.test_file import PAYLOADS

MOST_ELEMENTS = 3_000
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a suite of the demo."""
    out = tmp_path_factory.mktemp("report") / "report.html"
    out.write_bytes(report_file(content(open_workspace(DEMO), Asked(INVOICES))))
    return out


@pytest.fixture
def opened(chromium: Browser, file: Path) -> Iterator[Open]:
    """Return a function that opens a report offline; it must ask for nothing but itself."""
    contexts, asked, said = [], [], []

    def on(width: int = 1440, other: Path = file, **options: object) -> Page:
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
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.goto(other.as_uri())
        return page

    yield on
    for context in contexts:
        context.close()
    assert all(url.startswith(("data:image/svg+xml;base64", "file:")) for url in asked)
    assert sum(url.startswith("file:") for url in asked) == len(contexts)
    assert said == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_it_is_read_without_a_script(opened: Open, width: int, scheme: str) -> None:
    """Verdict, cautions, charts in their size, changed cases and criteria; it scrolls one way."""
    page = opened(width, color_scheme=scheme, java_script_enabled=False)
    for text in ("overall efficiency 0.94 against 0.92", "Lost runs: none", "Credit note keeps"):
        expect(page.get_by_text(text).first).to_be_visible()
    expect(page.get_by_role("heading", name="Criteria and tags")).to_be_visible()
    expect(page.get_by_text("The evidence is packed and needs JavaScript")).to_be_visible()
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
    # Its policy lets nothing wait inside of the page.
    while not page.evaluate("[...document.images].every(each => each.currentSrc === each.src)"):
        page.wait_for_timeout(20)
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour == "rgb(255, 255, 255)"


def looked_at(page: Page) -> None:
    """Scroll to the evidence until it is there."""
    page.locator("#evidence").scroll_into_view_if_needed()
    expect(page.locator("#runs details").first).to_be_visible()


def repeated(times: int, **changed: str) -> bytes:
    """Return the report of the demo with its runs so many times over, each changed like this."""
    found = content(open_workspace(DEMO), Asked(INVOICES))
    told = json.loads(gzip.decompress(b64decode(found.evidence)))
    told["runs"] = [run | changed for run in told["runs"]] * times
    data = b64encode(gzip.compress(json.dumps(told).encode(), mtime=0)).decode()
    return report_file(found._replace(runs=len(told["runs"]), evidence=data))


@pytest.mark.parametrize("width", [360, 1440])
def test_the_evidence_of_a_run_opens_by_keyboard(opened: Open, width: int) -> None:
    """What was asked, and each criterion with its score and reason."""
    page = opened(width)
    looked_at(page)
    run = page.locator("#runs details", has_text="iteration-3 · with_skill · run 2").first
    run.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(run.get_by_text("Put the three invoices of evals/files/batch.txt")).to_be_visible()
    line = run.locator("article").first
    expect(line).to_contain_text("failed: ")
    expect(line).to_contain_text("The picture has bars and an axis line, no text at all.")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_runs_are_found_and_narrowed(opened: Open) -> None:
    """By words of case or version, by failure, and by change; a run that was open stays so."""
    page = opened()
    looked_at(page)
    failed = page.locator("#runs details", has_text="iteration-3 · with_skill · run 2").first
    failed.locator("summary").click()
    told = page.locator("#runs").get_by_role("status")
    expect(told).to_have_text("44 of 44")
    page.get_by_label("Find a case or version").fill("CREDIT")
    expect(told).not_to_have_text("44 of 44")
    expect(page.locator("#runs details").first).to_contain_text("Credit note")
    page.get_by_label("Find a case or version").fill("nothing like it")
    expect(told).to_have_text("0 of 44")
    page.get_by_label("Find a case or version").fill("")
    page.get_by_label("Runs shown").select_option("fail")
    expect(page.locator("#runs details").first).to_have_attribute("open", "")


def test_ten_thousand_runs_are_few_elements(opened: Open, tmp_path: Path) -> None:
    """Those near the screen are drawn, wherever it is; the last one is reached."""
    other = tmp_path / "many.html"
    other.write_bytes(repeated(228))
    page = opened(other=other)
    looked_at(page)
    places = ("0", "document.body.scrollHeight / 2", "document.body.scrollHeight")
    for place in places:
        page.evaluate(f"scrollTo(0, {place})")
        page.wait_for_timeout(100)
        assert page.evaluate("document.querySelectorAll('*').length") <= MOST_ELEMENTS
    expect(page.locator("#runs").get_by_role("status")).to_have_text("10,032 of 10,032")
    expect(page.locator("#runs details").last).to_be_in_viewport()


def test_nothing_that_was_read_is_active(opened: Open, tmp_path: Path) -> None:
    """Every payload stands there as text; no dialog, request, element or link comes of it."""
    other = tmp_path / "hostile.html"
    payload = " ".join(PAYLOADS).replace("\ud800", "")
    texts = ("name", "run", "said")
    other.write_bytes(repeated(1, **dict.fromkeys(texts, payload)))
    page = opened(other=other)
    looked_at(page)
    page.locator("#runs summary").first.click()
    shown = page.locator("#runs summary").first.inner_text()
    assert "<script>alert(1)</script>" in shown
    assert page.locator("#runs :is(a, img, script, iframe, svg, link, style)").count() == 0
    allowed = {"class", "dir", "open", "type", "placeholder", "aria-label", "aria-hidden", "role"}
    names = page.evaluate(
        "[...document.querySelectorAll('#runs *')].flatMap(each => each.getAttributeNames())"
    )
    assert set(names) <= allowed | {"value", "style"}
