"""What agents print as they work, one event a line, and the files in which they keep a session."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from evalcore.steps.collecting import Collector
from evalcore.steps.messages import error_text, is_message, message, part, plain, spent
from evalcore.steps.model import amount, as_text, first, joined, tokens_of

LISTS: Final = (
    "messages", "events", "steps", "trajectory", "items", "history", "conversation", "loglines",
    "traj",
)  # fmt: skip
"""Where documents hold a conversation."""

_PASSED_OVER: Final = frozenset({
    # Codex, as it works and as it keeps a session
    "turn.started", "item.updated", "response_item_metadata", "compacted", "world_state",
    "inter_agent_communication_metadata",
    # Claude Code
    "stream_event", "summary", "file-history-snapshot", "queue-operation", "started",
    "rate_limit_event", "agent-name", "pr-link", "custom-title", "last-prompt", "permission-mode",
    "attachment", "ai-title", "command_lifecycle",
    # pi tells a message as it begins and grows, and again with all at the end
    "message_start", "message_update", "turn_start", "turn_end", "agent_start", "agent_end",
    "tool_execution_start", "tool_execution_update", "tool_execution_end", "session",
    "model_change", "thinking_level_change", "queue_update", "auto_retry_start", "auto_retry_end",
    "auto_compaction_start", "auto_compaction_end", "compaction_start", "compaction_end",
    # Gemini CLI
    "info", "warning",
    # OpenCode
    "step_start", "session.created", "session.updated", "session.status", "session.idle",
})  # fmt: skip


def event(out: Collector, value: object, at: str) -> None:
    """Take in one event, one message, or one item of what an agent did."""
    if not isinstance(value, Mapping):
        out.unknown(value, at)
        return
    type_ = value.get("type")
    take = _EVENTS.get(type_) if isinstance(type_, str) else None
    inner, info = value.get("message"), value.get("info")
    if take is not None:
        take(out, value, at)
    elif isinstance(type_, str) and type_ in _PASSED_OVER:
        pass
    elif isinstance(inner, Mapping) and (is_message(inner) or "content" in inner):
        _in_envelope(out, value, inner, f"{at}/message")
    elif isinstance(info, Mapping) and isinstance(value.get("parts"), list):
        out.has_tools = True
        time = info.get("time")
        began = time.get("created") if isinstance(time, Mapping) else None
        out.message(info.get("id"), began, spent(info))
        message(out, {"role": info.get("role"), "parts": value["parts"]}, at)
    elif isinstance(value.get("part"), Mapping):
        _of_opencode(out, value, value["part"], f"{at}/part")
    elif is_message(value):
        _a_message(out, value, at)
    elif type_ in ("user", "gemini", "assistant") or (type_ == "model" and "content" in value):
        out.has_tools = out.has_tools or type_ in ("gemini", "model")
        _a_message(out, {"role": type_, **value}, at)
    else:
        part(out, value, at)


def _in_envelope(
    out: Collector, value: Mapping[str, Any], inner: Mapping[str, Any], at: str
) -> None:
    """Take in a message of Claude Code or pi, which stands inside an event."""
    out.has_tools = True
    role = "system" if value.get("isMeta") is True else inner.get("role") or value.get("type")
    time = first(value, "timestamp", "time") or inner.get("timestamp")
    out.message(
        inner.get("id"),
        time,
        spent(inner),
        inside=first(value, "parent_tool_use_id", "parentToolUseID"),
        sidechain=value.get("isSidechain") is True,
    )
    if isinstance(inner.get("model"), str):
        out.state(model=as_text(inner["model"]))
    message(out, {**inner, "role": role}, at)


def _progress(out: Collector, value: Mapping[str, Any], at: str) -> None:
    """Take in what a sub-agent of Claude Code said and did; others only say that they go on."""
    data = value.get("data")
    told = data.get("message") if isinstance(data, Mapping) else None
    inner = told.get("message") if isinstance(told, Mapping) else None
    if isinstance(told, Mapping) and isinstance(inner, Mapping):
        about = {**told, "parentToolUseID": value.get("parentToolUseID")}
        _in_envelope(out, about, inner, f"{at}/data/message/message")


def _of_opencode(
    out: Collector, value: Mapping[str, Any], inner: Mapping[str, Any], at: str
) -> None:
    out.has_tools = True
    key = inner.get("messageID")
    if inner.get("type") == "step-finish":
        out.message(key, value.get("timestamp"), spent(inner))
        return
    out.message(key, value.get("timestamp"))
    part(out, inner, at)


def _a_message(out: Collector, value: Mapping[str, Any], at: str) -> None:
    content = value.get("content")
    if value.get("delta") is True and value.get("role") == "assistant" and isinstance(content, str):
        out.delta(content)
        return
    time = first(value, "timestamp", "created_at", "time", "createdAt")
    out.message(value.get("id"), time, spent(value))
    if isinstance(value.get("model"), str):
        out.state(model=as_text(value["model"]))
    thoughts = value.get("thoughts")
    for number, each in enumerate(thoughts if isinstance(thoughts, list) else ()):
        if isinstance(each, Mapping):
            said = [plain(each.get(name)) for name in ("subject", "description")]
            out.say("thinking", ": ".join(filter(None, said)), f"{at}/thoughts/{number}")
    message(out, value, at)


def _timed(out: Collector, value: Mapping[str, Any], at: str) -> None:
    """Take in an event of a tool with its own time."""
    if isinstance(value.get("part"), Mapping):
        _of_opencode(out, value, value["part"], f"{at}/part")
        return
    out.message("", value.get("timestamp"))
    part(out, value, at)


def _message_event(out: Collector, value: Mapping[str, Any], at: str) -> None:
    inner = value.get("message")
    if isinstance(inner, Mapping):
        _in_envelope(out, value, inner, f"{at}/message")
    else:
        _a_message(out, value, at)


def _ended(out: Collector, value: Mapping[str, Any], at: str) -> None:
    """Take in how a run of Claude Code or Gemini CLI ended, with its totals."""
    stats = value.get("stats")
    usage = stats if isinstance(stats, Mapping) else value.get("usage")
    took = amount(
        first(value, "duration_ms")
        or (stats.get("duration_ms") if isinstance(stats, Mapping) else None)
    )
    out.state(
        tokens=tokens_of(usage),
        cost_usd=amount(value.get("total_cost_usd")),
        duration_s=None if took is None else took / 1000,
    )
    if value.get("is_error") is True or value.get("status") == "error":
        errors = value.get("errors")
        told = joined(map(error_text, errors)) if isinstance(errors, list) else ""
        said = [error_text(value.get(name)) for name in ("error", "result", "subtype")]
        out.say("error", next(filter(None, [told, *said]), "The run ended with an error."), at)


def _begun(out: Collector, value: Mapping[str, Any], _at: str) -> None:
    out.has_tools = True
    payload = value.get("payload")
    about = payload if isinstance(payload, Mapping) else value
    if isinstance(about.get("model"), str):
        out.state(model=as_text(about["model"]))


def _turn_ended(out: Collector, value: Mapping[str, Any], at: str) -> None:
    out.state(tokens=tokens_of(value.get("usage")))
    if value.get("type") == "turn.failed":
        out.say("error", error_text(value.get("error")), at)


def _item(out: Collector, value: Mapping[str, Any], at: str) -> None:
    name = "payload" if value.get("type") == "response_item" else "item"
    inner = value.get(name)
    if not isinstance(inner, Mapping):
        out.unknown(value, at)
        return
    out.has_tools = True
    out.message("", value.get("timestamp"))
    begins = value.get("type") == "item.started"
    if begins and inner.get("status") not in ("in_progress", "running"):
        return
    part(out, inner, f"{at}/{name}")


def _codex_event(out: Collector, value: Mapping[str, Any], at: str) -> None:
    """Take in what is no item: totals and errors; messages stand among the items as well."""
    inner = value.get("payload")
    about: Mapping[str, Any] = inner if isinstance(inner, Mapping) else {}
    if about.get("type") == "token_count":
        info = about.get("info")
        total = info.get("total_token_usage") if isinstance(info, Mapping) else None
        out.state(tokens=tokens_of(total))
    elif about.get("type") == "item_completed" and isinstance(about.get("item"), Mapping):
        out.message("", value.get("timestamp"))
        part(out, about["item"], f"{at}/payload/item")
    elif about.get("type") in ("error", "stream_error"):
        out.say("error", error_text(about), at)


def _system(out: Collector, value: Mapping[str, Any], at: str) -> None:
    if value.get("subtype") == "init":
        _begun(out, value, at)
    elif isinstance(value.get("content"), str):
        out.message("", value.get("timestamp"))
        out.say("system", value["content"], at)


_EVENTS: Final[Mapping[str, Callable[[Collector, Mapping[str, Any], str], None]]] = {
    "system": _system,
    "progress": _progress,
    "init": _begun,
    "thread.started": _begun,
    "session_meta": _begun,
    "turn_context": _begun,
    "result": _ended,
    "turn.completed": _turn_ended,
    "turn.failed": _turn_ended,
    "item.started": _item,
    "item.completed": _item,
    "response_item": _item,
    "event_msg": _codex_event,
    "message": _message_event,
    "message_end": _message_event,
    "tool_use": _timed,
    "tool_result": _timed,
    "text": _timed,
    "reasoning": _timed,
    "step_finish": _timed,
    "error": _timed,
}
"""What an event is, by its type."""
