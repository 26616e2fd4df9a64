"""The names by which records are referenced, and the text that the record of a prompt holds."""

from collections.abc import Mapping
from typing import Any, Final

_BODIES: Final = ("content", "text", "template", "prompt", "body")


def names_of(record: Mapping[str, Any]) -> list[str]:
    """Return the names of a record: a stated reference, its name with its version, its id."""
    about = _flat(record)
    version = next((about[key] for key in ("version", "versionNumber") if key in about), None)
    of = {"ref": "", "promptVersionRef": "", "name": version, "title": version, "id": ""}
    return [
        about[key] if end in ("", None) else f"{about[key]}@{end}"
        for key, end in of.items()
        if isinstance(about.get(key), str) and about[key]
    ]


def prompt_in(reference: Any) -> str | None:
    """Return the name of the prompt in a reference like support-reply@1.2.0; None in any other."""
    if not isinstance(reference, str) or "@" not in reference:
        return None
    return reference.partition("@")[0]


def text_of(record: Mapping[str, Any]) -> str | None:
    """Return the text of a prompt in its record; None without one."""
    about = _flat(record)
    texts = (about[key] for key in _BODIES if isinstance(about.get(key), str))
    return next((text for text in texts if text.strip()), None)


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    fields = record.get("fields")
    return {**record, **fields} if isinstance(fields, dict) else dict(record)
