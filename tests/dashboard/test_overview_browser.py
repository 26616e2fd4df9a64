"""The Overview page in a browser, on 42 cases x 2 versions x 2 configurations x 3 runs."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.dashboard.graded import CASES, FAILING, FLAKY, write_graded
from tests.dashboard.live import PHONE, Served, Visit
from tests.dashboard.screen import box, fits, wait_for_address

VERDICT = re.compile(r"iteration-2 .* iteration-1")


@pytest.fixture(scope="module")
def dashboard(
    showing: Callable[[Path], Served], tmp_path_factory: pytest.TempPathFactory
) -> Served:
    """Serve the graded workspace."""
    return showing(write_graded(tmp_path_factory.mktemp("graded") / "graded"))


def opened(visit: Visit) -> Page:
    """Open the page and wait until its verdict stands there."""
    window = visit.open()
    expect(window.locator(".verdict").first).to_be_visible()
    return window


def bottom(window: Page, selector: str) -> float:
    """Return where the first element of a kind ends."""
    found = box(window.locator(selector).first)
    return found["y"] + found["height"]


def test_the_verdict_ends_above_200_pixels(visit: Visit) -> None:
    """Both rates, n, the word of the verdict and the interval of the difference are in it."""
    window = opened(visit)
    assert bottom(window, ".verdict") < 200
    words = window.locator(".verdict .sentence").first.inner_text()
    assert VERDICT.search(words)
    assert re.search(r"[\d.]+ % against [\d.]+ % .*cases", words)
    assert re.search(r"points, likely between", words)
    assert "Better, for cases like these" in window.locator(".verdict .rest").first.inner_text()


def test_the_first_screen_says_where_to_look(visit: Visit) -> None:
    """Counts, chart, weak criteria and what waits stand on it without scrolling."""
    window = opened(visit)
    chart = window.locator(".js-plotly-plot")
    expect(chart).to_be_visible()
    for text in ("Weakest criteria", "To do", "Flaky cases"):
        expect(window.get_by_role("heading", name=text)).to_be_in_viewport(ratio=1)


@pytest.mark.usefixtures("font")
def test_the_words_of_the_axis_are_whole(visit: Visit) -> None:
    """In the widest of usual fonts "100 %" begins inside the chart."""
    chart = opened(visit).locator(".js-plotly-plot")
    whole, words = box(chart), box(chart.locator(".ytick text").last)
    assert whole["x"] <= words["x"]


def test_the_verdict_opens_compare_with_both_sides(visit: Visit) -> None:
    """One click; A is the version before."""
    window = opened(visit)
    window.locator(".verdict .sentence").first.click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Compare")
    wait_for_address(window, "a=iteration-1%40with_skill", "b=iteration-2%40with_skill")


def test_improved_cases_are_one_click_away(visit: Visit) -> None:
    """The count leads to Compare with its filter."""
    window = opened(visit)
    window.get_by_role("link", name=re.compile(r"^\d+ improved")).click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Compare")
    wait_for_address(window, "filter=improved")


def test_the_sides_of_the_newest_version_are_compared_too(visit: Visit) -> None:
    """with_skill against without_skill is below, and opens that pair."""
    window = opened(visit)
    second = window.locator(".small-verdict .sentence")
    expect(second).to_contain_text("with_skill")
    second.click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Compare")
    wait_for_address(window, "a=iteration-2%40without_skill")


def test_how_the_verdict_was_reached_opens_beside_it(visit: Visit) -> None:
    """By keyboard too; method and n stand there, over what follows, which does not move."""
    window = opened(visit)
    how, act = window.locator(".how").first, window.get_by_role("button", name="how", exact=True)
    expect(how.locator("li").first).to_be_hidden()
    below = window.get_by_role("link", name=re.compile(r"^\d+ improved"))
    before = box(below)
    act.focus()
    window.keyboard.press("Enter")
    expect(how.locator("li").first).to_be_visible()
    expect(how).to_contain_text("p")
    assert box(below) == before
    window.keyboard.press("Escape")
    expect(how).to_be_hidden()


def test_a_flaky_case_opens_its_run(visit: Visit) -> None:
    """The list names both of them with how many runs passed."""
    window = opened(visit)
    flaky = window.get_by_role("table", name="Flaky cases")
    expect(flaky.get_by_role("row")).to_have_count(len(FLAKY) + 1)
    expect(flaky).to_contain_text("2 of 3")
    flaky.get_by_role("link").first.click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Gradings")
    wait_for_address(window, "filter=flaky", "run=")


def test_counts_are_of_the_cases_that_ran(visit: Visit) -> None:
    """Six of 41 fail; the one without a run is listed as such, not as passed."""
    window = opened(visit)
    expect(
        window.get_by_text(f"Of {CASES - 1} cases run in iteration-2, with_skill")
    ).to_be_visible()
    expect(window.get_by_role("link", name=f"{len(FAILING)} failing", exact=True)).to_be_visible()
    expect(window.get_by_text("case without a run")).to_be_visible()


def test_what_waits_opens_in_place(visit: Visit) -> None:
    """The judgments without a score unfold to the runs that have them; a run opens in Gradings."""
    window = opened(visit)
    fold = window.locator(".fold").filter(has_text="judgments without a score")
    fold.locator("summary").click()
    expect(fold.get_by_role("link").first).to_be_visible()
    fold.get_by_role("link").first.click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Gradings")
    wait_for_address(window, "run=")


def test_a_weak_criterion_opens_the_cases_that_fail_it(visit: Visit) -> None:
    """Each has its range drawn, and its n beside it."""
    window = opened(visit)
    weak = window.get_by_role("table", name="Weakest criteria")
    expect(weak.locator(".fill").first).to_be_visible()
    expect(weak).to_contain_text(f"over {CASES - 1} cases")
    weak.get_by_role("link").first.click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Gradings")
    wait_for_address(window, "criterion=")


def test_a_phone_has_one_column(visit: Visit) -> None:
    """The verdict stands on the first screen, and nothing scrolls sideways."""
    visit.page.set_viewport_size(PHONE)
    window = opened(visit)
    assert bottom(window, ".verdict") < 844
    assert fits(window)
