"""A run offers that a model judges its output where the plan of such a run would take it."""

import shutil
from pathlib import Path

import pytest

from evalcore.demo import packaged
from evalcore.engine.planning import Request, make_plan
from evalcore.engine.templates import STORED, executors
from evalcore.errors import CannotRun
from evalcore.views.runs.again import run_by_model
from evalcore.views.runs.state import View
from evalcore.workspace.opened import Workspace, open_workspace

PLACE = "invoice-extractor-workspace/iteration-3/eval-1/with_skill/run-1"


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """A copy of the demo that a test may change."""
    return Path(shutil.copytree(packaged(), tmp_path / "demo"))


def _run(ws: Workspace) -> str:
    runs = ws.tables.runs
    (found,) = runs["run_id"][runs["outputs"] == f"{PLACE}/outputs"]
    return str(found)


def _is_planned(ws: Workspace, run: str, query: dict[str, str | None]) -> bool:
    """Return whether the plan of what a link asks for has the run."""
    view = View.of({name: value for name, value in query.items() if value is not None})
    request = Request(
        executor=executors()[STORED],
        versions=view.versions,
        configurations=view.configurations,
        cases=view.cases,
        judge="rules",
        again=view.again,
    )
    try:
        planned = make_plan(ws, "invoice-extractor", request).runs
    except CannotRun:
        return False
    return run in {each.run_id for each in planned}


@pytest.mark.parametrize(("grading", "again"), [("whole", True), ("none", False), ("broken", None)])
def test_what_is_offered_is_what_the_plan_takes(
    demo: Path, grading: str, again: bool | None
) -> None:
    """A graded run once more, one without a grading for the first time, a broken one never."""
    file = demo / PLACE / "grading.json"
    (demo / PLACE / "structural.json").unlink()
    if grading == "none":
        file.unlink()
    if grading == "broken":
        file.write_text('{"expectations": [', "utf-8")
    ws = open_workspace(demo, cache=False)
    run = _run(ws)
    query = run_by_model(ws, run)
    if again is None:
        assert query is None
        return
    assert query is not None
    assert (query.get("again") == "1") is again
    assert _is_planned(ws, run, dict(query))
    assert not _is_planned(ws, run, {**query, "again": None if again else "1"})
