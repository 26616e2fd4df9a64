"""Find the lists of queries in a JSON value, under any of the names that tools write them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import Json
from evalcore.families.activation.documents import RESULT
from evalcore.layouts.shapes import Document
from evalcore.problems import pointer

DEEPEST: Final = 6
LOOKED_AT: Final = 20
"""How many items of a list are looked at before it is taken for another one."""
MOST: Final = 2000
"""How many lists and objects of a file are looked into before it is taken for another one."""

QUERIES: Final = RESULT.by_name["query"].names
SHOULD: Final = RESULT.by_name["should_trigger"].names
SHOULD_NOT: Final = (
    "should_not_trigger", "should_not_activate", "shouldNotTrigger", "should_not_fire",
    "should_not_invoke",
)  # fmt: skip
TRIGGERED: Final = RESULT.by_name["triggered"].names
TRIGGERS: Final = RESULT.by_name["triggers"].names
RUNS: Final = RESULT.by_name["runs"].names
RATE: Final = "trigger_rate"
ERROR: Final = "error"
"""What went wrong in one run that crashed."""
SKILLS: Final = RESULT.by_name["skill"].names
_EXPECTED: Final = "expected"
"""A name that many documents use; it counts only beside what came of it."""

_EXPECTATIONS: Final = dict.fromkeys(SHOULD, True) | dict.fromkeys(SHOULD_NOT, False)
_HOLDERS: Final = (dict, list)
_QUERIES: Final = frozenset(QUERIES)
_SPLITS: Final = ("train", "test", "holdout", "validation")
_MARKS: Final = ("date", "timestamp", "created_at", "started_at", "run_at", "run_id")


def named(item: Json, names: Iterable[str]) -> str | None:
    """Return the first of some names that an item has a value under."""
    fields = item if isinstance(item, dict) else {}
    return next((name for name in names if fields.get(name) is not None), None)


def text_of(item: Json, names: Iterable[str]) -> str | None:
    """Return the first text that an item has under some names, without blanks around it."""
    if isinstance(item, dict):
        for name in names:
            text = item.get(name)
            if isinstance(text, str) and (text := text.strip()):
                return text
    return None


def expectation(item: Json) -> bool | None:
    """Return whether an item's query should activate the skill; None if it does not say."""
    if not isinstance(item, dict):
        return None
    for name in SHOULD:
        if type(item.get(name)) is bool:
            return bool(item[name])
    expected = item.get(_EXPECTED)
    return expected if type(expected) is bool and decision(item) is not None else None


def decision(item: Mapping[str, Any]) -> bool | None:
    """Return whether the one run of an item activated the skill; None if it does not say."""
    return next((item[name] for name in TRIGGERED if type(item.get(name)) is bool), None)


def has_outcome(item: Json) -> bool:
    """Say whether an item says what came of its query, and not only what should."""
    if not isinstance(item, dict):
        return False
    listed = any(isinstance(item.get(name), list) for name in RUNS)
    return listed or named(item, (*TRIGGERED, *TRIGGERS, RATE)) is not None or bool(item.get(ERROR))


def squeezed(text: str) -> str:
    """Return a text without its white space: tools wrap long lines in ways of their own."""
    return "".join(text.split())


Around = tuple[tuple[Json, str | int], ...]


class Query(NamedTuple):
    """An item at a `place` of a list: its text, None if it is no query, and what is expected."""

    place: int
    item: Json
    text: str | None
    expected: bool | None
    skill: str | None


class Block:
    """A list of queries, and what the values around it say of it, the nearest before the others.

    `around` are these values, from the whole document on, each with the key of what it holds.
    `described_at` points to the object with the description.
    """

    def __init__(self, items: list[Json], around: Around, lines: Sequence[int] | None) -> None:
        self.around = around
        self.skill: str | None = None
        self.description: str | None = None
        self.described_at = ""
        self.iteration: int | None = None
        self.label: str | None = None
        self.model: str | None = None
        self.repeats: int | None = None
        self.marks: tuple[str, ...] = ()
        self.split: str | None = None
        self.at = ""
        for value, key in around:
            if type(value) is dict and type(key) is str:
                self.skill = text_of(value, SKILLS) or self.skill
                if text := text_of(value, ("description",)):
                    self.description, self.described_at = text, self.at
                iteration, repeats = value.get("iteration"), value.get("runs_per_query")
                self.iteration = iteration if _is_count(iteration) else self.iteration
                self.repeats = repeats if _is_count(repeats) else self.repeats
                self.label = text_of(value, ("description_label", "label")) or self.label
                inner = text_of(value.get("summary"), ("model",))
                self.model = text_of(value, ("model",)) or inner or self.model
                self.marks += tuple(text for name in _MARKS if (text := text_of(value, (name,))))
                split = next((n for n in _SPLITS if key == n or key.startswith(f"{n}_")), None)
                self.split = split or self.split
            self.at += pointer(key)
        places = range(len(items)) if around or lines is None else lines
        expected = _of_texts(around[-1][1], items) if around else None
        self.queries = [
            Query(place, item, item.strip() or None, expected, None)
            if isinstance(item, str) and expected is not None
            else Query(
                place, item, text_of(item, QUERIES), expectation(item), text_of(item, SKILLS)
            )
            for place, item in zip(places, items, strict=True)
        ]


class Searched(NamedTuple):
    """The lists of queries of a document.

    `sets` say what is expected of their queries. Where the first values of the document have none,
    `queries` is the first list of queries, and `odd` the first that says with something else than
    true or false what should answer them.
    """

    sets: list[Block]
    queries: Block | None
    odd: Block | None


def searched(document: Document) -> Searched:
    """Look for lists of queries in the order of a document, once."""
    sets: list[Block] = []
    queries: Block | None = None
    odd: Block | None = None
    passed = 0

    def look(value: Json, around: Around) -> None:
        nonlocal queries, odd, passed
        if around and _of_texts(around[-1][1], value) is not None:
            sets.append(Block(value, around, None))
            return
        if len(around) > DEEPEST:
            return
        passed += 1
        asked = _asked(value) if type(value) is list else []
        if asked and (sets or passed < MOST):
            block = Block(value, around, document.lines)
            if any(expectation(item) is not None for item in asked):
                sets.append(block)
                return
            queries = queries or block
            if any(isinstance(item.get("should_trigger"), (str, list)) for item in asked):
                odd = odd or block
        for key, inner in value.items() if type(value) is dict else enumerate(value):
            if not sets and passed >= MOST:
                return
            if type(inner) in _HOLDERS:
                look(inner, (*around, (value, key)))

    if type(document.value) in _HOLDERS:
        look(document.value, ())
    return Searched(sets, queries, odd)


def _asked(items: list[Json]) -> list[dict[str, Json]]:
    """Return those of the first items of a list that are queries."""
    return [
        item
        for item in items[:LOOKED_AT]
        if type(item) is dict and not _QUERIES.isdisjoint(item) and text_of(item, QUERIES)
    ]


def _of_texts(key: str | int, value: Json) -> bool | None:
    """Return what is expected of a list of bare texts; None for anything else."""
    expected = _EXPECTATIONS.get(key) if type(key) is str else None
    if expected is None or type(value) is not list:
        return None
    return expected if any(isinstance(item, str) for item in value) else None


def _is_count(value: Json) -> bool:
    return type(value) is int and 0 <= value < 2**31
