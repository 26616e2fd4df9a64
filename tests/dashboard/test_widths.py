"""No page is wider than its window, however long the names and however many the versions."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from evalcore.views.gradings.grid import SHOWN_COLUMNS
from tests.dashboard.live import DESK, PHONE, Served, Visit, write
from tests.dashboard.screen import box, fits, look, still

ZOOMED: ViewportSize = {"width": 720, "height": 450}
VERSIONS = 13
RUNS = 3
CONFIGURATIONS = (f"with_the_skill_{'as_it_was_published_' * 3}", "without_any_skill_at_all")
COLUMNS = VERSIONS * len(CONFIGURATIONS)
NAMES = ("aLetterWithoutBlanks" * 4, "رسالة إلى عميل تأخرت طرده " * 3, "包裹晚到的客户来信" * 9)
LONG = "AnswersInOneWordWhatIsAsked" * 11
CRITERIA = tuple(
    f"Says in criterion number {number} what was ordered, by whom, and on which day it arrives"
    for number in range(1, 8)
)
CRITERIA = (CRITERIA[0], LONG, *CRITERIA[1:])


@pytest.fixture(scope="module")
def dashboard(
    showing: Callable[[Path], Served], tmp_path_factory: pytest.TempPathFactory
) -> Served:
    """Serve a suite of long names in several scripts, with more columns than one page holds."""
    root = tmp_path_factory.mktemp("wide") / "wide"
    suite = "letters-to-customers-whose-parcels-are-late-or-lost-or-were-never-sent"
    evals = [
        {"id": case, "name": name, "prompt": "Write.", "expectations": list(CRITERIA)}
        for case, name in enumerate(NAMES, 1)
    ]
    write(root / f"{suite}/evals/evals.json", {"skill_name": suite, "evals": evals})
    for version in range(1, VERSIONS + 1):
        asked = CRITERIA[version % 3 :]  # so that not every version was asked everything
        for case in range(1, len(NAMES) + 1):
            folder = root / f"{suite}-workspace/iteration-{version}/eval-{case}"
            for configuration in CONFIGURATIONS:
                for run in range(1, RUNS + 1):
                    _run(folder / configuration / f"run-{run}", asked, failed=(version + run) % 3)
    return showing(root)


def _run(folder: Path, asked: tuple[str, ...], failed: int) -> None:
    expectations = [
        {"text": text, "passed": at >= failed, "evidence": f'It reads "{text}".'}
        for at, text in enumerate(asked)
    ]
    write(folder / "grading.json", {"expectations": expectations})
    (folder / "outputs").mkdir()
    (folder / "outputs/letter.md").write_text("Dear customer, " * 40, "utf-8")


@pytest.mark.parametrize("font", ["wide"], indirect=True)
@pytest.mark.parametrize(
    ("name", "query", "drawn"),
    [
        ("overview", {}, ".verdict"),
        ("gradings", {}, ".head .marks button"),
        ("gradings", {"tab": "output"}, ".lines"),
        ("gradings", {"tab": "raw"}, ".lines"),
        ("compare", {}, ".sentence"),
        ("rubric", {}, ".heat .cell"),
        ("trends", {}, ".js-plotly-plot"),
        ("failures", {}, "[data-testid=stMain] table"),
        ("judge", {}, ".judge"),
        ("blind", {}, "[data-testid=stForm] button"),
        ("runs", {}, "[data-testid=stMultiSelect]"),
        ("data", {"severity": "info"}, "[data-testid=stMain] [role=region]"),
    ],
    ids=[
        "overview",
        "grades",
        "output",
        "raw",
        "compare",
        "rubric",
        "trends",
        "failures",
        "judge",
        "blind",
        "runs",
        "data",
    ],
)
@pytest.mark.usefixtures("font")
def test_nothing_scrolls_sideways(
    visit: Visit, name: str, query: dict[str, str], drawn: str
) -> None:
    """What is too wide for its place ends in dots or scrolls in it, and never moves the page."""
    page = visit.open(name, **query)
    expect(page.locator(drawn).first).to_be_visible()
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        still(page)
        assert look(page, "cut()") == []
        assert fits(page)


@pytest.mark.usefixtures("font")
def test_columns_that_do_not_fit_are_a_button_away(visit: Visit) -> None:
    """The list begins with the newest ones and does not scroll sideways, at 200 % neither."""
    for size in (PHONE, ZOOMED, DESK):
        visit.page.set_viewport_size(size)
        page = visit.open("gradings")
        heads, earlier = page.locator(".list thead th"), page.locator('[data-act="earlier"]')
        expect(heads.last).to_contain_text(f"iteration-{VERSIONS}")
        shown = heads.count() - 1
        expect(earlier).to_have_text(f"‹ {COLUMNS - shown} earlier columns")
        wide = "list => list.scrollWidth > list.clientWidth"
        assert not page.locator(".list").evaluate(wide)
        assert look(page, "cut()") == []
        assert fits(page)
    for left in range(COLUMNS - shown, 0, -shown):  # the last of them come from the server
        expect(earlier).to_have_text(f"‹ {left} earlier columns")
        earlier.click()
    expect(earlier).to_have_count(0)
    expect(heads.nth(1)).to_contain_text("iteration-1")
    page.locator('[data-act="later"]').click()
    expect(earlier).to_have_text(f"‹ {COLUMNS - SHOWN_COLUMNS} earlier columns")
    expect(heads).to_have_count(shown + 1)


def test_a_failure_stands_below_its_list_where_both_would_be_narrow(visit: Visit) -> None:
    """As in a window of 1440 pixels at 200 %: no case is written in a column of single letters."""
    visit.page.set_viewport_size(ZOOMED)
    page = visit.open("failures")
    evidence = page.locator(".st-key-failures-evidence")
    expect(evidence).to_be_visible()
    case = box(page.get_by_role("table").first.locator("tbody a").first)
    assert case["width"] > 100
    assert box(evidence)["y"] > case["y"] + case["height"]
    assert fits(page)


@pytest.mark.parametrize(
    ("name", "row", "detail"),
    [
        ("failures", "tbody tr:nth-child(2) a", ".st-key-failures-evidence"),
        ("rubric", ".heat tbody tr:nth-child(2) th a", ".st-key-rubric-detail"),
    ],
    ids=["failures", "rubric"],
)
def test_what_is_tapped_on_a_phone_comes_into_view(
    visit: Visit, name: str, row: str, detail: str
) -> None:
    """The list is above it and as long as the page."""
    visit.page.set_viewport_size(PHONE)
    page = visit.open(name)
    expect(page.locator(row).first).to_be_visible()
    if name == "rubric":  # a failure is open from the beginning, a criterion is not
        page.locator(row.replace("(2)", "(1)")).first.click()
    expect(page.locator(detail)).to_be_visible()
    page.locator(row).first.click()
    page.wait_for_function(
        "where => Math.abs(document.querySelector(where).getBoundingClientRect().top - 60) < 30",
        arg=detail,
    )
