"""The runs that one grading speaks of: as a rule one, else one an eval and configuration."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import Json
from evalcore.families.iterations.items import (
    NAMES,
    USUAL,
    arms_of,
    holds_items,
    is_item,
    is_single,
    other_lists,
    side_named,
)
from evalcore.families.iterations.words import verdict_of
from evalcore.layouts.iterations import is_configuration
from evalcore.names import CONFIGURATION, EVAL, ITEMS, OVERALL
from evalcore.problems import pointer

RUN_LISTS: Final = ("runs", "evals", "gradings", "cases", "test_cases", *ITEMS)
RUNS: Final = ("run_number", "run", "run_id")
OF_EVAL: Final = "eval_id"
"""The field of an item that names its eval, where a list has those of several."""
VAGUE: Final = ("run_type", "mode")
DEEPEST: Final = 4


class ItemsOf(NamedTuple):
    """The items of one eval, and of one configuration where they name any.

    `leads` is true for the first of several evals: what else the document says goes to its run.
    """

    eval: str
    configuration: str | None
    leads: bool

    def holds(self, item: Any) -> bool:
        """Say whether an item is one of them."""
        return isinstance(item, dict) and _named(item) == self[:2]


class Part(NamedTuple):
    """One run in a grading: where it stands, and what the document says about its place.

    `verdict` is the field that holds the verdicts of this run where one list serves several; `only`
    are the eval and the configuration that its items name where a list has those of several.
    `beside` says that it is the other side of the run that the document is about.
    """

    value: Json
    at: str = ""
    eval: str | None = None
    configuration: str | None = None
    run: str | None = None
    verdict: str | None = None
    only: ItemsOf | None = None
    beside: bool = False


def parts_of(value: Json) -> list[Part]:
    """Return the runs of a grading; one that is like no other comes back whole, as one run."""
    if type(value) is dict and type(value.get("expectations")) is list and value["expectations"]:
        first = value["expectations"][0]
        if value.keys() <= USUAL and not (type(first) is dict and OF_EVAL in first):
            return [Part(value)]
        return [*_by_eval(Part(value), value["expectations"]), *_other_sides(Part(value))]
    found = list(_parts(Part(value), 0))
    return found or [Part(value)]


def _by_eval(part: Part, items: list[Any]) -> Iterator[Part]:
    """Yield a run, or one an eval and configuration where its items name several."""
    if not all(isinstance(item, dict) and OF_EVAL in item for item in items):
        yield part
        return
    several = list(dict.fromkeys(map(_named, items)))
    if any(name is None for name, _ in several) or not several:
        yield part
        return
    for index, (name, configuration) in enumerate(several):
        assert name is not None
        own = ItemsOf(name, configuration, index == 0)
        yield part._replace(
            eval=name,
            configuration=configuration or part.configuration,
            only=own if len(several) > 1 else None,
        )


def _named(item: dict[str, Any]) -> tuple[str | None, str | None]:
    return _text(item, (OF_EVAL,)), configuration_named(item)


def _other_sides(part: Part) -> Iterator[Part]:
    """Yield the runs of other configurations whose items stand in lists of their own names."""
    for name, held in other_lists(part.value):
        side = side_named(name)
        if side is not None:
            at = part.at + pointer(name)
            yield part._replace(value=held, at=at, configuration=side, beside=True)


def _parts(part: Part, depth: int) -> Iterator[Part]:
    value = part.value
    if depth > DEEPEST:
        return
    if isinstance(value, dict):
        yield from _of_object(part, depth)
    elif isinstance(value, list):
        if any(is_item(entry) for entry in value):
            yield from _by_eval(part, value)
        else:
            yield from _of_list(part, value, part.at, depth)


def _of_object(part: Part, depth: int) -> Iterator[Part]:
    """Yield the runs of an object: its own, those of its lists, or those under its names."""
    value: dict[str, Any] = part.value
    if is_single(value):
        yield from _of_arms(part)
        yield from _other_sides(part)
        return
    lists = [name for name in RUN_LISTS if isinstance(value.get(name), list)]
    for name in lists:
        yield from _of_list(part, value[name], part.at + pointer(name), depth)
    if lists:
        return
    inner = [pair for pair in value.items() if isinstance(pair[1], (dict, list))]
    below = [found for name, held in inner for found in _under(part, name, held, depth)]
    yield from below
    if not below and depth and _names_run(value):
        yield part


def _names_run(value: dict[str, Any]) -> bool:
    """Say whether an object is a run by its verdict on the whole, or by naming its eval."""
    judged = any(verdict_of(value.get(key)) is not None for key in OVERALL)
    return judged or any(key in value for key in EVAL)


def _under(part: Part, name: str, held: Any, depth: int) -> Iterator[Part]:
    """Yield the runs under one name of an object: a configuration's, or an eval's."""
    at = part.at + pointer(name)
    side = side_named(name)
    if side is not None:
        yield from _parts(part._replace(value=held, at=at, configuration=side), depth + 1)
    elif name in RUN_LISTS:
        runs = held.values() if isinstance(held, dict) else ()
        if _has_runs(held, depth + 1) or any(_has_runs(run, depth + 2) for run in runs):
            yield from _parts(part._replace(value=held, at=at), depth + 1)
    elif _has_runs(held, depth + 1):
        own = configuration_named(held)
        stated = _text(held, EVAL) if own is not None else None
        here = part._replace(value=held, at=at, eval=stated or name)
        yield from _parts(here._replace(configuration=own or part.configuration), depth + 1)


def _has_runs(held: Any, depth: int) -> bool:
    """Say whether a value under a free name is an eval with items or configurations."""
    if isinstance(held, list):
        return any(is_item(entry) for entry in held)
    if not isinstance(held, dict) or depth > DEEPEST:
        return False
    return is_single(held) or any(
        isinstance(inner, (dict, list)) and (is_configuration(name) or name in RUN_LISTS)
        for name, inner in held.items()
    )


def _of_list(part: Part, entries: list[Any], at: str, depth: int) -> Iterator[Part]:
    for index, entry in enumerate(entries):
        if not isinstance(entry, dict):
            continue
        own = configuration_named(entry)
        here = part._replace(
            value=entry,
            at=f"{at}/{index}",
            eval=_eval(entry) or part.eval,
            configuration=own or part.configuration,
            run=_text(entry, RUNS) or part.run,
        )
        yield from _parts(here, depth + 1)


def _of_arms(part: Part) -> Iterator[Part]:
    """Yield an object with items as one run, or as one a configuration that its items judge."""
    value: dict[str, Any] = part.value
    name = next(name for name in ITEMS if holds_items(value.get(name)))
    held = value[name]
    items = list(held.values()) if isinstance(held, dict) else held
    arms = list(dict.fromkeys(arm for item in items for arm in arms_of(item)))
    if not arms and isinstance(held, list) and held:
        yield from _by_eval(part, held)
    elif not arms:
        yield part
    for arm in arms:
        yield part._replace(configuration=arm, verdict=arm)


def _eval(entry: dict[str, Any]) -> str | None:
    """Return what an entry calls its eval; its own name counts where it holds or sums up a run."""
    return _text(entry, EVAL) or _text(entry, NAMES)


def _text(entry: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        value = entry.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None


def configuration_named(value: Any) -> str | None:
    """Return the configuration that a document names in one of its fields."""
    if not isinstance(value, dict):
        return None
    for key in CONFIGURATION:
        name = value.get(key)
        if isinstance(name, str) and 0 < len(name.strip()) <= 60:
            name = name.strip()
            if key not in VAGUE or is_configuration(name):
                return name
    return None


def version_named(value: Any) -> str | None:
    """Return the version that a run states beside its configuration."""
    stated = value.get("version") if isinstance(value, dict) else None
    if not isinstance(stated, (str, int)) or isinstance(stated, bool):
        return None
    return (str(stated).strip() or None) if configuration_named(value) is not None else None
