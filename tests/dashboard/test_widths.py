"""No page is wider than its window, however long the names and however many the versions."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.dashboard.live import DESK, PHONE, Served, Visit, write
from tests.dashboard.screen import box, fits

ZOOMED: ViewportSize = {"width": 720, "height": 450}
VERSIONS = 10
CASES = 3
RUNS = 3
CONFIGURATIONS = ("with_the_skill_as_it_was_published", "without_any_skill_at_all")
CRITERIA = tuple(
    f"Says in criterion number {number} what was ordered, by whom, and on which day it arrives"
    for number in range(1, 9)
)


@pytest.fixture(scope="module")
def dashboard(
    showing: Callable[[Path], Served], tmp_path_factory: pytest.TempPathFactory
) -> Served:
    """Serve a suite of long names with ten versions."""
    root = tmp_path_factory.mktemp("wide") / "wide"
    suite = "letters-to-customers-whose-parcels-are-late-or-lost-or-were-never-sent"
    evals = [
        {"id": case, "name": _name(case), "prompt": "Write.", "expectations": list(CRITERIA)}
        for case in range(1, CASES + 1)
    ]
    write(root / f"{suite}/evals/evals.json", {"skill_name": suite, "evals": evals})
    for version in range(1, VERSIONS + 1):
        asked = CRITERIA[version % 3 :]  # so that not every version was asked everything
        for case in range(1, CASES + 1):
            folder = root / f"{suite}-workspace/iteration-{version}/eval-{case}"
            for configuration in CONFIGURATIONS:
                for run in range(1, RUNS + 1):
                    _run(folder / configuration / f"run-{run}", asked, failed=(version + run) % 3)
    return showing(root)


def _name(case: int) -> str:
    return f"a-letter-to-a-customer-whose-parcel-number-{case}-was-left-with-the-neighbours"


def _run(folder: Path, asked: tuple[str, ...], failed: int) -> None:
    expectations = [
        {"text": text, "passed": at >= failed, "evidence": f'It reads "{text}".'}
        for at, text in enumerate(asked)
    ]
    write(folder / "grading.json", {"expectations": expectations})
    (folder / "outputs").mkdir()
    (folder / "outputs/letter.md").write_text("Dear customer, " * 40, "utf-8")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
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
        ("data", {}, "[data-testid=stMain] [role=region]"),
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
def test_nothing_scrolls_sideways(
    visit: Visit, size: ViewportSize, name: str, query: dict[str, str], drawn: str
) -> None:
    """What is too wide for its place is cut or scrolls in it, and never moves the page."""
    visit.page.set_viewport_size(size)
    page = visit.open(name, **query)
    expect(page.locator(drawn).first).to_be_visible()
    assert fits(page)


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
