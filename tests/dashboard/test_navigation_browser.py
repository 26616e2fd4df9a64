"""The pages stand on top of the sidebar and never move."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.dashboard.live import PAGES, Served, Visit
from tests.dashboard.screen import box, idle, wait_for_address
from tests.judging.copies import DEMO

FIRST: Final = "release-notes"
"""The suite of the demo that a page shows where its address names none."""
_SHOWN_AFTER_THE_CLICK: Final = """() => {
  const send = WebSocket.prototype.send;
  let held = null, clicked = false;
  addEventListener('click', () => { clicked = true; }, true);
  WebSocket.prototype.send = function (data) {
    if (held === null && new TextDecoder('latin1').decode(data).includes('"shown"')) {
      held = data;
      document.documentElement.dataset.held = 'yes';
      return;
    }
    send.call(this, data);
    if (clicked && held !== null) {
      send.call(this, held);
      clicked = false;
    }
  };
}"""
"""Has a browser say that it has painted a page right after it asked for another one."""


@pytest.fixture(scope="module")
def dashboard(showing: Callable[[Path], Served]) -> Served:
    """Show the demo."""
    return showing(DEMO)


def test_the_pages_stand_still_whatever_suite_is_shown(visit: Visit) -> None:
    """Suites with two pickers and with four have the links of all pages at the same place."""
    seen = {suite: _places(visit, suite) for suite in ("sql-helper", "release-notes")}
    assert seen["sql-helper"] == seen["release-notes"]
    places = seen["sql-helper"]
    assert places == sorted(places)
    assert min(later - place for place, later in pairwise(places)) >= 24
    assert places[-1] < box(visit.page.locator(".st-key-choice"))["y"]


def test_the_address_names_the_suite_that_the_page_chose(
    new_visit: Callable[..., Visit], dashboard: Served
) -> None:
    """A copied address opens it later too; for who goes back there is no step in between."""
    visit = new_visit(dashboard)  # a shared window may know its most of 50 steps already
    page = visit.open("rubric", suite="sql-helper")
    steps = page.evaluate("history.length")
    visit.open("gradings")
    expect(page).to_have_url(visit.served.address("gradings", suite=FIRST))
    assert page.evaluate("history.length") == steps + 1
    page.locator("[data-filter=failing]").click()
    wait_for_address(page, f"suite={FIRST}", "filter=failing")
    assert page.evaluate("history.length") == steps + 2
    page.go_back()
    expect(page).to_have_url(visit.served.address("gradings", suite=FIRST))


def test_who_leaves_overview_while_it_is_painted_has_left_it(
    new_visit: Callable[..., Visit], dashboard: Served
) -> None:
    """That its chart may be drawn now is no reason to go back; who comes back sees the chart."""
    visit = new_visit(dashboard)
    visit.page.add_init_script(f"({_SHOWN_AFTER_THE_CLICK})()")
    page = visit.open("overview")
    expect(page.locator("html[data-held]")).to_be_attached()
    links, title = page.locator(".st-key-pages a"), page.get_by_role("heading", level=1)
    links.get_by_text("Gradings").click()
    expect(title).to_have_text("Gradings")
    idle(page)
    expect(title).to_have_text("Gradings")
    links.get_by_text("Overview").click()
    expect(page.locator(".js-plotly-plot")).to_be_visible()


def _places(visit: Visit, suite: str) -> list[float]:
    page = visit.open("gradings", suite=suite)
    links = page.locator(".st-key-pages a")
    expect(links).to_have_count(len(PAGES))
    idle(page)
    return [round(box(links.nth(at))["y"]) for at in range(len(PAGES))]
