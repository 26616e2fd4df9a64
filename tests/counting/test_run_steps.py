"""The steps of a run are found beside it, among its outputs or in its record, when asked for."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from evalcore import open_workspace
from evalcore.counting.run_criteria import run_row
from evalcore.counting.run_steps import steps_of
from evalcore.tables.rows import StepRow, columns
from tests.families.build import write

RUN = "w/iteration-1/e/with_skill/run-1"
CALL = {"type": "tool_use", "id": "t", "name": "Read", "input": {"path": "a"}}
MESSAGES = [
    {"role": "user", "content": "Go."},
    {"role": "assistant", "content": [CALL]},
    {"role": "assistant", "content": "Done."},
]
GRADING = {"expectations": [{"text": "a", "passed": True, "evidence": "b"}]}


def made(root: Path, **files: Any) -> Path:
    """Return a folder with one run, and files in its folder."""
    beside = {f"{RUN}/{name.replace('__', '.')}": value for name, value in files.items()}
    return write(root, {f"{RUN}/grading.json": GRADING, **beside})


def told(root: Path) -> tuple[list[str], str | None]:
    """Return the kinds of the steps of the only run, and where they stand."""
    ws = open_workspace(root, cache=False)
    found = steps_of(ws, run_row(ws, ws.tables.runs["run_id"][0]))
    return [step.kind for step in found.steps], found.source


KINDS = ["user", "tool_call", "assistant"]


@pytest.mark.parametrize("name", ["transcript__json", "messages__json", "trace__json"])
def test_a_transcript_lies_beside_its_run(tmp_path: Path, name: str) -> None:
    """Under any of the names that tools use."""
    assert told(made(tmp_path, **{name: MESSAGES})) == (KINDS, f"{RUN}/{name.replace('__', '.')}")


def test_of_several_the_one_that_tells_most_of_tools_counts(tmp_path: Path) -> None:
    """They are not mixed, as each tells the same."""
    root = made(tmp_path, transcript__md="# Transcript\n\n1. Read a.\n", transcript__json=MESSAGES)
    assert told(root) == (KINDS, f"{RUN}/transcript.json")


def test_a_run_without_a_transcript_has_no_steps(tmp_path: Path) -> None:
    """And no source."""
    assert told(made(tmp_path)) == ([], None)


def test_the_table_holds_the_steps_of_all_runs(tmp_path: Path) -> None:
    """Its texts are fetched apart, as those of other tables."""
    ws = open_workspace(made(tmp_path, transcript__json=MESSAGES), cache=False)
    frame = ws.tables.steps
    assert list(frame) == [name for name, kind in columns(StepRow).items() if kind != "text"]
    assert [*frame["kind"]] == KINDS
    assert [*frame["pointer"]] == ["/0", "/1/content/0", "/2"]
    texts = ws.tables.text("steps")
    assert [*texts["arguments"]] == [None, '{"path":"a"}', None]
    assert [*texts["text"]] == ["Go.", None, "Done."]


@pytest.mark.parametrize("name", ["transcript__json", "transcript__jsonl"])
def test_opening_reads_no_transcript(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Nor does any other table: those of a suite may be many times larger than all else in it."""
    root = made(tmp_path, **{name: MESSAGES})
    read: list[str] = []
    whole = os.open

    def noted(path: Any, *how: Any, **more: Any) -> int:
        read.append(Path(os.fsdecode(path)).name)
        return whole(path, *how, **more)

    monkeypatch.setattr(os, "open", noted)
    ws = open_workspace(root, cache=False)
    assert len(ws.tables.runs) == 1
    assert "grading.json" in read
    assert name.replace("__", ".") not in read
    assert len(ws.tables.steps) == 3
    assert name.replace("__", ".") in read


def test_what_is_hidden_from_a_judge_is_not_read(tmp_path: Path) -> None:
    """Its steps would tell the version."""
    ws = open_workspace(made(tmp_path, transcript__json=MESSAGES), cache=False)
    run_id = ws.tables.runs["run_id"][0]
    hiding = ws.hiding([run_id], "ana")
    assert steps_of(hiding, run_row(hiding, run_id)).steps == ()
    assert len(hiding.tables.steps) == 0


@pytest.mark.parametrize("written", [list, json.dumps])
def test_the_log_of_an_agent_run_belongs_to_its_test_run(tmp_path: Path, written: Any) -> None:
    """A list, or a list in a text, as records of seed 001 hold it."""
    log = written([{"tool": "search", "input": {"q": "x"}, "output": "y"}])
    case = {"id": "c", "type": "test-case", "fields": {"name": "c", "input": "x"}}
    run = {
        "id": "r",
        "type": "test-run",
        "fields": {"testCaseId": "c", "agentRunId": "a", "totalScore": 1.0, "passed": True},
    }
    agent = {"id": "a", "type": "agent-run", "fields": {"toolCallsLog": log}}
    root = write(tmp_path, {"s/c.json": case, "s/r.json": run, "s/a.json": agent})
    assert told(root) == (["tool_call"], "s/a.json")
