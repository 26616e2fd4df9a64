"""Find the lists of queries in a JSON value, under any of the names that tools write them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import Json
from evalcore.families.activation.documents import RESULT
from evalcore.problems import pointer

DEEPEST: Final = 6
LOOKED_AT: Final = 20
"""How many items of a list are looked at before it is taken for another one."""
MOST: Final = 2000
"""How many lists and objects of a file are looked into before it is taken for another one."""

QUERIES: Final = RESULT.by_name["query"].names
SHOULD: Final = RESULT.by_name["should_trigger"].names
SHOULD_NOT: Final = (
    "should_not_trigger",
    "should_not_activate",
    "shouldNotTrigger",
    "should_not_fire",
    "should_not_invoke",
)
TRIGGERED: Final = RESULT.by_name["triggered"].names
TRIGGERS: Final = RESULT.by_name["triggers"].names
RUNS: Final = RESULT.by_name["runs"].names
RATE: Final = "trigger_rate"
ERRORED: Final = RESULT.by_name["errored"].names
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
    if not isinstance(item, dict):
        return None
    for name in names:
        if item.get(name) is not None:
            return name
    return None


def query_name(item: Json) -> str | None:
    """Return the name under which an item has the text of a query."""
    if not isinstance(item, dict) or _QUERIES.isdisjoint(item):
        return None
    for name in QUERIES:
        text = item.get(name)
        if isinstance(text, str) and text.strip():
            return name
    return None


def expectation(item: Json) -> bool | None:
    """Return whether an item's query should activate the skill; None if it does not say."""
    if not isinstance(item, dict):
        return None
    for name in SHOULD:
        if type(item.get(name)) is bool:
            return bool(item[name])
    expected = item.get(_EXPECTED)
    return expected if type(expected) is bool and has_decision(item) else None


def has_decision(item: Mapping[str, Any]) -> bool:
    """Say whether an item says of one run whether it activated the skill."""
    return any(type(item.get(name)) is bool for name in TRIGGERED)


def has_outcome(item: Json) -> bool:
    """Say whether an item says what came of its query, and not only what should."""
    if not isinstance(item, dict):
        return False
    listed = any(isinstance(item.get(name), list) for name in RUNS)
    return listed or named(item, (*TRIGGERED, *TRIGGERS, RATE)) is not None or bool(item.get(ERROR))


def text_of(item: Json, names: Iterable[str]) -> str | None:
    """Return the first text that an item has under some names, without blanks around it."""
    if not isinstance(item, dict):
        return None
    for name in names:
        text = item.get(name)
        if isinstance(text, str) and text.strip():
            return text.strip()
    return None


def squeezed(text: str) -> str:
    """Return a text without its white space: tools wrap long lines in ways of their own."""
    return "".join(text.split())


class About(NamedTuple):
    """What the objects around a list say of it; `described_at` points to the description's own."""

    skill: str | None = None
    description: str | None = None
    described_at: str = ""
    iteration: int | None = None
    label: str | None = None
    model: str | None = None
    repeats: int | None = None
    marks: tuple[str, ...] = ()
    split: str | None = None


class Place(NamedTuple):
    """A list or an object in a document, and the one that holds it under `key`."""

    value: Json
    key: str | int = ""
    around: "Place | None" = None
    depth: int = 0

    @property
    def at(self) -> str:
        """The pointer of this value."""
        return "" if self.around is None else self.around.at + pointer(self.key)

    def inside(self) -> "Iterator[Place]":
        """Yield the lists and objects that this value holds."""
        pairs: Iterable[tuple[str | int, Json]] = ()
        if type(self.value) is dict:
            pairs = self.value.items()
        elif type(self.value) is list:
            pairs = enumerate(self.value)
        for key, value in pairs:
            if type(value) in _HOLDERS:
                yield Place(value, key, self, self.depth + 1)


class Block(NamedTuple):
    """A list of queries, its pointer, and what the objects around it say of it.

    Where the items are bare texts, `expected` says whether the skill should answer them. `lines`
    are the places of the items in a file with one a line.
    """

    at: str
    items: list[Json]
    about: About
    place: Place
    expected: bool | None = None
    lines: list[int] | None = None


class Searched(NamedTuple):
    """The lists of queries of a document.

    `sets` say what is expected of their queries. Where the first values of the document have none,
    `queries` is the first list of queries, and `odd` the first that says with something else than
    true or false what should answer them.
    """

    sets: list[Block]
    queries: Block | None
    odd: Block | None


def searched(document: Json) -> Searched:
    """Look for lists of queries in the order of a document, once."""
    sets: list[Block] = []
    queries = odd = None
    passed = 0
    walk = [iter([Place(document)])]
    while walk and (sets or passed < MOST):
        place = next(walk[-1], None)
        if place is None:
            walk.pop()
            continue
        expected = _of_texts(place.key, place.value)
        if expected is not None:
            sets.append(_block(place, expected))
            continue
        if place.depth > DEEPEST:
            continue
        passed += 1
        items = place.value[:LOOKED_AT] if type(place.value) is list else []
        asked = [item for item in items if query_name(item) is not None]
        if asked and (sets or passed < MOST):
            if any(expectation(item) is not None for item in asked):
                sets.append(_block(place))
                continue
            queries = queries or _block(place)
            if odd is None and any(_is_odd(item) for item in asked):
                odd = _block(place)
        walk.append(place.inside())
    return Searched(sets, queries, odd)


def holds_queries(value: Json) -> bool:
    """Say whether there is a list of queries of any kind among the first values of a document.

    Every file that nobody else took is asked, so this looks at nothing else.
    """
    level, left = [value], MOST
    for _ in range(DEEPEST + 1):
        left -= len(level)
        if left < 0 or not level:
            return False
        inner: list[Json] = []
        for each in level:
            if type(each) is dict:
                if not _EXPECTATIONS.keys().isdisjoint(each) and any(
                    _of_texts(key, one) is not None for key, one in each.items()
                ):
                    return True
                inner += [one for one in each.values() if type(one) in _HOLDERS]
            elif type(each) is list:
                if any(query_name(item) is not None for item in each[:LOOKED_AT]):
                    return True
                inner += [one for one in each[:MOST] if type(one) in _HOLDERS]
        level = inner
    return False


def _of_texts(key: str | int, value: Json) -> bool | None:
    """Return what is expected of a list of bare texts; None for anything else."""
    expected = _EXPECTATIONS.get(key) if type(key) is str else None
    if expected is None or type(value) is not list:
        return None
    return expected if any(isinstance(item, str) for item in value) else None


def _is_odd(item: dict[str, Any]) -> bool:
    return isinstance(item.get("should_trigger"), (str, list))


def _block(place: Place, expected: bool | None = None) -> Block:
    return Block(place.at, place.value, _about(place), place, expected)


def _about(place: Place) -> About:
    """Return what the objects around a value say of it, the nearest before the others."""
    around, key = place.around, place.key
    if around is None:
        return About()
    about, value = _about(around), around.value
    if type(value) is not dict or type(key) is not str:
        return about
    own = text_of(value, ("description",))
    iteration, repeats = value.get("iteration"), value.get("runs_per_query")
    model = text_of(value, ("model",)) or text_of(value.get("summary"), ("model",))
    marks = tuple(text for name in _MARKS if (text := text_of(value, (name,))))
    split = next((each for each in _SPLITS if key == each or key.startswith(f"{each}_")), None)
    return About(
        skill=text_of(value, SKILLS) or about.skill,
        description=own or about.description,
        described_at=about.described_at if own is None else around.at,
        iteration=iteration if _is_count(iteration) else about.iteration,
        label=text_of(value, ("description_label", "label")) or about.label,
        model=model or about.model,
        repeats=repeats if _is_count(repeats) else about.repeats,
        marks=about.marks + marks,
        split=split or about.split,
    )


def _is_count(value: Json) -> bool:
    return type(value) is int and 0 <= value < 2**31
