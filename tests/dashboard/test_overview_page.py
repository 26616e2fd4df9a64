"""The Overview page: numbers first, and every number a door to what is behind it."""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from streamlit.testing.v1 import AppTest

from evalcore.demo import packaged
from pages.parts.overview import FirstPaint
from tests.dashboard.live import PHONE, Served, Visit, write
from tests.dashboard.screen import box, fits, wait_for_address

HOSTILE = "<img src=http://127.0.0.1:9/x.png onerror=alert(1)>![y](http://127.0.0.1:9/y.png)"
SEEDS = Path(__file__).parents[1] / "data" / "seeds"


def sheets(app: AppTest) -> list[dict[str, Any]]:
    """Return every block that the page's sheets are given."""
    found = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return [block for data in found for block in data.get("blocks", [])]


def quiet(app: AppTest) -> str:
    """Return the quiet sentences of the page, one a line."""
    return "\n".join(block["text"] for block in sheets(app) if block.get("quiet"))


@pytest.fixture
def run_page(run: Callable[..., AppTest]) -> Callable[..., AppTest]:
    """Return a function that runs the page on a workspace, without a browser."""
    return partial(run, "overview")


def test_the_page_begins_with_a_sentence_of_numbers(
    run_page: Callable[..., AppTest], small_workspace: Path
) -> None:
    """The verdict first; below it runs, cases, versions and the last activity."""
    app = run_page(small_workspace, suite="alpha")
    assert not app.exception
    verdict = sheets(app)[0]
    assert verdict["text"].startswith("v1 passes more than v0: 100 % against 0 % on 1 case")
    assert verdict["rest"].startswith("Can't tell: chance alone brings a difference like this.")
    assert "2 runs · 1 case · 2 versions · last activity" in quiet(app)


def test_the_first_screen_of_the_demo_says_better(run_page: Callable[..., AppTest]) -> None:
    """Who opens the demo and chooses nothing sees a verdict that needs no qualification."""
    app = run_page(packaged())
    assert not app.exception
    verdict = sheets(app)[0]
    assert verdict["text"].startswith("v3 passes more than v2: 97 % against 58 % on 12 cases")
    assert verdict["rest"] == "Better, for cases like these too."


def test_the_chart_waits_until_the_page_has_been_painted(
    run_page: Callable[..., AppTest], small_workspace: Path
) -> None:
    """Its library would keep the browser from painting the verdict; its heading stands already."""
    app = run_page(small_workspace, suite="alpha")
    assert not app.get("plotly_chart")
    assert any("A point opens its runs." in block.get("text", "") for block in sheets(app))
    app.session_state[f"kept {FirstPaint.__module__} {FirstPaint.__qualname__}"].done = True
    app.run()
    assert len(app.get("plotly_chart")) == 1


def test_the_address_chooses_what_is_spoken_of(
    run_page: Callable[..., AppTest], small_workspace: Path
) -> None:
    """Suite and version come from the address."""
    app = run_page(small_workspace, suite="alpha", v="v0")
    assert any(block.get("label") == "Of 1 case run in v0" for block in sheets(app))
    assert any(
        line.startswith("v0 passed 0 % of 1 case (0 of 1 run") for line in sheets(app)[0]["how"]
    )


def test_every_family_has_an_overview(run_page: Callable[..., AppTest]) -> None:
    """The seeds' own examples are shown without an error."""
    app = run_page(SEEDS)
    for suite in app.sidebar.selectbox(key="side-suite").options:
        app.query_params["suite"] = suite
        assert not app.run().exception
        assert {block["t"] for block in sheets(app)} >= {"verdict", "links", "table"}


@pytest.fixture(scope="module")
def hostile_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two versions with configurations and criteria that would load something as markup."""
    root = tmp_path_factory.mktemp("hostile") / "hostile"
    for number in (1, 2):
        for side in (f"a{HOSTILE.replace('/', '')}", "b"):
            grading = {
                "expectations": [{"text": HOSTILE, "passed": number == 2, "evidence": HOSTILE}]
            }
            place = f"s-workspace/iteration-{number}/eval-1/{side}/grading.json"
            write(root / place, grading)
    return root


def row(page: Page, label: str, text: str) -> Locator:
    """Return a row of a table of the page."""
    return page.get_by_role("table", name=label).get_by_role("row").filter(has_text=text)


def test_a_count_opens_the_cases_behind_it(visit: Visit) -> None:
    """One click on failing shows Gradings with that filter and the same choice."""
    window = visit.open(suite="alpha", v="v0")
    window.get_by_role("link", name=re.compile(r"^\d failing")).click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Gradings")
    wait_for_address(window, "suite=alpha", "v=v0", "filter=failing")


def test_a_version_of_the_table_opens_its_runs(visit: Visit) -> None:
    """Its name is a link that another tab can open as well."""
    window = visit.open(suite="alpha")
    link = row(window, "Versions", "v0").get_by_role("link", name="v0")
    expect(link).to_have_attribute("href", re.compile(r"^gradings\?.*v=v0"))
    link.click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Gradings")
    wait_for_address(window, "v=v0")


def test_another_suite_is_one_click_away(visit: Visit) -> None:
    """The version of the old suite stays behind; Back returns."""
    window = visit.open(suite="alpha", v="v1")
    row(window, "Suites", "beta").get_by_role("link", name="beta", exact=True).click()
    expect(window.get_by_text("2 runs · 1 case · 1 version")).to_be_visible()
    wait_for_address(window, "suite=beta")
    assert "v=v1" not in window.url
    window.go_back()
    expect(window.get_by_text("2 runs · 1 case · 2 versions")).to_be_visible()


def test_a_point_of_the_chart_opens_its_version(visit: Visit) -> None:
    """A click on the first point shows the runs of v0."""
    window = visit.open(suite="alpha")
    point = window.locator(".js-plotly-plot .scatterlayer .point").first
    at = box(point)
    window.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    expect(window.locator(".hoverlayer")).to_contain_text("Click to open these runs")
    window.mouse.click(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    expect(window.get_by_role("heading", level=1)).to_have_text("Gradings")
    wait_for_address(window, "v=v0")


def test_problems_open_the_data_page(visit: Visit) -> None:
    """As many as the count says once the full check behind the page has ended."""
    window = visit.open(suite="alpha")
    chip = window.get_by_role("link", name=re.compile(r"^\d+ problems in its files"))
    expect(chip).to_be_visible()
    count = re.findall(r"\d+", chip.inner_text())[0]
    chip.click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Data")
    wait_for_address(window, "dsuite=alpha")
    listed = window.get_by_test_id("stMainBlockContainer")
    expect(listed.get_by_text(re.compile(rf"^{count} (of .*)?problems?$"))).to_be_visible()


def test_hostile_names_are_shown_as_text(
    visit: Visit, showing: Callable[[Path], Served], hostile_workspace: Path
) -> None:
    """Labels of the chart, names of criteria and configurations load and run nothing."""
    window = visit.open(w=showing(hostile_workspace).name)
    expect(window.locator(".js-plotly-plot .scatterlayer .point").first).to_be_visible()
    expect(row(window, "Versions", "onerror").first).to_be_visible()
    assert window.locator(".js-plotly-plot a, .js-plotly-plot image").count() == 0
    assert visit.foreign_requests() == []
    assert visit.errors == []


def test_a_phone_reads_it_in_one_column(visit: Visit) -> None:
    """The page does not scroll sideways, and a row says what each of its numbers is."""
    visit.page.set_viewport_size(PHONE)
    window = visit.open(suite="alpha")
    expect(row(window, "Versions", "v0")).to_have_count(1)
    assert fits(window)
    shown = row(window, "Versions", "v0").locator("td").first
    assert shown.evaluate("cell => getComputedStyle(cell, '::before').content") == '"version"'
