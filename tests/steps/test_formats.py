"""The transcripts of each agent give the same steps; the fixtures are made up."""

import json
from typing import Any, Final

import orjson
import pytest

from evalcore.steps.reading import read_log, read_steps

ASKED: Final = "Sum the invoices."
PATH: Final = {"path": "march.csv"}
BROKEN: Final = "No such file: march.csv"
DONE: Final = "There is no march.csv."

Told = tuple[int, str, str | None, Any, str | None]

AS_ALL_TELL: Final[list[Told]] = [
    (1, "user", None, None, ASKED),
    (1, "tool_call", "read", PATH, BROKEN),
    (2, "assistant", None, None, DONE),
]
"""A question, a tool that failed, and the answer, as (turn, kind, tool, arguments, words)."""


def lines(*values: Any) -> bytes:
    """Return values as JSON lines."""
    return b"\n".join(map(orjson.dumps, values))


def claude(role: str, *content: Any, **more: Any) -> dict[str, Any]:
    """Return a line of Claude Code."""
    return {"type": role, "message": {"role": role, "content": list(content)}, **more}


def attributes(**values: str) -> list[dict[str, Any]]:
    """Return the attributes of a span."""
    named = {name.replace("__", "."): value for name, value in values.items()}
    return [{"key": name, "value": {"stringValue": value}} for name, value in named.items()]


def otlp(*spans: Any) -> bytes:
    """Return an export of spans."""
    return orjson.dumps({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]})


ARGUMENTS: Final = orjson.dumps(PATH).decode()
TEXT: Final = {"type": "text", "text": ASKED}
GEMINI_CALL: Final = {"id": "r", "name": "read", "args": PATH, "status": "executing"}
FORMATS: Final[dict[str, bytes]] = {
    "Claude Code": lines(
        {"type": "system", "subtype": "init", "model": "m", "tools": ["read"]},
        claude("user", TEXT),
        claude("assistant", {"type": "tool_use", "id": "t1", "name": "read", "input": PATH}),
        claude(
            "user",
            {"type": "tool_result", "tool_use_id": "t1", "content": BROKEN, "is_error": True},
        ),
        claude("assistant", {"type": "text", "text": DONE}),
        {"type": "result", "subtype": "success", "total_cost_usd": 0.2, "duration_ms": 900},
    ),
    "Codex, as it works": lines(
        {"type": "thread.started", "thread_id": "x"},
        {"role": "user", "content": ASKED},
        {
            "type": "item.completed",
            "item": {
                "id": "i1",
                "type": "mcp_tool_call",
                "tool": "read",
                "arguments": PATH,
                "error": {"message": BROKEN},
                "status": "failed",
            },
        },
        {"type": "item.completed", "item": {"id": "i2", "type": "agent_message", "text": DONE}},
        {"type": "turn.completed", "usage": {"input_tokens": 7, "output_tokens": 3}},
    ),
    "Codex, a session": lines(
        {"type": "session_meta", "payload": {"id": "x"}},
        {
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": ASKED}],
            },
        },
        {
            "type": "response_item",
            "payload": {
                "type": "function_call",
                "name": "read",
                "arguments": ARGUMENTS,
                "call_id": "c",
            },
        },
        {
            "type": "response_item",
            "payload": {
                "type": "function_call_output",
                "call_id": "c",
                "output": BROKEN,
                "status": "incomplete",
            },
        },
        {"type": "event_msg", "payload": {"type": "agent_message", "message": DONE}},
        {
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": DONE}],
            },
        },
    ),
    "OpenCode": lines(
        {"role": "user", "content": ASKED},
        {
            "type": "tool_use",
            "timestamp": 1_790_000_000_000,
            "part": {
                "type": "tool",
                "messageID": "m1",
                "callID": "c",
                "tool": "read",
                "state": {"status": "error", "input": PATH, "error": BROKEN},
            },
        },
        {"type": "text", "part": {"type": "text", "messageID": "m2", "text": DONE}},
        {
            "type": "step_finish",
            "part": {"type": "step-finish", "messageID": "m2", "tokens": {"input": 2}},
        },
    ),
    "OpenCode, an exported session": orjson.dumps(
        {
            "info": {"id": "s"},
            "messages": [
                {"info": {"id": "a", "role": "user"}, "parts": [TEXT]},
                {
                    "info": {"id": "b", "role": "assistant"},
                    "parts": [
                        {"type": "step-start"},
                        {
                            "type": "tool",
                            "callID": "c",
                            "tool": "read",
                            "state": {"status": "error", "input": PATH, "error": BROKEN},
                        },
                    ],
                },
                {
                    "info": {"id": "d", "role": "assistant"},
                    "parts": [{"type": "text", "text": DONE}],
                },
            ],
        }
    ),
    "Gemini CLI": b"Loaded cached credentials.\n"
    + lines(
        {"type": "init", "session_id": "x", "model": "m"},
        {"type": "message", "role": "user", "content": ASKED},
        {"type": "tool_use", "tool_name": "read", "tool_id": "r1", "parameters": PATH},
        {
            "type": "tool_result",
            "tool_id": "r1",
            "status": "error",
            "error": {"type": "x", "message": BROKEN},
        },
        {"type": "message", "role": "assistant", "content": DONE[:5], "delta": True},
        {"type": "message", "role": "assistant", "content": DONE[5:], "delta": True},
        {"type": "result", "status": "success", "stats": {"total_tokens": 10}},
    ),
    "Gemini CLI, a session": orjson.dumps(
        {
            "sessionId": "x",
            "messages": [
                {"type": "user", "content": ASKED},
                {
                    "type": "gemini",
                    "content": "",
                    "toolCalls": [
                        {
                            "id": "r",
                            "name": "read",
                            "args": PATH,
                            "status": "error",
                            "result": BROKEN,
                        }
                    ],
                },
                {"type": "gemini", "content": DONE, "tokens": {"total": 5}},
            ],
        }
    ),
    "Gemini CLI, a session in lines": lines(
        {"sessionId": "x", "projectHash": "h", "startTime": "2026-11-01T10:00:00Z"},
        {"id": "0", "type": "user", "content": "Never mind."},
        {"$rewindTo": "0"},
        {"id": "1", "type": "user", "content": [{"text": ASKED}]},
        {"$set": {"lastUpdated": "2026-11-01T10:00:01Z"}},
        {"id": "i", "type": "info", "content": "Loaded."},
        {"id": "2", "type": "gemini", "content": "", "toolCalls": [GEMINI_CALL]},
        {
            "id": "2",
            "type": "gemini",
            "content": "",
            "tokens": {"total": 5},
            "toolCalls": [
                GEMINI_CALL
                | {
                    "status": "error",
                    "result": [{"functionResponse": {"response": {"output": BROKEN}}}],
                }
            ],
        },
        {"id": "3", "type": "gemini", "content": [{"text": DONE}], "tokens": {"total": 5}},
    ),
    "OpenAI chat": orjson.dumps(
        {
            "messages": [
                {"role": "user", "content": ASKED},
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {"id": "c", "function": {"name": "read", "arguments": ARGUMENTS}}
                    ],
                },
                {"role": "tool", "tool_call_id": "c", "content": BROKEN, "status": "error"},
                {"role": "assistant", "content": DONE},
            ]
        }
    ),
    "OpenAI responses": orjson.dumps(
        [
            {"type": "message", "role": "user", "content": ASKED},
            {"type": "function_call", "call_id": "c", "name": "read", "arguments": ARGUMENTS},
            {
                "type": "function_call_output",
                "call_id": "c",
                "output": BROKEN,
                "status": "incomplete",
            },
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": DONE}],
            },
        ]
    ),
    "Anthropic messages": orjson.dumps(
        [
            {"role": "user", "content": ASKED},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "t", "name": "read", "input": PATH}],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "t",
                        "is_error": True,
                        "content": [{"type": "text", "text": BROKEN}],
                    }
                ],
            },
            {"role": "assistant", "content": [{"type": "text", "text": DONE}]},
        ]
    ),
    "Inspect": orjson.dumps(
        {
            "messages": [
                {"id": "1", "role": "user", "content": ASKED},
                {
                    "id": "2",
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [{"id": "c", "function": "read", "arguments": PATH}],
                },
                {
                    "id": "3",
                    "role": "tool",
                    "tool_call_id": "c",
                    "function": "read",
                    "content": "",
                    "error": {"type": "file_not_found", "message": BROKEN},
                },
                {"id": "4", "role": "assistant", "content": DONE},
            ]
        }
    ),
    "pi": orjson.dumps(
        [
            {"type": "message_start", "message": {"role": "user", "content": [TEXT]}},
            {"type": "message_end", "message": {"role": "user", "content": [TEXT]}},
            {
                "type": "message_end",
                "message": {
                    "role": "assistant",
                    "content": [{"type": "toolCall", "id": "c", "name": "read", "arguments": PATH}],
                },
            },
            {
                "type": "message_end",
                "message": {
                    "role": "toolResult",
                    "toolCallId": "c",
                    "isError": True,
                    "content": [{"type": "text", "text": BROKEN}],
                },
            },
            {
                "type": "message_end",
                "message": {"role": "assistant", "content": [{"type": "text", "text": DONE}]},
            },
        ]
    ),
    "OpenTelemetry": otlp(
        {
            "spanId": "b",
            "startTimeUnixNano": "1790000002000000000",
            "endTimeUnixNano": "1790000003000000000",
            "status": {"code": 2, "message": BROKEN},
            "attributes": attributes(
                gen_ai__operation__name="execute_tool",
                gen_ai__tool__name="read",
                gen_ai__tool__call__arguments=ARGUMENTS,
            ),
        },
        {
            "spanId": "a",
            "startTimeUnixNano": "1790000001000000000",
            "attributes": attributes(
                gen_ai__operation__name="chat",
                gen_ai__input__messages=orjson.dumps(
                    [{"role": "user", "parts": [{"type": "text", "content": ASKED}]}]
                ).decode(),
                gen_ai__output__messages=orjson.dumps(
                    [{"role": "assistant", "parts": [{"type": "tool_call", "name": "read"}]}]
                ).decode(),
            ),
        },
        {
            "spanId": "c",
            "startTimeUnixNano": "1790000004000000000",
            "attributes": attributes(
                gen_ai__operation__name="chat",
                gen_ai__output__messages=orjson.dumps(
                    [{"role": "assistant", "parts": [{"type": "text", "content": DONE}]}]
                ).decode(),
            ),
        },
    ),
}


def chat(at: int, **values: Any) -> dict[str, Any]:
    """Return the span of an answer of a model that began so many seconds after the first."""
    written = {name: orjson.dumps(value).decode() for name, value in values.items()}
    return {
        "spanId": f"s{at}",
        "startTimeUnixNano": f"{1_790_000_000 + at}000000000",
        "attributes": attributes(gen_ai__operation__name="chat", **written),
    }


USED: Final = {"type": "tool_call", "id": "c", "name": "read", "arguments": PATH}
GIVEN: Final = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c", "result": "a"}]}
SAID: Final = {"role": "assistant", "parts": [{"type": "text", "content": DONE}]}
QUESTION: Final = {"role": "user", "parts": [{"type": "text", "content": ASKED}]}


def test_calls_without_spans_are_read_from_the_messages() -> None:
    """With what they gave, which stands in the next request."""
    data = otlp(
        chat(1, gen_ai__input__messages=[QUESTION], gen_ai__output__messages=[{"parts": [USED]}]),
        chat(
            2,
            gen_ai__input__messages=[QUESTION, {"role": "assistant", "parts": [USED]}, GIVEN],
            gen_ai__output__messages=[SAID],
        ),
    )
    assert told(data) == [
        (1, "user", None, None, ASKED),
        (1, "tool_call", "read", PATH, "a"),
        (2, "assistant", None, None, DONE),
    ]


def test_a_conversation_that_a_trace_goes_on_with_keeps_its_results() -> None:
    """They are parts of a message of the tool."""
    before = [QUESTION, {"role": "assistant", "parts": [USED]}, GIVEN]
    data = otlp(chat(1, gen_ai__input__messages=before, gen_ai__output__messages=[SAID]))
    assert [(step.kind, step.result) for step in read_steps(data).steps] == [
        ("user", None),
        ("tool_call", "a"),
        ("assistant", None),
    ]


def test_a_span_with_messages_is_an_answer_whatever_it_calls_its_operation() -> None:
    """Some name it completion."""
    span = chat(1, gen_ai__output__messages=[SAID])
    span["attributes"][0]["value"]["stringValue"] = "completion"
    assert told(otlp(span)) == [(1, "assistant", None, None, DONE)]


def test_spans_of_several_exports_are_one_trace() -> None:
    """A span is written when it ends, so a line may hold what began before the line above."""
    later = chat(2, gen_ai__input__messages=[QUESTION], gen_ai__output__messages=[SAID])
    sooner = chat(1, gen_ai__input__messages=[QUESTION], gen_ai__output__messages=[])
    data = otlp(later) + b"\n" + otlp(sooner)
    found = read_steps(data).steps
    assert [(step.kind, str(step.pointer)[:2]) for step in found] == [
        ("user", "/1"),
        ("assistant", "/0"),
    ]


def test_the_messages_of_a_span_may_be_structured() -> None:
    """As lists and pairs of OTLP, and not only as JSON in a text."""

    def typed(value: Any) -> dict[str, Any]:
        if isinstance(value, list):
            return {"arrayValue": {"values": [typed(each) for each in value]}}
        if isinstance(value, dict):
            pairs = [{"key": key, "value": typed(each)} for key, each in value.items()]
            return {"kvlistValue": {"values": pairs}}
        return {"stringValue": value}

    span = chat(1)
    span["attributes"].append({"key": "gen_ai.output.messages", "value": typed([SAID])})
    assert told(otlp(span)) == [(1, "assistant", None, None, DONE)]


def told(data: bytes) -> list[Told]:
    """Return what the steps of a transcript say."""
    return [
        (step.turn, step.kind, step.tool, step.arguments, step.text or step.result)
        for step in read_steps(data).steps
        if step.kind != "text"
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_a_transcript_gives_its_steps(name: str) -> None:
    """Each call is one step with its arguments, what it gave, and that it failed."""
    assert told(FORMATS[name]) == AS_ALL_TELL
    found = read_steps(FORMATS[name])
    assert [step.status for step in found.calls] == ["error"]
    assert found.has_tools
    assert found.unread == (1 if name == "Gemini CLI" else 0)  # what it prints before its events


def test_a_session_of_gemini_cli_is_as_it_was_last_edited() -> None:
    """A checkpoint gives all messages anew; going back to an unknown one leaves nothing."""
    head = {"sessionId": "x", "projectHash": "h"}
    first, second = ({"id": name, "type": "user", "content": name} for name in ("a", "b"))
    for edits, expected in (
        ([first, second, {"$rewindTo": "b"}], ["a"]),
        ([first, {"$rewindTo": "z"}, second], ["b"]),
        ([first, {"$set": {"messages": [second, 7]}}], ["b", "7"]),
        ([first, second, {**first, "content": "c"}], ["c", "b"]),
        (
            [first, {"$set": 7}, {"$rewindTo": ["b"]}, {"id": 7, "type": "user", "content": "d"}],
            ["d"],
        ),
    ):
        assert [step.text for step in read_steps(lines(head, *edits)).steps] == expected


@pytest.mark.parametrize(
    ("state", "status", "result"),
    [("success", "ok", ""), ("cancelled", "error", ""), ("executing", None, None), ([7], "ok", "")],
)
def test_a_call_that_has_not_ended_gave_nothing(
    state: Any, status: str | None, result: str | None
) -> None:
    """So nobody takes it for one that went well."""
    said = {"type": "gemini", "content": "", "toolCalls": [GEMINI_CALL | {"status": state}]}
    (step,) = read_steps(orjson.dumps([said])).steps
    assert (step.status, step.result) == (status, result)


def test_a_warning_is_no_error() -> None:
    """An error is: what Gemini CLI prints, and what its session keeps."""
    data = lines(
        {"type": "error", "severity": "warning", "message": "Loop detected"},
        {"type": "error", "severity": "error", "message": "Quota exceeded"},
        {"id": "1", "type": "error", "content": "Quota exceeded"},
    )
    assert [(step.kind, step.text) for step in read_steps(data).steps] == [
        ("system", "Loop detected"),
        ("error", "Quota exceeded"),
        ("error", "Quota exceeded"),
    ]


def test_a_markdown_transcript_is_read_by_its_headings() -> None:
    """Who speaks, which tool is used, and what it gave."""
    text = (
        f"# Run 1\n\n## User\n{ASKED}\n\n## Tool: read\n```json\n{ARGUMENTS}\n```\n"
        f"## Result\n```\n{BROKEN}\n```\n## Assistant\n{DONE}\n"
    )
    assert told(text.encode()) == AS_ALL_TELL


@pytest.mark.parametrize(
    "held",
    [
        lambda told: {"loglines": told},  # what Claude Code keeps of a session on the web
        lambda told: {"version": 2, "eval": {}, "samples": [{"id": 1, "messages": told}]},
        lambda told: {"task_id": 3, "reward": 1.0, "traj": told},  # a run of tau-bench
        lambda told: {"model": "m", "input": told},  # a request to OpenAI's responses
    ],
)
def test_the_list_of_what_was_said_may_stand_in_a_document(held: Any) -> None:
    """The log of an evaluation by Inspect holds one for each sample."""
    told_by = orjson.loads(FORMATS["Anthropic messages"])
    assert told(orjson.dumps(held(told_by))) == AS_ALL_TELL


def test_of_a_log_with_several_samples_none_is_taken_for_the_run() -> None:
    """Nothing says which of them it is."""
    sample = {"messages": orjson.loads(FORMATS["Anthropic messages"])}
    found = read_steps(orjson.dumps({"eval": {}, "samples": [sample, sample]}))
    assert (found.understood, found.unread) == (0, 1)


def test_plain_messages_do_not_tell_of_tools() -> None:
    """So nobody concludes that none was used."""
    data = orjson.dumps([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}])
    found = read_steps(data)
    assert [step.kind for step in found.steps] == ["user", "assistant"]
    assert not found.has_tools


def test_the_log_of_an_agent_run_is_a_list_of_calls() -> None:
    """As the fourth kind of document of seed 001 writes it, also in a text."""
    log = [{"tool": "read", "input": PATH, "output": "a,b", "durationMs": 250}]
    for written in (log, orjson.dumps(log).decode()):
        (step,) = read_log(written, "r.json", "/fields/toolCallsLog").steps
        assert (step.tool, step.arguments, step.result, step.status) == ("read", PATH, "a,b", "ok")
        assert (step.duration_s, step.pointer) == (0.25, "/fields/toolCallsLog/0")


@pytest.mark.parametrize(
    ("name", "tokens", "cost_usd"),
    [("Claude Code", None, 0.2), ("Codex, as it works", 10, None), ("Gemini CLI", 10, None)],
)
def test_what_a_transcript_says_of_itself_is_kept(
    name: str, tokens: float | None, cost_usd: float | None
) -> None:
    """Beside the steps, as they may add up to something else."""
    stated = read_steps(FORMATS[name]).stated
    assert (stated.tokens, stated.cost_usd) == (tokens, cost_usd)


def test_a_message_of_several_lines_counts_its_tokens_once() -> None:
    """Claude Code repeats them on each line."""
    usage = {"input_tokens": 5, "cache_read_input_tokens": 90, "output_tokens": 5}
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    message = {"id": "m", "role": "assistant", "usage": usage}
    data = lines(*({"type": "assistant", "message": message | {"content": [p]}} for p in parts))
    assert [step.tokens for step in read_steps(data).steps] == [100, None]
    assert [step.turn for step in read_steps(data).steps] == [1, 1]


def test_the_steps_of_a_sub_agent_name_the_call_that_began_it() -> None:
    """The parent is always an earlier step."""
    data = lines(
        claude("assistant", {"type": "tool_use", "id": "t", "name": "Task", "input": {}}),
        claude("assistant", {"type": "text", "text": "inside"}, parent_tool_use_id="t"),
        claude("user", {"type": "tool_result", "tool_use_id": "t", "content": "ok"}),
        claude("assistant", {"type": "text", "text": "outside"}),
    )
    found = read_steps(data).steps
    assert [(step.kind, step.parent) for step in found] == [
        ("sub_agent", None),
        ("assistant", 0),
        ("assistant", None),
    ]


def test_the_time_of_a_call_is_that_until_its_result() -> None:
    """Where nothing states it; a result before its call has none."""
    for end, expected in (("2026-11-01T10:00:02Z", 2.0), ("2026-11-01T09:00:00Z", None)):
        data = lines(
            claude(
                "assistant",
                {"type": "tool_use", "id": "t", "name": "read", "input": {}},
                timestamp="2026-11-01T10:00:00Z",
            ),
            claude("user", {"type": "tool_result", "tool_use_id": "t"}, timestamp=end),
        )
        assert [step.duration_s for step in read_steps(data).steps] == [expected]


def test_a_step_points_to_its_place() -> None:
    """By the number of the line, and the way inside it."""
    found = read_steps(FORMATS["Claude Code"]).steps
    assert [step.pointer for step in found] == [
        "/1/message/content/0",
        "/2/message/content/0",
        "/4/message/content/0",
    ]


@pytest.mark.parametrize(
    ("output", "status", "duration_s", "result"),
    [
        (
            '{"output":"none","metadata":{"exit_code":1,"duration_seconds":0.5}}',
            "error",
            0.5,
            "none",
        ),
        ('{"output":"a","metadata":{"exit_code":0,"duration_seconds":0.5}}', "ok", 0.5, "a"),
        ("Exit code: 2\nWall time: 0.5 seconds\nOutput:\nnone", "error", 0.5, None),
        ("Exit code: 0\nWall time: 0.5 seconds\nOutput:\nExit code: 1\n", "ok", 0.5, None),
        (
            "Chunk ID: 1f\nWall time: 0.5 seconds\nProcess exited with code 127\nOutput:\n",
            "error",
            0.5,
            None,
        ),
        (
            "Wall time: 0.5 seconds\nProcess running with session ID 7\nOutput:\nExit code: 1\n",
            "ok",
            2.0,
            None,
        ),
        ('{"output":"a","metadata":{"exit_code":"1"}}', "ok", 2.0, None),
    ],
)
def test_a_session_of_codex_tells_in_words_how_a_command_ended(
    output: str, status: str, duration_s: float, result: str | None
) -> None:
    """By what stands before the output; what the command printed says nothing."""
    call = {"type": "function_call", "call_id": "c", "name": "shell", "arguments": "{}"}
    given = {"type": "function_call_output", "call_id": "c", "output": output}
    data = lines(
        {"timestamp": "2026-11-01T10:00:00Z", "type": "response_item", "payload": call},
        {"timestamp": "2026-11-01T10:00:02Z", "type": "response_item", "payload": given},
    )
    (step,) = read_steps(data).steps
    assert (step.status, step.duration_s) == (status, duration_s)
    assert step.result == (output if result is None else result)


def test_a_sub_agent_that_is_told_of_as_progress_has_its_steps() -> None:
    """As sessions of Claude Code 2.1 keep it; what tells no message is no step."""

    def progress(role: str, *content: Any) -> dict[str, Any]:
        return {
            "type": "progress",
            "parentToolUseID": "t",
            "data": {"type": "agent_progress", "message": claude(role, *content)},
        }

    data = lines(
        claude("assistant", {"type": "tool_use", "id": "t", "name": "Task", "input": {}}),
        {"type": "progress", "parentToolUseID": "t", "data": {"type": "hook_progress"}},
        progress("user", TEXT),
        progress("assistant", {"type": "tool_use", "id": "i", "name": "read", "input": PATH}),
        progress("user", {"type": "tool_result", "tool_use_id": "i", "content": BROKEN}),
        claude("user", {"type": "tool_result", "tool_use_id": "t", "content": DONE}),
    )
    found = read_steps(data)
    assert [(step.kind, step.parent, step.result) for step in found.steps] == [
        ("sub_agent", None, DONE),
        ("user", 0, None),
        ("tool_call", 0, BROKEN),
    ]
    assert found.unread == 0


def test_what_an_agent_tells_itself_is_not_said_by_a_user() -> None:
    """Claude Code marks it as meta: the words of a skill, for example."""
    data = lines(
        claude("user", TEXT),
        claude("assistant", {"type": "tool_use", "id": "t", "name": "Skill", "input": {}}),
        claude("user", {"type": "tool_result", "tool_use_id": "t", "content": "ok"}),
        claude("user", {"type": "text", "text": "The skill."}, isMeta=True),
        claude("assistant", {"type": "text", "text": DONE}),
    )
    assert [(step.turn, step.kind) for step in read_steps(data).steps] == [
        (1, "user"),
        (1, "tool_call"),
        (1, "system"),
        (2, "assistant"),
    ]


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        ({"type": "result", "is_error": True, "result": "", "errors": ["Denied"]}, "Denied"),
        ({"type": "result", "is_error": True, "result": "", "subtype": "error_max"}, "error_max"),
        ({"type": "result", "is_error": True}, "The run ended with an error."),
        (
            {
                "type": "message_end",
                "message": {
                    "role": "assistant",
                    "content": [],
                    "stopReason": "error",
                    "errorMessage": "Upstream error",
                },
            },
            "Upstream error",
        ),
    ],
)
def test_a_run_that_ended_with_an_error_says_why(ended: dict[str, Any], said: str) -> None:
    """Claude Code and pi."""
    found = read_steps(lines(claude("user", TEXT), ended))
    assert [step.text for step in found.steps if step.kind == "error"] == [said]


def test_what_pi_says_of_itself_is_no_step() -> None:
    """That it tries again, and that it shortens its memory."""
    types = ("auto_retry_start", "auto_retry_end", "auto_compaction_start", "auto_compaction_end")
    assert read_steps(lines(*({"type": each} for each in types))).steps == ()


def test_a_line_with_half_a_character_is_read_like_the_others() -> None:
    """Agents cut texts in the middle of an emoji; of two such lines none was read."""
    data = b'{"role": "user", "content": "Go."}\n{"role": "assistant", "content": "a \\ud83d"}'
    found = read_steps(data)
    assert [(step.kind, step.text) for step in found.steps] == [
        ("user", "Go."), ("assistant", "a ?"),
    ]  # fmt: skip
    assert found.unread == 0


def test_what_a_sub_agent_of_codex_was_asked_is_told() -> None:
    """And what it said at its end."""
    item = {
        "id": "i", "type": "collab_tool_call", "tool": "spawn_agent", "prompt": "Find it.",
        "agents_states": {"w": {"status": "completed", "message": "Found."}}, "status": "completed",
    }  # fmt: skip
    events = [
        {"type": "item.started", "item": {**item, "status": "in_progress", "agents_states": {}}},
        {"type": "item.completed", "item": item},
    ]
    (step,) = read_steps(b"\n".join(map(orjson.dumps, events))).steps
    assert (step.kind, step.tool) == ("sub_agent", "spawn_agent")
    assert (step.arguments, step.result) == ({"prompt": "Find it."}, "Found.")


@pytest.mark.parametrize(
    ("ended", "status"),
    [
        ({"exitCode": 0, "cancelled": False}, "ok"),
        ({"exitCode": 2, "cancelled": False}, "error"),
        ({"cancelled": True}, "error"),
    ],
)
def test_a_command_that_a_person_runs_in_pi_is_a_call(ended: dict[str, Any], status: str) -> None:
    """It stands in a message of its own role, without content."""
    ran = {"role": "bashExecution", "command": "ls", "output": "a", "timestamp": 1, **ended}
    events = [{"type": "message", "message": {"role": "user", "content": "Go."}}]
    data = b"\n".join(map(orjson.dumps, [*events, {"type": "message", "message": ran}]))
    step = read_steps(data).steps[-1]
    assert (step.tool, step.arguments) == ("bash", {"command": "ls"})
    assert (step.result, step.status) == ("a", status)


def test_a_step_in_the_messages_of_a_span_points_to_the_span() -> None:
    """The messages stand in the text of an attribute, so they have no place of their own."""
    said = [{"role": "assistant", "parts": [{"type": "text", "content": "Done."}]}]
    asked = [{"role": "user", "parts": [{"type": "text", "content": "Go."}]}]
    attributes = [
        {"key": name, "value": {"stringValue": value}}
        for name, value in (
            ("gen_ai.operation.name", "chat"),
            ("gen_ai.input.messages", json.dumps(asked)),
            ("gen_ai.output.messages", json.dumps(said)),
        )
    ]
    span = {"spanId": "a", "startTimeUnixNano": "1", "attributes": attributes}
    trace = {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}
    steps = read_steps(orjson.dumps(trace)).steps
    assert [step.text for step in steps] == ["Go.", "Done."]
    assert {step.pointer for step in steps} == {"/resourceSpans/0/scopeSpans/0/spans/0"}


@pytest.mark.parametrize("held", ["samples", "sample"])
def test_a_sample_of_inspect_says_what_it_took(held: str) -> None:
    """The tokens of all models, and its time."""
    sample = {
        "messages": [{"role": "assistant", "content": "Done."}],
        "model_usage": {"m": {"total_tokens": 5}, "n": {"input_tokens": 1, "output_tokens": 2}},
        "total_time": 4.5,
    }
    log = {held: [sample] if held == "samples" else sample}
    took = read_steps(orjson.dumps(log)).totals
    assert (took.tokens, took.duration_s) == (8, 4.5)
    assert read_steps(orjson.dumps(sample)).totals == took


def test_an_answer_of_which_only_the_size_is_recorded_is_a_step() -> None:
    """As spans are by default: with tokens and times, and without what was said."""
    attributes = [
        {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
        {"key": "gen_ai.usage.input_tokens", "value": {"intValue": "850"}},
        {"key": "gen_ai.usage.output_tokens", "value": {"intValue": "320"}},
    ]
    span = {"spanId": "a", "startTimeUnixNano": "1718800000000000000", "attributes": attributes}
    trace = {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}
    found = read_steps(orjson.dumps(trace))
    assert [(step.kind, step.text, step.tokens) for step in found.steps] == [
        ("assistant", "[the trace does not record what was said]", 1170),
    ]  # fmt: skip
    assert found.totals.turns == 1


def test_an_older_session_of_gemini_cli_calls_its_answers_model() -> None:
    """They were kept as text that nobody could read."""
    said = [{"type": "user", "content": "Go."}, {"type": "model", "content": "Done."}]
    found = read_steps(orjson.dumps({"sessionId": "s", "projectHash": "p", "messages": said}))
    assert [(step.kind, step.text) for step in found.steps] == [
        ("user", "Go."), ("assistant", "Done."),
    ]  # fmt: skip


def test_what_else_a_message_of_opencode_holds_is_understood() -> None:
    """A part that nobody knows would leave rules about what is absent undecided."""
    parts = [
        {"type": "step-start"},
        {"type": "agent", "name": "plan"},
        {"type": "subtask", "prompt": "Look.", "agent": "plan"},
        {
            "type": "retry",
            "attempt": 1,
            "error": {"name": "APIError", "data": {"message": "Wait."}},
        },
        {"type": "compaction", "auto": True},
    ]
    export = {"info": {"id": "s"}, "messages": [{"info": {"role": "user"}, "parts": parts}]}
    found = read_steps(orjson.dumps(export))
    assert [(step.kind, step.text) for step in found.steps] == [
        ("user", "@plan"), ("user", "Look."), ("system", "Wait."),
    ]  # fmt: skip
    assert found.unread == 0


def test_what_claude_code_says_of_its_queue_is_no_step() -> None:
    """As 2.1.280 prints it: kept as text it would leave rules about what is absent undecided."""
    queued = {"type": "command_lifecycle", "command_uuid": "u", "state": "queued"}
    said = {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}
    events = [queued, {"type": "assistant", "message": said}]
    found = read_steps(b"\n".join(map(orjson.dumps, events)))
    assert [step.text for step in found.steps] == ["Done."]
    assert found.unread == 0
