"""What an agent prints as events is kept as the steps of its run, whichever template runs it."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from evalcore.counting.run_criteria import run_row
from evalcore.counting.run_steps import steps_of
from evalcore.engine.plan import Executor, Reading, Template
from evalcore.engine.written import places
from tests.engine.conftest import Made, opened, planned, ran
from tests.engine.people import store

USED = {"input_tokens": 40, "output_tokens": 2}
EVENTS: list[dict[str, Any]] = [
    {"type": "system", "subtype": "init", "model": "m-1"},
    {
        "type": "assistant",
        "message": {
            "id": "m1",
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "a"}}
            ],
        },
    },
    {
        "type": "user",
        "message": {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "No such file."}],
        },
    },
    {
        "type": "assistant",
        "message": {
            "id": "m2",
            "role": "assistant",
            "content": [{"type": "text", "text": "It is done."}],
        },
    },
    {
        "type": "result",
        "result": "It is done.",
        "is_error": False,
        "usage": USED,
        "total_cost_usd": 0.5,
    },
]
STREAM = "".join(json.dumps(each) + "\n" for each in EVENTS)
WORDS = '{"not": "an event"}\n{"of": "any agent"}\n'
KNOWN = Reading(
    "jsonl",
    reply="result",
    when="type=result",
    tokens=("usage.input_tokens", "usage.output_tokens"),
)


def printing(text: str, reading: Reading = KNOWN) -> Executor:
    """Return an executor that prints a text."""
    code = f"import sys; sys.stdin.read(); sys.stdout.write({text!r})"
    return Executor(
        "printer",
        "command",
        Template(command=(sys.executable, "-c", code), reading=reading),
        "yours",
    )


def the_steps(root: Path) -> list[tuple[str, str | None]]:
    """Return kind and tool of each step of the only run."""
    ws = opened(root)
    found = steps_of(ws, run_row(ws, ws.tables.runs["run_id"].iloc[0]))
    return [(step.kind, step.tool) for step in found.steps]


def test_what_is_printed_before_the_events_is_kept_with_them(made: Made) -> None:
    """Some agents say first how they were started."""
    root = made("go")
    ran(root, printing(f"Credentials are loaded.\n{STREAM}", Reading()))
    assert the_steps(root)[0] == ("text", None)
    assert ("tool_call", "Read") in the_steps(root)


@pytest.mark.parametrize("reading", [KNOWN, Reading()])
def test_events_are_kept_beside_the_run_and_read_as_its_steps(made: Made, reading: Reading) -> None:
    """The answer among them is the reply, also where no template says how they are read."""
    root = made("go", expectations=['contains "It is done."'])
    folder = ran(root, printing(STREAM, reading))
    (kept,) = root.rglob("transcript.jsonl")
    assert kept.read_text() == STREAM
    assert kept.with_name("transcript.md").read_text().strip() == "It is done."
    assert the_steps(root) == [("tool_call", "Read"), ("assistant", None)]
    (run,) = opened(root).tables.runs.itertuples()
    assert (run.fraction, run.tokens) == (1.0, 42)
    assert str(kept.relative_to(root)) in folder.progress().runs[0].paths


def test_words_that_look_like_json_are_no_events(made: Made) -> None:
    """A model may answer in lines of JSON: they are its reply."""
    root = made("go")
    ran(root, printing(WORDS, Reading()))
    assert [*root.rglob("transcript.jsonl")] == []
    assert "any agent" in next(root.rglob("transcript.md")).read_text()


def test_rules_about_steps_are_decided_by_the_events(made: Made) -> None:
    """A tool that was used is found; one that was not is a failure, not unknown."""
    checks = [
        {"id": "S1", "text": "Reads", "type": "used_tool", "tool": "Read", "critical": False},
        {"id": "S2", "text": "Writes", "type": "used_tool", "tool": "Write", "critical": False},
    ]
    root = made("go", checks=checks)
    ran(root, printing(STREAM))
    judged = opened(root).tables.judgments
    judged = judged[judged["kind"] == "structural"]
    assert dict(zip(judged["criterion"], judged["passed"], strict=True)) == {
        "S1": True,
        "S2": False,
    }


def test_a_plan_names_the_place_of_the_events(made: Made) -> None:
    """It says before a run starts what may be written."""
    found = places(planned(made("go"), printing(STREAM)).plan)
    assert [place for place in found if place.endswith("/transcript.jsonl")]


def test_a_record_logs_the_calls(tmp_path: Path) -> None:
    """A store of records has no folders beside its runs: the agent-run has the log."""
    store(tmp_path)
    ran(tmp_path, printing(STREAM), configurations=("-",), judge="none")
    made = [json.loads(path.read_text()).get("fields", {}) for path in tmp_path.rglob("*.json")]
    logs = [each["toolCallsLog"] for each in made if "toolCallsLog" in each]
    call = {"tool": "Read", "status": "ok", "input": '{"file_path":"a"}', "output": "No such file."}
    assert logs == [[call]]
