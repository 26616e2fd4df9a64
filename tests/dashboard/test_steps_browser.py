"""Steps as a person reads them: by keys, by the strip, by a link."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.dashboard.live import PHONE, Served, Visit
from tests.dashboard.screen import asked, fits, idle, on_screen, wait_for_address
from tests.stepped import bash, events, read, run_id, workspace

MARKUP = "<img src=x onerror=\"document.title='pwned'\"><script>document.title='pwned'</script>"
LIMIT = 150 * 1024
LONG = [
    bash(f"step {number} שלום 漢字", "n" * 400, failed=number in (3, 150))
    for number in range(1, 251)
]


@pytest.fixture(scope="module")
def dashboard(
    showing: Callable[[Path], Served], tmp_path_factory: pytest.TempPathFactory
) -> Served:
    """Serve a run with 252 steps, one with markup in its steps, and one without a transcript."""
    odd = (MARKUP, {MARKUP: f"{MARKUP}{'w' * 100_000}"}, MARKUP, True)
    files = {
        "iteration-1/long": {"transcript.jsonl": events(*LONG, timed=False)},
        "iteration-1/odd": {"transcript.jsonl": events(odd, asked=MARKUP, answer=MARKUP)},
        "iteration-1/none": {},
        "iteration-2/long": {"transcript.jsonl": events(read("x"), timed=False)},
    }
    quote = 'It said "step 200 שלום 漢字" and "nothing like this was said".'
    return showing(workspace(tmp_path_factory.mktemp("stepped") / "post", files, quote))


def opened(visit: Visit, case: str = "long", **query: str) -> Page:
    """Open the Steps tab of a run."""
    page = visit.open("gradings", suite="s", run=run_id(case), tab="steps", **query)
    expect(page.locator(".steps .totals, .steps .say").first).to_be_visible()
    idle(page)
    return page


def current(page: Page) -> Locator:
    """Return the line of the open step."""
    return page.locator(".step[aria-current]")


def test_keys_go_to_turns_and_errors_also_beyond_what_is_sent(visit: Visit) -> None:
    """The address follows, and says so where there is no further one."""
    page = opened(visit)
    expect(page.locator(".steps .totals")).to_contain_text("251 turns · 250 tool calls")
    for key, step, text in (
        ("e", 4, "step 3 "), ("n", 5, "step 4 "), ("p", 4, "step 3 "), ("e", 151, "step 150 "),
        ("E", 4, "step 3 "),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(current(page)).to_contain_text(text)
        wait_for_address(page, f"step={step}")
        expect(page.locator(".detail pre").first).to_be_visible()
        assert on_screen(page, current(page))
    page.keyboard.press("E")
    expect(page.locator(".steps .tell")).to_have_text("No earlier error")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("next and previous error in Steps")


def test_an_error_has_a_word_and_a_step_opens_and_folds(visit: Visit) -> None:
    """By the pointer and by Enter; its text comes then."""
    page = opened(visit)
    failed = page.locator(".step.failed").first
    expect(failed).to_contain_text("error: n")
    failed.click()
    expect(page.locator(".detail pre").last).to_have_text("n" * 400)
    failed.click()
    expect(page.locator(".detail")).to_have_count(0)
    failed.press("Enter")
    expect(failed).to_have_attribute("aria-expanded", "true")
    failed.press("ArrowDown")
    expect(page.locator('.step[data-n="5"]')).to_be_focused()


def test_the_address_opens_its_step_and_no_click_sends_much(visit: Visit) -> None:
    """A step on the second hundred; then the next window, words to find, and the strip."""
    sent: list[int] = []
    visit.page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda data: sent.append(len(data))),
    )
    page = opened(visit, step="120")
    expect(current(page)).to_contain_text("step 119 ")
    assert on_screen(page, current(page))
    find = page.get_by_role("searchbox", name="Find in the steps")

    def search(words: str) -> None:
        find.fill(words)
        find.press("Enter")

    acts: list[Callable[[], None]] = [
        page.get_by_role("button", name="Later steps").click,
        lambda: search("step 24"),
        lambda: find.press("Enter"),
        lambda: page.locator(".track").click(position={"x": 5, "y": 10}),
    ]
    steps = []
    for act in acts:
        before = sum(sent)
        act()
        page.wait_for_timeout(700)
        idle(page)
        assert sum(sent) - before <= LIMIT
        steps.append(asked(page).get("step"))
    assert steps[:3] == ["201", "241", "242"]
    assert int(steps[3] or 0) < 8
    expect(page.locator(".steps .find [role=status]")).to_contain_text("11 steps")


def test_a_passage_that_a_judge_quotes_opens_in_the_steps(visit: Visit) -> None:
    """Where it stands in the transcript; what no file has is looked for, and not found."""
    page = visit.open("gradings", suite="s", run=run_id("long"))
    page.get_by_role("button", name="transcript.jsonl, line").click()
    expect(current(page)).to_contain_text("step 200 שלום 漢字")
    expect(page.locator(".step mark").first).to_be_visible()
    page.keyboard.press("1")
    page.get_by_role("button", name="look in the steps").click()
    expect(page.locator(".steps .find [role=status]")).to_contain_text("No step has “nothing like")


def test_hostile_steps_are_text(visit: Visit) -> None:
    """Names, arguments, results and one word of 100 KB; nothing of it runs or widens the page."""
    page = opened(visit, "odd", step="2")
    expect(current(page)).to_contain_text("<img src=x onerror")
    expect(page.locator(".detail pre").first).to_contain_text("<script>")
    assert page.locator(".steps img, .steps script").count() == 0
    assert page.title() != "pwned"
    assert fits(page)


def test_a_run_without_steps_has_no_tab(visit: Visit) -> None:
    """Asked for all the same, it says what is read."""
    page = visit.open("gradings", suite="s", run=run_id("none"))
    expect(page.locator('[data-tab="grades"]')).to_be_visible()
    expect(page.locator('[data-tab="steps"]')).to_have_count(0)
    page = opened(visit, "none")
    expect(page.locator(".steps")).to_contain_text("No transcript of this run was found")


def test_a_phone_reads_steps(visit: Visit) -> None:
    """Nothing is wider than the screen, also with an open step."""
    visit.page.set_viewport_size(PHONE)
    page = opened(visit, step="4")
    expect(page.locator(".detail pre").first).to_be_visible()
    assert fits(page)
