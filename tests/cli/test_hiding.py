"""Commands leave out what is hidden from the only judge of this machine, and say so."""

import json
from pathlib import Path

import pytest

from evalcore.judging.answering.independent import Judges, chosen, start_batch
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import remember_judge
from evalcore.workspace.opened import Workspace, open_workspace
from tests.cli.conftest import Invoke
from tests.cli.test_comparing import overwritten
from tests.judging.copies import NOTES, copied, judged

RUNS = tuple(f"{NOTES}::breaking-change@{version}/-#1" for version in ("v0", "v1", "v3"))


@pytest.fixture
def ana(invoke: Invoke) -> Judge:
    """Return the only judge of this machine."""
    del invoke  # it sets the state folder aside
    return remember_judge("Ana", None)


@pytest.fixture
def ws(tmp_path: Path, ana: Judge) -> Workspace:
    """Return a suite of which she is asked to judge three runs independently."""
    found = copied(tmp_path / "notes", NOTES)
    start_batch(found, chosen(RUNS, 9), Judges((ana.id,)), Judge("ben-1", "Ben"))
    return found


def status(out: Path) -> dict[str, str]:
    """Return the status of each exported run."""
    return {run["run_id"]: run["status"] for run in json.loads((out / "runs.json").read_text())}


def test_tables_are_written_without_hidden_runs(
    invoke: Invoke, ws: Workspace, ana: Judge, tmp_path: Path
) -> None:
    """They are listed as hidden, without scores and judgments; one line on stderr says so."""
    done = invoke("tables", ws.root, "--out", tmp_path / "out", "--format", "json")
    assert done.stderr == (
        "evalcore: Not shown: 3 runs of independent batches or blind studies, "
        f"hidden until {ana.id} has judged.\n"
    )
    found = status(tmp_path / "out")
    assert {run for run, of in found.items() if of == "hidden"} == set(RUNS)
    judgments = json.loads((tmp_path / "out" / "judgments.json").read_text())
    assert judgments
    assert not {row["run_id"] for row in judgments} & set(RUNS)


def test_once_judged_a_run_is_written(
    invoke: Invoke, ws: Workspace, ana: Judge, tmp_path: Path
) -> None:
    """The others are not; and a second judge of this machine hides nothing from anybody."""
    judged(ws, RUNS[0], ana)
    done = invoke("tables", ws.root, "--out", tmp_path / "one", "--format", "json")
    assert "2 runs of independent batches or blind studies" in done.stderr
    assert status(tmp_path / "one")[RUNS[0]] == "completed"
    remember_judge("Cem", None)
    done = invoke("tables", ws.root, "--out", tmp_path / "two", "--format", "json")
    assert done.stderr == ""
    assert "hidden" not in status(tmp_path / "two").values()


def test_hidden_runs_are_not_compared_and_not_lost(invoke: Invoke, ws: Workspace) -> None:
    """The sentence and the document say how many each side has."""
    done = invoke("compare", ws.root, "--suite", NOTES, "v0", "v3", "--json")
    assert "3 runs of independent batches or blind studies" in done.stderr
    found = json.loads(done.stdout)
    assert found["hidden"] == {"a": 1, "b": 1}
    assert "1 run of v3 and 1 run of v0 are hidden until you have judged." in found["cautions"]
    lost = [one for side in "ab" for one in found["lost"][side] if one["what"] == "runs"]
    assert [one["why"] for one in lost] == ["not read"]  # the demo's file that cannot be read


def test_no_regression_is_told_of_hidden_runs(invoke: Invoke, ana: Judge, tmp_path: Path) -> None:
    """That they newly fail is a score; whoever has nothing to judge reads it."""
    root = copied(tmp_path / "sql", "sql-helper").root
    assert "fell from 100 %" in invoke("check", root).stdout
    ws = open_workspace(root)
    of_run = ws.tables.runs["benchmark_run"] == "e4470b9d"
    runs = tuple(map(str, ws.tables.runs["run_id"][of_run]))
    start_batch(ws, chosen(runs, 9), Judges((ana.id,)), Judge("ben-1", "Ben"))
    assert "fell from" not in invoke("check", root).stdout


def test_a_revision_hides_what_the_folder_hides(invoke: Invoke, ana: Judge, tmp_path: Path) -> None:
    """The batch is newer than the revision, whose gradings are of the same runs."""
    root = overwritten(tmp_path)
    ws = open_workspace(root)
    run = str(ws.tables.runs["run_id"].iloc[0])
    start_batch(ws, chosen([run], 1), Judges((ana.id,)), ana)
    done = invoke("compare", root, "--revision-a", "HEAD", "--json")
    assert json.loads(done.stdout)["hidden"] == {"a": 1, "b": 1}
