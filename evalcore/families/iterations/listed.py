"""The runs that a benchmark lists, whatever its shape: one by one, by eval, or by configuration."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.iterations.amounts import finite, rate
from evalcore.families.iterations.figures import FIGURES
from evalcore.families.iterations.items import holds_items
from evalcore.families.iterations.split_runs import configuration_named
from evalcore.layouts.iterations import NONE, is_configuration
from evalcore.names import EVAL_ID, EVAL_NAME, FAILED, PASSED, RATE, SECONDS, TOKENS, TOTAL, first

LISTS: Final = (
    "per_eval", "eval_results", "evals", "by_eval", "per_case", "by_case", "case_results", "cases",
    "results",
)  # fmt: skip
SIDES: Final = ("configurations", "configs")
GROUPS: Final = ("summary", "aggregate", *SIDES)
FLAT: Final = re.compile(
    rf"^(?P<side>.+?)_(?P<metric>{'|'.join((*PASSED, *FAILED, *TOTAL, *RATE, *TOKENS, *SECONDS))})$"
)
STATISTICS: Final = frozenset(("mean", "median", "stddev", "min", "max", "n"))
FIELDS: Final = frozenset(
    (*FIGURES, *STATISTICS, *GROUPS, "delta", "overall", "average", "metadata", "notes", "note",
     "score", "errors")
)  # fmt: skip
"""Names of fields, which are never those of evals."""
NEVER: Final = frozenset((*GROUPS, "delta"))
"""Those of them that may hold sums of sides."""
WITHOUT_TOTAL: Final = (*TOTAL, *FAILED, *RATE)
"""Where a side has one of these, the total of its eval is not needed."""
DEEPEST: Final = 4


class Listed(NamedTuple):
    """One run as a benchmark lists it, or one eval's numbers in one configuration.

    `entry` is the object that names the eval, `item` the one that holds the numbers (often the
    same); `group` is the list it stands in, empty for the standard list of runs.
    """

    item: Node
    entry: Node
    configuration: str
    eval_id: Any
    name: str | None
    group: str = ""


def listed(node: Node) -> Iterator[Listed]:
    """Yield the runs of the standard list, then those that other lists hold."""
    for item in node.items("runs") if isinstance(node.get("runs"), list) else ():
        side = configuration_named(item.value) or NONE
        yield Listed(item, item, side, *_identity(item.value))
    yield from _within(node, NONE, 0)


def _identity(entry: Any, key: str | None = None) -> tuple[Any, str | None]:
    """Return the id and the name of the eval that an entry speaks of; `key` is its own name."""
    held = entry if isinstance(entry, dict) else {}
    eval_id: Any = key
    for field in EVAL_ID:
        value = held.get(field)
        if isinstance(value, (str, int)) and value != "":
            eval_id = value
            break
    for field in EVAL_NAME:
        value = held.get(field)
        if isinstance(value, str) and value:
            return eval_id, value
    return eval_id, None


def _within(node: Node, configuration: str, depth: int) -> Iterator[Listed]:
    """Yield the runs in the lists of an object, in its configurations and in its groups."""
    if depth > DEEPEST or not isinstance(node.value, dict):
        return
    for key in LISTS if depth == 0 else (*LISTS, "runs"):
        if key in node.value:
            yield from _entries(node.child(key), configuration, depth)
    for name, side in _sides(node):
        yield from _within(side, name, depth + 1)
    for key in GROUPS:
        if isinstance(node.value.get(key), dict):
            group = node.child(key)
            for name, below in group.fields() if key in SIDES else ((configuration, group),):
                yield from _within(below, name, depth + 1)


def _entries(node: Node, configuration: str, depth: int) -> Iterator[Listed]:
    """Yield the runs of a list of evals, or of an object that has them by name.

    A configuration among the names has lists of its own or evals; sums of its runs are none.
    """
    if isinstance(node.value, list):
        for entry in node.all_items():
            if isinstance(entry.value, dict):
                yield from _entry(entry, None, configuration, node.at)
    elif isinstance(node.value, dict):
        evals_only = not any(name in FIELDS or is_configuration(name) for name in node.value)
        for name, entry in node.fields():
            is_object = isinstance(entry.value, dict)
            if is_configuration(name):
                if is_object and any(key in entry.value for key in (*LISTS, "runs")):
                    yield from _within(entry, name, depth + 1)
                elif depth < DEEPEST:
                    yield from _entries(entry, name, depth + 1)
            elif (evals_only or is_object or isinstance(entry.value, list)) and not is_field(
                name, entry.value
            ):
                yield from _entry(entry, name, configuration, node.at)


def is_field(name: str, value: Any) -> bool:
    """Say whether a name among those of evals is a field's; one that has sides or items is none."""
    if name not in FIELDS or name in NEVER:
        return name in FIELDS
    held = value if isinstance(value, dict) else {}
    return not any(is_configuration(key) or holds_items(held.get(key)) for key in held)


def _entry(entry: Node, key: str | None, configuration: str, group: str) -> Iterator[Listed]:
    """Yield the runs of one eval: one for each side that it has, else itself."""
    eval_id, name = _identity(entry.value, key)
    arms = [*_sides(entry), *_flat_sides(entry)]
    for inner in (*SIDES, "results") if isinstance(entry.value, dict) else ():
        if inner in entry.value:
            arms += _sides(entry.child(inner))
    for side, node in arms or [(configuration_named(entry.value) or configuration, entry)]:
        several = node if isinstance(node.value, list) else node.child("runs")
        if isinstance(several.value, list):
            for run in several.items():
                own = configuration_named(run.value) or side
                yield Listed(run, entry, own, eval_id, name, group)
        else:
            yield Listed(_whole(node, entry), entry, side, eval_id, name, group)


def _sides(node: Node) -> list[tuple[str, Node]]:
    """Return the configurations that an object has under their own names."""
    return [
        (name, node.child(name))
        for name, value in (node.value.items() if isinstance(node.value, dict) else ())
        if value is not None and _side_named(name) == (name, None)
    ]


def _flat_sides(node: Node) -> list[tuple[str, Node]]:
    """Return the configurations whose numbers stand in fields like `with_skill_pass_rate`."""
    found: dict[str, dict[str, Any]] = {}
    for name, value in node.value.items() if isinstance(node.value, dict) else ():
        side, metric = _side_named(name)
        if side is not None and metric is not None:
            found.setdefault(side, {})[metric] = value
    return [
        (side, Node(node.reader, node.path, values, node.at, node.suite))
        for side, values in found.items()
    ]


@lru_cache(maxsize=1024)
def _side_named(name: str) -> tuple[str | None, str | None]:
    """Return the configuration that a field is named after, and the metric that it gives of it."""
    flat = FLAT.match(name)
    side, metric = (flat["side"], flat["metric"]) if flat is not None else (name, None)
    return (side, metric) if is_configuration(side) else (None, None)


def _whole(node: Node, entry: Node) -> Node:
    """Return a side as an object, with the total that its eval states for all sides.

    A bare number above 1 is a count, as is a whole one where the eval states a total; what is
    written as a count or a rate, or lies between 0 and 1, is a rate, and anything else a verdict.
    """
    value, total = node.value, first(entry.value, TOTAL)
    if not isinstance(value, dict):
        is_rate = is_bare_rate(value)
        is_count = finite(value) is not None and (
            not is_rate or (isinstance(value, int) and total is not None)
        )
        value = {"passed" if is_count else "pass_rate" if is_rate else "verdict": value}
    some = any(finite(value.get(name)) is not None for name in PASSED)
    if some and node is not entry and not any(name in value for name in WITHOUT_TOTAL):
        value = value if total is None else {**value, "total": total}
    if value is node.value:
        return node
    return Node(node.reader, node.path, value, node.at, node.suite)


def is_bare_rate(value: Any) -> bool:
    """Say whether a value that no name explains is a rate: not above 1, or written as one."""
    number = finite(value)
    return rate(value) is not None and (number is None or number <= 1)
