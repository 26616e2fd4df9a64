"""The Judge page as a person uses it: by keyboard, with drafts, and one record whatever is hit."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from evalcore.judging.limits import LIMITS
from tests.dashboard.live import PATIENCE_MS, Line, Served, Visit, write
from tests.dashboard.screen import fits

CRITERIA = ("Names the customer", "States the total")
RUNS = 14
WAIT_MS = 5_500
"""The longest wait for the answer to a message, which is sent `SENDINGS` times."""
SENDINGS = 3
HOSTILE = '<img src="http://evil.example/x.png" onerror="document.title=1"> 語 \u202eabc'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a suite of one case and fourteen runs."""
    root = tmp_path_factory.mktemp("judged") / "post"
    evals = {
        "skill_name": "letters",
        "evals": [
            {
                "id": 1,
                "name": "letter",
                "prompt": "Write a letter.",
                "expected_output": "A letter.",
                "expectations": list(CRITERIA),
            }
        ],
    }
    write(root / "letters/evals/evals.json", evals)
    for run in range(1, RUNS + 1):
        place = root / f"letters-workspace/iteration-1/eval-1/with_skill/run-{run}"
        given = [{"text": text, "passed": True, "evidence": "SECRET OPINION"} for text in CRITERIA]
        write(
            place / "grading.json",
            {
                "expectations": given,
                "summary": {"passed": 2, "failed": 0, "total": 2, "pass_rate": 1.0},
            },
        )
        write(place.parents[1] / "eval_metadata.json", {"eval_id": 1, "eval_name": "letter"})
        (place / "outputs").mkdir(parents=True)
        (place / "outputs/letter.md").write_text(f"Dear Mrs Iwasaki.\n{HOSTILE}\n", "utf-8")
        (place / "outputs/notes.txt").write_text(f"A second file of run {run}.", "utf-8")
    return root


@pytest.fixture(scope="module")
def dashboard(serve: Callable[..., Served], folder: Path) -> Served:
    """Serve that suite."""
    found = serve(folder)
    found.let_in()
    return found


@pytest.fixture(scope="module")
def window(chromium: Browser, dashboard: Served) -> Iterator[Visit]:
    """Return one window for all tests here, of somebody who judges as Ana."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    dashboard.admit(context)
    context.set_default_timeout(PATIENCE_MS)
    visit = Visit(context.new_page(), dashboard)
    visit.watch()
    visit.open("judge")
    visit.page.locator(".name-field").fill("Ana")
    visit.page.keyboard.press("Enter")
    # What is scored is shown before anybody is named: only then is the name stored.
    expect(visit.page.locator(".name-field")).to_have_count(0)
    expect(visit.page.locator("fieldset.criterion").first).to_be_visible()
    yield visit
    context.close()


@pytest.fixture
def page(window: Visit) -> Page:
    """Return the page with the run that is next."""
    window.open("judge")
    expect(window.page.locator("fieldset.criterion")).to_have_count(len(CRITERIA))
    return window.page


def records(folder: Path) -> list[dict[str, Any]]:
    """Return the judgments that are on the disk."""
    return [
        json.loads(path.read_text("utf-8"))
        for path in folder.glob("**/reviews/eval-judgment/*.json")
    ]


def of_run(folder: Path, run: str) -> list[dict[str, Any]]:
    """Return the fields of a run's judgments that are on the disk."""
    held = (one["fields"] for one in records(folder))
    return [fields for fields in held if fields["testRunId"] == run]


def run_of(page: Page) -> str:
    """Return the run that is open."""
    return page.evaluate("new URL(location.href).searchParams.get('run')") or ""


def begin(page: Page) -> None:
    """Put the keyboard on the first criterion."""
    page.locator("fieldset.criterion input").first.focus()


def fill(page: Page, why: str = "Its first line.") -> None:
    """Score every criterion by keyboard, and say why."""
    begin(page)
    for at in range(len(CRITERIA)):
        page.keyboard.press("p")
        page.keyboard.press("w")
        page.keyboard.type(why)
        if at + 1 < len(CRITERIA):
            page.keyboard.press("Tab")


def stored(page: Page) -> None:
    """Wait for the receipt."""
    said = re.compile(r"Stored: \d scores? for letter")
    expect(page.locator(".strip .said")).to_contain_text(said)


def select_output(page: Page, length: int) -> None:
    """Select the first characters of the output, as a mouse would."""
    page.locator(".output").evaluate(
        "(node, n) => { const range = document.createRange(); range.setStart(node.firstChild, 0);"
        "range.setEnd(node.firstChild, n); const all = document.getSelection();"
        "all.removeAllRanges(); all.addRange(range); }",
        length,
    )


def test_a_whole_task_by_keyboard(page: Page, folder: Path) -> None:
    """Score, how sure, evidence, reason and store; the keyboard is on the next run then."""
    first, before = run_of(page), len(records(folder))
    begin(page)
    page.keyboard.press("1")
    page.keyboard.press("h")
    select_output(page, 17)
    page.keyboard.press("e")
    expect(page.locator(".quote")).to_have_count(1)
    page.keyboard.press("Enter")
    page.keyboard.type("Names her.")
    page.keyboard.press("Tab")
    page.keyboard.press("j")
    page.keyboard.press("f")
    page.keyboard.press("w")
    page.keyboard.type("No total.")
    page.keyboard.press("Control+Enter")
    stored(page)
    mine = of_run(folder, first)
    assert len(records(folder)) - before == len(mine) == len(CRITERIA)
    by_score = {one["score"]: one for one in mine}
    assert by_score[1]["evidence"] == ["Dear Mrs Iwasaki."]
    assert (by_score[1]["confidenceLevel"], by_score[1]["rationale"]) == ("high", "Names her.")
    assert by_score[0]["rationale"] == "No total."
    expect(page.locator("fieldset.criterion input").first).to_be_focused()
    assert run_of(page) != first


def test_keys_do_nothing_while_typing(page: Page) -> None:
    """They are letters then; Enter is a line."""
    run = run_of(page)
    begin(page)
    page.keyboard.press("w")
    page.keyboard.type("1 p f j k w e s ? l m h")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    text = page.locator("textarea.rationale").first
    expect(text).to_have_value("1 p f j k w e s ? l m h\n")
    expect(page.locator("fieldset.criterion input:checked")).to_have_count(0)
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert run_of(page) == run
    text.fill("")


def test_a_draft_survives_a_reload_at_once_and_another_window(
    page: Page, new_visit: Callable[..., Visit], dashboard: Served
) -> None:
    """What was typed a moment ago is in this window; what was kept is in every other."""
    run = run_of(page)
    begin(page)
    page.keyboard.press("p")
    page.keyboard.press("w")
    page.keyboard.insert_text("Half a sentence")
    page.reload()
    expect(page.locator("textarea.rationale").first).to_have_value("Half a sentence")
    page.locator("textarea.rationale").first.press_sequentially(" more")
    expect(page.locator(".kept")).to_contain_text("draft kept")
    other = new_visit(dashboard)
    other.open("judge", run=run)
    expect(other.page.locator("textarea.rationale").first).to_have_value("Half a sentence more")


@pytest.mark.parametrize("way", ["double click", "enter and click", "ctrl+enter twice"])
def test_however_it_is_sent_there_is_one_record(page: Page, folder: Path, way: str) -> None:
    """A second click finds the first on its way."""
    run = run_of(page)
    fill(page)
    act = page.locator(".store")
    if way == "double click":
        act.dblclick()
    elif way == "enter and click":
        act.focus()
        page.keyboard.press("Enter")
        act.click(no_wait_after=True)
    else:
        page.keyboard.press("Control+Enter")
        page.keyboard.press("Control+Enter")
    stored(page)
    expect(page.locator(".strip .said")).to_be_visible()
    assert len(of_run(folder, run)) == len(CRITERIA)


def test_what_is_chosen_at_the_last_moment_is_what_is_stored(page: Page, folder: Path) -> None:
    """The choice and the click that stores it travel together."""
    run = run_of(page)
    fill(page, "So it is.")
    page.locator("fieldset.criterion").first.locator('[data-score="0"]').click()
    page.locator(".store").click()
    stored(page)
    mine = of_run(folder, run)
    assert sorted(one["score"] for one in mine) == [0, 1]


def test_a_long_reason_is_stored_whole_or_refused_with_its_length(page: Page, folder: Path) -> None:
    """Nothing of it is cut: what is too long stays in the field until it is shorter."""
    fill(page)
    why, before = page.locator("fieldset.criterion textarea").first, len(records(folder))
    why.fill("x" * (LIMITS.rationale + 1))
    expect(page.locator(".told")).to_contain_text("has 20,001 characters, at most 20,000")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".told")).to_contain_text("Shorten it.")
    assert len(records(folder)) == before
    assert why.input_value() == "x" * (LIMITS.rationale + 1)
    why.fill("y" * LIMITS.rationale)
    expect(page.locator(".told")).to_have_text("")
    page.keyboard.press("Control+Enter")
    stored(page)
    assert "y" * LIMITS.rationale in {one["fields"]["rationale"] for one in records(folder)}


def test_what_is_missing_is_said_and_the_keyboard_goes_there(page: Page) -> None:
    """Nothing is sent until every criterion has a score and a reason."""
    begin(page)
    page.keyboard.press("p")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".told")).to_contain_text("needs a reason in words")
    expect(page.locator("textarea.rationale").first).to_be_focused()
    page.keyboard.type("Now there is one.")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".told")).to_contain_text("has no score yet")


@pytest.mark.parametrize("lost", ["message", "answer"])
def test_what_was_lost_on_the_way_is_sent_again_and_obeyed_once(
    new_visit: Callable[..., Visit], dashboard: Served, page: Page, folder: Path, lost: str
) -> None:
    """The next run opens without a second press, whichever direction failed."""
    run = run_of(page)
    visit = new_visit(dashboard)
    line = Line(visit.page)
    there = visit.open("judge", run=run)
    fill(there, "Sent again.")
    line.up, line.down = lost != "message", lost != "answer"
    there.locator(".store").click()
    expect(there.locator(".store")).to_have_text("storing …")
    there.wait_for_timeout(1_000)
    assert len(of_run(folder, run)) == (0 if lost == "message" else len(CRITERIA))
    line.up = line.down = True
    stored(there)
    assert run_of(there) != run
    assert len(of_run(folder, run)) == len(CRITERIA)


def test_what_did_not_arrive_is_kept_and_stored_by_the_next_click(
    new_visit: Callable[..., Visit], dashboard: Served, page: Page, folder: Path
) -> None:
    """Without an answer the form says so and keeps what was typed."""
    run = run_of(page)
    visit = new_visit(dashboard)
    line = Line(visit.page)
    visit.page.clock.install()
    there = visit.open("judge", run=run)
    fill(there, "Offline.")
    line.up = False
    there.locator(".store").click()
    expect(there.locator(".store")).to_have_text("storing …")
    for _ in range(SENDINGS):
        there.clock.fast_forward(WAIT_MS)
    expect(there.locator(".notice")).to_contain_text("Not stored yet")
    expect(there.locator("textarea.rationale").first).to_have_value("Offline.")
    assert not of_run(folder, run)
    line.up = True
    there.locator(".store").click()
    stored(there)
    assert len(of_run(folder, run)) == 2


def test_a_receipt_that_was_lost_on_the_way_comes_with_the_next_connection(
    new_visit: Callable[..., Visit], dashboard: Served, page: Page, folder: Path
) -> None:
    """The form is let go only then, the page goes on; there is one record a criterion."""
    run = run_of(page)
    visit = new_visit(dashboard)
    line = Line(visit.page)
    there = visit.open("judge", run=run)
    fill(there, "Cut off.")
    line.down = False
    there.locator(".store").click()
    expect(there.locator(".store")).to_have_text("storing …")
    there.wait_for_timeout(1_000)
    assert len(of_run(folder, run)) == 2
    line.down = True
    line.hang_up()
    stored(there)
    there.wait_for_function(
        "before => new URL(location.href).searchParams.get('run') !== before", arg=run
    )
    assert len(of_run(folder, run)) == 2


def test_nothing_of_others_is_in_the_page_and_nothing_foreign_is_asked_for(
    page: Page, window: Visit
) -> None:
    """Hostile output is text; the machine's opinion is nowhere before mine is stored."""
    expect(page.locator(".output")).to_contain_text('<img src="http://evil.example')
    shown = page.locator(".judge").evaluate("node => node.getRootNode().innerHTML")
    assert "SECRET OPINION" not in shown
    assert window.foreign_requests() == []
    assert window.errors == []
    page.locator('.counts [data-state="submitted"]').click()
    expect(page.locator(".review")).to_contain_text("SECRET OPINION")


def test_on_a_phone_everything_is_in_one_column(
    new_visit: Callable[..., Visit], dashboard: Served, page: Page
) -> None:
    """Prompt, output, criteria; the button to store stays in reach, and nothing is too wide."""
    phone = new_visit(dashboard, viewport={"width": 390, "height": 844})
    phone.open("judge", run=run_of(page))
    expect(phone.page.locator(".store")).to_be_in_viewport()
    assert fits(phone.page)
