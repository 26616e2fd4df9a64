"""The list of judged items in a grading: which field holds it, and which others do."""

from collections.abc import Iterator
from typing import Any

from evalcore.disk.values import Node
from evalcore.families.iterations.items import is_judged, other_lists, side_named
from evalcore.families.iterations.words import verdict_of
from evalcore.names import ITEMS
from evalcore.problems import pointer


def list_name(doc: Node) -> str | None:
    """Return the field of the items, `""` for a document that is the list; None without items."""
    if isinstance(doc.value, list):
        if any(isinstance(item, dict) for item in doc.value):
            return ""
        doc.type_problem("an object")
        return None
    lists = [name for name in ITEMS if isinstance(doc.get(name), list)]
    objects = (name for name in ITEMS if isinstance(doc.get(name), dict))
    full = (name for name in lists if doc.get(name))
    found = next(full, None) or next((n for n in objects if _judged(doc.get(n))), None)
    if found is not None or lists:
        return found or lists[0]
    if doc.get("expectations") is not None:
        doc.wrong("expectations", "a list")
    return None


def _judged(held: dict[str, Any]) -> bool:
    """Say whether an object holds items under their ids or wordings."""
    return any(isinstance(v, dict) or verdict_of(v) is not None for v in held.values())


def entries(doc: Node, name: str) -> Iterator[tuple[str, Any, str | None]]:
    """Yield (pointer, item, the wording it has as its name) of a list or an object of items."""
    held = doc.get(name) if name else doc.value
    base = f"{doc.at}/{name}/" if name else f"{doc.at}/"
    if isinstance(held, dict):
        for wording, value in held.items():
            yield f"{base[:-1]}{pointer(wording)}", value, wording
        return
    for index, value in enumerate(held):
        yield base + str(index), value, None


def note_others(doc: Node, name: str) -> None:
    """Note further lists of judged items: which of two counts is not for us to say.

    Those that are named after another configuration are runs of their own.
    """
    usual = [
        other
        for other in ITEMS
        if other != name and type(doc.get(other)) is list and any(map(is_judged, doc.get(other)))
    ]
    odd = [other for other, _ in other_lists(doc.value) if side_named(other) is None]
    for other in (*usual, *odd):
        doc.note(
            "warning",
            "second-list",
            f"{name!r} was read; the items in {other!r} were not.",
            "Keep one list of items, or name the other after its configuration.",
            other,
        )
