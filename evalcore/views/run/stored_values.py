"""Derived values stored in a grading file, next to the computed ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evalcore.counting.record_output import record_pointer
from evalcore.errors import EvalcoreError
from evalcore.families.base import Computed
from evalcore.families.registry import family
from evalcore.numbers import disagrees
from evalcore.tables.rows import RunRow
from evalcore.views.run.items import Item
from evalcore.views.words.wording import known
from evalcore.workspace.opened import Workspace

MAX_BYTES: Final = 8 * 1024 * 1024

Value = float | bool | None

_WORDS: Final = {"pass": True, "fail": False}


@dataclass(frozen=True, slots=True)
class Stored:
    """A derived value as a file states it and as computed; `agrees` is None without both."""

    field: str
    pointer: str
    stored: Value
    computed: Value
    agrees: bool | None


def stored_values(ws: Workspace, run: RunRow, name: str, items: Sequence[Item]) -> list[Stored]:
    """Return the derived values stored in the run's document, each with the computed one."""
    fields = family(name).stored if name else {}
    if not run.source or not fields or _size(ws, run.source) > MAX_BYTES:
        return []
    try:
        document = ws.raw(run.source, record_pointer(run))
    except EvalcoreError:
        return []
    computed = _computed(run, items)
    found = []
    for pointer, column in fields.items():
        stated = _scalar(document, pointer)
        if stated is not None:
            value = computed[column]
            place = f"{record_pointer(run)}{pointer}"
            found.append(Stored(pointer[1:], place, stated, value, _agrees(stated, value)))
    return found


def _computed(run: RunRow, items: Sequence[Item]) -> dict[Computed, Value]:
    judged = [item for item in items if item.source == run.source and item.kind in _CHECKS]
    decided = [item for item in judged if item.mark in ("pass", "fail")]
    passed = sum(item.mark == "pass" for item in decided)
    return {
        "score": run.score,
        "max_score": run.max_score,
        "required_score": run.required_score,
        "fraction": run.fraction,
        "passed": run.passed,
        "items_passed": passed if judged else None,
        "items_total": len(judged) if judged else None,
        "items_rate": passed / len(decided) if decided else None,
    }


_CHECKS: Final = ("expectation", "assertion")


def _scalar(document: object, pointer: str) -> Value:
    value = document
    for part in pointer[1:].split("/"):
        value = value.get(part) if isinstance(value, dict) else None
    if isinstance(value, str):
        return _WORDS.get(value.lower())
    return value if isinstance(value, bool) or known(value) else None


def _agrees(stated: Value, computed: Value) -> bool | None:
    if stated is None or computed is None:
        return None
    if isinstance(computed, int) or isinstance(stated, bool):  # a verdict or a count is exact
        return stated == computed
    return not disagrees(stated, computed)


def _size(ws: Workspace, source: str) -> int:
    try:
        return (ws.root / source).stat().st_size
    except (OSError, ValueError):
        return 0
