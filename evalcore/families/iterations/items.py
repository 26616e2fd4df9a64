"""What a judged item is, and where a document holds lists of them."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from evalcore.families.iterations.case import words_of
from evalcore.families.iterations.documents import GRADING
from evalcore.families.iterations.words import LABELS, as_text, verdict_of
from evalcore.layouts.iterations import is_configuration
from evalcore.names import CONFIGURATION, EVAL, ITEMS, VERDICT, WORDING, by_names

NAMES: Final = ("name", "id")
USUAL: Final = frozenset(
    (*(name for field in GRADING.fields for name in field.names), "eval_id", "eval_name", "run_id",
     "config", "configuration", "timestamp", "notes", "prompt", "pass_rate", "verdict")
)  # fmt: skip
"""Fields of gradings that hold no items, or the list of items that is read."""
_unusual: Final = by_names(lambda fields: [name for name in fields if name not in USUAL])
_ITEMS: Final = frozenset(ITEMS)
_WORDING: Final = frozenset(WORDING)
_VERDICT: Final = frozenset(VERDICT)
LIST_WORDS: Final = (*ITEMS, "expectation_results", "items", "checks", "grading", "gradings")


def is_single(value: dict[str, Any]) -> bool:
    """Say whether an object has a list of items of its own."""
    if _ITEMS.isdisjoint(value):  # nearly every item is asked
        return False
    return any(name in value and holds_items(value[name]) for name in ITEMS)


def holds_items(items: Any) -> bool:
    """Say whether a value is a list of items, or has them under their ids or wordings."""
    if isinstance(items, dict):
        return any(is_item(item) or verdict_of(item) is not None for item in items.values())
    return isinstance(items, list) and (not items or any(is_item(item) for item in items))


def is_item(value: Any) -> bool:
    """Say whether a value is one judged item, not a run that holds or sums up several."""
    if not isinstance(value, dict) or is_single(value):
        return False
    judged = not _VERDICT.isdisjoint(value)
    if not _WORDING.isdisjoint(value):
        return judged or bool(arms_of(value))
    return judged and any(key in value for key in NAMES) and not any(key in value for key in EVAL)


def arms_of(item: Any) -> list[str]:
    """Return the configurations that an item holds verdicts of: `{"with_skill": "PASS"}`."""
    if not isinstance(item, dict) or not _VERDICT.isdisjoint(item):
        return []
    return [k for k, v in item.items() if is_configuration(k) and verdict_of(v) is not None]


def other_lists(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield name and value of the fields of unusual names that hold judged items."""
    for name in _unusual(value):
        held = value[name]
        lists = [held] if type(held) is list else []
        if type(held) is dict and is_single(held):
            lists = [each for each in held.values() if type(each) is list]
        if any(is_judged(item) for each in lists for item in each):
            yield name, held


def is_judged(item: Any) -> bool:
    """Say whether a value is an item with a verdict that is known."""
    return is_item(item) and any(verdict_of(item.get(key)) is not None for key in VERDICT)


@lru_cache(maxsize=1024)
def side_named(name: str) -> str | None:
    """Return the configuration that a field is named after: `baseline_expectations`."""
    for word in LIST_WORDS:
        for side in (name.removesuffix(word).rstrip("_-"), name.removeprefix(word).lstrip("_-")):
            if side != name and is_configuration(side):
                return side
    return name if is_configuration(name) else None


def holds_several(value: Any) -> bool:
    """Say whether a document grades several evals: its items, or its runs, name theirs."""
    fields = value if isinstance(value, dict) else {}
    for held in (value, *(fields.get(name) for name in ITEMS)):
        items = held if isinstance(held, list) else []
        if items and all(is_item(item) and "eval_id" in item for item in items):
            return True
    by_name = [held for name in ("results", "runs") if isinstance(held := fields.get(name), dict)]
    return any(
        any(isinstance(run.get(key), (str, int)) for key in EVAL)
        and any(isinstance(run.get(key), str) for key in CONFIGURATION)
        for runs in by_name
        for run in runs.values()
        if isinstance(run, dict) and is_single(run)
    )


def listed_items(value: Any) -> list[dict[str, Any]]:
    """Return the objects in the list of items that a grading has, or is."""
    lists = [value] if isinstance(value, list) else []
    if isinstance(value, dict):
        lists = [value[name] for name in ITEMS if isinstance(value.get(name), list)]
    found = next((held for held in lists if any(map(is_item, held))), [])
    return [item for item in found if isinstance(item, dict)]


def worded(item: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return name and text by which an item says what was checked, a typed check in its words."""
    for key in LABELS:
        if key in item:
            text = words_of(item) if key == "check" else as_text(item[key])
            if text:
                return key, text
    return None


def wording_of(item: Mapping[str, Any]) -> str | None:
    """Return what an item says was checked."""
    found = worded(item)
    return words_of(item) if found is None else found[1]
