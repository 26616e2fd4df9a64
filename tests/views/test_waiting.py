"""The counts of the sidebar are those of the lists that they lead to."""

from pathlib import Path

import pytest

from evalcore import Workspace
from evalcore.counting.choices import version_names
from evalcore.demo import packaged
from evalcore.failures.query import Query, counts
from evalcore.views.data.problems import problem_list
from evalcore.views.data.state import DataView
from evalcore.views.gradings.grid import GridQuery, grid
from evalcore.views.overview.pending import pending_items
from evalcore.views.problems import Problems, problems_at_open
from evalcore.views.waiting import Place, waiting
from evalcore.workspace.opened import open_workspace


@pytest.fixture(scope="module")
def demo() -> Workspace:
    """The demo workspace."""
    return open_workspace(packaged(), cache=False)


@pytest.mark.parametrize("version", [None, "v1"])
def test_gradings_has_the_failing_cases_of_the_focus(demo: Workspace, version: str | None) -> None:
    """As many as its own filter says and lists."""
    found = waiting(demo, Place("release-notes", version, None, "recorded"), Problems(()))
    listed = grid(demo, GridQuery("release-notes", version, filter="failing"))
    assert found["gradings"] == f"{listed.matching} failing"


@pytest.mark.parametrize("suite", ["release-notes", "support-agent", "invoice-extractor"])
def test_failures_has_the_open_ones_of_the_choice(demo: Workspace, suite: str) -> None:
    """As many as the page lists as open, in all versions and in each."""
    for version in (None, *version_names(demo, suite)):
        listed = counts(demo, suite, Query(version=version)).state["open"]
        found = waiting(demo, Place(suite, version, None, "recorded"), Problems(()))
        assert found.get("failures") == (f"{listed} open" if listed else None)


def test_every_count_of_every_suite_is_that_of_its_list(demo: Workspace) -> None:
    """Where nothing waits there is no count, rather than a zero."""
    problems = problems_at_open(demo)
    for suite in demo.tables.suites["suite"]:
        found = waiting(demo, Place(suite, None, None, "recorded"), problems)
        failing = grid(demo, GridQuery(suite)).counts["failing"]
        assert found.get("gradings", "0 failing") == f"{failing} failing"
        review = [item.n for item in pending_items(demo, suite, None) if "to review" in item.what]
        assert found.get("judge") == (f"{review[0]} to review" if review else None)
        listed = problem_list(problems, DataView("problems")).page.total
        assert found["data"] == f"{listed} problems so far"


def test_where_nothing_waits_nothing_is_said(tmp_path: Path) -> None:
    """A suite without runs or problems has no counts."""
    (tmp_path / "s/evals").mkdir(parents=True)
    (tmp_path / "s/evals/evals.json").write_text('{"skill_name": "s", "evals": []}')
    ws = open_workspace(tmp_path, cache=False)
    suites = list(ws.tables.suites["suite"])
    assert suites
    for suite in suites:
        assert waiting(ws, Place(suite, None, None, "recorded"), Problems(())) == {}
