"""Find the lists of queries in a JSON value, each with what the objects around it say of it."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import Json
from evalcore.families.activation.items import (
    SHOULD,
    SHOULD_NOT,
    SKILLS,
    has_outcome,
    is_item,
    query_name,
    text_of,
)
from evalcore.problems import pointer

DEEPEST: Final = 6
LOOKED_AT: Final = 20
"""How many items of a list are looked at before it is taken for another one."""
MOST: Final = 2000
"""How many lists and objects of a file are looked into before it is taken for another one."""

_SPLITS: Final = ("train", "test", "holdout", "validation")
_MARKS: Final = ("date", "timestamp", "created_at", "started_at", "run_at", "run_id")

_TEXTS: Final = frozenset({*SHOULD, *SHOULD_NOT})


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


class Block(NamedTuple):
    """A list of queries at a pointer; `owner` is the object that holds it, under `name`.

    Where the items are bare texts, `expected` says whether the skill should answer them. `lines`
    are the places of the items in a file with one a line.
    """

    at: str
    items: list[Json]
    about: About
    name: str = ""
    owner: Json = None
    owner_at: str = ""
    expected: bool | None = None
    lines: list[int] | None = None


Test = Callable[[Json], bool]


def blocks(value: Json, test: Test = is_item) -> Iterator[Block]:
    """Yield the lists with an item that `test` accepts, in the order of the document."""
    return (found for found in _walk(value, "", About(), 0, test) if found is not None)


def first_block(value: Json, test: Test = is_item) -> Block | None:
    """Return the first of them among the first values of a document."""
    found = islice(_walk(value, "", About(), 0, test), MOST)
    return next((block for block in found if block is not None), None)


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
                if not _TEXTS.isdisjoint(each) and _has_texts(each):
                    return True
                inner += [one for one in each.values() if type(one) in (dict, list)]
            elif type(each) is list:
                if any(map(is_query, each[:LOOKED_AT])):
                    return True
                inner += [one for one in each[:MOST] if type(one) in (dict, list)]
        level = inner
    return False


def is_result(block: Block) -> bool:
    """Say whether a list says what came of its queries."""
    return any(map(has_outcome, block.items))


def is_query(item: Json) -> bool:
    """Say whether an item has a query, whatever else it has."""
    return query_name(item) is not None


def _walk(value: Json, at: str, about: About, depth: int, test: Test) -> Iterator[Block | None]:
    """Yield the lists of queries, and None for every other list or object passed."""
    if depth > DEEPEST:
        return
    yield None
    if isinstance(value, list):
        if any(map(test, islice(value, LOOKED_AT))):
            yield Block(at, value, about)
            return
        for index, item in enumerate(value):
            if isinstance(item, (dict, list)):
                yield from _walk(item, f"{at}/{index}", about, depth + 1, test)
    elif isinstance(value, dict):
        yield from _of_object(value, at, _inside(about, value, at), depth, test)


def _of_object(
    value: dict[str, Any], at: str, about: About, depth: int, test: Test
) -> Iterator[Block | None]:
    for key, inner in value.items():
        if not isinstance(inner, (dict, list)):
            continue
        here = at + pointer(key)
        expected = _of_texts(key, inner)
        if expected is not None:
            yield Block(here, inner, about, key, value, at, expected)  # type: ignore[arg-type] # a list
            continue
        for found in _walk(inner, here, _split(about, key), depth + 1, test):
            own = found is not None and found.at == here
            yield found._replace(name=key, owner=value, owner_at=at) if own and found else found


def _has_texts(value: dict[str, Any]) -> bool:
    return any(_of_texts(key, inner) is not None for key, inner in value.items())


def _of_texts(key: str, value: Json) -> bool | None:
    """Return what is expected of a list of bare texts; None for anything else."""
    if not isinstance(value, list) or not any(isinstance(item, str) for item in value):
        return None
    return True if key in SHOULD else False if key in SHOULD_NOT else None


def _split(about: About, key: str) -> About:
    found = next((split for split in _SPLITS if key == split or key.startswith(f"{split}_")), None)
    return about if found is None else about._replace(split=found)


def _inside(about: About, value: dict[str, Any], at: str) -> About:
    """Return what is said of the lists inside an object."""
    marks = tuple(text for key in _MARKS if (text := text_of(value, (key,))))
    description = value.get("description")
    known = isinstance(description, str) and bool(description.strip())
    return about._replace(
        skill=text_of(value, SKILLS) or about.skill,
        description=description.strip() if known else about.description,  # type: ignore[union-attr] # a text
        described_at=at if known else about.described_at,
        iteration=_whole(value.get("iteration"), about.iteration),
        label=text_of(value, ("description_label", "label")) or about.label,
        model=text_of(value, ("model",))
        or text_of(value.get("summary"), ("model",))
        or about.model,
        repeats=_whole(value.get("runs_per_query"), about.repeats),
        marks=about.marks + marks,
    )


def _whole(value: Json, otherwise: int | None) -> int | None:
    return value if type(value) is int and 0 <= value < 2**31 else otherwise
