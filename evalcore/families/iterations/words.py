"""The names and words in which tools write an item: its text, its verdict, its evidence."""

from typing import Any, Final

from evalcore.families.iterations.documents.runs import EXPECTATION, GRADING

ITEM_LISTS: Final = GRADING.by_name["expectations"].names
WORDINGS: Final = EXPECTATION.by_name["text"].names
LABELS: Final = (*WORDINGS, "name", "id")
VERDICTS: Final = EXPECTATION.by_name["passed"].names
EVIDENCE: Final = EXPECTATION.by_name["evidence"].names
PASSED: Final = frozenset({"pass", "passed", "yes", "y", "true", "ok", "met", "success", "✓", "✅"})
FAILED: Final = frozenset(
    {"fail", "failed", "no", "n", "false", "not met", "unmet", "failure", "✗", "❌"}
)
OPEN: Final = frozenset(
    {"", "n/a", "na", "null", "none", "skip", "skipped", "unscored", "not assessed", "not scored",
     "not run", "unknown", "unclear", "inconclusive", "pending"}
)  # fmt: skip
"""Words that say that an item was not judged."""


def verdict_of(value: Any) -> bool | None:
    """Return what a value says as a verdict; None when it says neither."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and len(value) <= 20:
        word = " ".join(value.replace("_", " ").split()).casefold()
        return True if word in PASSED else False if word in FAILED else None
    return None


def is_open(value: Any) -> bool:
    """Say whether a value says that nothing was judged."""
    if not isinstance(value, str) or len(value) > 20:
        return value is None
    return " ".join(value.replace("_", " ").split()).casefold() in OPEN


def as_text(value: Any) -> str | None:
    """Return a value as plain words: a text, a number, or a list of texts; None for others."""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    return None
