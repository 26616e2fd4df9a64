"""Whatever a transcript holds, it is read within bounds, and what nobody understands is kept."""

from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.steps.collecting import MAX_STEPS
from evalcore.steps.markdown import without_marks
from evalcore.steps.model import Steps, as_text
from evalcore.steps.reading import read_log, read_steps

WORDS = st.sampled_from([
    "type", "role", "content", "message", "tool_use", "tool_result", "id", "user", "assistant",
    "tool_calls", "function", "part", "parts", "state", "item", "item.completed", "payload",
    "usage", "timestamp", "resourceSpans", "scopeSpans", "spans", "attributes", "key", "value",
    "response_item", "event_msg", "result", "error", "info", "messages", "reasoning", "tool",
])  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False)
    | st.text(max_size=8) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=25,
)  # fmt: skip


def sound(found: Steps) -> bool:
    """Return whether steps keep what is promised of all steps."""
    turns = [step.turn for step in found.steps]
    return (
        [step.position for step in found.steps] == list(range(len(found.steps)))
        and turns == sorted(turns)
        and all(step.parent is None or step.parent < step.position for step in found.steps)
        and all(step.tokens is None or step.tokens >= 0 for step in found.steps)
        and all(step.duration_s is None or step.duration_s >= 0 for step in found.steps)
        and all(as_text(step.text or "").encode() is not None for step in found.steps)
    )


@given(st.lists(JSON, max_size=6))
def test_any_json_is_read(values: list[Any]) -> None:
    """As a document, as lines, and as a log of calls."""
    assert sound(read_steps(orjson.dumps(values)))
    assert sound(read_steps(b"\n".join(map(orjson.dumps, values))))
    assert sound(read_log(values, "r.json", ""))


@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    """They are text that nobody understands, at worst."""
    assert sound(read_steps(data))
    assert sound(read_steps(b"## User\n" + data))


@given(st.text(max_size=80))
@example("**read_file**\n\n```\n{}\n```\n\n```\nfound\n```")
@example("## Step 2\n\\# x\n*tokens not reported, 1.0 s*")
def test_words_of_a_model_are_never_taken_for_marks(text: str) -> None:
    """What a model says cannot look like a tool that it used."""
    plain = as_text(text.replace("\r", "").replace("\0", "").strip())
    own = f"## Step 1\n\n{without_marks(plain)}\n\n*tokens not reported, 1.0 s*\n"
    found = read_steps(own.encode())
    assert [(step.kind, step.text) for step in found.steps] == [("assistant", plain)] * bool(plain)


def test_a_broken_line_is_kept_as_text_and_counted() -> None:
    """The lines around it are read."""
    good = orjson.dumps({"role": "user", "content": "a"})
    found = read_steps(b"\n".join([good, b'{"role": "assist', good]))
    assert found.unread == 1
    assert [step.kind for step in found.steps] == ["user", "text", "user"]


def test_an_unknown_event_is_kept_as_text_and_counted() -> None:
    """A newer agent loses nothing."""
    found = read_steps(b'{"kind": "x"}\n{"type": "new.event", "payload": 1}\n')
    assert (found.unread, found.understood) == (2, 0)


def test_of_more_steps_than_are_kept_the_others_are_counted() -> None:
    """A result of a call that is kept finds it all the same."""
    call = {"type": "function_call", "call_id": "c", "name": "read", "arguments": "{}"}
    said = {"role": "assistant", "content": "x"}
    gave = {"type": "function_call_output", "call_id": "c", "output": "y"}
    found = read_steps(orjson.dumps([call, *[said] * (MAX_STEPS + 5), gave]))
    assert (len(found.steps), found.left_out) == (MAX_STEPS, 6)
    assert found.steps[0].result == "y"


def test_ids_that_repeat_join_each_call_with_the_result_after_it() -> None:
    """Never one with all."""
    call = {"type": "function_call", "call_id": "c", "name": "read", "arguments": "{}"}
    gave = {"type": "function_call_output", "call_id": "c"}
    values = [call, gave | {"output": "1"}, call, gave | {"output": "2"}, gave | {"output": "3"}]
    found = read_steps(orjson.dumps(values)).steps
    assert [(step.kind, step.result) for step in found] == [
        ("tool_call", "1"),
        ("tool_call", "2"),
        ("tool_result", "3"),
    ]


@pytest.mark.parametrize(
    "usage",
    [{"input_tokens": -5}, {"input_tokens": 1e300}, {"total_tokens": "many"}, {"input": True}],
)
def test_an_amount_that_cannot_be_is_not_known(usage: dict[str, Any]) -> None:
    """It is no number of tokens."""
    data = orjson.dumps([{"role": "assistant", "content": "a", "usage": usage}])
    assert [step.tokens for step in read_steps(data).steps] == [None]


def test_deep_nesting_is_read() -> None:
    """What is too deep to be shown says so."""
    deep = b"[" * 900 + b"]" * 900
    call = b'[{"type": "tool_use", "id": "a", "name": "x", "input": %b}]' % deep
    (step,) = read_steps(call).steps
    assert as_text(step.arguments) == "[nested too deeply to be shown]"
    assert sound(read_steps(b'[{"role": "user", "content": %b}]' % deep))


@pytest.mark.parametrize("role", [[], {}, 7, None])
def test_a_role_may_be_anything(role: Any) -> None:
    """What an event is says its type then."""
    found = read_steps(orjson.dumps({"type": "user", "role": role, "content": "a"}))
    assert [step.text for step in found.steps] == ["a"]
