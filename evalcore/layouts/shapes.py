"""Recognise evaluation documents by the shape of their JSON value."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from itertools import chain, islice, repeat
from typing import Any, Final, Literal, NamedTuple

from evalcore.names import (
    CASES,
    PASSED,
    PROMPT,
    RATE,
    SHOULD_TRIGGER,
    SKILL,
    TOTAL,
    WORDING,
    snake,
)

LISTS: Final = frozenset(
    {"expectations", "assertions", "assertion_results", "evaluations", "assertion_details",
     "expectation_results"}
)  # fmt: skip
WORDINGS: Final = (*WORDING, "name")
VERDICTS: Final = ("passed", "pass", "result", "status", "verdict", "with_skill", "without_skill")
DECISIONS: Final = ("passed", "pass", "met", "satisfied")
RULED: Final = frozenset({"pass", "passed", "fail", "failed", "partial"})
RUN_FIELDS: Final = frozenset(
    {"eval_id", "eval_name", "case_id", "configuration", "prompt", "pass_rate", "passed", "score"}
)
SCORED: Final = frozenset({"description", "required"})
ASKED: Final = frozenset({"id", "prompt", "files", "expectations"})
EXPECTED: Final = frozenset(SHOULD_TRIGGER)
STATED: Final = frozenset((*RATE, *PASSED))
NUMBERS: Final = frozenset((int, float))
UNREAD: Final = (
    "Name what is asked `prompt` and the list of what is checked `expectations`; put trigger "
    "queries into a file of their own."
)
"""What to do with cases in a form that is not read."""
DEEPEST: Final = 5
MOST: Final = 2000

_FIELD: Final = re.compile(r'"([\w-]{1,40})"\s*:\s*([\[{]?)')
"""A name of a field, and the bracket of its value if it is a list or an object."""

Kept = Literal["query", "item", "run", "case"]
NOUNS: Final[dict[Kept, tuple[str, str]]] = {
    "query": ("trigger query", "trigger queries"),
    "item": ("judged item", "judged items"),
    "run": ("run", "runs"),
    "case": ("case", "cases"),
}


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


def names_evaluation(text: str, shapes: Iterable[Set[str]]) -> bool:
    """Return whether the beginning of a file that is no JSON has the fields of such a document."""
    fields = dict(_FIELD.findall(text))
    return any(keys <= fields.keys() for keys in shapes) or any(map(fields.get, LISTS))


def holds_scores(value: Any) -> bool:
    """Return whether a JSON value lists runs with a nonstandard score each, or scores a skill."""
    if not isinstance(value, dict):
        return False
    if any(snake(key) in SKILL for key in value) and any(map(_is_score, value.items())):
        return True
    return any(
        isinstance(item, dict)
        and any(type(item.get(key)) in (int, float) for key in ("score", "pass_rate"))
        for name in ("runs", "results", "scores")
        if isinstance(value.get(name), list)
        for item in value[name][:MOST]
    )


def _is_score(field: tuple[str, Any]) -> bool:
    name, held = field
    numbers = held.values() if isinstance(held, dict) else (held,)
    return "score" in name.lower() and any(type(each) in (int, float) for each in numbers)


class Stated(NamedTuple):
    """The first result in a value that is stated as numbers: its field, and whether of how many."""

    name: str
    has_total: bool


def stated_in(value: Any) -> Stated | None:
    """Return the first pass rate, or count of what passed with its total, among the first values.

    A plain `passed` or `rate` is of many other things; only beside a total it counts.
    """
    if isinstance(value, dict) and ("$schema" in value or "$defs" in value):
        return None
    for _, held in chain([("", value)], islice(_lists(value), MOST)):
        if not isinstance(held, dict) or NUMBERS.isdisjoint(map(type, held.values())):
            continue
        names = {snake(name): name for name in held}
        if STATED.isdisjoint(names):
            continue
        total = any(type(held.get(names.get(name))) is int for name in TOTAL)
        for name in (*RATE, *(PASSED if total else ())):
            number = held.get(names.get(name))
            if type(number) in NUMBERS and (total or name != "rate"):
                return Stated(names[name], total)
    return None


def are_scored_cases(value: Any) -> bool:
    """Return whether a document lists cases with scored criteria: {criterion, required}.

    Without any criterion, cases of no more than an id, a prompt and files are; others are evals.
    """
    listed = value.get("cases") if isinstance(value, dict) else None
    if not isinstance(listed, list):
        return False
    cases = [case for case in listed if isinstance(case, dict)]
    held = [case.get("expectations") for case in cases]
    items = [item for each in held if isinstance(each, list) for item in each]
    fields = [item.keys() for item in items if isinstance(item, dict)]
    if any("criterion" in each or each >= SCORED for each in fields):
        return True
    return not items and all(case.keys() <= ASKED for case in cases)


def list_of_cases(value: Any) -> str | None:
    """Return the field in which a document lists its cases, whatever tool wrote it, if any."""
    held = value if isinstance(value, dict) else {}
    return next((key for key in CASES if isinstance(held.get(key), list)), None)


def is_asked(item: dict[str, Any]) -> bool:
    """Return whether an object is a case, in that it asks something."""
    return any(isinstance(item.get(key), str) for key in PROMPT)


def expects_trigger(item: dict[str, Any]) -> bool:
    """Return whether an object says if its query should trigger a skill."""
    return not EXPECTED.isdisjoint(item) and any(type(item.get(key)) is bool for key in EXPECTED)


def lists_of_queries(value: Any) -> list[str]:
    """Return the fields of a document that list queries which should trigger a skill or not.

    The empty name stands for a document that is such a list.
    """
    return [
        name
        for name, items in (value.items() if isinstance(value, dict) else [("", value)])
        if isinstance(items, list)
        and any(expects_trigger(each) for each in items if isinstance(each, dict))
    ]


def is_checklist(value: Any) -> bool:
    """Return whether a document is a weighted checklist: what is checked of a case, and points."""
    if not isinstance(value, dict):
        return False
    items = value.get("checklist")
    scored = isinstance(items, list) and any(
        isinstance(item, dict) and "max_score" in item for item in items
    )
    return scored or value.get("type") == "weighted_checklist"


class Content(NamedTuple):
    """What an unread document holds: so many of something, in the list of this name."""

    what: Kept
    number: int
    name: str

    @property
    def words(self) -> str:
        """Number and noun: `1 judged item`, `4 trigger queries`."""
        one, many = NOUNS[self.what]
        return f"{self.number:,} {one if self.number == 1 else many}"


def content_of(value: Any) -> Content | None:
    """Return the first list in a value that holds something evaluated in any form, else None."""
    if isinstance(value, dict) and ("$schema" in value or "$defs" in value):
        return None
    whole = [("", value)] if isinstance(value, list) else []
    for name, inner in chain(whole, islice(_lists(value), MOST)):
        if isinstance(inner, list):
            kinds = [what for item in inner if (what := _kept(name, item)) is not None]
            for what, number in Counter(kinds).most_common(1) if kinds else ():
                return Content(what, number, name)
    return None


def _kept(name: str, item: Any) -> Kept | None:
    """Return what an item in a list of this name is."""
    if not isinstance(item, dict):
        return None
    if expects_trigger(item):
        return "query"
    ruled = any(isinstance(item.get(key), bool) for key in DECISIONS)
    ruled = ruled or str(item.get("verdict", item.get("result"))).lower() in RULED
    if ruled and any(isinstance(item.get(key), str) for key in WORDINGS):
        return "item"
    if name == "runs" and not RUN_FIELDS.isdisjoint(item):
        return "run"
    asked = name in CASES and any(isinstance(item.get(key), str) for key in PROMPT)
    return "case" if asked else None


def holds_items(value: Any) -> bool:
    """Return whether a value contains a list of judged items, among its first values.

    Lists of test reports (`results` with a `status` each) are none; schemas are none either.
    """
    if isinstance(value, dict) and ("$schema" in value or "$defs" in value):
        return False
    return any(
        isinstance(item, dict)
        and any(key in item for key in WORDINGS)
        and any(isinstance(item.get(key), (bool, str)) for key in VERDICTS)
        for name, inner in islice(_lists(value), MOST)
        if name in LISTS
        for item in (inner.values() if isinstance(inner, dict) else inner)
    )


def _lists(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield (name, list or object) of everything in a value down to a few levels."""
    # Every file that nobody took is walked: one generator for all levels, not one for each.
    levels = [_fields(value)]
    while levels:
        for name, inner in levels[-1]:
            if isinstance(inner, (dict, list)):
                yield name, inner
                if len(levels) <= DEEPEST:
                    levels.append(_fields(inner))
                    break
        else:
            levels.pop()


def _fields(value: Any) -> Iterator[tuple[str, Any]]:
    """Return an iterator of (name, value) of the fields of an object, or of unnamed items."""
    if isinstance(value, dict):
        return iter(value.items())
    return zip(repeat(""), value if isinstance(value, list) else ())
