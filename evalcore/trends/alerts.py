"""Alerts: rates that fell between two consecutive comparable points."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from evalcore.comparing.compare import compare
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.people import Scores
from evalcore.statistics.trend import Drop, drop
from evalcore.trends.breaks import break_between
from evalcore.trends.lines import Line, Over, Place, Spot, lines
from evalcore.trends.metrics import Metric
from evalcore.trends.sides import sides_at
from evalcore.workspace.opened import Workspace

LOOKED_BACK: Final = 40
"""So many of the newest points of each line are looked at."""
Certainty = Literal["clear", "could be noise", "not tested"]


@dataclass(frozen=True, eq=False)
class Alert:
    """A rate that fell from one point of a line to the next; `current` if that is the newest."""

    line: str
    before: Spot
    after: Spot
    drop: Drop
    current: bool


@memoize_per_workspace
def alerts(
    ws: Workspace, suite: str, metric: Metric, over: Over, scores: Scores = "recorded"
) -> tuple[Alert, ...]:
    """Return the alerts of a metric among the newest 40 points of each line, newest first.

    Time, tokens and cost have none: no amount of them is good or bad in itself.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    if metric.resource is not None:
        return ()
    found = [
        (back, alert)
        for line in lines(ws, suite, metric, over, scores)
        for back, alert in _of_line(ws, suite, metric, line, scores)
    ]
    return tuple(alert for _, alert in sorted(found, key=lambda each: each[0]))


def certainty(ws: Workspace, suite: str, metric: Metric, alert: Alert, scores: Scores) -> Certainty:
    """Return whether the paired comparison of both sides of an alert confirms the drop."""
    return certainty_of(ws, suite, metric, (alert.before.place, alert.after.place), scores)


@memoize_per_workspace
def certainty_of(
    ws: Workspace, suite: str, metric: Metric, places: tuple[Place, Place], scores: Scores
) -> Certainty:
    """Return whether the paired comparison of two places confirms that a metric fell.

    It compares versions, or benchmark runs by their own test runs. Benchmark runs without any, and
    metrics that are neither the headline nor a criterion, are not tested.
    """
    sides = sides_at(ws, suite, places)
    if sides is None:
        return "not tested"
    result = compare(*sides, scores)
    told = result.verdict if metric.kind == "headline" else None
    if metric.kind == "criterion":
        of = [each for each in result.slices if each.kind == "criterion"]
        told = next((each.verdict for each in of if each.name == metric.criterion), None)
    if told is None:
        return "not tested"
    return "clear" if told.direction < 0 else "could be noise"


def _of_line(
    ws: Workspace, suite: str, metric: Metric, line: Line, scores: Scores
) -> list[tuple[int, Alert]]:
    """Return the alerts of a line, each with how many points it lies back."""
    spots = line.followed[-LOOKED_BACK:]
    found = []
    for at, (before, after) in enumerate(pairwise(spots)):
        fell = drop(before.value, after.value)
        back = len(spots) - 2 - at
        places = before.place, after.place
        if fell.level and break_between(ws, suite, metric, places, scores) is None:
            found.append((back, Alert(line.name, before, after, fell, back == 0)))
    return found
