"""Runs of the `improve` family that were made and not graded yet."""

from pathlib import Path
from typing import Any

import pytest

from evalcore import open_workspace
from evalcore.families.improve import FAMILY
from evalcore.tables.rows import RunRow
from tests.families.build import Read, write
from tests.families.improve_documents import EVALS, grading, history
from tests.workspace.trees import settle

HOME = "deploy-workspace"
RUNS = f"{HOME}/v0/runs/case-01"


def suite(root: Path, files: dict[str, Any]) -> Read:
    """A skill beside its workspace, which has one version and these files."""
    tree = {
        "deploy/evals/evals.json": EVALS,
        f"{HOME}/history.json": history(None),
        f"{HOME}/v0/skill/SKILL.md": "---\nname: deploy\n---\n",
    }
    return Read(FAMILY, write(root, {**tree, **files}))


def test_an_ungraded_run_is_listed_with_its_outputs(tmp_path: Path) -> None:
    """It is pending and has no score; a graded one beside it is as before."""
    files = {
        f"{HOME}/grading/case-01_v0_run1.json": grading(),
        f"{RUNS}/run-1/out.txt": "done",
        f"{RUNS}/run-2/out.txt": "done",
    }
    first, second = suite(tmp_path, files).all(RunRow)
    assert (first.run, first.status, first.outputs) == ("1", "completed", f"{RUNS}/run-1")
    assert (second.run, second.status, second.outputs) == ("2", "pending", f"{RUNS}/run-2")
    assert (second.score, second.passed, second.source) == (None, None, None)
    assert str(second.run_id) == str(first.run_id)[:-1] + "2"


@pytest.mark.parametrize("text", ["", '{"case_id": ', "[]", '{"overall": "pass"}'])
@pytest.mark.parametrize("outputs", [f"{RUNS}/run-2", None])
def test_a_run_whose_grading_cannot_be_read_is_lost_and_not_gone(
    tmp_path: Path, text: str, outputs: str | None
) -> None:
    """It waits, with or without an output; its source is the grading to be corrected."""
    files = {
        f"{HOME}/grading/case-01_v0_run1.json": grading(),
        f"{HOME}/grading/case-01_v0_run2.json": text,
        **({f"{outputs}/out.txt": "done"} if outputs else {}),
    }
    first, second = suite(tmp_path, files).all(RunRow)
    assert (first.run, first.status) == ("1", "completed")
    assert (second.run, second.status, second.outputs) == ("2", "pending", outputs)
    assert second.source == f"{HOME}/grading/case-01_v0_run2.json"


def test_an_unread_grading_of_no_known_case_is_no_run(tmp_path: Path) -> None:
    """Its name alone says nothing."""
    files = {f"{HOME}/grading/{name}_v0_run1.json": "" for name in ("case-99", "notes")}
    assert suite(tmp_path, files).all(RunRow) == []


@pytest.mark.parametrize(
    "path",
    [
        f"{HOME}/v0/runs/run-1/out.txt",
        f"{HOME}/v0/runs/case-99/run-1/out.txt",
        f"{HOME}/v7/runs/case-01/run-1/out.txt",
        f"{RUNS}/run-1/deeper/run-2/out.txt",
    ],
)
def test_what_lies_elsewhere_is_no_run_by_itself(tmp_path: Path, path: str) -> None:
    """It is one only in the place of a known case and version, as documented."""
    found = [
        row for row in suite(tmp_path, {path: "done"}).all(RunRow) if row.outputs != f"{RUNS}/run-1"
    ]
    assert found == []


def test_an_empty_folder_is_no_run(tmp_path: Path) -> None:
    """Nothing was produced there."""
    (tmp_path / RUNS / "run-1").mkdir(parents=True)
    assert suite(tmp_path, {}).all(RunRow) == []


def test_the_first_output_is_noticed_though_an_index_stands(tmp_path: Path) -> None:
    """No walk enters the folders of runs; that of a run which may get outputs is watched."""
    root = tmp_path / "root"
    suite(root, {})
    run = root / RUNS / "run-1"
    run.mkdir(parents=True)
    settle(root)
    assert not open_workspace(root).tables.runs["run_id"].tolist()
    assert open_workspace(root).from_index
    (run / "out.txt").write_text("done")
    assert open_workspace(root).tables.runs["status"].tolist() == ["pending"]
