"""The entries of a benchmark.json: one version of the description, measured."""

from datetime import datetime
from typing import NamedTuple

from evalcore.disk.values import Node


class CaseScore(NamedTuple):
    """One test case in one entry."""

    case_id: str
    score: float | None
    duration_s: float | None
    node: Node


class Entry(NamedTuple):
    """One entry of a benchmark."""

    position: int
    version: str
    timestamp: datetime | None
    hash: str | None
    scores: Node
    cases: tuple[CaseScore, ...]
    node: Node


def version_label(node: Node, key: str) -> str | None:
    """Return the label of a description version: `d2` for 2, also written as "2" or "d2"."""
    value = node.get(key)
    if isinstance(value, str) and (digits := value.strip().lower().removeprefix("d")).isdecimal():
        return f"d{int(digits[:15])}"
    number = node.number(key)
    return None if number is None else f"d{number:.15g}"


def same_hash(first: str, second: str) -> bool:
    """Return whether one hash is a prefix of the other."""
    a, b = (text.lower().removeprefix("sha256:") for text in (first, second))
    return a.startswith(b) or b.startswith(a)
