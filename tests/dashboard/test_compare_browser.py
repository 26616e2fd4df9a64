"""The Compare page as a person uses it: who is better, where, one case, and a link to send."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.dashboard.compared import (
    CASES,
    CRITERIA,
    IMPROVED,
    MIXED,
    NEW,
    OLD,
    REGRESSED,
    WHY,
    WHY_NOT,
    name,
    write_compared,
)
from tests.dashboard.live import DESK, PHONE, Served, Visit
from tests.dashboard.screen import asked, box, fits, on_screen, wait_for_address

SIDES = {"a": "iteration-1@with_skill", "b": "iteration-2@with_skill"}


@pytest.fixture(scope="module")
def dashboard(
    showing: Callable[[Path], Served], tmp_path_factory: pytest.TempPathFactory
) -> Served:
    """Serve 42 cases in 2 versions, 2 configurations and 3 runs."""
    return showing(write_compared(tmp_path_factory.mktemp("compared") / "post"))


def opened(visit: Visit, **query: str) -> Page:
    """Open the page and wait for the verdict and the list."""
    page = visit.open("compare", **query)
    expect(page.locator(".sentence")).to_be_visible()
    expect(page.locator(".list")).to_be_visible()
    return page


def case(page: Page, number: int) -> Locator:
    """Return a case's row of the list."""
    return page.locator(f'.list .case[data-case="{number}"]')


def wait_for(page: Page, name: str, value: str) -> None:
    """Wait until the address says so; it changes a moment after the page does."""
    said = re.compile(rf"[?&]{name}={re.escape(quote(value, safe=''))}(&|$)")
    expect(page).to_have_url(said)


def test_who_is_better_and_where_stands_above_the_fold(visit: Visit) -> None:
    """The sentence, three counts as buttons, and five changed cases, regressed ones first."""
    page = opened(visit)
    sentence = page.locator(".sentence")
    expect(sentence).to_contain_text("iteration-2")
    expect(sentence).to_contain_text(re.compile(r"[\d.]+ % against [\d.]+ %"))
    counts = page.locator(".counts button")
    assert [text.strip() for text in counts.all_text_contents()] == [
        f"▼ {len(REGRESSED)} regressed",
        f"▲ {len(IMPROVED)} improved",
        f"= {CASES - 1 - len(IMPROVED) - len(REGRESSED)} same",
        "· 1 left out",
    ]
    assert on_screen(page, sentence)
    assert all(on_screen(page, counts.nth(at)) for at in range(4))
    changes = [page.locator(".list .case .change").nth(at) for at in range(6)]
    assert all(on_screen(page, change) for change in changes)
    assert [change.text_content() for change in changes] == [
        *["▼ regressed"] * 2,
        *["▲ improved"] * 4,
    ]


def test_differences_are_signed_points_and_time_is_not_judged(visit: Visit) -> None:
    """Never relative percent; seconds have no better or worse colour."""
    page = opened(visit)
    expect(case(page, REGRESSED[0]).locator(".points")).to_have_text("−33 points")
    expect(case(page, IMPROVED[0]).locator(".points")).to_have_text("+33 points")
    expect(case(page, IMPROVED[0])).to_contain_text("A 67 % → B 100 % · 3 runs each")
    times = page.get_by_role("table", name="Time, tokens and cost")
    expect(page.locator(".say", has_text="Tokens and cost were not measured")).to_be_visible()
    assert times.locator(".better, .worse").count() == 0


def test_the_sides_are_one_click_away_and_can_be_swapped(visit: Visit) -> None:
    """With the skill against without it; swapped, improved and regressed change places.

    It is one step: who goes back has the sides as they were, not one side twice.
    """
    page = opened(visit)
    page.get_by_role("button", name="with_skill against without_skill").click()
    expect(page.locator(".sentence")).to_contain_text("in iteration-2")
    wait_for(page, "a", "iteration-2@without_skill")
    page = opened(visit, **SIDES)
    page.get_by_role("button", name="⇄").click()
    expect(page.locator('.counts [data-filter="regressed"]')).to_contain_text(str(len(IMPROVED)))
    wait_for(page, "b", SIDES["a"])
    page.go_back()
    wait_for(page, "b", SIDES["b"])
    wait_for(page, "a", SIDES["a"])


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_both_sides_of_a_changed_case_are_one_click_away(visit: Visit, size: ViewportSize) -> None:
    """The flipped criterion with both verdicts and both reasons, and the outputs word by word."""
    visit.page.set_viewport_size(size)
    page = opened(visit, **SIDES)
    case(page, IMPROVED[0]).click()
    flipped = page.locator("article.flipped")
    expect(flipped).to_contain_text(CRITERIA[0])
    expect(flipped.locator(".side-a")).to_contain_text("✗ failed")
    expect(flipped.locator(".side-a")).to_contain_text(WHY)
    expect(flipped.locator(".side-b")).to_contain_text("✓ passed")
    expect(flipped.locator(".side-b")).to_contain_text(WHY_NOT)
    assert box(flipped.locator(".side-a"))["x"] < box(flipped.locator(".side-b"))["x"]
    expect(page.locator(".pair .source").first).to_contain_text("The outputs of the open runs")
    removed = page.locator(".changes .a").first
    expect(removed).to_contain_text(OLD)
    expect(page.locator(".changes .b").first).to_contain_text(NEW)
    assert "customer" in (removed.locator("del").first.text_content() or "")
    assert fits(page)
    assert on_screen(page, flipped)
    assert on_screen(page, removed)


def test_a_count_is_a_filter_and_moves_nothing(visit: Visit) -> None:
    """The list holds exactly those cases; the buttons keep their numbers and their places."""
    page = opened(visit, **SIDES)
    button = page.locator('.counts [data-filter="improved"]')
    place, counts = box(button), page.locator(".counts").text_content()
    button.click()
    expect(page.locator(".list .case")).to_have_count(len(IMPROVED))
    expect(page.locator(".foot").first).to_contain_text(f"{len(IMPROVED)} of {CASES} cases")
    assert page.locator(".counts").text_content() == counts
    assert abs(box(button)["x"] - place["x"]) <= 2
    assert abs(box(button)["y"] - place["y"]) <= 2
    button.click()
    expect(page.locator(".list .case")).to_have_count(CASES)


def test_the_arrow_keys_stay_in_the_filter(visit: Visit) -> None:
    """From one improved case to the next; after the last one a sentence says so."""
    page = opened(visit, **SIDES, filter="improved", case=str(IMPROVED[-2]))
    expect(page.locator(".pair h2")).to_have_text(name(IMPROVED[-2]))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".pair h2")).to_have_text(name(IMPROVED[-1]))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".foot").first).to_contain_text("That was the last of the 10 improved")
    page.get_by_role("button", name="Previous case").click()
    expect(page.locator(".pair h2")).to_have_text(name(IMPROVED[-2]))


def test_keys_do_nothing_while_typing_and_a_sheet_lists_them(visit: Visit) -> None:
    """The question mark opens the sheet; in a picker a letter is a letter."""
    page = opened(visit, **SIDES)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("combobox", name=re.compile("^Baseline A")).focus()
    page.keyboard.press("r")
    page.wait_for_timeout(600)
    assert "filter" not in asked(page)


def test_the_address_is_the_view(visit: Visit, new_visit: Callable[..., Visit]) -> None:
    """A cold second browser shows the same sides, filter, open case and run."""
    page = opened(visit, **SIDES)
    page.locator('.counts [data-filter="improved"]').click()
    expect(page.locator(".list .case")).to_have_count(len(IMPROVED))
    page.locator(".list .case").last.click()
    expect(page.locator(".pair h2")).to_be_visible()
    page.locator(".side-b [data-run]").last.click()
    wait_for(page, "rb", "3")
    address, title = page.url, page.locator(".pair h2").text_content() or ""
    there = new_visit(visit.served).page
    there.goto(address)
    expect(there.locator(".pair h2")).to_have_text(title)
    expect(there.locator(".list .case")).to_have_count(len(IMPROVED))
    expect(there.locator(".side-b [data-run]").last).to_have_attribute("aria-current", "true")
    assert on_screen(there, there.locator('.list .case[aria-selected="true"]'))


def test_every_filter_can_be_in_the_address(visit: Visit) -> None:
    """The count that is pressed is the one that was sent, and the list holds so many cases."""
    same = CASES - 1 - len(IMPROVED) - len(REGRESSED)
    for shown, count in (("regressed", len(REGRESSED)), ("same", same), ("left", 1)):
        page = opened(visit, **SIDES, filter=shown)
        pressed = page.locator('.counts [aria-pressed="true"]')
        expect(pressed).to_have_attribute("data-filter", shown)
        expect(page.locator(".list .case")).to_have_count(count)


def test_the_list_is_one_stop_of_the_tab_key_and_arrows_move_in_it(visit: Visit) -> None:
    """Fifty rows do not stand between the keyboard and what is beside them."""
    page = opened(visit, **SIDES)
    assert page.locator('.list .case[tabindex="0"]').count() == 1
    page.locator(".list .case").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".pair h2")).to_have_text(name(REGRESSED[0]))
    page.keyboard.press("ArrowDown")
    expect(page.locator(".pair h2")).to_have_text(name(REGRESSED[1]))
    expect(case(page, REGRESSED[1])).to_be_focused()


def test_a_criterion_lists_its_cases_and_can_be_taken_away(visit: Visit) -> None:
    """A strip is a button; the filter it sets is shown beside the counts."""
    page = opened(visit, **SIDES, tab="slices")
    page.get_by_role("button", name=CRITERIA[0]).click()
    narrowed = page.locator(".counts .narrowed")
    expect(narrowed).to_contain_text(f"criterion: {CRITERIA[0]}")
    wait_for_address(page, "criterion=")
    narrowed.click()
    expect(narrowed).to_have_count(0)


def test_each_case_is_a_mark_on_the_axis_of_differences_and_a_door(visit: Visit) -> None:
    """Worse ones left, better ones right, smaller changes nearer; a click, or arrows and Enter.

    The marks are one stop of the tab key. The mean lies on the same axis.
    """
    page = opened(visit, **SIDES)
    marks = page.locator(".dots [data-dot]")
    expect(marks).to_have_count(CASES - 1)
    same = page.locator(".dots .bin", has_text="=")
    worse = page.locator(".dots [data-dot]", has_text="▼")
    better = page.locator(".dots [data-dot]", has_text="▲")
    assert (worse.count(), better.count()) == (len(REGRESSED), len(IMPROVED))
    middle, mean = box(same), box(page.locator(".dots .track .dot"))
    assert box(worse.first)["x"] + box(worse.first)["width"] < middle["x"]
    assert middle["x"] + middle["width"] <= mean["x"] < box(better.first)["x"]
    assert page.locator('.dots [data-dot][tabindex="0"]').count() == 1
    assert box(better.first)["x"] < box(better.last)["x"]
    better.first.click()
    expect(page.locator(".pair h2")).to_have_text(name(MIXED))
    page.get_by_role("tab", name="Rates and cost").click()
    expect(better.first).to_have_attribute("aria-selected", "true")
    worse.first.focus()
    page.keyboard.press("ArrowRight")
    expect(worse.last).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".pair h2")).to_have_text(name(REGRESSED[1]))


def test_a_press_beside_a_mark_opens_its_case(visit: Visit) -> None:
    """A mark is smaller than a finger: what is nearest counts, up to 16 pixels away."""
    page = opened(visit, **SIDES)
    worse = page.locator(".dots [data-dot]", has_text="▼").first
    found = box(worse)
    middle = found["x"] + found["width"] / 2, found["y"] + found["height"] / 2
    page.mouse.move(middle[0] - 12, middle[1])
    expect(worse).to_have_class(re.compile("near"))
    page.mouse.move(middle[0] - 40, middle[1])
    expect(worse).not_to_have_class(re.compile("near"))
    page.mouse.click(middle[0] - 12, middle[1])
    expect(page.locator(".pair h2")).to_have_text(name(REGRESSED[0]))


def test_the_open_runs_show_the_change_and_are_one_click_away_where_others_are_open(
    visit: Visit,
) -> None:
    """A failed and B passed; after a choice of runs that agree, the two that differ are offered."""
    page = opened(visit, **SIDES, case=str(MIXED))
    flipped, first = page.locator("article.flipped"), page.locator(".side-a [data-run]")
    expect(flipped.locator(".side-a")).to_contain_text("✗ failed")
    expect(flipped.locator(".side-b")).to_contain_text("✓ passed")
    offer = flipped.get_by_role("button", name="Changed between")
    expect(offer).to_have_count(0)
    first.last.click()
    expect(flipped.locator(".side-a")).to_contain_text("✓ passed")
    offer.click()
    expect(first.first).to_have_attribute("aria-current", "true")
    expect(flipped.locator(".side-a")).to_contain_text("✗ failed")


def test_a_run_is_one_click_from_its_grading(visit: Visit) -> None:
    """The link goes to the open run on Gradings."""
    page = opened(visit, **SIDES, case=str(IMPROVED[0]))
    page.locator(".side-a").get_by_role("button", name="Open in Gradings").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Gradings")
    expect(page.locator(".head h2")).to_have_text(name(IMPROVED[0]))


def test_the_page_is_local_still_and_without_errors(visit: Visit) -> None:
    """Nothing is asked of another host, and no script fails."""
    page = opened(visit, **SIDES, case=str(REGRESSED[0]))
    expect(page.locator("article.flipped")).to_be_visible()
    assert visit.foreign_requests() == []
    assert visit.errors == []


def test_on_a_phone_the_verdict_and_the_first_changed_case_come_first(visit: Visit) -> None:
    """On the first screen, and nothing is wider than the window."""
    visit.page.set_viewport_size(PHONE)
    page = opened(visit, **SIDES)
    assert on_screen(page, page.locator(".sentence"))
    assert on_screen(page, page.locator(".list .case").first)
    assert fits(page)


def test_a_folder_is_added_by_its_path_where_it_is_chosen(visit: Visit, tmp_path: Path) -> None:
    """B is from it with its default side; of a path without a folder it is said."""
    later = write_compared(tmp_path / "later")
    page = opened(visit)
    page.get_by_role("button", name="Other folder or revision").click()
    path = page.get_by_label("Add a folder by its path")
    path.fill(str(tmp_path / "nothing"))
    path.press("Enter")
    expect(page.get_by_text("nothing does not exist.")).to_be_visible()
    path.fill(str(later))
    path.press("Enter")
    wait_for(page, "bw", "later")
    expect(page.locator(".sentence")).to_contain_text("nothing was run anew")
    assert "b" not in asked(page)
