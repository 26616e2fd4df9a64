"""Rates that fell between two comparable points, and benchmarks that did at their newest run."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from evalcore.benchmarks.drops import Step, newest_steps
from evalcore.comparing.compare import compare
from evalcore.comparing.model import Break
from evalcore.counting.cells import typed
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.people import Scores
from evalcore.statistics.trend import Drop, drop
from evalcore.tables.aggregated import BenchmarkRunRow
from evalcore.trends.breaks import break_between, sides_at
from evalcore.trends.lines import Over, Place, Spot, lines
from evalcore.trends.metrics import HEADLINE, Metric
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
    found = []
    for line in lines(ws, suite, metric, over, scores):
        spots = line.followed[-LOOKED_BACK:]
        for at, (before, after) in enumerate(pairwise(spots)):
            fell = drop(before.value, after.value)
            back = len(spots) - 2 - at
            places = before.place, after.place
            if fell.level and break_between(ws, suite, metric, places, scores) is None:
                found.append((back, Alert(line.name, before, after, fell, back == 0)))
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


class Regression(NamedTuple):
    """The rule fired at a benchmark run, `now`; `certainty` is the paired comparison's word.

    `stop` says why both cannot be compared: their cases, criteria or judges differ.
    """

    before: BenchmarkRunRow
    now: BenchmarkRunRow
    step: Step
    certainty: Certainty
    stop: Break | None


@memoize_per_workspace
def regressions(ws: Workspace, suite: str) -> tuple[Regression, ...]:
    """Return the benchmarks of a suite that dropped at their newest benchmark run, newest first.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    return tuple(
        regression_at(ws, suite, step)
        for step in newest_steps(ws, suite)
        if step.drop.level == "critical"
    )


def regression_at(ws: Workspace, suite: str, step: Step) -> Regression:
    """Return a step with the word of the paired comparison of its two benchmark runs.

    Raises:
        ValueError: no benchmark run is before it.
    """
    if step.previous is None:
        raise ValueError("The first benchmark run of a benchmark has nothing to be compared with.")
    before, now = typed(ws, "benchmark_runs", BenchmarkRunRow, (step.previous, step.row))
    first, second = (
        Place(row.version or "", row.configuration or "-", row.benchmark_run or "")
        for row in (before, now)
    )
    places = first, second
    stop = break_between(ws, suite, HEADLINE, places, "recorded")
    sure = "not tested" if stop else certainty_of(ws, suite, HEADLINE, places, "recorded")
    return Regression(before, now, step, sure, stop)
