"""A verdict that more runs would decide offers to prepare exactly these."""

from pathlib import Path

import pytest

from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison
from evalcore.comparing.sides import side_of
from evalcore.demo import packaged
from evalcore.views.blocks.page import Links
from evalcore.views.runs.state import View
from evalcore.views.verdict.prepare import prepare_blocks
from evalcore.workspace.opened import Workspace, open_workspace


@pytest.fixture(scope="module")
def demo() -> Workspace:
    """The demo as it is shipped."""
    return open_workspace(packaged(), cache=False)


def _compared(ws: Workspace, suite: str, a: str, b: str) -> Comparison:
    return compare(side_of(ws, suite, a), side_of(ws, suite, b), "recorded")


def test_the_run_that_would_decide_is_filled_in(demo: Workspace) -> None:
    """Both versions, the compared cases, and how many more runs of each."""
    found = _compared(demo, "release-notes", "v1", "v3")
    assert found.verdict is not None
    assert found.verdict.more_runs
    (links,) = prepare_blocks(demo, found)
    assert isinstance(links, Links)
    (chip,) = links.items
    query = {name: value for name, value in chip.link.query.items() if value is not None}
    view = View.of(query)
    assert (view.new, view.versions, view.n) == (True, ("v1", "v3"), found.verdict.more_runs)
    assert set(view.cases) == {pair.case_id for pair in found.pairs}
    assert chip.text == f"Prepare {found.verdict.more_runs} more runs of each case on both sides"


def test_an_older_iteration_cannot_be_run_again(demo: Workspace) -> None:
    """Its skill is not there any more, so nothing is offered."""
    found = _compared(demo, "invoice-extractor", "iteration-2@with_skill", "iteration-3@with_skill")
    assert prepare_blocks(demo, found) == []


def test_without_a_verdict_nothing_is_offered(demo: Workspace, tmp_path: Path) -> None:
    """There is nothing to decide."""
    del tmp_path
    found = _compared(demo, "release-notes", "v3", "v3")
    if found.verdict is None or not found.verdict.more_runs:
        assert prepare_blocks(demo, found) == []
