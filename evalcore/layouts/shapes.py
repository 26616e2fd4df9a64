"""Recognise evaluation documents by the shape of their JSON value."""

import re
from collections import Counter
from collections.abc import Iterable, Set
from functools import cached_property
from itertools import repeat
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


def _kept(name: str, item: Any) -> Kept | None:
    """Return what an item in a list of this name is."""
    if not isinstance(item, dict):
        return None
    if expects_trigger(item):
        return "query"
    verdict = item.get("verdict", item.get("result"))
    ruled = isinstance(verdict, str) and verdict.lower() in RULED
    ruled = ruled or any(isinstance(item.get(key), bool) for key in DECISIONS)
    if ruled and any(isinstance(item.get(key), str) for key in WORDINGS):
        return "item"
    if name == "runs" and not RUN_FIELDS.isdisjoint(item):
        return "run"
    asked = name in CASES and any(isinstance(item.get(key), str) for key in PROMPT)
    return "case" if asked else None


class Stated(NamedTuple):
    """The first result in a value that is stated as numbers: its field, and whether of how many."""

    name: str
    has_total: bool


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


class Document:
    """A parsed file whose path does not say what it is, and what its first values say.

    Several families ask for the same: each answer is found when it is first asked for, and kept.
    `lines` are the places of the items in a file with one a line.
    """

    def __init__(self, value: Any, lines: list[int] | None = None) -> None:
        self.value = value
        self.lines = lines
        self.fields: dict[str, Any] = value if isinstance(value, dict) else {}

    @cached_property
    def lists(self) -> list[tuple[str, Any]]:
        """(name, list or object) of everything in it down to a few levels, up to a number."""
        found: list[tuple[str, Any]] = []

        def look(value: Any, depth: int) -> None:
            for name, inner in value.items() if type(value) is dict else zip(repeat(""), value):
                if type(inner) is dict or type(inner) is list:
                    if len(found) >= MOST:
                        return
                    found.append((name, inner))
                    if depth < DEEPEST:
                        look(inner, depth + 1)

        if isinstance(self.value, (dict, list)):
            look(self.value, 0)
        return found

    @property
    def is_schema(self) -> bool:
        """Whether it is a JSON schema, which describes documents."""
        return "$schema" in self.fields or "$defs" in self.fields

    @cached_property
    def holds_items(self) -> bool:
        """Whether it contains a list of judged items.

        Lists of test reports (`results` with a `status` each) do not count.
        """
        return not self.is_schema and any(
            isinstance(item, dict)
            and any(key in item for key in WORDINGS)
            and any(isinstance(item.get(key), (bool, str)) for key in VERDICTS)
            for name, inner in self.lists
            if name in LISTS
            for item in (inner.values() if isinstance(inner, dict) else inner)
        )

    @cached_property
    def holds_scores(self) -> bool:
        """Whether it lists runs with a nonstandard score each, or scores a skill."""
        if any(snake(key) in SKILL for key in self.fields):
            for name, held in self.fields.items():
                numbers = held.values() if isinstance(held, dict) else (held,)
                if "score" in name.lower() and not NUMBERS.isdisjoint(map(type, numbers)):
                    return True
        return any(
            isinstance(item, dict)
            and any(type(item.get(key)) in NUMBERS for key in ("score", "pass_rate"))
            for name in ("runs", "results", "scores")
            if isinstance(listed := self.fields.get(name), list)
            for item in listed[:MOST]
        )

    @cached_property
    def stated(self) -> Stated | None:
        """The first pass rate, or count of what passed with its total.

        A plain `passed` or `rate` counts beside a total only, as other things are called so too.
        """
        for _, held in () if self.is_schema else (("", self.value), *self.lists):
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

    @cached_property
    def content(self) -> Content | None:
        """The first list that holds something evaluated in any form."""
        for name, inner in () if self.is_schema else (("", self.value), *self.lists):
            if isinstance(inner, list):
                kinds = [what for item in inner if (what := _kept(name, item)) is not None]
                for what, number in Counter(kinds).most_common(1) if kinds else ():
                    return Content(what, number, name)
        return None


def looks_like_evaluation(
    path: str, document: Document | None, names: Set[str], shapes: Iterable[Set[str]]
) -> bool:
    """Return whether an unclaimed file is an evaluation document by name, shape or items.

    `names` are those of such documents, `shapes` the fields that one of them has. A file that could
    not be read counts by its name alone.
    """
    if path.rpartition("/")[2] in names:
        return True
    known = document is not None and any(keys <= document.fields.keys() for keys in shapes)
    return known or (document is not None and document.holds_items)


def names_evaluation(text: str, shapes: Iterable[Set[str]]) -> bool:
    """Return whether the beginning of a file that is no JSON has the fields of such a document."""
    fields = dict(_FIELD.findall(text))
    return any(keys <= fields.keys() for keys in shapes) or any(map(fields.get, LISTS))


def are_scored_cases(value: Any) -> bool:
    """Return whether a document lists cases with scored criteria: {criterion, required}.

    Without any criterion, cases with only an id, a prompt and files count too; others are evals.
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

    The empty name means that the document is such a list.
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
