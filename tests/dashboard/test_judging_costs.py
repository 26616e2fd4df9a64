"""What judging a run costs in keys: rules are not asked again, and a pass may need no words."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.dashboard.live import Served, Visit, write
from tests.reviewing import Reviews

CRITERIA = ('contains "done"', 'contains "later"', "Its tone is friendly.", "It is short.")
RUN = "letters::{}@iteration-1/with_skill#1"
RULE = "Reasons for scores in this suite"
REQUIRED, FOR_A_FAIL, OPTIONAL = (
    "A reason is required for every verdict",
    "A reason is required for a fail and optional for a pass",
    "A reason is optional for every verdict",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a suite of four new runs of which rules decided the first two criteria."""
    root = tmp_path_factory.mktemp("costs") / "post"
    cases = [
        {"id": at, "prompt": "Write.", "expected_output": "", "expectations": list(CRITERIA)}
        for at in range(1, 5)
    ]
    write(root / "letters/evals/evals.json", {"skill_name": "letters", "evals": cases})
    reviews = Reviews(root, "letters-workspace")
    for at in range(1, 5):
        outputs = root / f"letters-workspace/iteration-1/eval-{at}/with_skill/run-1/outputs"
        outputs.mkdir(parents=True)
        (outputs / "letter.txt").write_text("done", "utf-8")
        decided = [
            {"criterionId": f"expectation:{name}", "passed": met, "share": float(met)}
            for name, met in zip(CRITERIA, (True, False), strict=False)
        ]
        asked: dict[str, Any] = {"testRunId": RUN.format(at), "judges": 1, "decided": decided}
        reviews.put("approval-request", asked, "evalcore")
    return root


@pytest.fixture(scope="module")
def dashboard(serve: Callable[..., Served], folder: Path) -> Served:
    """Serve that suite."""
    found = serve(folder)
    found.let_in()
    return found


@pytest.fixture
def page(visit: Visit) -> Page:
    """Return the page with the next run, as Ana judges it."""
    page = visit.open("judge", suite="letters")
    expect(page.locator(".name-field, fieldset.criterion").first).to_be_visible()
    if page.locator(".name-field").count():
        page.locator(".name-field").fill("Ana")
        page.keyboard.press("Enter")
    # What is scored is shown before anybody is named: only then do the keys score it.
    expect(page.locator(".name-field")).to_have_count(0)
    expect(page.locator("form fieldset.criterion")).to_have_count(len(CRITERIA))
    return page


def stored(folder: Path) -> list[dict[str, Any]]:
    """Return the judgments that are on the disk, the oldest first."""
    found = [
        json.loads(path.read_text("utf-8"))
        for path in folder.glob("**/reviews/eval-judgment/*.json")
    ]
    return sorted(found, key=lambda each: (each["createdAt"], each["id"]))


def choose(page: Page, words: str) -> None:
    """Choose for which scores a reason is required."""
    page.locator("[data-testid=stMain]").evaluate("node => node.scrollTo(0, node.scrollHeight)")
    page.get_by_role("combobox", name=RULE).click()  # scrolling would close its list
    page.get_by_role("option", name=words).click()
    expect(page.get_by_text("Stored: letters-workspace/reviews/judging-rule/")).to_be_visible()


def press(page: Page, keys: str) -> int:
    """Press the keys and return how many they are."""
    page.locator("form fieldset.criterion input").first.focus()
    for each in keys.split():
        page.keyboard.press(each)
    return len(keys.split())


def test_the_keyboard_goes_through_what_rules_left(page: Page, folder: Path) -> None:
    """What rules decided is one line, and the run is judged without it."""
    line = page.locator(".decided > summary")
    expect(line).to_contain_text("2 of 4 criteria were decided by rules: 1 met, 1 not met")
    shown = page.locator("form fieldset.criterion:visible .name")
    assert shown.all_inner_texts() == list(CRITERIA[2:])
    for _ in range(9):
        page.keyboard.press("j")
    expect(page.locator("fieldset[data-current] .name")).to_have_text(CRITERIA[3])
    press(page, "p w a Escape j p w b Control+Enter")
    expect(page.locator(".strip .said")).to_contain_text("Stored: 2 scores")
    assert [each["fields"]["rationale"] for each in stored(folder)] == ["a", "b"]
    expect(page.locator(".counts [data-state=submitted] b")).to_have_text("1")


def test_one_key_shows_what_rules_decided_and_it_can_be_scored_too(
    page: Page, folder: Path
) -> None:
    """The record says that the judge had seen the rule's verdict."""
    press(page, "r")
    shown = page.locator(".decided fieldset.criterion")
    expect(shown.first).to_be_visible()
    expect(shown.first).to_contain_text("decided by a rule: met")
    expect(page.locator("fieldset[data-current] .name")).to_have_text(CRITERIA[0])
    for each in [
        "f",
        "w",
        "n",
        "o",
        "Escape",
        "r",
        "p",
        "w",
        "c",
        "Escape",
        "j",
        "p",
        "w",
        "d",
        "Control+Enter",
    ]:
        page.keyboard.press(each)
    expect(page.locator(".strip .said")).to_contain_text("Stored: 3 scores")
    last = stored(folder)[-3:]
    assert {each["fields"]["criterionId"] for each in last} == {
        f"expectation:{CRITERIA[at]}" for at in (0, 2, 3)
    }
    assert all("recorded" in each["evalcore"]["seen"] for each in last)


def test_a_pass_needs_no_words_where_the_suite_says_so_and_a_fail_does(
    page: Page, folder: Path
) -> None:
    """Four keys for a run of four criteria; the record keeps the rule."""
    expect(page.get_by_text("Nobody has chosen")).to_be_visible()
    choose(page, FOR_A_FAIL)
    expect(page.get_by_text("Ana chose that a reason is required for a fail")).to_be_visible()
    expect(page.locator("textarea.rationale").first).to_have_attribute(
        "placeholder", "Why? (w; may stay empty for a pass)"
    )
    press(page, "f j p Control+Enter")
    expect(page.locator(".told")).to_contain_text("needs a reason in words")
    before = len(stored(folder))
    assert press(page, "p j p Control+Enter") == 4
    expect(page.locator(".strip .said")).to_contain_text("Stored: 2 scores")
    last = stored(folder)[before:]
    assert [each["fields"]["rationale"] for each in last] == ["", ""]
    assert {each["evalcore"]["reasons"] for each in last} == {"for a fail"}


@pytest.mark.usefixtures("page")
def test_a_score_without_a_reason_says_so_where_it_is_read(visit: Visit, folder: Path) -> None:
    """In words, beside the score."""
    silent = next(each for each in stored(folder) if not each["fields"]["rationale"])
    page = visit.open("judge", suite="letters", run=silent["fields"]["testRunId"])
    mine = page.locator(".review .opinion.mine")
    expect(mine.first).to_contain_text("passes")
    expect(mine.first).to_contain_text("no reason given")
