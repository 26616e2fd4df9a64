"""What one item of a trigger set or of its results says, under any of the names it is written."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from evalcore.disk.reader import Json
from evalcore.families.activation.documents import RESULT


def _names(field: str) -> tuple[str, ...]:
    return RESULT.by_name[field].names


QUERIES: Final = _names("query")
SHOULD: Final = _names("should_trigger")
SHOULD_NOT: Final = (
    "should_not_trigger",
    "should_not_activate",
    "shouldNotTrigger",
    "should_not_fire",
    "should_not_invoke",
)
TRIGGERED: Final = _names("triggered")
TRIGGERS: Final = _names("triggers")
RUNS: Final = _names("runs")
RATES: Final = ("trigger_rate",)
PASSES: Final = _names("pass")
REASONS: Final = _names("reasons")
SKILLS: Final = _names("skill")
TAGS: Final = _names("category")
_EXPECTED: Final = "expected"
"""A name that many documents use; it counts only beside what came of it."""


def named(item: Json, names: Iterable[str]) -> str | None:
    """Return the first of some names that an item has a value under."""
    if not isinstance(item, dict):
        return None
    return next((name for name in names if item.get(name) is not None), None)


def query_name(item: Json) -> str | None:
    """Return the name under which an item has the text of a query."""
    if not isinstance(item, dict):
        return None
    return next((n for n in QUERIES if isinstance(item.get(n), str) and item[n].strip()), None)


def expected_name(item: Json) -> str | None:
    """Return the name under which an item says whether the skill should be activated."""
    if not isinstance(item, dict):
        return None
    if (found := next((n for n in SHOULD if type(item.get(n)) is bool), None)) is not None:
        return found
    return _EXPECTED if type(item.get(_EXPECTED)) is bool and has_decision(item) else None


def has_decision(item: Mapping[str, Any]) -> bool:
    """Say whether an item says of one run whether it activated the skill."""
    return any(type(item.get(name)) is bool for name in TRIGGERED)


def has_outcome(item: Json) -> bool:
    """Say whether an item says what came of its query, and not only what should."""
    if not isinstance(item, dict):
        return False
    listed = any(isinstance(item.get(name), list) for name in RUNS)
    return listed or named(item, (*TRIGGERED, *TRIGGERS, *RATES)) is not None


def is_item(item: Json) -> bool:
    """Say whether an item is a query with what is expected of it."""
    return query_name(item) is not None and expected_name(item) is not None


def text_of(item: Json, names: Iterable[str]) -> str | None:
    """Return the first text that an item has under some names, without blanks around it."""
    if not isinstance(item, dict):
        return None
    texts = (item.get(name) for name in names)
    return next((text.strip() for text in texts if isinstance(text, str) and text.strip()), None)


def squeezed(text: str) -> str:
    """Return a text without its white space: tools wrap long lines in ways of their own."""
    return "".join(text.split())
