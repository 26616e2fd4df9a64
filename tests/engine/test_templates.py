"""The ready templates read what the documentation of each program says it prints."""

import json

import pytest

from evalcore.engine.executing.reading import Read, read_output
from evalcore.engine.plan import Executor, Reading, Template
from evalcore.engine.templates import READY
from tests.engine.conftest import Made, ran

CLAUDE: dict[str, object] = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "duration_ms": 1542,
    "num_turns": 3,
    "result": "The notes are written.",
    "session_id": "4b6956d1",
    "total_cost_usd": 0.0897,
    "usage": {
        "input_tokens": 6,
        "cache_creation_input_tokens": 7147,
        "cache_read_input_tokens": 64137,
        "output_tokens": 398,
    },
}
CODEX: list[dict[str, object]] = [
    {"type": "thread.started", "thread_id": "0199a213"},
    {"type": "turn.started"},
    {"type": "item.completed", "item": {"type": "agent_message", "text": "I look first."}},
    {
        "type": "item.completed",
        "item": {"type": "command_execution", "command": "ls", "status": "completed"},
    },
    {"type": "item.completed", "item": {"type": "agent_message", "text": "It is there."}},
    {"type": "item.completed", "item": {"type": "reasoning", "text": "**Done**"}},
    {
        "type": "turn.completed",
        "usage": {"input_tokens": 24763, "cached_input_tokens": 24448, "output_tokens": 122},
    },
]
GEMINI: dict[str, object] = {
    "session_id": "a",
    "response": "The capital of France is Paris.",
    "stats": {
        "models": {
            "gemini-2.5-pro": {"tokens": {"prompt": 24939, "candidates": 20, "total": 25113}},
            "gemini-2.5-flash": {"tokens": {"prompt": 8965, "candidates": 10, "total": 9033}},
        },
        "tools": {"totalCalls": 1},
    },
}
OPENCODE: list[dict[str, object]] = [
    {"type": "step_start", "sessionID": "s", "part": {"type": "step-start"}},
    {"type": "text", "sessionID": "s", "part": {"type": "text", "text": "I look first."}},
    {"type": "tool_use", "part": {"type": "tool", "tool": "read", "state": {"output": "x"}}},
    {
        "type": "step_finish",
        "part": {
            "reason": "tool-calls",
            "cost": 0.03,
            "tokens": {
                "total": 8086,
                "input": 3,
                "output": 7,
                "reasoning": 0,
                "cache": {"write": 8076, "read": 0},
            },
        },
    },
    {"type": "text", "sessionID": "s", "part": {"type": "text", "text": "It is there."}},
    {
        "type": "step_finish",
        "part": {
            "reason": "stop",
            "cost": 0.002,
            "tokens": {
                "total": 7065,
                "input": 1662,
                "output": 8,
                "reasoning": 15,
                "cache": {"write": 0, "read": 5380},
            },
        },
    },
]


def lines(values: list[dict[str, object]]) -> str:
    """Return one JSON object a line."""
    return "".join(json.dumps(value) + "\n" for value in values)


@pytest.mark.parametrize(
    ("name", "printed", "read"),
    [
        ("claude", json.dumps(CLAUDE), Read("The notes are written.", 71688, 0.0897)),
        ("codex", lines(CODEX), Read("It is there.", 24885)),
        ("gemini", json.dumps(GEMINI, indent=2), Read("The capital of France is Paris.", 34146)),
        ("opencode", lines(OPENCODE), Read("It is there.", 15151, 0.032)),
    ],
)
def test_a_documented_output_is_read(name: str, printed: str, read: Read) -> None:
    """The reply, all tokens whether cached or not, and the cost where it is told."""
    assert read_output(printed, READY[name].reading) == read


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("claude", {**CLAUDE, "subtype": "error_during_execution", "is_error": True}),
        ("codex", {"type": "turn.failed", "error": {"message": "model is unavailable"}}),
        ("gemini", {"error": {"type": "ApiError", "message": "quota", "code": 429}}),
        ("opencode", {"type": "error", "error": {"name": "APIError", "data": {"message": "no"}}}),
    ],
)
def test_a_documented_failure_is_one(name: str, value: dict[str, object]) -> None:
    """Also where the program ends with exit code 0."""
    assert read_output(json.dumps(value), READY[name].reading).failed


def test_a_lost_connection_that_came_back_is_no_failure() -> None:
    """Codex says `error` with a message while it tries again, and completes its turn."""
    again: dict[str, object] = {"type": "error", "message": "Reconnecting... 1/5"}
    assert not read_output(lines([again, *CODEX]), READY["codex"].reading).failed
    assert not read_output(json.dumps({**GEMINI, "error": None}), READY["gemini"].reading).failed


@pytest.mark.parametrize("text", ["", "Sorry, no.\n", "[1]", "{", '{"part": 3}'])
def test_other_output_is_the_reply(text: str) -> None:
    """Whatever a program prints that is not of its documented form, nothing is lost."""
    for template in READY.values():
        if template.reading.form != "text":
            assert read_output(text, template.reading) == Read(text.strip())


def test_the_last_line_counts_unless_all_do() -> None:
    """Some programs repeat a running total, others say what each step took."""
    printed = lines([{"n": 1}, {"n": 2}, {"n": None}])
    assert read_output(printed, Reading("jsonl", tokens=("n",))).tokens == 2
    assert read_output(printed, Reading("jsonl", tokens=("n",), each_line=True)).tokens == 3


def test_no_template_skips_permissions_or_puts_the_prompt_into_the_command() -> None:
    """They write in their folder; a prompt may be long, and begin with a hyphen."""
    for template in READY.values():
        words = " ".join(template.command)
        assert "{prompt}" not in words
        assert not any(word in words for word in ("skip-perm", "bypass", "yolo", "danger", "auto "))


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ('{"is_error": true, "result": "API Error: 429 rate_limit_error"}', "rate_limited"),
        ('{"is_error": true, "result": "The file is missing."}', "error"),
        ('{"is_error": false, "result": "A rate limit is 429."}', "completed"),
    ],
)
def test_an_answer_that_says_so_is_a_rate_limit(made: Made, said: str, status: str) -> None:
    """Only one that says that it failed."""
    template = Template(("/bin/sh", "-c", f"echo '{said}'"), reading=READY["claude"].reading)
    folder = ran(made("x"), Executor("said", "command", template, "yours"), limits={"retries": 0})
    assert [one.status for one in folder.progress().runs] == [status]
