"""A run of each family is started in the browser, goes on by itself, and opens clean."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from evalcore.cli.checking import check_folder
from evalcore.demo import packaged
from evalcore.engine.store import RunFolder, all_runs
from tests.dashboard.live import Served, Visit, own_state, served

SUITES = ("release-notes", "commit-helper", "invoice-extractor", "sql-helper", "support-agent")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the demo, which runs are written to."""
    root = tmp_path_factory.mktemp("runs") / "demo"
    shutil.copytree(packaged(), root)
    return root


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder where this server keeps its runs."""
    return tmp_path_factory.mktemp("runs-state")


@pytest.fixture(scope="module")
def dashboard(workspace: Path, state: Path) -> Iterator[Served]:
    """A server of its own on that copy."""
    with served(workspace, state) as found:
        found.let_in()
        yield found


def _newest(state: Path, workspace: Path) -> RunFolder:
    with own_state(state):
        return next(all_runs(workspace))


def _serious(workspace: Path) -> set[tuple[str, str, str]]:
    found = check_folder(workspace).problems
    return {(p.path, p.pointer, p.code) for p in found if p.severity != "info"}


@pytest.fixture(scope="module")
def before() -> set[tuple[str, str, str]]:
    """Return what is to be complained of in the demo before anything ran."""
    return _serious(packaged())


@pytest.mark.parametrize("suite", SUITES)
def test_a_run_started_in_the_browser_finishes_and_its_documents_open_clean(
    visit: Visit,
    workspace: Path,
    state: Path,
    before: set[tuple[str, str, str]],
    suite: str,
) -> None:
    """With the demo's own program and rules: nothing needs a key."""
    page = visit.open("runs", suite=suite, new="1", n="1")
    page.get_by_role("button", name=re.compile(r"Start \d+ runs")).click()
    expect(page).to_have_url(re.compile(r"[?&]id="))
    expect(page.get_by_text(re.compile(rf"{suite}: finished"))).to_be_visible()
    folder = _newest(state, workspace)
    with own_state(state):
        found = folder.progress()
        assert folder.state(found) == "finished"
    assert found.done == len(found.runs) > 0
    assert all(one.has_grading or one.paths for one in found.runs)
    assert _serious(workspace) <= before
    assert not visit.errors
    assert not visit.foreign_requests()


def test_results_appear_while_they_come_in_without_a_new_page(visit: Visit) -> None:
    """The page that is open says so, and shows them when asked."""
    page = visit.open("gradings", suite="commit-helper")
    with visit.page.context.expect_page() as opened:
        page.evaluate(
            f"window.open({visit.served.address('runs', suite='commit-helper', new='1')!r})"
        )
    other = opened.value
    other.get_by_role("button", name=re.compile(r"Start \d+ runs")).click()
    expect(other).to_have_url(re.compile(r"[?&]id="))
    other.close()
    expect(page.get_by_text(re.compile(r"new gradings"))).to_be_visible()
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("iteration-5").first).to_be_visible()


def test_a_run_goes_on_when_its_tab_is_closed(
    new_visit: Callable[..., Visit], dashboard: Served, workspace: Path, state: Path
) -> None:
    """It has a process of its own."""
    visit = new_visit(dashboard)
    page = visit.open("runs", suite="sql-helper", new="1")
    page.get_by_role("button", name=re.compile(r"Start \d+ runs")).click()
    expect(page).to_have_url(re.compile(r"[?&]id="))
    page.close()
    folder = _newest(state, workspace)
    other = new_visit(dashboard)
    shown = other.open("runs", suite="sql-helper", id=folder.id)
    expect(shown.get_by_text(re.compile("sql-helper: finished"))).to_be_visible()


def test_a_second_click_on_start_starts_nothing_more(
    visit: Visit, workspace: Path, state: Path
) -> None:
    """The plan on screen is started once."""
    with own_state(state):
        before = len(list(all_runs(workspace)))
    page = visit.open("runs", suite="commit-helper", new="1")
    page.get_by_role("button", name=re.compile(r"Start \d+ runs")).dblclick()
    expect(page).to_have_url(re.compile(r"[?&]id="))
    expect(page.get_by_text(re.compile("commit-helper: finished"))).to_be_visible()
    with own_state(state):
        assert len(list(all_runs(workspace))) == before + 1
