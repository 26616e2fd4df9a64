"""An outside judge opens a packet without any network, judges by keyboard, and saves verdicts."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from evalcore.blind.packets import import_verdicts, load_verdicts
from evalcore.cli.packets import export
from evalcore.errors import CannotImport
from evalcore.judging.studies import Study
from evalcore.workspace.opened import Workspace
from tests.blind.packet_files import data_of
from tests.blind.study import created, now
from tests.dashboard.live import DESK, PATIENCE_MS, Served
from tests.dashboard.screen import box
from tests.judging.copies import INVOICES, copied
from tests.reliability.serving import serving

PAIRS = 4
SLOW = 20
DEAF = "BroadcastChannel.prototype.addEventListener = () => {};"
NO_DATABASE = "indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); };"


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A copy of one suite of the demo."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    return copied(tmp_path, INVOICES)


@pytest.fixture
def study(ws: Workspace) -> Study:
    """A study with scores."""
    return created(ws, criteria="description")


@pytest.fixture
def file(ws: Workspace, study: Study, tmp_path: Path) -> Path:
    """A packet of it, by the command."""
    out = tmp_path / "packet.html"
    assert export(ws.root, INVOICES, study.id, out).code == 0
    return out


@pytest.fixture
def offline(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser of somebody else, without a network."""
    context = chromium.new_context(viewport=DESK, accept_downloads=True)
    context.set_offline(True)
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


def opened(page: Page, file: Path) -> None:
    """Open the packet, and wait until it has what this browser stored."""
    page.goto(file.as_uri())
    expect(page.locator("#keeps")).not_to_be_empty()


def compare(page: Page, key: str, done: int) -> None:
    """Score both outputs and give a verdict, by keyboard."""
    expect(page.get_by_text(f"{done} compared")).to_be_visible()
    page.get_by_label("accuracy, left").focus()
    for score in "453322":
        page.keyboard.type(score)
        page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    page.keyboard.press(key)
    page.keyboard.press("w")
    page.keyboard.type("Kürzer, 所以更好")
    page.keyboard.press("Control+Enter")


def saved(page: Page, to: Path) -> Path:
    """Save the verdicts."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Save my verdicts").click()
    download.value.save_as(to)
    return to


def test_a_packet_is_judged_without_a_network_and_imported(
    offline: BrowserContext, file: Path, ws: Workspace, study: Study, tmp_path: Path
) -> None:
    """It goes on in the same browser where it was left, and its verdicts come back whole."""
    asked: list[str] = []
    faults: list[str] = []
    offline.on("request", lambda request: asked.append(request.url))
    offline.on("weberror", lambda error: faults.append(str(error.error)))
    offline.on("console", lambda said: faults.append(said.text))
    page = offline.new_page()
    opened(page, file)
    page.keyboard.press("d")
    expect(page.get_by_text("Hide differences")).to_be_visible()
    expect(
        page.get_by_text("left and right are the same").or_(page.get_by_text("only in left"))
    ).to_be_visible()
    compare(page, "l", 0)
    compare(page, "t", 1)
    expect(page.get_by_text("2 compared")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_text("Undone.")).to_be_visible()
    page.close()
    again = offline.new_page()
    opened(again, file)
    for done in range(1, PAIRS):
        compare(again, "lrtb"[done], done)
    expect(again.get_by_text("Done: 4 of 4 pairs")).to_be_visible()
    found = saved(again, tmp_path / "verdicts.json")
    brought = import_verdicts(ws, now(ws, study.id), found, load_verdicts(found))
    assert (brought.new, brought.of, brought.left_out) == (PAIRS, PAIRS, ())
    stored = now(ws, study.id).verdicts
    assert sorted(str(each.fields.winner) for each in stored) == [
        "both bad",
        "left",
        "right",
        "tie",
    ]
    assert {each.fields.rationale for each in stored} == {"Kürzer, 所以更好"}
    assert asked == [file.as_uri()] * 2
    assert faults == []


def test_two_windows_of_a_packet_lose_nothing(
    offline: BrowserContext, file: Path, tmp_path: Path
) -> None:
    """The file that one of them saves has the verdicts of both, though it hears of them late."""
    one, other = offline.new_page(), offline.new_page()
    for page in (one, other):
        opened(page, file)
    compare(one, "l", 0)
    expect(one.get_by_text("1 compared")).to_be_visible()
    save = one.get_by_role("button", name="Save my verdicts")
    save.scroll_into_view_if_needed()
    at = box(save)
    offline.new_cdp_session(one).send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
    other.keyboard.press("n")
    compare(other, "r", 1)
    expect(other.get_by_text("2 compared")).to_be_visible()
    with one.expect_download() as download:  # by a click that waits for nothing
        one.mouse.click(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    download.value.save_as(tmp_path / "verdicts.json")
    found = load_verdicts(tmp_path / "verdicts.json")
    assert [each.winner for each in found.verdicts] == ["left", "right"]
    assert len({each.task for each in found.verdicts}) == 2


def test_a_window_that_hears_nothing_of_another_overwrites_nothing(
    offline: BrowserContext, file: Path, tmp_path: Path
) -> None:
    """What windows that were closed at once had stored is in a new one, and in what it saves."""
    one, deaf = offline.new_page(), offline.new_page()
    deaf.add_init_script(DEAF)
    for page in (one, deaf):
        opened(page, file)
    compare(one, "l", 0)
    expect(one.get_by_text("1 compared")).to_be_visible()
    deaf.keyboard.press("n")
    compare(deaf, "r", 0)
    expect(deaf.get_by_text("2 compared")).to_be_visible()
    one.close()
    deaf.close()
    after = offline.new_page()
    opened(after, file)
    expect(after.get_by_text("2 compared")).to_be_visible()
    found = load_verdicts(saved(after, tmp_path / "verdicts.json"))
    assert [each.winner for each in found.verdicts] == ["left", "right"]


def test_a_browser_that_stores_nothing_says_so(
    offline: BrowserContext, file: Path, tmp_path: Path
) -> None:
    """Its verdicts are in the window, and in the file that is saved from it."""
    page = offline.new_page()
    page.add_init_script(NO_DATABASE)
    opened(page, file)
    expect(page.locator("#keeps")).to_have_text(
        "This browser stores nothing: save your verdicts before you close the window."
    )
    compare(page, "l", 0)
    expect(page.get_by_text("1 compared")).to_be_visible()
    found = load_verdicts(saved(page, tmp_path / "verdicts.json"))
    assert [each.winner for each in found.verdicts] == ["left"]


def test_what_lacks_a_score_or_a_reason_is_not_kept(offline: BrowserContext, file: Path) -> None:
    """The form says what is missing, as on the page Blind."""
    page = offline.new_page()
    opened(page, file)
    page.keyboard.press("l")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("accuracy has no score on one side.")).to_be_visible()
    expect(page.get_by_text("stop judging blind")).to_have_count(0)


def test_a_packet_with_another_text_is_refused(
    offline: BrowserContext, file: Path, ws: Workspace, study: Study, tmp_path: Path
) -> None:
    """Its window hashes what it shows."""
    file.write_text(file.read_text("utf-8").replace("Halden Paper", "Halted Paper"), "utf-8")
    page = offline.new_page()
    opened(page, file)
    for done in range(PAIRS):
        compare(page, "l", done)
    expect(page.get_by_text("Done: 4 of 4 pairs")).to_be_visible()
    found = saved(page, tmp_path / "verdicts.json")
    assert len(json.loads(found.read_text("utf-8"))["verdicts"]) == PAIRS
    with pytest.raises(CannotImport, match="is not what the packet had when it was exported"):
        import_verdicts(ws, now(ws, study.id), found, load_verdicts(found))


def test_the_page_makes_a_packet(
    chromium: Browser, ws: Workspace, study: Study, tmp_path: Path
) -> None:
    """One for each time that it is asked, and says how its verdicts come back."""
    with serving(ws.root, tmp_path / "state") as (at, _):
        page = at_page(chromium, at)
        page.get_by_role("button", name="Judge without evalcore …").click()
        expect(page.get_by_text(f"evalcore blind import {ws.root} FILE")).to_be_visible()
        assert now(ws, study.id).parts == {}
        page.get_by_role("button", name="Make a packet").click()
        expect(page.get_by_text("is ready. Save it under Judge without evalcore")).to_be_visible()
        with page.expect_download() as download:
            page.get_by_role("button", name="Save the packet").click()
        data = data_of(Path(download.value.path()).read_bytes())
        expect(page.get_by_text("takes part. Send the file.")).to_be_visible()
        page.context.close()
    assert now(ws, study.id).parts == {data["packet"]: "joined"}


def at_page(browser: Browser, at: Served) -> Page:
    """Return a window that shows the page Blind."""
    at.let_in()
    context = browser.new_context(viewport=DESK, accept_downloads=True)
    at.admit(context)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(at.address("blind", suite=INVOICES))
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Start judging").click()
    return page
