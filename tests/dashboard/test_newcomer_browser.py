"""From a new skill to its first comparison by what the screens offer, in six clicks."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from evalcore.versions import initialise, take_snapshot
from tests.dashboard.live import Served, Visit, served
from tests.dashboard.newcomer import CASES, SUITE, write_executor, write_skill
from tests.dashboard.screen import on_screen


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A skill with three cases that never ran."""
    folder = tmp_path_factory.mktemp("newcomer") / "skills"
    initialise(write_skill(folder))
    return folder


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A configuration in which no executor is named; the program is there."""
    folder = tmp_path_factory.mktemp("newcomer-config")
    write_executor(folder, 0)
    (folder / "executors.toml").unlink()
    return folder


@pytest.fixture(scope="module")
def dashboard(
    tmp_path_factory: pytest.TempPathFactory, root: Path, config: Path
) -> Iterator[Served]:
    """A server on that skill."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVALCORE_CONFIG_DIR", str(config))
        with served(root, tmp_path_factory.mktemp("newcomer-state")) as found:
            found.let_in()
            yield found


def judge(page: Page, score: str, runs: int) -> None:
    """Give every run that waits a score, by keys alone."""
    for left in range(runs, 0, -1):
        expect(page.get_by_text(f"{left} left", exact=True)).to_be_visible()
        expect(page.locator("fieldset.criterion input:checked")).to_have_count(0)
        expect(page.locator("fieldset.criterion[data-current]")).to_have_count(1)
        page.keyboard.press(score)
        page.keyboard.press("w")
        page.keyboard.type("As it reads.")
        page.keyboard.press("Control+Enter")
    expect(page.get_by_text("nothing left")).to_be_visible()


def test_a_new_skill_is_compared_after_six_clicks(visit: Visit, root: Path, config: Path) -> None:
    """Nothing is asked to be shown, and no score of one's own is called lost."""
    clicks: list[Locator] = []

    def click(what: Locator) -> None:
        clicks.append(what)
        what.click()

    page = visit.open("overview", suite=SUITE)
    steps, start = page.locator(".st-key-first-steps"), re.compile(r"Start \d+ runs")
    click(steps.get_by_role("link", name="New run"))
    command = page.get_by_label("Command", exact=True)
    expect(command).to_be_focused()
    page.keyboard.type(f"{sys.executable} {config / 'program.py'} 0")
    page.keyboard.press("Enter")
    assert on_screen(page, page.get_by_role("button", name=start))
    click(page.get_by_role("button", name=start))
    click(page.get_by_role("link", name="Judge these 3"))
    expect(page.locator(".name-field")).to_be_focused()
    page.keyboard.type("Ada")
    page.keyboard.press("Enter")
    expect(page.locator(".name-field")).to_have_count(0)
    judge(page, "2", len(CASES))
    assert "[program]" in (config / "executors.toml").read_text("utf-8")

    (root / SUITE / "SKILL.md").write_text("---\nname: changelog-helper\n---\nList by kind.\n")
    take_snapshot(root)
    click(page.locator(".st-key-new-run").get_by_role("link", name="New run"))
    expect(page.get_by_text("v1", exact=True).first).to_be_visible()
    click(page.get_by_role("button", name=start))
    click(page.get_by_role("link", name="Judge these 9"))
    judge(page, "5", 3 * len(CASES))
    expect(page.get_by_role("button", name="Compare the newest versions")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare")
    expect(page.get_by_text("v1 passes more than v0", exact=False).first).to_be_visible()
    expect(page.get_by_text("Lost runs", exact=False)).to_have_count(0)
    expect(page.get_by_role("button", name="Show", exact=True)).to_have_count(0)
    assert len(clicks) == 6
    assert not visit.errors
