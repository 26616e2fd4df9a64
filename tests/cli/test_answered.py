"""`evalcore run` and `evalcore runs` where people judge."""

import json
import sys
from pathlib import Path

import pytest

from evalcore.judging.answering.submitting import submit
from evalcore.judging.asking.tasks import task
from evalcore.judging.model import Answer, Judge
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.workspace.opened import open_workspace
from tests.cli.command import evalcore
from tests.cli.conftest import Invoke
from tests.engine.people import improve

FAKE = Path(__file__).parents[1] / "engine/fake_agent.py"


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return where the command keeps its own, which this process shares with it."""
    found = {
        f"EVALCORE_{name}_DIR": str(tmp_path / name.lower())
        for name in ("STATE", "CACHE", "CONFIG")
    }
    for name, path in found.items():
        monkeypatch.setenv(name, path)
    config = tmp_path / "config/executors.toml"
    config.parent.mkdir()
    config.write_text(f"[fake]\ncommand = {json.dumps([sys.executable, '-I', str(FAKE)])}\n")
    return found


def judge(root: Path, name: str) -> None:
    """Give the only run the best scores, under a name."""
    ws = open_workspace(root, cache=False)
    who, run = Judge(f"{name}-0001", name), str(ws.tables.runs["run_id"].iloc[0])
    of = task(ws, run, who, load_reviews(review_folder(ws, "writer")))
    submit(ws, of, [Answer(each.key, each.high, "As asked.") for each in of.criteria], who)


def test_runs_that_people_judged_are_written(
    tmp_path: Path, folders: dict[str, str], invoke: Invoke
) -> None:
    """It says who is awaited; when all have answered, what was written."""
    root = tmp_path / "folder"
    improve(root)
    asked = ("--executor", "fake", "--judge", "human", "--judges", "2", "--runs", "1")
    made = evalcore("run", root, *asked, home=tmp_path, **folders)
    assert made.returncode == 0, made.stderr
    judge(root, "ana")
    waits = invoke("runs", root, "--write")
    assert waits.exit_code == 1
    assert "writer::one@v0/-#1: 1 of 2 judges have scored 'done'." in waits.stdout
    assert not (root / "writer-workspace/grading").exists()
    judge(root, "ben")
    written = invoke("runs", root, "--write")
    assert written.exit_code == 0
    assert written.stdout.startswith("1 grading written from people's answers.\n")
    grading = json.loads((root / "writer-workspace/grading/one_v0_run1.json").read_text())
    assert (grading["overall"], grading["judge"]) == ("pass", "ana-0001, ben-0001")
    again = invoke("runs", root, "--write", "--json")
    (document,) = json.loads(again.stdout)
    assert document["statuses"] == {"completed": 1}
