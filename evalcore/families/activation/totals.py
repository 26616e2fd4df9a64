"""Totals that a document states of a list of queries, checked against the list."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.activation.outcomes import Run, finished
from evalcore.families.activation.queries import Block

THRESHOLD: Final = 0.5
"""From which share of its runs on skill-creator counts a query as activating the skill."""

_LISTS: Final = ("results", "query_results", "cases", "queries")


class Answered(NamedTuple):
    """One query of a list: what is expected, its runs, and what the document calls it."""

    expected: bool
    runs: Sequence[Run]
    stated: bool | None

    @property
    def finished(self) -> list[bool]:
        """Of each of its runs that came to an end, whether it activated the skill."""
        return finished(self.runs)

    @property
    def passed(self) -> bool:
        """Whether it counts as answered as expected: as the document says, else by most runs."""
        if self.stated is not None:
            return self.stated
        return (sum(self.finished) >= THRESHOLD * len(self.finished)) is self.expected


class Share(NamedTuple):
    """How many of `total` queries were answered as expected, and where that stands."""

    passed: float
    total: int
    path: str | None = None
    pointer: str | None = None


def computed(found: Sequence[Answered]) -> Share | None:
    """Return the share that a list itself gives, of the queries with a run that came to an end."""
    passed = [each.passed for each in found if each.finished]
    return Share(sum(passed), len(passed)) if passed else None


def stated(
    reader: Reader, path: str, suite: str, block: Block, found: Sequence[Answered]
) -> Share | None:
    """Return the share that stands beside a list, after noting where a total contradicts it.

    Tools count runs that crashed, and queries without any other, in ways of their own: where there
    are some, and where the runs are not known, a total contradicts nothing.
    """
    passed = sum(each.passed for each in found)
    triggers, runs = {True: 0, False: 0}, {True: 0, False: 0}
    for each in found:
        triggers[each.expected] += sum(each.finished)
        runs[each.expected] += len(each.runs)
    whole = all(len(each.finished) == len(each.runs) for each in found)
    share = None
    for node, prefix in _places(reader, path, suite, block):
        counts = {
            f"{prefix}passed": passed,
            f"{prefix}failed": len(found) - passed,
            f"{prefix}total": len(found),
            "total_queries": len(found),
            "tp": triggers[True],
            "fn": runs[True] - triggers[True],
            "fp": triggers[False],
            "tn": runs[False] - triggers[False],
        }
        for name, own in counts.items():
            value = node.get(name)
            if whole and type(value) is int and value != own:
                node.note(
                    "warning",
                    "derived-mismatch",
                    f"{name} is {value:,}, but the listed queries give {own:,}.",
                    "Count the queries again.",
                    name,
                )
        first, total = node.get(f"{prefix}passed"), node.get(f"{prefix}total")
        if share is None and type(first) is int and type(total) is int and total > 0:
            share = Share(first, total, path, node.at)
    return share


def _places(reader: Reader, path: str, suite: str, block: Block) -> list[tuple[Node, str]]:
    """Return the objects with totals of a list, and what their names begin with."""
    around, name = block.place.around, block.place.key
    if around is None or not isinstance(name, str):
        return []
    owner = Node(reader, path, around.value, around.at, suite)
    if name in _LISTS:
        inner = ((owner.child("summary"), ""), (owner.child("metrics"), "query_"))
        return [(owner, ""), *(each for each in inner if isinstance(each[0].value, dict))]
    prefix = name.removesuffix("results")
    stated = name.endswith("_results") and f"{prefix}total" in around.value
    return [(owner, prefix)] if stated else []
