"""`evalcore trends`: the direction, the points and the alerts of one metric."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from rich.console import RenderableType

from evalcore.charts.data import as_csv
from evalcore.charts.png import png
from evalcore.charts.svg import svg
from evalcore.cli.answering import Answer, fields
from evalcore.cli.opening import open_suite
from evalcore.cli.screen import styled, table
from evalcore.cli.writing import require_new, write_file
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.errors import CannotWrite, UnknownName
from evalcore.tables.exported import BOM
from evalcore.trends.alerts import alerts
from evalcore.trends.benchmarks import stored_trends
from evalcore.trends.breaks import breaks
from evalcore.trends.directions import directions
from evalcore.trends.lines import Line, Over, lines
from evalcore.trends.metrics import Metric, metric_named, metrics
from evalcore.views.series.chart import (
    NOTHING,
    NOUNS,
    Request,
    break_words,
    drawn,
    line_picture,
    stored_words,
    versions_about,
    with_gaps,
)
from evalcore.views.series.words import likely_words, metric_words
from evalcore.views.trends.alerts import Listed, alert_text, is_grave, listed, listed_alerts
from evalcore.views.trends.directions import direction_sentence, direction_word
from evalcore.views.verdict.limits import capital
from evalcore.workspace.opened import Workspace

SCHEMA: Final = 1
"""Increased when a name of the document changes its meaning or is removed, not for new ones."""
SHOWN: Final = 10
"""How many alerts are listed; `--json` has all."""
FORMS: Final = (".svg", ".png", ".csv")


def follow(
    path: Path,
    suite: str | None,
    metric: str | None,
    over: Over,
    scores: Scores,
    *,
    out: Path | None,
    force: bool,
    excel: bool,
) -> Answer:
    """Follow a metric over versions or benchmark runs; write its picture or numbers to `out`.

    `excel` puts a byte order mark before a CSV.

    Raises:
        SuiteNotNamed, UnknownName: the folder has no such suite, or the suite no such metric.
        CannotWrite: `out` has another form than SVG, PNG and CSV, or exists without `force`.
        PicturesMissing: PNG needs the extra `pictures`.
    """
    form = "" if out is None else out.suffix.lower()
    if excel and form != ".csv":
        raise CannotWrite(out or path, "--excel is for CSV; add --out FILE.csv")
    if out is not None and form not in FORMS:
        raise CannotWrite(out, f"its name must end in {', '.join(FORMS[:-1])} or {FORMS[-1]}")
    if out is not None:
        require_new(out, force=force)
    ws, name = open_suite(path, suite)
    found = metric_named(ws, name, metric)
    if out is None:
        said = _lines(ws, name, found, over, scores)
    else:
        line_drawn = drawn(ws, name, Request(found, over), scores)
        if line_drawn is None:
            raise UnknownName("value of the metric", found.key, [])
        chart = with_gaps(ws, name, found, line_drawn.chart, scores)
        picture = line_picture(ws, name, found, chart, scores)
        match form:
            case ".svg":
                data = svg(picture).encode()
            case ".png":
                data = png(picture)
            case _:
                data = BOM * excel + as_csv(picture).encode()
        write_file(out, data, force=force)
        said = iter([f"{out} written"])
    return Answer(lambda: as_document(ws, name, found, over, scores), said)


def _lines(
    ws: Workspace, suite: str, metric: Metric, over: Over, scores: Scores
) -> Iterator[RenderableType]:
    """Yield the direction of each line, the alerts and the newest points."""
    found = drawn(ws, suite, Request(metric, over), scores)
    words = metric_words(ws, suite, metric)
    if found is None:
        yield styled(f"No {NOUNS[over]} has a value: {words.name}.", "bold")
        return
    names = tuple(name for name, _ in found.lines)
    told = directions(ws, suite, metric, over, scores, names)
    alone = len(told) == 1 and not found.others
    for each in told:
        yield styled(direction_sentence(words, each, over, alone=alone), "bold")
    newest, total = listed_alerts(ws, suite, metric, over, scores, SHOWN)
    for alert in newest:
        yield styled(alert_text(alert), "red" if is_grave(alert) else "")
    if total > len(newest):
        yield f"and {total - len(newest):,} older alerts (all with --json)"
    yield ""
    yield capital(found.chart.sentence)
    if gaps := with_gaps(ws, suite, metric, found.chart, scores).gaps:
        yield gaps
    several = len(found.lines) > 1
    made = table(
        (NOUNS[over], "line") if several else (NOUNS[over],),
        numbers=("value", "likely", "cases", "runs"),
    )
    made.add_column("", overflow="fold")
    for line, spot in found.newest_first:
        cells = [spot.place.benchmark_run or spot.place.version, *([line] if several else ())]
        cells += [words.value(spot.value), likely_words(words, spot), f"{spot.cases:,}"]
        cells += [f"{spot.runs:,}", stored_words(words, spot)]
        made.add_row(*map(styled, cells))
    yield made


def as_document(
    ws: Workspace, suite: str, metric: Metric, over: Over, scores: Scores
) -> dict[str, Any]:
    """Return a metric over time as a document. docs/trends.md explains every name.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    words = metric_words(ws, suite, metric)
    told = directions(ws, suite, metric, over, scores)
    every = alerts(ws, suite, metric, over, scores)
    return {
        "schema": SCHEMA,
        "root": str(ws.root),
        "suite": suite,
        "family": outcomes(ws, suite).family,
        "metric": metric.key,
        "name": words.name,
        "over": over,
        "scores": scores,
        "metrics": [each.key for each in metrics(ws, suite)],
        "directions": [
            {
                "line": each.name,
                "direction": direction_word(metric, each.trend.direction),
                "early": each.trend.early,
                "escalated": each.escalated,
                "points": [spot.place.key for spot in each.spots],
                **fields(each.trend, "first", "last", "low", "high"),
                "cut_by_break": each.cut,
                "sentence": direction_sentence(words, each, over, alone=len(told) == 1),
            }
            for each in told
        ],
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
        "stored_trends": [
            {
                "trend": each.trend_id,
                **fields(each, "dimension", "stated"),
                "computed": each.computed.direction,
                "disagrees": each.disagrees,
                "stored_points": [point._asdict() for point in each.points],
                "source": each.source,
            }
            for each in stored_trends(ws, suite)
        ],
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
        about = versions_about(ws, suite).get(spot.place.version, NOTHING)
        low, high = spot.interval or (None, None)
        yield {
            "version": spot.place.version,
            "configuration": spot.place.configuration,
            "benchmark_run": spot.place.benchmark_run or None,
            "value": spot.value,
            "low": low,
            "high": high,
            **fields(spot, "cases", "runs", "stored", "from_document"),
            "break": whys.get(spot.place) or None,
            "when": spot.when or about.when,
            "git_hash": about.git_hash or None,
            "description": about.description or None,
        }
