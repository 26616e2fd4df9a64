"""The places of a chart from left to right: versions, or benchmark runs by date."""

from collections.abc import Callable
from typing import NamedTuple

from evalcore.counting.outcomes import columns_of_runs
from evalcore.trends.lines import Line, Over, Spot
from evalcore.workspace.opened import Workspace


class Places(NamedTuple):
    """The names of all places with a value, oldest first, and which one a point is at."""

    names: tuple[str, ...]
    of: Callable[[Spot], str]


def places(ws: Workspace, suite: str, found: tuple[Line, ...], over: Over) -> Places:
    """Return the places of some lines.

    Benchmark runs stand at their date if all have one and no two of a line share it, else at their
    minute or version under the same condition, else each at a place of its own.
    """
    known = [spot for line in found for spot in line.known]
    order = {column.version: at for at, column in enumerate(columns_of_runs(ws, suite).columns)}
    if over == "benchmark-runs" and all(spot.when is not None for spot in known):
        known.sort(key=_moment)
        for name in (_day, _minute):
            if _apart(found, name):
                return Places(tuple(dict.fromkeys(map(name, known))), name)
    elif over == "versions" or _apart(found, _version):
        known.sort(key=lambda spot: order.get(spot.place.version, len(order)))
        return Places(tuple(dict.fromkeys(map(_version, known))), _version)
    return Places(tuple(dict.fromkeys(map(_key, known))), _key)


def _apart(found: tuple[Line, ...], name: Callable[[Spot], str]) -> bool:
    return all(len(line.known) == len(set(map(name, line.known))) for line in found)


def _version(spot: Spot) -> str:
    return spot.place.version


def _key(spot: Spot) -> str:
    return spot.place.key


def _moment(spot: Spot) -> float:
    return spot.when.timestamp() if spot.when else 0.0


def _day(spot: Spot) -> str:
    return f"{spot.when:%Y-%m-%d}" if spot.when else ""


def _minute(spot: Spot) -> str:
    return f"{spot.when:%Y-%m-%d %H:%M}" if spot.when else ""
