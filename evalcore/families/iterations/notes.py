"""Notes as texts, also where they are written as objects."""

from typing import Any, Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.iterations.defined import as_json
from evalcore.problems import pointer

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
    held, at = node.get(key), node.at + pointer(key)
    if isinstance(held, (str, dict)):
        text = _text(held)
        return [Note(text, at, isinstance(held, str))] if text else []
    if held is not None and not isinstance(held, list):
        node.child(key).type_problem("a list of texts")
    listed = enumerate(held) if isinstance(held, list) else ()
    found = [(_text(value), f"{at}/{index}", isinstance(value, str)) for index, value in listed]
    return [Note(*each) for each in found if each[0]]


def _text(value: Any) -> str:
    """Return a note as a text: an object line by line, what is nested in it as JSON."""
    if isinstance(value, dict):
        named = ((key, _text(inner)) for key, inner in value.items())
        return "\n".join(f"{key}: {text}" for key, text in named if text)
    if isinstance(value, str):
        return value
    return "" if value is None else as_json(value)
