"""Recognise evaluation documents by the shape of their JSON value."""

from collections.abc import Iterable, Iterator, Set
from itertools import islice
from typing import Any, Final

LISTS: Final = frozenset(
    {"expectations", "assertions", "assertion_results", "evaluations", "assertion_details",
     "expectation_results"}
)  # fmt: skip
WORDINGS: Final = ("text", "expectation", "assertion", "criterion", "description", "check", "name")
VERDICTS: Final = ("passed", "pass", "result", "status", "verdict", "with_skill", "without_skill")
DEEPEST: Final = 5
MOST: Final = 2000


def looks_like_evaluation(
    path: str, value: Any, names: Set[str], shapes: Iterable[Set[str]]
) -> bool:
    """Return whether an unclaimed file is an evaluation document by name, shape or items.

    `names` are those of such documents, `shapes` the fields that one of them has. A file that could
    not be read has no shape (`value` None) and counts by its name alone.
    """
    if path.rpartition("/")[2] in names:
        return True
    if isinstance(value, dict) and any(keys <= value.keys() for keys in shapes):
        return True
    return holds_items(value)


def holds_scores(value: Any) -> bool:
    """Return whether a JSON value lists runs or results that each have a nonstandard score."""
    if not isinstance(value, dict):
        return False
    return any(
        isinstance(item, dict)
        and any(type(item.get(key)) in (int, float) for key in ("score", "pass_rate"))
        for name in ("runs", "results", "scores")
        if isinstance(value.get(name), list)
        for item in value[name][:MOST]
    )


def holds_items(value: Any) -> bool:
    """Return whether a value contains a list of judged items at any level.

    Lists of test reports (`results` with a `status` each) are none; schemas are none either.
    """
    if isinstance(value, dict) and ("$schema" in value or "$defs" in value):
        return False
    return any(True for _ in _judged(value))


def _judged(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the judged items in lists of the usual names, among the first values only."""
    for name, inner in islice(_lists(value, 0), MOST):
        for item in inner.values() if isinstance(inner, dict) else inner:
            if (
                name in LISTS
                and isinstance(item, dict)
                and any(key in item for key in WORDINGS)
                and any(isinstance(item.get(key), (bool, str)) for key in VERDICTS)
            ):
                yield item


def _lists(value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    """Yield (name, list or object) of everything in a value down to a few levels."""
    if depth > DEEPEST:
        return
    pairs: Iterable[tuple[str, Any]] = ()
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = (("", item) for item in value)
    for name, inner in pairs:
        if isinstance(inner, (dict, list)):
            yield name, inner
            yield from _lists(inner, depth + 1)
