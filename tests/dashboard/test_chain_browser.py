"""The chain of a record as it is drawn: its links, its marks, and the room that it takes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import evalcore
from tests.dashboard.live import Served, Visit
from tests.dashboard.screen import asked, fits, wait_for_address

DEMO = Path(evalcore.__file__).parent / "demo" / "workspace"
RUN = "support-agent::tc-refund-window@support-reply%401.1.0/-#run-2026-02-09-refund-window"
POINT = {"over": "benchmark-runs", "point": "bench-2026-02-09"}


@pytest.fixture(scope="module")
def dashboard(showing: Callable[[Path], Served]) -> Served:
    return showing(DEMO)


def chain(page: Page) -> Locator:
    """Return the chain, once it is drawn."""
    found = page.locator(".chain").first
    expect(found).to_be_visible()
    return found


def test_a_test_run_leads_to_the_benchmark_run_that_it_is_part_of(visit: Visit) -> None:
    """By a link that the keyboard reaches too."""
    page = visit.open("gradings", suite="support-agent", run=RUN)
    link = chain(page).get_by_role("link", name="bench-2026-02-09")
    link.focus()
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    wait_for_address(page, "/trends", "point=bench-2026-02-09")
    found = chain(page)
    expect(found.locator(".record.current")).to_contain_text("benchmark run bench-2026-02-09")
    expect(found.locator('[aria-current="true"]')).to_have_count(1)


def test_a_count_of_failures_leads_to_them_and_a_failure_back_to_its_run(visit: Visit) -> None:
    page = visit.open("trends", suite="support-agent", **POINT)
    chain(page).get_by_role("link", name="4 failures").click()
    wait_for_address(page, "/failures")
    page = visit.open("failures", suite="support-agent", failure="fail-2026-02-09-regression")
    chain(page).get_by_role("link", name="run-2026-02-09-refund-window").click()
    wait_for_address(page, "/gradings", "run-2026-02-09-refund-window")


def test_a_case_in_the_chain_opens_on_the_page_itself(visit: Visit) -> None:
    """What else is in the address stays: the filter that was chosen."""
    page = visit.open("gradings", suite="support-agent", run=RUN, filter="people")
    chain(page).get_by_role("link", name="Refund after the deadline").click()
    wait_for_address(page, "filter=people")
    page.wait_for_url(lambda url: RUN.rpartition("#")[2] not in url)


def test_an_open_document_shows_the_chain_of_its_record(visit: Visit) -> None:
    file = "support-agent/records/prompt-comparison/cmp-1.0.0-1.1.0.json"
    page = visit.open("data", suite="support-agent", dview="files", file=file)
    sides = chain(page).get_by_role("list", name="Came from")
    expect(sides).to_contain_text("bench-2026-02-02")
    expect(sides).to_contain_text("(prompt comparison references benchmark run)")


def test_an_open_document_without_a_record_shows_none(visit: Visit) -> None:
    page = visit.open("data", dview="files", file="release-notes/evals/evals.json")
    expect(page.get_by_text("release-notes/evals/evals.json").first).to_be_visible()
    expect(page.locator(".chain")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1440])
def test_no_chain_scrolls_sideways(visit: Visit, width: int) -> None:
    page = visit.open("trends", suite="support-agent", **POINT)
    page.set_viewport_size({"width": width, "height": 844})
    found = chain(page)
    expect(found).to_be_visible()
    assert fits(page)
    assert found.evaluate("node => node.scrollWidth <= node.clientWidth")
    assert asked(page)["point"] == "bench-2026-02-09"
