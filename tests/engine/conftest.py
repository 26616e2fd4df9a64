"""A small suite of each kind, and an executor that does what its prompt says."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalcore.engine.plan import Executor, Limits, Reading, Template
from evalcore.engine.planning import Request, make_plan
from evalcore.engine.process import work
from evalcore.engine.store import RunFolder, new_run
from evalcore.workspace.opened import Workspace, open_workspace

FAKE = Path(__file__).with_name("fake_agent.py")


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what evalcore remembers in the folder of the test."""
    for name in ("STATE", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"EVALCORE_{name}_DIR", str(tmp_path / name.lower()))


def fake(**given: Any) -> Executor:
    """Return the executor whose program does what the prompt says."""
    template = Template(command=(sys.executable, "-I", str(FAKE)), **given)
    return Executor("fake", "command", template, "yours")


def fake_json() -> Executor:
    """Return the same, which tells its reply and what it used as JSON."""
    reading = Reading("json", "result", ("usage.in", "usage.out"), "cost", "model", "is_error")
    template = Template(command=(sys.executable, "-I", str(FAKE), "--json"), reading=reading)
    return Executor("fake", "command", template, "yours")


def write(path: Path, value: Any) -> None:
    """Write a JSON document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


Made = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """Return a function that makes a folder with one suite, whose cases have these prompts."""

    def make(
        *prompts: str,
        expectations: list[str] | None = None,
        checks: list[dict[str, Any]] | None = None,
        **fields: Any,
    ) -> Path:
        root = tmp_path / "folder"
        skill = root / "writer"
        skill.mkdir(parents=True, exist_ok=True)
        (skill / "SKILL.md").write_text("---\nname: writer\ndescription: Use when\n---\nWrite.\n")
        texts = ['contains "done"'] if expectations is None else expectations
        evals = [
            {"id": number, "prompt": prompt, "expected_output": "", "expectations": texts}
            for number, prompt in enumerate(prompts, 1)
        ]
        if checks is not None:
            evals = [{**each, "structural_expectations": checks} for each in evals]
        write(skill / "evals" / "evals.json", {"skill_name": "writer", "evals": evals, **fields})
        return root

    return make


def opened(root: Path) -> Workspace:
    """Open a folder without an index."""
    return open_workspace(root, cache=False)


def planned(root: Path, executor: Executor | None = None, **asked: Any) -> RunFolder:
    """Plan a run of the only suite of a folder, with the skill only."""
    limits = Limits(**{"concurrency": 2, "seconds": 120.0, "retries": 0, **asked.pop("limits", {})})
    asked.setdefault("configurations", ("with_skill",))
    request = Request(executor=executor or fake(), limits=limits, **asked)
    ws = opened(root)
    suite = str(ws.tables.suites["suite"].iloc[0])
    return new_run(make_plan(ws, suite, request))


def ran(root: Path, executor: Executor | None = None, **asked: Any) -> RunFolder:
    """Plan a run and carry it out in this process."""
    folder = planned(root, executor, **asked)
    work(folder.id)
    return folder
