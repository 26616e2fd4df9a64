"""The direction of each line, and whether it escalates."""

from typing import NamedTuple

from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.people import Scores
from evalcore.counting.rates import suspicions
from evalcore.statistics.trend import ESCALATES, LAST, Trend, escalates, trend
from evalcore.trends.breaks import unbroken
from evalcore.trends.lines import Over, Spot, lines
from evalcore.trends.metrics import Metric
from evalcore.workspace.opened import Workspace


class LineTrend(NamedTuple):
    """The direction of a line over its newest comparable points, `spots`, at most five.

    `cut` says that a break ended the stretch, so that earlier points do not count, `suspect` what
    makes the newest of its doubtful points so.
    """

    name: str
    trend: Trend
    escalated: bool
    spots: tuple[Spot, ...]
    cut: bool
    suspect: tuple[str, ...]


@memoize_per_workspace
def directions(
    ws: Workspace,
    suite: str,
    metric: Metric,
    over: Over,
    scores: Scores = "recorded",
    names: tuple[str, ...] | None = None,
) -> tuple[LineTrend, ...]:
    """Return the direction of each line of a metric (of those with some names), in their order.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = []
    for line in lines(ws, suite, metric, over, scores):
        if names is not None and line.name not in names:
            continue
        newest = line.followed[-(LAST + ESCALATES - 1) :]
        places = [spot.place for spot in newest]
        alike = newest[-unbroken(ws, suite, metric, places, scores) :]
        values = [spot.value for spot in alike if spot.value is not None]
        amounts = metric.resource is not None
        told = trend(values, relative=amounts)
        cut = len(alike) < min(LAST, len(newest))
        falls = not amounts and escalates(values)
        suspect = tuple(
            f"{spot.place.key}: {said}"
            for spot in line.followed
            for said in suspicions(ws, suite, spot.place.column)
        )[-1:]
        found.append(LineTrend(line.name, told, falls, alike[-LAST:], cut, suspect))
    return tuple(found)
