"""A metric over time as one JSON document: every line and point, in full precision."""

from collections.abc import Iterator
from typing import Any, Final

from evalcore.cli.json_text import json_text
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.trends.alerts import alerts
from evalcore.trends.benchmarks import StoredTrend, stored_trends
from evalcore.trends.breaks import breaks
from evalcore.trends.directions import LineTrend, directions
from evalcore.trends.lines import Line, Over, Spot, lines
from evalcore.trends.metrics import Metric, metrics
from evalcore.views.series.chart import NOTHING, break_words, versions_about
from evalcore.views.series.words import MetricWords, metric_words
from evalcore.views.trends.alerts import Listed, listed
from evalcore.views.trends.directions import direction_sentence, direction_word
from evalcore.workspace.opened import Workspace

SCHEMA: Final = 1
"""Increased when a name of the document changes its meaning or is removed, not for new ones."""


def as_document(ws: Workspace, suite: str, metric: Metric, over: Over, scores: Scores) -> str:
    """Return a metric over time as a document. docs/trends.md explains every name.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    words = metric_words(ws, suite, metric)
    told = directions(ws, suite, metric, over, scores)
    every = alerts(ws, suite, metric, over, scores)
    value = {
        "schema": SCHEMA,
        "root": str(ws.root),
        "suite": suite,
        "family": outcomes(ws, suite).family,
        "metric": metric.key,
        "name": words.name,
        "over": over,
        "scores": scores,
        "metrics": [each.key for each in metrics(ws, suite)],
        "directions": [_direction(words, each, over, alone=len(told) == 1) for each in told],
        "alerts": [_alert(each) for each in listed(ws, suite, metric, every, scores)],
        "lines": [
            {
                "name": line.name,
                "prompt": line.prompt or None,
                "configuration": line.configuration,
                "benchmark": line.benchmark or None,
                "points": list(_points(ws, suite, metric, line, scores)),
            }
            for line in lines(ws, suite, metric, over, scores)
        ],
        "stored_trends": [_stored(each) for each in stored_trends(ws, suite)],
    }
    return json_text(value)


def _direction(words: MetricWords, told: LineTrend, over: Over, *, alone: bool) -> dict[str, Any]:
    found = told.trend
    return {
        "line": told.name,
        "direction": direction_word(words.metric, found.direction),
        "early": found.early,
        "escalated": told.escalated,
        "points": [spot.place.key for spot in told.spots],
        "first": found.first,
        "last": found.last,
        "low": found.low,
        "high": found.high,
        "cut_by_break": told.cut,
        "sentence": direction_sentence(words, told, over, alone=alone),
    }


def _alert(found: Listed) -> dict[str, Any]:
    alert = found.alert
    return {
        "line": alert.line,
        "level": alert.drop.level,
        "from": alert.before.place.key,
        "to": alert.after.place.key,
        "before": alert.before.value,
        "after": alert.after.value,
        "points": float(alert.drop.points or 0),
        "relative": float(alert.drop.relative or 0),
        "certainty": found.certainty,
        "current": alert.current,
        "sentence": found.sentence,
    }


def _points(
    ws: Workspace, suite: str, metric: Metric, line: Line, scores: Scores
) -> Iterator[dict[str, Any]]:
    known = [spot.place for spot in line.known]
    whys = dict(
        zip(known[1:], map(break_words, breaks(ws, suite, metric, known, scores)), strict=True)
    )
    for spot in line.spots:
        yield _point(ws, suite, spot, whys.get(spot.place, ""))


def _point(ws: Workspace, suite: str, spot: Spot, why: str) -> dict[str, Any]:
    about = versions_about(ws, suite).get(spot.place.version, NOTHING)
    low, high = spot.interval or (None, None)
    when = spot.when or about.when
    return {
        "version": spot.place.version,
        "configuration": spot.place.configuration,
        "benchmark_run": spot.place.benchmark_run or None,
        "value": spot.value,
        "low": low,
        "high": high,
        "cases": spot.cases,
        "runs": spot.runs,
        "stored": spot.stored,
        "from_document": spot.from_document,
        "break": why or None,
        "when": when.isoformat() if when is not None else None,
        "git_hash": about.git_hash or None,
        "description": about.description or None,
    }


def _stored(found: StoredTrend) -> dict[str, Any]:
    return {
        "trend": found.trend_id,
        "dimension": found.dimension,
        "stated": found.stated,
        "computed": found.computed.direction,
        "disagrees": found.disagrees,
        "stored_points": [
            {
                "when": point.when.isoformat() if point.when is not None else None,
                "stated": point.stated,
                "computed": point.computed,
            }
            for point in found.points
        ],
        "source": found.source,
    }
