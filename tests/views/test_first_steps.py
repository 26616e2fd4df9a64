"""The way to the first comparison has three steps, of which the next one is marked."""

import json
import shutil
from pathlib import Path

import pytest

from evalcore.demo import packaged
from evalcore.versions import initialise, take_snapshot
from evalcore.views.first_steps import first_steps
from evalcore.workspace.opened import open_workspace
from tests.dashboard.newcomer import CASES, SUITE, write_executor, write_skill


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A skill with three cases, in its first version."""
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    initialise(write_skill(tmp_path / "skills"))
    return tmp_path / "skills"


def grade(root: Path, version: int) -> None:
    """Write gradings of all cases in a version."""
    for case in CASES:
        result = {"criterion": "clear", "score": 4, "passed": True, "reasoning": "ok"}
        grading: dict[str, object] = {"case_id": case, "version": version, "run": 1}
        grading |= {"overall_score": 4.0, "required_score": 4.0}
        grading |= {"results": [result], "overall": "pass"}
        place = root / f"{SUITE}-workspace/grading/{case}_v{version}_run1.json"
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps(grading))


def change(root: Path) -> None:
    """Change the skill and keep it as its next version."""
    (root / SUITE / "SKILL.md").write_text("---\nname: changelog-helper\n---\nOtherwise.\n")
    take_snapshot(root)


def shown(root: Path) -> list[tuple[str, str, str]]:
    """Return of each step its state, the label of its button and its command."""
    ws = open_workspace(root, cache=False)
    return [(each.state, each.label, each.command) for each in first_steps(ws, SUITE)]


def test_a_new_suite_begins_with_a_run(root: Path) -> None:
    """The command names an executor only where none is the user's own."""
    run, keep = f"evalcore run {root}", f"evalcore snapshot {root}"
    assert shown(root) == [
        ("next", "New run", f"{run} --executor NAME"), ("later", "", keep), ("later", "", ""),
    ]  # fmt: skip
    write_executor(root.parent / "config", 0)
    assert shown(root)[0] == ("next", "New run", run)


def test_each_step_is_marked_when_the_one_before_is_done(root: Path) -> None:
    """Once there are two versions with scores, no step is left."""
    write_executor(root.parent / "config", 0)
    run, keep = f"evalcore run {root}", f"evalcore snapshot {root}"
    grade(root, 0)
    assert shown(root) == [("done", "", ""), ("next", "", keep), ("later", "New run", run)]
    change(root)
    assert shown(root) == [("done", "", ""), ("done", "", ""), ("next", "New run", run)]
    grade(root, 1)
    assert shown(root) == []


def test_outputs_that_wait_are_judged_before_anything_else(root: Path) -> None:
    """The command that would run them once more is not offered beside that."""
    for case in CASES:
        place = root / f"{SUITE}-workspace/v0/runs/{case}/run-1"
        place.mkdir(parents=True)
        (place / "changes.md").write_text("Done.")
    assert shown(root)[0] == ("next", "Judge 3 runs", "")
    ws = open_workspace(root, cache=False)
    assert first_steps(ws, SUITE)[0].text == "Run the 3 cases, and judge what came out."


def test_what_can_be_compared_or_cannot_be_run_has_no_steps(tmp_path: Path) -> None:
    """The demo shows its verdicts."""
    shutil.copytree(packaged(), tmp_path / "demo")
    ws = open_workspace(tmp_path / "demo", cache=False)
    assert {suite: first_steps(ws, suite) for suite in ("release-notes", "triage-agent")} == {
        "release-notes": (), "triage-agent": (),
    }  # fmt: skip
