"""The names and words in which tools write an item: its text, its verdict, its evidence."""

from collections.abc import Mapping
from typing import Any, Final

from evalcore.families.iterations.amounts import amount
from evalcore.names import VERDICT, WORDING

LABELS: Final = (*WORDING, "name", "id")
PASSED: Final = frozenset({"pass", "passed", "yes", "y", "true", "ok", "met", "success", "✓", "✅"})
FAILED: Final = frozenset(
    {"fail", "failed", "no", "n", "false", "not met", "unmet", "failure", "✗", "❌"}
)
OPEN: Final = frozenset(
    {"", "n/a", "na", "null", "none", "skip", "skipped", "unscored", "not assessed", "not scored",
     "not run", "unknown", "unclear", "inconclusive", "pending"}
)  # fmt: skip
"""Words that say that an item was not judged."""
LONGEST: Final = 20
"""A longer text is no verdict."""


def verdict_of(value: Any) -> bool | None:
    """Return what a value says as a verdict; None when it says neither."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and len(value) <= LONGEST:
        word = _plain(value)
        return True if word in PASSED else False if word in FAILED else None
    return None


def is_open(value: Any) -> bool:
    """Say whether a value says that nothing was judged."""
    if not isinstance(value, str) or len(value) > LONGEST:
        return value is None
    return _plain(value) in OPEN


def unknown_verdict(fields: Mapping[str, Any]) -> str | None:
    """Return the verdict of an object that is neither a pass nor a fail, such as "PARTIAL".

    A number in words is none. A `status` often says how far a run came, so of its words only
    those count that begin with "partial".
    """
    for key in VERDICT:
        value = fields.get(key)
        if not isinstance(value, str) or len(value) > LONGEST or is_open(value):
            continue
        word = value.strip()
        told = verdict_of(value) is not None or amount(value) is not None
        if not told and (key != "status" or word.casefold().startswith("partial")):
            return word
    return None


def _plain(word: str) -> str:
    return " ".join(word.replace("_", " ").split()).casefold()


def as_text(value: Any) -> str | None:
    """Return a value as plain words: a text, a number, or a list of texts; None for others."""
    if type(value) is str:
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    return None
