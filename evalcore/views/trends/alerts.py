"""Alerts in words: how far a rate fell, and whether that could be noise."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.people import Scores
from evalcore.statistics.trend import Level
from evalcore.trends.alerts import Alert, Certainty, alerts, certainty
from evalcore.trends.lines import Over, Spot
from evalcore.trends.metrics import HEADLINE, Metric
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Chip, Heading, Links, Say, Verdict
from evalcore.views.series.words import MetricWords, metric_words
from evalcore.views.trends.state import View
from evalcore.views.verdict.limits import capital
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

LISTED: Final = 3
LONGEST: Final = 24
MOST: Final = 40
"""How many alerts are listed when all are asked for: each is a comparison."""
_LEVELS: Final[dict[Level | None, str]] = {"critical": "critical", "watch": "warning"}


class Listed(NamedTuple):
    """An alert with its certainty and its sentence."""

    alert: Alert
    certainty: Certainty
    sentence: str


def current_alerts(ws: Workspace, suite: str, scores: Scores = "recorded") -> int:
    """Return how many lines of the headline fell at their newest version: the sidebar's count.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    return sum(each.current for each in alerts(ws, suite, HEADLINE, "versions", scores))


@memoize_per_workspace
def listed_alerts(
    ws: Workspace,
    suite: str,
    metric: Metric,
    over: Over,
    scores: Scores = "recorded",
    most: int = LISTED,
) -> tuple[tuple[Listed, ...], int]:
    """Return the newest alerts, and how many there are in all; only these are compared."""
    every = alerts(ws, suite, metric, over, scores)
    return tuple(listed(ws, suite, metric, every[:most], scores)), len(every)


def listed(
    ws: Workspace, suite: str, metric: Metric, found: Sequence[Alert], scores: Scores
) -> Iterator[Listed]:
    """Yield alerts with the certainty that the comparison of their sides has, and their words."""
    words = metric_words(ws, suite, metric)
    for each in found:
        sure = certainty(ws, suite, metric, each, scores)
        yield Listed(each, sure, alert_sentence(words, each))


def is_grave(found: Listed) -> bool:
    """Say whether an alert is critical, and not by what could be noise."""
    return found.alert.drop.level == "critical" and found.certainty != "could be noise"


def alert_text(found: Listed) -> str:
    """Return how grave an alert is, and its sentence; what could be noise is not called grave."""
    said = {
        "clear": _LEVELS[found.alert.drop.level],
        "could be noise": found.certainty,
        "not tested": f"{_LEVELS[found.alert.drop.level]}, not tested",
    }[found.certainty]
    now = "newest, " if found.alert.current else ""
    return f"{capital(now + said)}: {found.sentence}"


def alert_sentence(words: MetricWords, alert: Alert) -> str:
    """Return an alert in one sentence with both figures of the drop."""
    of = "" if alert.line == "no configuration" else f" of {alert.line}"
    before, after = (
        f"{words.value(spot.value)} ({_named(spot)})" for spot in (alert.before, alert.after)
    )
    return f"{words.name}{of} fell from {before} to {after}."


def _named(spot: Spot) -> str:
    """Return the name of a point; a benchmark run with a long id by its version and time."""
    name = spot.place.benchmark_run or spot.place.version
    if len(name) <= LONGEST or spot.when is None or not spot.place.version:
        return name
    return f"{spot.place.version} of {wording.moment(spot.when)}"


def alert_blocks(
    found: Sequence[Listed],
    total: int,
    view: View,
    fell: Sequence[Block] = (),
    hint: str = "newest first",
) -> list[Block]:
    """Describe the alerts, newest first, each with its comparison; nothing if there are none.

    `fell` are the benchmarks that fell, above the others.
    """
    if not found and not fell:
        return []
    blocks: list[Block] = [Heading("Alerts", hint), *fell]
    for each in found:
        word = "worse" if is_grave(each) else ""
        before, after = each.alert.before.place.column, each.alert.after.place.column
        there = None if before == after else link("compare", a=before.key, b=after.key)
        blocks.append(Verdict(alert_text(each), word, link=there, small=True))
    left = total - len(found)
    if view.alerts and left:
        blocks.append(Say(f"And {wording.count(left, 'older alert')}.", quiet=True))
    elif view.alerts:
        blocks.append(Links("", [Chip(text="Only the newest", link=view.link(alerts=False))]))
    elif left:
        blocks.append(Links("", [Chip(text="Older alerts", n=left, link=view.link(alerts=True))]))
    return blocks
