"""The Gradings page as a person uses it: read a list, open a case, go on, send a link."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import evalcore
from evalcore.views.run.human_activity import SIGN
from tests.dashboard.graded import (
    CASES,
    CRITERIA,
    FAILING,
    FLAKY,
    NO_OUTPUTS,
    NO_PROMPT,
    NO_RUN,
    QUOTE,
    UNSCORED,
    WHY,
    name,
    write_graded,
)
from tests.dashboard.live import DESK, PHONE, Line, Served, Visit
from tests.dashboard.screen import asked, box, fits, idle, on_screen, wait_for_address

LIMIT = 150 * 1024
DEMO = Path(evalcore.__file__).parent / "demo" / "workspace"


@pytest.fixture(scope="module")
def dashboard(
    showing: Callable[[Path], Served], tmp_path_factory: pytest.TempPathFactory
) -> Served:
    """Serve 42 cases in 2 versions, 2 configurations and 3 runs."""
    return showing(write_graded(tmp_path_factory.mktemp("graded") / "post"))


def opened(visit: Visit, **query: str) -> Page:
    """Open the page and wait for the list and the head of a case."""
    page = visit.open("gradings", **query)
    expect(page.locator(".head h2")).to_be_visible()
    expect(page.locator(".list tbody").first).to_be_visible()
    return page


def listed(page: Page) -> list[str]:
    """Return the names in the list, in their order."""
    return page.locator(".list th.case .name").all_text_contents()


def row(page: Page, number: int) -> Locator:
    """Return a case's row of the list."""
    return page.locator(f'.list tbody[data-case="{number}"]')


def column(page: Page) -> Locator:
    """Return the version and configuration that is chosen in the head."""
    return page.get_by_label("Version and configuration").locator("option:checked")


def test_the_list_begins_high_and_shows_a_dozen_cases(visit: Visit) -> None:
    """Numbers come before controls: the first row above 260 pixels, at least 12 on screen."""
    page = opened(visit)
    rows = page.locator(".list tbody")
    assert box(rows.first)["y"] < 260
    assert sum(on_screen(page, rows.nth(at)) for at in range(14)) >= 12
    assert rows.count() == CASES


def test_failing_is_one_click_and_the_worst_come_first(visit: Visit) -> None:
    """The list holds exactly the cases with a failed run; the counts and the button stay."""
    page = opened(visit)
    counts = page.locator(".filters button")
    before, button = counts.all_text_contents(), page.locator('[data-filter="failing"]')
    place = box(button)
    changed = f"changed {CASES - 4}"
    assert before == ["all 42", "failing 6", changed, "flaky 2", "not scored 1", "not run 1"]
    expect(page.locator(".filters")).to_contain_text("in iteration-2, with_skill:")
    button.click()
    expect(page.locator(".list tbody")).to_have_count(len(FAILING))
    expect(page.locator(".foot")).to_contain_text("6 of 42 cases")
    names = listed(page)
    assert names[0] == name(9)
    assert set(names) == {name(number) for number in FAILING}
    assert counts.all_text_contents() == before
    assert abs(box(button)["x"] - place["x"]) <= 2
    assert abs(box(button)["y"] - place["y"]) <= 2


def test_the_list_ends_with_its_last_case(visit: Visit) -> None:
    """Below a few cases there is no void, at the desk and on a phone."""
    for size in (DESK, PHONE):
        visit.page.set_viewport_size(size)
        page = opened(visit, filter="unscored")
        last, foot = box(page.locator(".list tbody").last), box(page.locator(".foot"))
        assert foot["y"] - (last["y"] + last["height"]) <= 4
        below = box(page.locator(".st-key-aside-suite"))
        assert below["y"] - (foot["y"] + foot["height"]) <= 16


def test_every_count_is_a_filter(visit: Visit) -> None:
    """Flaky cases passed in some runs only; not scored ones were run and lack a judgment."""
    page = opened(visit)
    for count, numbers in (
        ("flaky", FLAKY),
        ("unscored", (UNSCORED,)),
        ("not_run", (NO_RUN,)),
    ):
        page.locator(f'[data-filter="{count}"]').click()
        expect(page.locator(".list tbody")).to_have_count(len(numbers))
        expect(page.locator(f'[data-filter="{count}"]')).to_have_attribute("aria-pressed", "true")
        assert set(listed(page)) == {name(number) for number in numbers}


def test_a_click_anywhere_in_a_row_shows_the_evidence_beside_the_list(visit: Visit) -> None:
    """What failed, why, and the output are on screen; the list stays where it was."""
    page = opened(visit)
    scroller = page.locator(".list")
    scroller.evaluate("node => { node.scrollTop = 400; }")
    offset = scroller.evaluate("node => node.scrollTop")
    row(page, 17).locator(".why").click()
    expect(page.locator(".head h2")).to_have_text(name(17))
    failed = page.locator("article.mark-fail").first
    for node in (
        failed.locator(".title"),
        failed.locator(".score"),
        failed.locator(".text").first,
        page.locator(".excerpt"),
    ):
        expect(node).to_be_visible()
        assert on_screen(page, node)
    expect(failed).to_contain_text(CRITERIA[0])
    expect(failed).to_contain_text(WHY)
    expect(page.locator(".excerpt")).to_contain_text(f"{QUOTE} 17")
    expect(page.locator(".excerpt mark")).to_have_text(f"{QUOTE} 17")
    assert on_screen(page, page.locator(".excerpt mark"))
    assert abs(scroller.evaluate("node => node.scrollTop") - offset) <= 40


def test_the_words_of_a_search_are_marked_in_the_list_and_in_the_open_case(visit: Visit) -> None:
    """In any case of their letters, as words and not as a pattern."""
    page = opened(visit, q="GREETING to nobody", run="letters::9@iteration-2/with_skill#1")
    hits = page.locator(".grades mark.hit")
    expect(hits).to_have_count(len(CRITERIA))
    expect(hits.first).to_have_text("greeting to nobody")
    expect(row(page, 9).locator(".why mark.hit")).to_have_text("greeting to nobody")
    page.get_by_label("Search").fill("number 9.")
    page.keyboard.press("Enter")
    expect(page.locator(".prompt mark.hit")).to_have_text("number 9.")


def test_the_list_says_why_a_case_fails(visit: Visit) -> None:
    """The first failed criterion and its rationale stand in two lines, with how many more."""
    page = opened(visit, filter="failing")
    reason = row(page, 9).locator(".why")
    expect(reason).to_contain_text(CRITERIA[0])
    expect(reason).to_contain_text(WHY[:60])
    expect(row(page, 9).locator(".more")).to_have_text("+2 more")
    expect(row(page, 3).locator(".more")).to_have_count(0)
    assert all(box(row(page, number))["height"] <= 64 for number in FAILING)


def test_the_head_stays_the_same_on_every_tab(visit: Visit) -> None:
    """Name, version, configuration, run and every criterion, failing first, within 130 pixels."""
    page = opened(visit, filter="failing", run="letters::17@iteration-2/with_skill#1")
    head = page.locator(".head")
    expect(head.locator("h2")).to_have_text(name(17))
    expect(column(page)).to_have_text("✗ iteration-2 · with_skill")
    expect(head.locator(".sub")).to_contain_text("run 1 of 3")
    expect(head.locator(".said")).to_have_text(CRITERIA[0])
    said = head.locator(".marks button").all_text_contents()
    assert said == [
        f"✗ failed: {CRITERIA[0]}",
        f"✓ passed: {CRITERIA[1]}",
        f"✓ passed: {CRITERIA[2]}",
    ]
    places = []
    for tab in ("output", "transcript", "case", "raw", "grades"):
        head.locator(f'[data-tab="{tab}"]').click()
        expect(head.locator(f'[data-tab="{tab}"]')).to_have_attribute("aria-selected", "true")
        places.append(box(head))
        assert head.locator(".marks button").all_text_contents() == said
    assert all(place == places[0] for place in places)
    assert places[0]["height"] <= 130


def test_a_mark_says_its_criterion_to_pointer_and_keyboard(visit: Visit) -> None:
    """The words stand below the mark until the pointer or the keyboard leaves it, or Escape."""
    page = opened(visit, filter="failing", run="letters::17@iteration-2/with_skill#1")
    marks, tip = page.locator(".head .marks button"), page.locator(".head .tip")
    expect(tip).to_be_hidden()
    marks.nth(1).hover()
    expect(tip).to_have_text(f"passed: {CRITERIA[1]}")
    page.locator(".head h2").hover()
    expect(tip).to_be_hidden()
    marks.nth(1).focus()
    page.keyboard.press("Shift+Tab")
    expect(marks.first).to_be_focused()
    expect(tip).to_have_text(f"failed: {CRITERIA[0]}")
    assert box(tip)["y"] >= box(marks.first)["y"] + box(marks.first)["height"]
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


def test_marks_differ_without_colour(visit: Visit) -> None:
    """Passed, failed, flaky, not scored and not run each have a sign and a word of their own."""
    page = opened(visit)
    signs = {
        number: (row(page, number).locator("td.value").last.text_content() or "")
        for number in (1, 3, 17, UNSCORED, NO_RUN)
    }
    assert re.match(r"▲ ✓ 100 %.*passed in 3 runs", signs[1])
    assert re.match(r"✗ 67 %.*failed in 3 runs", signs[3])
    assert re.match(r"▲ ≈.*flaky: passed in 2 of 3 runs \(failed, passed, passed\)", signs[17])
    squares = row(page, 17).locator("td.value").last.locator(".run")
    looks = squares.evaluate_all("runs => runs.map(run => getComputedStyle(run).backgroundColor)")
    assert looks[0] == "rgba(0, 0, 0, 0)" != looks[1] == looks[2]  # hollow is failed
    assert re.match(r"▲ ✓.*partly not scored", signs[UNSCORED])
    assert re.match(r"·.*no run", signs[NO_RUN])
    expect(row(page, UNSCORED).locator(".why")).to_contain_text(f"not scored: {CRITERIA[2]}")


@pytest.mark.usefixtures("font")
def test_a_cell_holds_all_that_it_says(visit: Visit, showing: Callable[[Path], Served]) -> None:
    """Mark, number, change and a person's sign stand whole in their column, in any font."""
    page = visit.page
    page.goto(showing(DEMO).address("gradings", suite="sql-helper"))
    cells = page.locator("td.value")
    full = cells.filter(has_text=SIGN).filter(has_text="▲").filter(has_text="100 %")
    expect(full.first).to_be_visible()
    cut = "nodes => nodes.filter(node => node.scrollWidth > node.clientWidth).length"
    assert cells.evaluate_all(cut) == 0


def test_arrows_go_to_the_next_case_also_after_a_click_on_a_tab(visit: Visit) -> None:
    """Twice, as the tab keeps the keyboard; along the tabs only who came to them by keyboard."""
    page = opened(visit, filter="failing")
    first = page.locator(".head h2").text_content()
    raw = page.get_by_role("tab", name="Raw")
    raw.click()
    for _ in range(2):
        before = page.locator(".head h2").text_content() or ""
        page.keyboard.press("ArrowRight")
        expect(page.locator(".head h2")).not_to_have_text(before)
        expect(raw).to_have_attribute("aria-selected", "true")
    assert page.locator(".head h2").text_content() != first
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    expect(page.get_by_role("tab", name="Grades")).to_have_attribute("aria-selected", "true")


def test_a_click_that_was_lost_on_the_way_is_done_with_the_next(
    new_visit: Callable[..., Visit], dashboard: Served
) -> None:
    """Streamlit drops a message that another follows at once, also where two panels sent them."""
    visit = new_visit(dashboard)
    line = Line(visit.page)
    page = opened(visit, filter="failing")
    idle(page)
    raw, before = page.get_by_role("tab", name="Raw"), page.locator(".head h2").text_content()
    line.up = False
    raw.click()
    while not any(b'"tab"' in each for each in line.lost if isinstance(each, bytes)):
        page.wait_for_timeout(20)
    line.up = True
    page.keyboard.press("ArrowRight")
    expect(page.locator(".head h2")).not_to_have_text(before or "")
    expect(raw).to_have_attribute("aria-selected", "true")


def test_g_and_a_letter_open_another_page_and_a_question_mark_tells_the_keys(visit: Visit) -> None:
    """On every page, also on one without keys of its own; a letter alone does what it did."""
    page = opened(visit)
    page.keyboard.press("g")
    page.keyboard.press("t")
    expect(page.get_by_role("heading", level=1)).to_have_text("Trends")
    expect(page.get_by_role("heading", name="Benchmarks")).to_be_visible()
    idle(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("g")
    expect(page.get_by_role("heading", level=1)).to_have_text("Gradings")
    expect(page.locator(".list tbody").first).to_be_visible()
    idle(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    expect(page.locator(".list tbody")).to_have_count(len(FAILING))


def test_a_click_on_a_head_sorts_by_its_column(visit: Visit) -> None:
    """The lowest first, then the highest, then as before; the address keeps it."""
    page = opened(visit)
    before = listed(page)
    head = page.locator("thead .sort").last
    orders = []
    for direction in ("ascending", "descending"):
        head.click()
        expect(page.locator(f'thead th[aria-sort="{direction}"]')).to_have_count(1)
        orders.append(listed(page))
    assert before != orders[0] != orders[1]
    page.reload()
    expect(page.locator('thead th[aria-sort="descending"]')).to_have_count(1)
    assert listed(page) == orders[1]
    head.click()
    expect(page.locator("thead th[aria-sort]")).to_have_count(0)
    assert listed(page) == before


def test_next_and_previous_stay_in_the_filter_and_on_the_tab(visit: Visit) -> None:
    """By key or button to the next failing case, still on raw; beyond the last a sentence."""
    page = opened(visit, filter="failing", tab="raw")
    names, heading = listed(page), page.locator(".head h2")
    raw = page.locator('.head [data-tab="raw"]')
    expect(heading).to_have_text(names[0])
    page.keyboard.press("ArrowRight")
    expect(heading).to_have_text(names[1])
    page.get_by_role("button", name="Next case").click()
    expect(heading).to_have_text(names[2])
    expect(raw).to_have_attribute("aria-selected", "true")
    page.keyboard.press("k")
    expect(heading).to_have_text(names[1])
    page.locator(".list tbody").last.locator(".name").click()
    expect(heading).to_have_text(names[-1])
    page.keyboard.press("j")
    sentence = "That was the last of the 6 failing cases."
    expect(page.locator(".foot [role=status]")).to_have_text(sentence)
    page.get_by_role("button", name="Next case").click()
    expect(page.locator(".tools [role=status]")).to_have_text(sentence)
    expect(heading).to_have_text(names[-1])
    expect(raw).to_have_attribute("aria-selected", "true")


def test_keys_do_nothing_while_typing_and_a_sheet_lists_them(visit: Visit) -> None:
    """What is typed into the search is searched for; `?` opens the sheet, Escape closes it."""
    page = opened(visit)
    expect(page.locator(".head h2")).to_have_text(name(1))
    page.keyboard.press("/")
    page.keyboard.type("number 12")
    page.keyboard.press("Enter")
    expect(page.locator(".list tbody")).to_have_count(1)
    expect(page.locator(".head h2")).to_have_text(name(12))
    wait_for_address(page, "q=number+12")
    page.locator(".head h2").click()
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_contain_text("next case in the list")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_keys_change_the_tab_the_filter_and_the_column(visit: Visit) -> None:
    """1 to 5 choose the tab, f the failing cases, the brackets the column beside."""
    page = opened(visit, case="9")
    page.keyboard.press("4")
    expect(page.locator('.head [data-tab="case"]')).to_have_attribute("aria-selected", "true")
    page.keyboard.press("[")
    expect(column(page)).to_have_text(re.compile("iteration-2 · without_skill$"))
    page.keyboard.press("]")
    expect(column(page)).to_have_text(re.compile("iteration-2 · with_skill$"))
    page.keyboard.press("f")
    expect(page.locator(".list tbody")).to_have_count(len(FAILING))


def test_keys_pressed_at_once_are_all_obeyed(visit: Visit) -> None:
    """A key does not undo the one before, although the page is still being drawn for it."""
    page = opened(visit, case="9")
    for key in ("f", "4", "["):
        page.keyboard.press(key)
    expect(page.locator(".list tbody")).to_have_count(len(FAILING))
    expect(page.locator('.head [data-tab="case"]')).to_have_attribute("aria-selected", "true")
    expect(column(page)).to_have_text(re.compile("iteration-2 · without_skill$"))


def test_a_cell_opens_its_own_column_and_the_keyboard_stays_on_it(visit: Visit) -> None:
    """A cell of an older version shows that version's run; its button keeps the focus."""
    page = opened(visit, case="3")
    cell = row(page, 3).locator('[data-column="iteration-1@with_skill"]')
    cell.focus()
    page.keyboard.press("Enter")
    expect(column(page)).to_have_text("✗ iteration-1 · with_skill")
    expect(cell).to_have_attribute("aria-current", "true")
    expect(cell).to_be_focused()
    page.get_by_role("button", name="run 2 of 3").click()
    expect(page.locator(".runs > .quiet")).to_have_text("run 2 of 3")
    expect(page.locator('.sub [aria-current="true"]')).to_contain_text("2, run 2 of 3")
    page.get_by_label("Version and configuration").select_option(
        "✗ iteration-2 · with_skill, 3 runs"
    )
    expect(column(page)).to_have_text("✗ iteration-2 · with_skill")


@pytest.mark.parametrize(
    "query",
    [
        {"filter": "failing", "case": "40", "tab": "case"},
        {"q": "letter number 4", "run": "letters::41@iteration-1/without_skill#3"},
    ],
)
def test_a_link_shows_the_same_in_a_cold_browser(
    visit: Visit, new_visit: Callable[..., Visit], query: dict[str, str]
) -> None:
    """Filter, case, tab and search come back, and the chosen case is in sight."""
    views = []
    sent, cold = opened(visit, **query), new_visit(visit.served).page
    for page in (sent, cold):
        if page is cold:
            page.goto(sent.url)
        chosen = page.locator(".list tbody[data-chosen]")
        expect(chosen).to_be_in_viewport()
        tab = page.locator('.tabs [aria-selected="true"]').get_attribute("data-tab")
        heading = page.locator(".head h2").text_content()
        views.append((listed(page), tab, heading, column(page).text_content()))
    assert views[0] == views[1]
    assert query.items() <= asked(cold).items()


def test_a_quote_opens_the_file_at_its_line(visit: Visit) -> None:
    """A found quote names file and line and leads there; one that is nowhere is marked so."""
    page = opened(visit, case="3")
    quotes = page.locator("article .quotes")
    expect(quotes.first).to_contain_text("✗ not found in the outputs: Nobody wrote this line.")
    quotes.get_by_role("button", name="letter.md, line 2").first.click()
    here = page.locator(".lines .here")
    expect(here).to_have_text(f"2{QUOTE} 3.")
    expect(here).to_be_in_viewport()
    expect(page.locator(".lines div").first).to_have_text("1---")
    wait_for_address(page, "tab=output", "line=2")


def test_nothing_drops_out_and_nothing_is_zero_by_accident(visit: Visit) -> None:
    """Without output, prompt, measurement or run the page says so; nothing reads 0."""
    page = opened(visit, case=str(NO_OUTPUTS))
    expect(row(page, NO_OUTPUTS)).to_contain_text("no output file")
    expect(page.get_by_text("No output saved for this run; looked in")).to_be_visible()
    facts = page.locator(".facts")
    assert (facts.text_content() or "").count("not measured") == 3
    row(page, NO_PROMPT).locator(".name").click()
    expect(page.get_by_text("No prompt is recorded; looked in letters")).to_be_visible()
    row(page, NO_RUN).locator(".name").click()
    expect(page.locator(".head .verdict")).to_have_text("· no run in any version")
    expect(page.get_by_text("This case has no run in any version yet")).to_be_visible()
    expect(page.get_by_text("A letter to the customer.")).to_be_visible()


def test_raw_shows_the_part_first_and_the_whole_document_on_request(visit: Visit) -> None:
    """The case's own definition stands at its pointer; the whole file is one click away."""
    page = opened(visit, case="3", tab="raw")
    definition = page.locator(".lines").nth(1)
    expect(definition).to_contain_text("Write letter number 3.")
    expect(definition).not_to_contain_text("Write letter number 4.")
    page.get_by_role("button", name="Show the whole documents").click()
    expect(definition).to_contain_text("Write letter number 4.")
    wait_for_address(page, "whole=1")


def test_link_case_and_failing_cases_can_be_copied(visit: Visit) -> None:
    """The clipboard gets the address, one case, or all failing cases as Markdown."""
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = opened(visit, filter="failing")

    def clipboard() -> str:
        return str(page.evaluate("navigator.clipboard.readText()"))

    said, place = page.locator(".tools [role=status]"), page.locator(".tabline").bounding_box()
    page.get_by_role("button", name="Copy link").click()
    expect(said).to_have_text("Link copied: works in this browser, on this machine")
    assert clipboard() == f"{page.url}&case=9"
    page.get_by_role("button", name="Copy command").click()
    expect(said).to_have_text("Command copied: for somebody who has the folder")
    assert re.search(r'--view "gradings\?.*case=9"$', clipboard())
    assert page.locator(".tabline").bounding_box() == place
    page.keyboard.press("m")
    expect(page.locator(".tools [role=status]")).to_have_text("Case copied")
    assert clipboard().startswith(f"# Case `{name(9)}`")
    page.get_by_role("button", name="Export").click()
    page.get_by_role("button", name="Copy text").click()
    expect(page.get_by_role("button", name="copied")).to_be_visible()
    assert all(f"`{name(number)}`" in clipboard() for number in FAILING)


def test_a_click_sends_little(visit: Visit) -> None:
    """No rerun sends more than 150 KB to the browser."""
    sent: list[int] = []
    visit.page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda data: sent.append(len(data))),
    )
    page = opened(visit)
    for act in ("f", "ArrowRight", "2", "5", "ArrowRight"):
        before = sum(sent)
        page.keyboard.press(act)
        page.wait_for_timeout(700)
        idle(page)
        assert sum(sent) - before <= LIMIT
    wait_for_address(page, "filter=failing", "tab=raw")
    assert sum(sent) > 0


def test_a_phone_reads_verdict_and_first_failing_case_within_two_screens(visit: Visit) -> None:
    """At 390 by 844 everything fits the width; the list comes first, the evidence below it."""
    visit.page.set_viewport_size(PHONE)
    page = opened(visit, filter="failing")
    assert fits(page)
    assert box(page.locator(".list tbody").first)["y"] < PHONE["height"]
    assert box(page.locator(".head .verdict"))["y"] < 2 * PHONE["height"]
    head = page.locator(".list thead th")
    expect(head).to_have_count(3)  # the case, the version before, the one in focus


@pytest.mark.parametrize("width", [PHONE["width"], 720], ids=["phone", "200 %"])
def test_a_tapped_case_comes_into_view_and_leads_back_to_its_row(visit: Visit, width: int) -> None:
    """Where the columns stand below each other, the head is not 700 pixels below the tap."""
    visit.page.set_viewport_size({"width": width, "height": 844})
    page = opened(visit, filter="failing")
    head, last = page.locator(".head"), page.locator(".list tbody").last
    assert box(head)["y"] > box(page.locator(".list"))["y"] + box(page.locator(".list"))["height"]
    last.locator(".name").click()
    expect(head.locator("h2")).to_have_text(listed(page)[-1])
    assert abs(box(head)["y"] - 60) < 30
    page.get_by_role("button", name="Back to the list").click()
    expect(last.locator(".name")).to_be_focused()
    expect(last).to_be_in_viewport()
    page.locator('[data-filter="all"]').click()
    expect(page.locator(".list tbody")).to_have_count(CASES)
    expect(page.locator('[data-filter="all"]')).to_be_in_viewport()
    visit.page.set_viewport_size(DESK)
    expect(page.get_by_role("button", name="Back to the list")).to_be_hidden()


def test_nothing_but_the_dashboard_is_asked_and_nothing_breaks(visit: Visit) -> None:
    """A tour through every tab leaves this machine alone and raises no error."""
    page = opened(visit, filter="failing")
    for key in "2345":
        page.keyboard.press(key)
        page.wait_for_timeout(300)
    assert visit.foreign_requests() == []
    assert visit.errors == []


def test_lists_narrow_by_criterion(visit: Visit) -> None:
    """The criterion filter offers what fails, with counts, and keeps those cases."""
    page = opened(visit)
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("combobox", name=re.compile("^Fails the criterion")).click()
    page.get_by_role("option", name=f"{CRITERIA[1]} (1)").click()
    expect(page.locator(".list tbody")).to_have_count(1)
    assert listed(page) == [name(9)]
    page.keyboard.press("Escape")
    page.get_by_role("button", name=f"Remove the filter: fails {CRITERIA[1]}: 1 case").click()
    expect(page.locator("[data-chip]")).to_have_count(0)


def test_the_version_in_focus_can_be_looked_into(visit: Visit) -> None:
    """Aggregates, notes and suggestions of the version stand in an expander below."""
    page = opened(visit)
    page.get_by_text("Stored about iteration-").click()
    expect(page.get_by_role("heading", name="iteration-2")).to_be_visible()


def test_columns_are_chosen_by_keyboard_and_outlive_a_reload(visit: Visit) -> None:
    """A tick for each version and configuration, one alone, and all again; the address holds it."""
    page = opened(visit)
    heads = page.locator("thead th .version")
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("checkbox", name="iteration-1").focus()
    page.keyboard.press("Space")
    wait_for_address(page, "versions=iteration-2")
    page.get_by_role("button", name="Only with_skill").focus()
    page.keyboard.press("Enter")
    wait_for_address(page, "configurations=with_skill")
    expect(heads).to_have_text(["iteration-2"])
    page.keyboard.press("Escape")
    page.locator("[data-filter=failing]").click()
    wait_for_address(page, "filter=failing", "versions=iteration-2")
    page.reload()
    expect(heads).to_have_text(["iteration-2"])
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("button", name="All versions").click()
    expect(heads).to_have_count(2)
    assert "versions" not in asked(page)
    page.get_by_label("The beginning of each output").check()
    wait_for_address(page, "outputs=1")
    expect(page.locator(".list div.output").first).to_contain_text("Dear customer")


def test_a_range_of_scores_is_typed_and_taken_away(visit: Visit) -> None:
    """Its chip says how many cases it keeps, and removes it."""
    page = opened(visit, filter="failing")
    page.get_by_role("button", name="Filters").click()
    page.get_by_label("to (%)").fill("50")
    page.get_by_label("to (%)").press("Enter")
    wait_for_address(page, "score=..50")
    expect(page.locator("[data-chip=score]")).to_have_text("score up to 50 %: 1 case ✕")
    expect(page.locator(".foot")).to_contain_text("1 of 42 cases")
    page.keyboard.press("Escape")
    page.locator("[data-chip=score]").click()
    expect(page.locator(".foot")).to_contain_text("6 of 42 cases")
    assert asked(page).keys() & {"score", "score_of"} == set()


@pytest.mark.parametrize("width", [DESK["width"], PHONE["width"]])
def test_outputs_stand_side_by_side_or_below_one_another(visit: Visit, width: int) -> None:
    """What differs is marked, what has none says so, and each opens alone."""
    visit.page.set_viewport_size({"width": width, "height": 900})
    sides = "iteration-1@with_skill,iteration-2@without_skill,iteration-2@with_skill"
    page = opened(visit, tab="output", beside=sides, case="1")
    shown = page.locator("section.side")
    expect(shown.locator("b")).to_have_text(sides.split(","))
    expect(shown.nth(1).locator("ins").first).to_contain_text("2")
    assert fits(page)
    first, last = box(shown.first), box(shown.last)
    assert (first["y"] == last["y"]) == (width == DESK["width"])
    assert (first["x"] == last["x"]) == (width == PHONE["width"])
    page.get_by_role("button", name="Open the output of iteration-1@with_skill").click()
    expect(shown).to_have_count(0)
    expect(column(page)).to_contain_text("iteration-1")
    page = opened(visit, tab="output", beside=sides, case=str(NO_OUTPUTS))
    expect(shown.locator(".said")).to_have_count(3)
    expect(shown.locator(".said").first).to_contain_text("No output saved for this run")
