"""Notes as texts, also where they are written as objects."""

from typing import Any, Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.iterations.defined import as_json

CODE: Final = "note-as-object"
MESSAGE: Final = "Notes are objects; each was read as a text of its fields."
HINT: Final = "Write each note as a text."


class Note(NamedTuple):
    """One note: its text and its pointer; `plain` says that it was written as a text."""

    text: str
    at: str
    plain: bool


def notes_of(node: Node, key: str) -> list[Note]:
    """Return the notes in a field: a text, or a list or an object of texts, numbers and objects."""
    held = node.child(key)
    if isinstance(held.value, str):
        return [Note(held.value, held.at, True)] if held.value else []
    if isinstance(held.value, dict):
        text = _text(held.value)
        return [Note(text, held.at, False)] if text else []
    if held.value is not None and not isinstance(held.value, list):
        held.type_problem("a list of texts")
        return []
    found = [(_text(item.value), item) for item in node.all_items(key)]
    return [Note(text, item.at, isinstance(item.value, str)) for text, item in found if text]


def _text(value: Any) -> str:
    """Return a note as a text: an object line by line, what is nested in it as JSON."""
    if isinstance(value, dict):
        named = ((key, _text(inner)) for key, inner in value.items())
        return "\n".join(f"{key}: {text}" for key, text in named if text)
    if isinstance(value, str):
        return value
    return "" if value is None else as_json(value)
