"""The demo tells in three clicks why a case regressed: the reason stands only in its steps."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

import evalcore
from tests.dashboard.live import Served, Visit
from tests.dashboard.screen import on_screen

DEMO = Path(evalcore.__file__).parent / "demo" / "workspace"
MOST_CLICKS = 3


@pytest.fixture(scope="module")
def dashboard(showing: Callable[[Path], Served]) -> Served:
    """Serve the demo."""
    return showing(DEMO)


def test_why_a_case_regressed(visit: Visit) -> None:
    """From Overview: what regressed, the case, its steps; the call that failed is on screen."""
    page = visit.open("overview", suite="invoice-extractor")
    clicks = 0

    def click(target: Locator) -> None:
        nonlocal clicks
        clicks += 1
        target.click()

    click(page.get_by_role("link", name="1 regressed"))
    click(page.locator('.list [data-change="regressed"]').first)
    click(page.get_by_role("tab", name="Steps"))
    parting = page.locator(".paths .parting")
    expect(parting).to_contain_text("They part here")
    expect(parting).to_contain_text("--labels needs --font")
    assert on_screen(page, parting)
    assert clicks <= MOST_CLICKS
