"""What the rules about a family's documents share."""

from collections.abc import Mapping
from typing import Any

from evalcore.problems import Problem, pointer


def objects(value: Mapping[str, Any], key: str, at: str = "") -> list[tuple[str, dict[str, Any]]]:
    """Return pointer and value of each object in a list field of the object at `at`."""
    items = value.get(key)
    if not isinstance(items, list):
        return []
    found = enumerate(items)
    return [(at + pointer(key, index), item) for index, item in found if isinstance(item, dict)]


def warning(path: str, at: str, code: str, message: str, hint: str) -> Problem:
    """Return a warning about a place in a document."""
    return Problem(path, at, "warning", code, message, hint)
