"""The names by which records are referenced, and the text that the record of a prompt holds."""

from collections.abc import Mapping
from typing import Any, Final

_BODIES: Final = ("content", "text", "template", "prompt", "body")


def names_of(record: Mapping[str, Any]) -> set[str]:
    """Return the names of a record: its id, a stated reference, and its name with its version."""
    about = _flat(record)
    keys = ("id", "ref", "promptVersionRef")
    names = {str(about[key]) for key in keys if _is_name(about.get(key))}
    version = next((about[key] for key in ("version", "versionNumber") if key in about), None)
    for key in ("name", "title"):
        if _is_name(about.get(key)):
            names.add(about[key] if version is None else f"{about[key]}@{version}")
    return names


def text_of(record: Mapping[str, Any]) -> str | None:
    """Return the text of a prompt in its record; None without one."""
    about = _flat(record)
    return next((about[key] for key in _BODIES if isinstance(about.get(key), str)), None)


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    fields = record.get("fields")
    return {**record, **fields} if isinstance(fields, dict) else dict(record)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value != ""
