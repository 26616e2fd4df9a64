"""New runs on the Judge page: what is judged there is written as their grading."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.engine.finishing import Finished, finish_all
from evalcore.errors import CannotWrite
from evalcore.judging.storing.judges import remember_judge
from evalcore.workspace.opened import open_workspace
from tests.dashboard.test_judge_page import answers, panel, send
from tests.engine.people import run_of

Page = Callable[..., AppTest]


def opened(run: Page, root: Path, name: str = "Ana") -> AppTest:
    """Return the page as somebody opens it who judges under this name."""
    remember_judge(name, None)
    return run("judge", root, suite="writer")


@pytest.mark.parametrize("family", ["iterations", "improve", "descriptions", "records"])
def test_a_new_run_is_judged_and_written(run: Page, tmp_path: Path, family: str) -> None:
    """The panel shows what it produced and why it is there; then its grading is in the folder."""
    root = tmp_path / "folder"
    folder = run_of(root, family, judge="human")
    app = opened(run, root)
    task = panel(app)["task"]
    assert task["run"] == folder.plan.runs[0].run_id
    assert task["files"]
    assert "New run: all 2 criteria are left for people." in task["reasons"][0]
    after = send(app, "store", **answers(task, "It is as asked."))
    assert after["answer"]["message"] == "The grading of the run is written."
    (row,) = open_workspace(root).tables.runs.itertuples()
    assert (row.status, row.fraction) == ("completed", 1.0)
    texts = [(root / path).read_text() for path in folder.progress().runs[0].paths]
    assert any("It is as asked." in text for text in texts)


def test_a_grading_that_cannot_be_written_loses_no_score(
    run: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scores are stored, and it says that the grading is to come."""
    root = tmp_path / "folder"
    run_of(root, "improve", judge="human")
    app = opened(run, root)

    def full(*_: object) -> Finished:
        raise CannotWrite(root, "the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("pages.parts.judge.session.finish_run", full)
        after = send(app, "store", **answers(panel(app)["task"]))
    assert after["answer"]["ok"] is True
    assert (
        "The scores are stored; the grading of the run is not written yet"
        in (after["answer"]["message"])
    )
    assert len(finish_all(root).written) == 1
