"""The runs that one grading speaks of: as a rule one, else one an eval and configuration."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import Json
from evalcore.families.iterations.words import ITEM_LISTS, VERDICTS, WORDINGS, verdict_of
from evalcore.layouts.iterations import is_configuration
from evalcore.problems import pointer

RUN_LISTS: Final = ("runs", "evals", "gradings", "cases", "test_cases", *ITEM_LISTS)
EVALS: Final = ("eval_id", "eval_name", "eval", "case_id", "case", "test_case", "entry_point")
NAMES: Final = ("name", "id")
RUNS: Final = ("run_number", "run", "run_id")
FIELDS: Final = ("config", "configuration", "condition", "variant", "run_type", "mode")
VAGUE: Final = ("run_type", "mode")
DEEPEST: Final = 4


class Part(NamedTuple):
    """One run in a grading: where it stands, and what the document says about its place.

    `verdict` is the field that holds the verdicts of this run where one list serves several.
    """

    value: Json
    at: str = ""
    eval: str | None = None
    configuration: str | None = None
    run: str | None = None
    verdict: str | None = None


def parts_of(value: Json) -> list[Part]:
    """Return the runs of a grading; one that is like no other comes back whole, as one run."""
    if type(value) is dict and type(value.get("expectations")) is list and value["expectations"]:
        return [Part(value)]
    found = list(_parts(Part(value), 0))
    return found or [Part(value)]


def _parts(part: Part, depth: int) -> Iterator[Part]:
    value = part.value
    if depth > DEEPEST:
        return
    if isinstance(value, dict):
        yield from _of_object(part, depth)
    elif isinstance(value, list):
        if any(is_item(entry) for entry in value):
            yield part
        else:
            yield from _of_list(part, value, part.at, depth)


def _is_single(value: dict[str, Any]) -> bool:
    """Say whether an object has a list of items of its own."""
    return any(_holds_items(value.get(name)) for name in ITEM_LISTS)


def _holds_items(items: Any) -> bool:
    if isinstance(items, dict):
        return any(is_item(item) or verdict_of(item) is not None for item in items.values())
    return isinstance(items, list) and (not items or any(is_item(item) for item in items))


def is_item(value: Any) -> bool:
    """Say whether a value is one judged item, not a run that holds or sums up several."""
    if not isinstance(value, dict) or _is_single(value):
        return False
    if any(key in value for key in WORDINGS):
        return any(key in value for key in VERDICTS) or bool(_arms(value))
    named = any(key in value for key in NAMES) and not any(key in value for key in EVALS)
    return named and any(key in value for key in VERDICTS)


def _of_object(part: Part, depth: int) -> Iterator[Part]:
    """Yield the runs of an object: its own, those of its lists, or those under its names."""
    value: dict[str, Any] = part.value
    if _is_single(value):
        yield from _of_arms(part)
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
    judged = any(verdict_of(value.get(key)) is not None for key in VERDICTS)
    return judged or any(key in value for key in EVALS)


def _under(part: Part, name: str, held: Any, depth: int) -> Iterator[Part]:
    """Yield the runs under one name of an object: a configuration's, or an eval's."""
    at = part.at + pointer(name)
    if is_configuration(name):
        yield from _parts(part._replace(value=held, at=at, configuration=name), depth + 1)
    elif name not in ITEM_LISTS and _has_runs(held, depth + 1):
        container = name in RUN_LISTS
        named = part if container else part._replace(eval=name)
        yield from _parts(named._replace(value=held, at=at), depth + 1)


def _has_runs(held: Any, depth: int) -> bool:
    """Say whether a value under a free name is an eval with items or configurations."""
    if isinstance(held, list):
        return any(is_item(entry) for entry in held)
    if not isinstance(held, dict) or depth > DEEPEST:
        return False
    return _is_single(held) or any(
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
    name = next(name for name in ITEM_LISTS if _holds_items(value.get(name)))
    held = value[name]
    items = list(held.values()) if isinstance(held, dict) else held
    arms = list(dict.fromkeys(arm for item in items for arm in _arms(item)))
    if not arms:
        yield part
    for arm in arms:
        yield part._replace(configuration=arm, verdict=arm)


def _arms(item: Any) -> list[str]:
    """Return the configurations that an item holds verdicts of: `{"with_skill": "PASS"}`."""
    if not isinstance(item, dict) or any(key in item for key in VERDICTS):
        return []
    return [k for k, v in item.items() if is_configuration(k) and verdict_of(v) is not None]


def _eval(entry: dict[str, Any]) -> str | None:
    """Return what an entry calls its eval; its own name counts where it holds or sums up a run."""
    return _text(entry, EVALS) or _text(entry, NAMES)


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
    for key in FIELDS:
        name = value.get(key)
        if isinstance(name, str) and 0 < len(name.strip()) <= 60:
            name = name.strip()
            if key not in VAGUE or is_configuration(name):
                return name
    return None
