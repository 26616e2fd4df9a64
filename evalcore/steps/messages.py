"""Messages and their parts, as the interfaces of models and most agents write them.

OpenAI (chat and responses), Anthropic, Gemini, OpenTelemetry, Inspect, pi, OpenCode, Codex, and
lists of {role, content}: they differ in names, not in what they say.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

from evalcore.steps.collecting import Collector
from evalcore.steps.model import (
    Kind,
    Spent,
    amount,
    as_text,
    first,
    joined,
    moment,
    seconds_between,
    tokens_of,
)

ROLES: Final[Mapping[str, Kind]] = {
    "user": "user",
    "human": "user",
    "system": "system",
    "developer": "system",
    "assistant": "assistant",
    "model": "assistant",
    "ai": "assistant",
    "gemini": "assistant",
}
TOOL_ROLES: Final = frozenset({"tool", "function", "toolResult", "ipython"})

_IDS: Final = (
    "tool_use_id", "tool_call_id", "call_id", "toolCallId", "callID", "tool_id", "id",
)  # fmt: skip
_NAMES: Final = ("name", "tool_name", "toolName", "tool")
_ARGUMENTS: Final = ("input", "arguments", "args", "parameters")
_RESULTS: Final = ("output", "content", "response", "result", "aggregated_output")
_FAILED: Final = frozenset({"error", "failed", "failure", "incomplete", "cancelled"})
_GOING_ON: Final = frozenset({
    "in_progress", "pending", "running", "validating", "scheduled", "awaiting_approval",
    "executing",
})  # fmt: skip
"""The states of a call that has not ended."""
_MAX_DEPTH: Final = 8


def is_message(value: object) -> bool:
    """Return whether a value is a message: a role, with what was said or done."""
    if not isinstance(value, Mapping):
        return False
    role = value.get("role")
    return isinstance(role, str) and (role in ROLES or role in TOOL_ROLES)


def message(out: Collector, value: Mapping[str, Any], at: str) -> None:
    """Take in the steps of one message; the collector knows already which message it is."""
    role = value.get("role")
    role = role if isinstance(role, str) else ""
    kind = ROLES.get(role, "assistant")
    if role == "bashExecution":
        stopped = {"status": "cancelled"} if value.get("cancelled") is True else {}
        _did(out, {"type": role, **value, **stopped}, at)
        return
    lists = (value.get(name) for name in ("content", "parts"))
    parts = [each for held in lists if isinstance(held, list) for each in held]
    # The results in a message may name their calls themselves.
    named = any(isinstance(each, Mapping) and str(each.get("type")) in _GAVE for each in parts)
    if role in TOOL_ROLES and not named:
        said = plain(first(value, "content", "output"))
        error = value.get("error")
        text = joined([said, error_text(error)]) if error else said
        out.result(first(value, *_IDS), text, at, failed=_failed(value), tool=first(value, *_NAMES))
        return
    for name in ("reasoning_content", "reasoning"):
        if isinstance(value.get(name), str):
            out.say("thinking", value[name], f"{at}/{name}")
    for name in ("content", "parts"):
        content = value.get(name)
        if isinstance(content, str):
            out.say(kind, content, at)
        elif isinstance(content, list):
            for number, each in enumerate(content):
                part(out, each, f"{at}/{name}/{number}", kind)
        elif content is not None:
            part(out, content, f"{at}/{name}", kind)
    for name in ("tool_calls", "toolCalls"):
        calls = value.get(name)
        for number, each in enumerate(calls if isinstance(calls, list) else ()):
            logged_call(out, each, f"{at}/{name}/{number}")
    if isinstance(value.get("function_call"), Mapping):
        logged_call(out, value["function_call"], f"{at}/function_call")
    error = value.get("error") or value.get("errorMessage")
    if error and isinstance(error, str | Mapping):
        out.say("error", error_text(error), at)


def spent(value: Mapping[str, Any]) -> Spent:
    """Return the tokens and US dollars that a message says it took."""
    usage = first(value, "usage", "tokens", "usageMetadata")
    cost: Any = usage.get("cost") if isinstance(usage, Mapping) else None
    cost = cost.get("total") if isinstance(cost, Mapping) else cost
    return Spent(tokens_of(usage), amount(cost if cost is not None else value.get("cost")))


def part(out: Collector, value: object, at: str, kind: Kind = "assistant") -> None:
    """Take in one part of a message, or one item of a list of what was said and done."""
    if isinstance(value, str):
        out.say(kind, value, at)
        return
    if not isinstance(value, Mapping):
        out.unknown(value, at)
        return
    type_ = value.get("type")
    type_ = type_ if isinstance(type_, str) else None
    if type_ in _SAID:
        out.say(kind, plain(first(value, "text", "content", "refusal")), at)
    elif type_ in _THOUGHT:
        thought = first(value, "thinking", "text", "reasoning", "summary", "content")
        out.say("thinking", plain(thought), at)
    elif type_ in _CALLED:
        out.call(first(value, *_IDS), first(value, *_NAMES), arguments_of(value), at)
    elif type_ in _GAVE:
        given, code, took = _of_shell(first(value, *_RESULTS))
        out.result(
            first(value, *_IDS),
            joined([plain(given), error_text(value.get("error"))]),
            at,
            failed=bool(code) or _failed(value),
            duration_s=took,
            tool=first(value, *_NAMES),
        )
    elif type_ in _DID:
        _did(out, value, at)
    elif type_ == "tool":
        _opencode_tool(out, value, at)
    elif type_ == "retry" and value.get("error"):
        out.say("system", error_text(value["error"]), at)
    elif type_ == "subtask" and isinstance(value.get("prompt"), str):
        out.say(kind, value["prompt"], at)
    elif type_ == "agent" and isinstance(value.get("name"), str):
        out.say(kind, f"@{value['name']}", at)
    elif type_ in _SHOWN:
        out.say(kind, f"[{type_}]", at)
    elif type_ == "error":
        warns = value.get("severity") == "warning"
        said = error_text(first(value, "error", "message", "content"))
        out.say("system" if warns else "error", said, at)
    elif type_ == "message" or is_message(value):
        message(out, value, at)
    elif type_ not in _PASSED_OVER and not (type_ is None and _gemini_part(out, value, at, kind)):
        out.unknown(value, at)


def logged_call(out: Collector, value: object, at: str) -> None:
    """Take in a call from a list of calls, with its result where that stands in it."""
    if not isinstance(value, Mapping):
        out.unknown(value, at)
        return
    function = value.get("function")
    named: Mapping[str, Any] = function if isinstance(function, Mapping) else value
    name = first(named, *_NAMES) or (function if isinstance(function, str) else None)
    if not isinstance(name, str):
        out.unknown(value, at)
        return
    id_ = first(value, *_IDS)
    id_ = id_ if isinstance(id_, str) else at
    if (time := first(value, "timestamp", "startedAt", "started_at")) is not None:
        out.timed(time)
    out.call(id_, name, arguments_of(named), at)
    given = first(value, "output", "result", "response")
    error = value.get("error")
    if given is not None or error or ("status" in value and not _goes_on(value)):
        took = amount(first(value, "durationMs", "duration_ms"))
        out.result(
            id_,
            joined([plain(given), error_text(error)]),
            at,
            failed=_failed(value),
            duration_s=None if took is None else took / 1000,
        )


def arguments_of(value: Mapping[str, Any]) -> Any:
    """Return the arguments of a call; those that are written as JSON in a text are read."""
    found = first(value, *_ARGUMENTS)
    if isinstance(found, str) and found[:1] in ("{", "["):
        try:
            return orjson.loads(found)
        except orjson.JSONDecodeError:
            return found
    return found


def plain(value: object, depth: int = 0) -> str:
    """Return what was said as text: of parts those that are texts, of anything else its JSON."""
    if value is None:
        return ""
    if isinstance(value, list) and depth < _MAX_DEPTH:
        return joined(plain(each, depth + 1) for each in value)
    if isinstance(value, Mapping) and depth < _MAX_DEPTH:
        for name in ("text", "content", "output"):
            if isinstance(value.get(name), str):
                return as_text(value[name])
        if isinstance(value.get("content"), list):
            return plain(value["content"], depth + 1)
        if isinstance(value.get("functionResponse"), Mapping):
            return plain(value["functionResponse"].get("response"), depth + 1)
        if isinstance(value.get("type"), str) and value["type"] in ("image", "input_image"):
            return "[image]"
    return as_text(value)


def error_text(value: object) -> str:
    """Return what an error says."""
    if isinstance(value, Mapping):
        data = value.get("data")
        inner = data.get("message") if isinstance(data, Mapping) else None
        found = inner or first(value, "message", "name", "type")
        return as_text(found) if found is not None else as_text(value)
    return "" if value is None or isinstance(value, bool) else as_text(value)


def _did(out: Collector, value: Mapping[str, Any], at: str) -> None:
    """Take in an item that is a call and its result in one."""
    type_ = str(value.get("type"))
    id_ = first(value, *_IDS)
    id_ = id_ if isinstance(id_, str) else at
    action = value.get("action")
    shell = action if isinstance(action, Mapping) else value
    asked = arguments_of(value)
    if asked is None:
        names = ("command", "changes", "query", "items", "prompt")
        asked = {name: shell[name] for name in names if shell.get(name) is not None} or None
    server, tool = value.get("server"), first(value, *_NAMES)
    named = f"{server}.{tool}" if isinstance(server, str) and isinstance(tool, str) else tool
    out.call(id_, named or _NAMED.get(type_, type_), asked, at)
    if _goes_on(value):
        return
    given = first(value, *_RESULTS, "formatted_output", "stdout")
    agents = value.get("agents_states")
    if given is None and isinstance(agents, Mapping):
        given = [each.get("message") for each in agents.values() if isinstance(each, Mapping)]
    took = amount(first(value, "duration_ms", "durationMs"))
    out.result(
        id_,
        joined([plain(given), error_text(value.get("error"))]),
        at,
        failed=_failed(value),
        duration_s=None if took is None else took / 1000,
    )


def _opencode_tool(out: Collector, value: Mapping[str, Any], at: str) -> None:
    state = value.get("state")
    if not isinstance(state, Mapping):
        out.call(first(value, "callID", "id"), value.get("tool"), None, at)
        return
    time = state.get("time")
    span = time if isinstance(time, Mapping) else {}
    if span.get("start") is not None:
        out.timed(span["start"])
    id_ = first(value, "callID", "id")
    id_ = id_ if isinstance(id_, str) else at
    out.call(id_, value.get("tool"), state.get("input"), at)
    if state.get("status") in ("completed", "error"):
        about = state.get("metadata")
        code = about.get("exit") if isinstance(about, Mapping) else None
        failed = state["status"] == "error" or (isinstance(code, int) and code != 0)
        took = seconds_between(moment(span.get("start")), moment(span.get("end")))
        text = joined([plain(state.get("output")), error_text(state.get("error"))])
        out.result(id_, text, at, failed=failed, duration_s=took)


def _gemini_part(out: Collector, value: Mapping[str, Any], at: str, kind: Kind) -> bool:
    """Take in a part without a type, as Gemini writes them; say whether it was one."""
    call, given = value.get("functionCall"), value.get("functionResponse")
    if isinstance(call, Mapping):
        out.call(first(call, "id", "name"), call.get("name"), call.get("args"), at)
    elif isinstance(given, Mapping):
        response = given.get("response")
        failed = isinstance(response, Mapping) and bool(response.get("error"))
        text = plain(response)
        out.result(first(given, "id", "name"), text, at, failed=failed, tool=given.get("name"))
    elif isinstance(value.get("text"), str):
        out.say("thinking" if value.get("thought") is True else kind, value["text"], at)
    else:
        return False
    return True


def _of_shell(given: object) -> tuple[object, int | None, float | None]:
    """Return what a command gave, its exit code and its seconds.

    Codex writes all three into the text of a result, as JSON or as lines before the output; other
    results are returned as they are.
    """
    if not isinstance(given, str):
        return given, None, None
    if given.startswith("{") and '"exit_code"' in given:
        held = arguments_of({"arguments": given})
        told = held.get("metadata") if isinstance(held, Mapping) else None
        about = told if isinstance(told, Mapping) else {}
        code = about.get("exit_code")
        if isinstance(code, int) and isinstance(held.get("output"), str):
            return held["output"], code, amount(about.get("duration_seconds"))
    elif head := _HEAD.match(given):
        took = head["before"] or head["after"]
        return given, int(head["left"] or head["right"]), amount(float(took)) if took else None
    return given, None, None


def _goes_on(value: Mapping[str, Any]) -> bool:
    """Return whether a call says that it has not ended."""
    state = value.get("status")
    return isinstance(state, str) and state in _GOING_ON


def _failed(value: Mapping[str, Any]) -> bool | None:
    """Return whether a result says that it failed; nothing said is no failure."""
    code = first(value, "exit_code", "exitCode")
    if isinstance(code, int) and code != 0:
        return True
    success = value.get("success")
    return (
        value.get("is_error") is True
        or value.get("isError") is True
        or success is False
        or bool(value.get("error"))
        or (isinstance(value.get("status"), str) and value["status"].lower() in _FAILED)
    )


_HEAD: Final = re.compile(
    r"(?:Command: .*\n)?(?:Chunk ID: .*\n)?"
    r"(?:Wall time: (?P<before>\d{1,9}(?:\.\d{1,9})?) seconds\n"
    r"Process exited with code (?P<left>-?\d{1,9})\n"
    r"|Exit code: (?P<right>-?\d{1,9})\nWall time: (?P<after>\d{1,9}(?:\.\d{1,9})?) seconds\n)"
)
"""What Codex writes before the output of a command."""

_NAMED: Final = {
    "command_execution": "shell",
    "CommandExecution": "shell",
    "local_shell_call": "shell",
    "shell_call": "shell",
    "bashExecution": "bash",
    "file_change": "apply_patch",
    "FileChange": "apply_patch",
    "web_search_call": "web_search",
    "todo_list": "todo_list",
}
"""What the items of Codex and pi that name no tool use."""

_SAID: Final = frozenset({
    "text", "input_text", "output_text", "refusal", "agent_message", "assistant_message",
})  # fmt: skip
_THOUGHT: Final = frozenset({"thinking", "redacted_thinking", "reasoning"})
_CALLED: Final = frozenset({
    "tool_use", "server_tool_use", "toolCall", "tool_call", "tool-call", "function_call",
    "custom_tool_call", "mcp_tool_use",
})  # fmt: skip
_GAVE: Final = frozenset({
    "tool_result", "tool_call_response", "tool-result", "function_call_output",
    "custom_tool_call_output", "local_shell_call_output", "mcp_tool_result",
    "web_search_tool_result", "code_execution_tool_result",
})  # fmt: skip
_DID: Final = frozenset({
    "command_execution", "CommandExecution", "file_change", "FileChange", "mcp_tool_call",
    "McpToolCall", "mcp_call", "web_search", "web_search_call", "local_shell_call", "shell_call",
    "file_search_call", "code_interpreter_call", "todo_list", "collab_tool_call",
})  # fmt: skip
_SHOWN: Final = frozenset({
    "image", "image_url", "input_image", "document", "input_file", "file", "audio", "uri", "blob",
})  # fmt: skip
_PASSED_OVER: Final = frozenset({
    "step-start", "step-finish", "snapshot", "patch", "item_reference", "compaction",
})  # fmt: skip
"""What a part is, by its type: words, thoughts, calls, results, both in one, pictures, no step."""
