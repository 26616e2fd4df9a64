"""The open dashboard notices what is written, says so, and shows it when its reader asks."""

import json
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from evalcore.live import notices, settling, watcher
from pages.parts.live import TICK_SECONDS
from tests.dashboard.graded import write_graded
from tests.dashboard.live import PHONE, Served, Visit
from tests.dashboard.screen import box, wait_for_address

NEWEST = "letters-workspace/iteration-2"
Record = Callable[[str, object], None]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write 12 cases in 2 versions, 2 configurations and 3 runs each."""
    return write_graded(tmp_path_factory.mktemp("live") / "post", cases=12)


@pytest.fixture(scope="module")
def dashboard(showing: Callable[[Path], Served], folder: Path) -> Served:
    """Serve them."""
    return showing(folder)


NUMBERS = count(7)


@pytest.fixture
def runs(folder: Path, visit: Visit) -> Iterator[Callable[[int], Path]]:
    """Return a function that gives the path of a further run of a case; none is left behind."""
    made: list[Path] = []

    def path(case: int) -> Path:
        # A number of its own: a run that comes back where one just went is no news to anybody.
        made.append(folder / f"{NEWEST}/eval-{case}/with_skill/run-{next(NUMBERS)}/grading.json")
        return made[-1]

    yield path
    take_away([written for written in made if written.exists()], visit.page)


def take_away(written: list[Path], page: Page) -> None:
    """Remove gradings and wait until that is noticed: else the next test's page still has them."""
    new = bar(page).count()
    for path in written:
        path.unlink()
    if written and new:  # nobody was shown them, so that they are gone is no news
        expect(bar(page)).to_have_count(0)
    elif written:
        expect(bar(page)).to_contain_text(
            f"{len(written)} grading{'s'[: len(written) - 1]} deleted"
        )


def grading(case: int, passed: bool = True) -> str:
    """Return a grading of one criterion."""
    item = {"text": "Names the customer", "passed": passed, "evidence": f"Brand new {case}."}
    summary = {"passed": int(passed), "failed": int(not passed), "total": 1}
    return json.dumps({"expectations": [item], "summary": summary})


def write_whole(path: Path, text: str) -> float:
    """Put a finished file in its place; return when."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)
    return time.monotonic()


def bar(page: Page) -> Locator:
    """Return the place beside the title where news is said."""
    return page.locator(".st-key-live")


def show(page: Page) -> None:
    """Ask for the news, and wait until it is shown."""
    bar(page).get_by_role("button", name="Show").click()
    expect(bar(page)).to_have_count(0)


def opened(visit: Visit, **query: str) -> Page:
    """Open the gradings and wait until a case is shown."""
    page = visit.open("gradings", **query)
    expect(page.locator(".head h2")).to_be_visible()
    expect(page.locator(".list tbody").first).to_be_visible()
    return page


def asked(page: Page) -> dict[str, list[str]]:
    """Return what the address says."""
    return parse_qs(urlsplit(page.url).query)


def places(page: Page) -> list[FloatRect]:
    """Return where the parts of the page stand."""
    parts = (".st-key-narrow", ".list", ".head h2", "h1", ".filters")
    return [box(page.locator(part).first) for part in parts]


def test_our_own_waits_leave_room_in_three_seconds() -> None:
    """The system's word gathered, a quiet moment, the watcher's look, the tick of the page."""
    gathered = (notices._POLL_MS + notices._GATHER_MS) / 1000
    assert gathered + settling.LONGEST_SECONDS + watcher.REST_SECONDS + TICK_SECONDS < 3.0


def test_a_browser_says_so_by_itself(
    visit: Visit, runs: Callable[[int], Path], record_property: Record
) -> None:
    """Written whole or in two halves: the sentence comes when the file is whole, nothing moves.

    How long it took is recorded, not held against a limit: that is the machine's as much as ours.
    """
    page = opened(visit)
    before = places(page)
    written = write_whole(runs(1), grading(1))
    expect(bar(page)).to_contain_text("1 new grading")
    record_property("seconds from a whole file to the screen", time.monotonic() - written)
    half, text = runs(2), grading(2)
    half.parent.mkdir(parents=True)
    half.write_text(text[:30], "utf-8")
    page.wait_for_timeout(1_500)
    expect(bar(page)).to_contain_text("1 new grading")
    half.write_text(text, "utf-8")
    written = time.monotonic()
    expect(bar(page)).to_contain_text("2 new gradings")
    record_property("seconds from the second half to the screen", time.monotonic() - written)
    assert places(page) == before
    show(page)


def test_the_reader_stays_where_they_are(visit: Visit, runs: Callable[[int], Path]) -> None:
    """Filter, search, chosen run, tab, the list's place and a sentence being typed all stay."""
    page = opened(visit)
    page.locator('[data-filter="failing"]').click()
    search = page.get_by_label("Search")
    search.fill("letter")
    search.press("Enter")
    wait_for_address(page, "q=letter")
    page.locator('.list tbody[data-case="9"]').first.click()
    expect(page.locator(".head h2")).to_have_text("letter-09")
    tab = page.locator('.head [data-tab="case"]')
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true")
    wait_for_address(page, "run=", "tab=case")
    before, address = places(page), asked(page)
    assert {"run", "filter", "q", "tab"} <= address.keys()
    path = runs(9)
    write_whole(path, grading(9))
    expect(bar(page)).to_contain_text("1 new grading")
    assert asked(page) == address
    expect(page.locator(".head")).not_to_contain_text("of 4")
    show(page)
    expect(page.locator(".head")).to_contain_text("of 4")
    assert asked(page) == address
    assert places(page) == before
    expect(search).to_have_value("letter")
    expect(tab).to_have_attribute("aria-selected", "true")
    expect(page.locator(".head h2")).to_have_text("letter-09")
    expect(page.locator('[data-filter="failing"]')).to_have_attribute("aria-pressed", "true")


def test_the_new_grading_is_on_screen_after_show(
    visit: Visit, runs: Callable[[int], Path], folder: Path
) -> None:
    """Its criterion and its evidence, one click from where the reader was."""
    page = opened(visit)
    path = runs(4)
    write_whole(path, grading(4, passed=False))
    expect(bar(page)).to_contain_text("1 new grading")
    show(page)
    page.locator('.list tbody[data-case="4"]').first.click()
    expect(page.locator(".head h2")).to_have_text("letter-04")
    page.locator(".head").get_by_role("button", name="run 4").click()
    expect(page.locator("article.mark-fail")).to_contain_text("Brand new 4.")


def test_a_tick_disturbs_nobody(visit: Visit) -> None:
    """What is typed, what has the focus and an open menu stay, and nothing is drawn again."""
    page = opened(visit)
    search = page.get_by_label("Search")
    search.fill("a draft")
    page.locator(".list").evaluate(
        "list => { window.drawn = 0; new MutationObserver(all => { window.drawn += all.length; })"
        ".observe(list, {subtree: true, childList: true}); }"
    )
    page.wait_for_timeout(2_500)
    assert page.evaluate("window.drawn") == 0
    expect(search).to_be_focused()
    expect(search).to_have_value("a draft")
    search.fill("")
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_text("with_skill, as Markdown.")).to_be_visible()
    page.wait_for_timeout(2_500)
    expect(page.get_by_text("with_skill, as Markdown.")).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


def test_two_readers_see_the_same_and_each_asks_alone(
    visit: Visit, new_visit: Callable[..., Visit], runs: Callable[[int], Path]
) -> None:
    """One shows the news; the other still has it waiting. A third, new one sees it at once."""
    one, two = opened(visit), opened(new_visit(visit.served))
    write_whole(runs(1), grading(1))
    for page in (one, two):
        expect(bar(page)).to_contain_text("1 new grading")
    show(one)
    expect(one.locator(".head")).to_contain_text("of 4")
    expect(bar(two)).to_contain_text("1 new grading")
    expect(two.locator(".head")).not_to_contain_text("of 4")
    three = opened(new_visit(visit.served))
    expect(three.locator(".head")).to_contain_text("of 4")
    expect(bar(three)).to_have_count(0)


def test_the_grading_on_screen_may_be_deleted(visit: Visit, runs: Callable[[int], Path]) -> None:
    """It is said before and after; the page stays a page."""
    path = runs(1)
    write_whole(path, grading(1))
    page = opened(visit)
    number = path.parent.name.removeprefix("run-")
    if not page.locator(".head").get_by_text("of 4").count():
        expect(bar(page)).to_be_visible()
        show(page)
    page = opened(visit, run=f"letters::1@iteration-2/with_skill#{number}")
    shown = page.locator("article.mark-pass")
    expect(shown).to_contain_text("Brand new 1.")
    path.unlink()
    expect(bar(page)).to_contain_text("1 grading deleted; the grading on screen was deleted")
    expect(shown).to_contain_text("Brand new 1.")
    show(page)
    expect(page.get_by_text("The run in this address is not in the suite")).to_be_visible()
    expect(page.locator(".head h2")).to_be_visible()
    assert not visit.errors


@pytest.mark.parametrize("view", ["overview", "data"])
def test_every_page_says_so(visit: Visit, runs: Callable[[int], Path], view: str) -> None:
    """The news stands at the same place on all of them."""
    page = visit.open(view)
    write_whole(runs(1), grading(1))
    expect(bar(page)).to_contain_text("1 new grading")
    show(page)
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_on_a_phone_the_news_moves_nothing(visit: Visit, runs: Callable[[int], Path]) -> None:
    """It fits beside the title, also when it is long."""
    visit.page.set_viewport_size(PHONE)
    page = opened(visit)
    before = places(page)
    write_whole(runs(2), grading(2))
    write_whole(runs(3), grading(3))
    expect(bar(page)).to_contain_text("2 new gradings")
    assert places(page) == before
    button = box(bar(page).get_by_role("button", name="Show"))
    assert button["x"] + button["width"] <= PHONE["width"]


def test_a_folder_that_goes_away_is_said_and_the_page_stays(visit: Visit, folder: Path) -> None:
    """The reader reads on in what was read before."""
    page = opened(visit)
    away = folder.with_name("away")
    folder.rename(away)
    try:
        expect(bar(page)).to_contain_text(f"{folder} does not exist.")
        expect(page.locator(".head h2")).to_be_visible()
    finally:
        away.rename(folder)
    expect(bar(page)).to_have_count(0)
