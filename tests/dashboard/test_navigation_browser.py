"""The pages stand on top of the sidebar and never move."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.dashboard.live import PAGES, Served, Visit
from tests.dashboard.screen import box, idle
from tests.judging.copies import DEMO


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


def _places(visit: Visit, suite: str) -> list[float]:
    page = visit.open("gradings", suite=suite)
    links = page.locator(".st-key-pages a")
    expect(links).to_have_count(len(PAGES))
    idle(page)
    return [round(box(links.nth(at))["y"]) for at in range(len(PAGES))]
