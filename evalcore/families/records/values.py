"""Read unusual values: lists as JSON text, prompts inside objects."""

import json
from typing import Any, Final

import orjson

from evalcore.disk.values import Node, decoded
from evalcore.problems import pointer

ASKED: Final = (
    "prompt", "query", "message", "question", "input", "text", "instruction", "instructions",
    "task", "request", "userMessage", "user_message", "content",
)  # fmt: skip
WANTED: Final = (
    "expected", "expectedOutput", "expected_output", "answer", "output", "response", "reply",
    "message", "text", "content", "result", "summary",
)  # fmt: skip


def listed(node: Node, key: str) -> list[tuple[str, str]]:
    """Return (text, pointer) of each name in a list field, which may be written as text.

    The text is JSON, or names separated by commas (reported, as a name may contain a comma).
    """
    value = node.get(key)
    if value is None or value == "":
        return []
    if not isinstance(value, str):
        return node.texts(key)
    at = node.at + pointer(key)
    items = decoded(value)
    if isinstance(items, list):
        if not all(isinstance(item, str) for item in items):
            node.wrong(key, "a list of texts")
        return [(item, at) for item in items if isinstance(item, str)]
    names = [name.strip() for name in value.split(",") if name.strip()]
    if len(names) > 1:
        node.note(
            "info",
            "list-as-text",
            f"{key!r} is a single text; it was read as {len(names)} comma-separated names.",
            "Write a list.",
            key,
        )
    return [(name, at) for name in names]


def names(node: Node, key: str) -> list[str]:
    """Return the texts of a list field, which may be written as text."""
    return [text for text, _ in listed(node, key)]


def names_json(node: Node, key: str) -> str | None:
    """Return a list field as a JSON list of texts; None if it is absent."""
    return json.dumps(names(node, key), ensure_ascii=False) if node.has(key) else None


def readable(node: Node, key: str, keys: tuple[str, ...]) -> str | None:
    """Return the readable text of an object field: the text under one of `keys`, else JSON.

    Other fields follow below the text as JSON, so that nothing is hidden.
    """
    value = decoded(node.get(key))
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, dict):
        found = next((k for k in keys if isinstance(value.get(k), str) and value[k].strip()), None)
        if found is not None:
            rest = {k: v for k, v in value.items() if k != found}
            text: str = value[found]
            return text if not rest else f"{text}\n\n{pretty(rest)}"
    return pretty(value)


def pretty(value: Any) -> str:
    """Return a JSON value as indented text, or a remark if it is nested too deeply."""
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    except (TypeError, UnicodeError):
        pass  # deeper, or larger in its numbers, than the fast writer goes
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "(nested too deeply to show here; see the raw document)"
