"""A metric over versions or benchmark runs, as a chart and as a picture."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Final, NamedTuple

from evalcore.comparing.model import Break
from evalcore.counting.choices import versions_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import columns_of_runs
from evalcore.counting.people import Scores
from evalcore.numbers import disagrees
from evalcore.trends.breaks import breaks
from evalcore.trends.lines import Line, Over, Place, Spot, lines
from evalcore.trends.metrics import HEADLINE, Metric
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Say
from evalcore.views.charts.caption import picture
from evalcore.views.charts.model import LineChart, Picture, Point, Series
from evalcore.views.series.words import MetricWords, metric_words
from evalcore.views.verdict.limits import break_sentence, capital
from evalcore.views.words import wording
from evalcore.views.words.score_source import scores_words
from evalcore.workspace.opened import Workspace

MAX_SERIES: Final = 7
MAX_DRAWN: Final = 40
MAX_REASONS: Final = 3
MAX_REASON: Final = 160
MAX_PLACES: Final = 5
EXCERPT: Final = 120
_HASH: Final = 12
NOUNS: Final[dict[Over, str]] = {"versions": "version", "benchmark-runs": "benchmark run"}


class About(NamedTuple):
    """A version: the beginning of its description, its short git hash and its date."""

    description: str
    git_hash: str
    when: datetime | None


NOTHING: Final = About("", "", None)


@memoize_per_workspace
def versions_about(ws: Workspace, suite: str) -> dict[str, About]:
    """Return what is known about each version of a suite."""
    found = {}
    for row in versions_of(ws, suite):
        said = wording.line(row.description or "", EXCERPT)
        found[row.version or ""] = About(said, (row.git_hash or "")[:_HASH], row.created_at)
    return found


class Places(NamedTuple):
    """The names of all places with a value, oldest first, and which one a point is at."""

    names: tuple[str, ...]
    of: Callable[[Spot], str]


def places(ws: Workspace, suite: str, found: tuple[Line, ...], over: Over) -> Places:
    """Return the places of some lines.

    Benchmark runs stand at their date if all have one and no two of a line share it, else at their
    minute or version under the same condition, else each at a place of its own.
    """

    def apart(name: Callable[[Spot], str]) -> bool:
        return all(len(line.known) == len(set(map(name, line.known))) for line in found)

    version = attrgetter("place.version")
    known = [spot for line in found for spot in line.known]
    name: Callable[[Spot], str] = attrgetter("place.key")
    if over == "benchmark-runs" and all(spot.when is not None for spot in known):
        known.sort(key=lambda spot: spot.when.timestamp() if spot.when else 0.0)
        for form in ("%Y-%m-%d", "%Y-%m-%d %H:%M"):
            dated = partial(_dated, form)
            if apart(dated):
                name = dated
                break
    elif over == "versions" or apart(version):
        order = {column.version: at for at, column in enumerate(columns_of_runs(ws, suite).columns)}
        known.sort(key=lambda spot: order.get(spot.place.version, len(order)))
        name = version
    return Places(tuple(dict.fromkeys(map(name, known))), name)


def _dated(form: str, spot: Spot) -> str:
    return f"{spot.when:{form}}" if spot.when else ""


class Request(NamedTuple):
    """What to draw: a metric, and of it some lines (by name; the longest if empty).

    `first` and `last` are the numbers of places from 1; at most 40 up to the last are drawn.
    """

    metric: Metric = HEADLINE
    over: Over = "versions"
    names: tuple[str, ...] = ()
    first: int | None = None
    last: int | None = None


class Drawn(NamedTuple):
    """A chart with what it draws of how much.

    The places from number `first` (from 1) to `last` of `total`, and not the lines `others`.
    `lines` are the points of each series, with its name.
    """

    chart: LineChart
    first: int
    last: int
    total: int
    others: tuple[str, ...]
    lines: tuple[tuple[str, tuple[Spot, ...]], ...]

    @property
    def newest_first(self) -> list[tuple[str, Spot]]:
        """The points with the name of their line, the newest place first."""
        placed = [
            (point.at, name, spot)
            for series, (name, spots) in zip(self.chart.series, self.lines, strict=True)
            for point, spot in zip(series.points, spots, strict=True)
        ]
        return [(name, spot) for _, name, spot in sorted(placed, key=lambda each: -each[0])]


@memoize_per_workspace
def drawn(ws: Workspace, suite: str, request: Request, scores: Scores = "recorded") -> Drawn | None:
    """Return the chart of a metric; None where it was never measured.

    No line is broken yet; see `with_gaps`.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    every = lines(ws, suite, request.metric, request.over, scores)
    if not every:
        return None
    found = places(ws, suite, every, request.over)
    last = min(max(request.last or len(found.names), 1), len(found.names))
    first = min(max(request.first or 1, last - MAX_DRAWN + 1, 1), last)
    at = {name: place for place, name in enumerate(found.names[first - 1 : last])}
    # The requested lines, else those with the most points; at most seven, in order.
    among = [line for line in every if line.name in request.names] or list(every)
    best = sorted(among, key=lambda line: -len(line.known))[:MAX_SERIES]
    chosen = [line for line in among if line in best]
    words = metric_words(ws, suite, request.metric)
    parts = [
        (line.name, tuple(spot for spot in line.known if found.of(spot) in at)) for line in chosen
    ]
    parts = [(name, spots) for name, spots in parts if spots]
    series = tuple(
        Series(
            name if len(every) > 1 else "",
            tuple(_point(ws, suite, words, spot, at[found.of(spot)]) for spot in spots),
        )
        for name, spots in parts
    )
    tops = [point.high or point.value for line in series for point in line.points]
    names = tuple(line.name for line in chosen)
    # The prompt is not in the labels if lines name it.
    several = any(line.prompt for line in every)
    labels = tuple(name.rpartition("@")[2] if several else name for name in at)
    result = Drawn(
        LineChart("", "", labels, series, words.axis(tops)),
        first,
        last,
        len(found.names),
        tuple(line.name for line in every if line.name not in names),
        tuple(parts),
    )
    sentence = _sentence(request, words, every, result, scores)
    return result._replace(chart=result.chart._replace(sentence=sentence))


def _point(ws: Workspace, suite: str, words: MetricWords, spot: Spot, at: int) -> Point:
    """Return a point with its value, n and interval, and what is known about its version."""
    about = versions_about(ws, suite).get(spot.place.version, NOTHING)
    of = f" of {spot.place.column.key}" if spot.place.benchmark_run else ""
    when, value = spot.when or about.when, words.value(spot.value)
    rows = [
        f"{spot.place.key}{of}: {value} {over_words(spot)}{words.likely(spot.interval)}",
        stored_words(words, spot),
        about.description,
        f"commit {about.git_hash}" if about.git_hash else "",
        wording.moment(when) if when is not None else "",
    ]
    low, high = spot.interval or (None, None)
    key = spot.place if spot.place.benchmark_run else spot.place.column
    drawn, hover = spot.value or 0.0, "\n".join(filter(None, rows))
    return Point(at, key, drawn, low, high, words.short(drawn), hover)


def over_words(spot: Spot) -> str:
    """Return what a point is the mean of: `over 12 cases, 18 runs`."""
    if spot.from_document:
        return "as its document states it"
    return f"over {wording.count(spot.cases, 'case')}, {wording.count(spot.runs, 'run')}"


def stored_words(words: MetricWords, spot: Spot) -> str:
    """Return what a document states if it disagrees with the runs; else nothing."""
    if spot.stored is None or spot.from_document or spot.value is None:
        return ""
    if not disagrees(spot.stored, spot.value):
        return ""
    return f"its document states {words.value(spot.stored)}"


@memoize_per_workspace
def with_gaps(
    ws: Workspace, suite: str, metric: Metric, chart: LineChart, scores: Scores = "recorded"
) -> LineChart:
    """Return a chart whose lines break where a point is not comparable with the previous one."""
    series = []
    for line in chart.series:
        stops = breaks(ws, suite, metric, [Place(*point.key) for point in line.points], scores)
        whys = ["", *map(break_words, stops)]
        points = zip(line.points, whys, strict=True)
        series.append(Series(line.name, tuple(each._replace(broken=why) for each, why in points)))
    broken = chart._replace(series=tuple(series))
    return broken._replace(gaps=_gaps(broken))


def break_words(stop: Break | None) -> str:
    """Return why a line breaks; empty if it does not."""
    return break_sentence(replace(stop, a="", b="", mend="")) if stop else ""


def _sentence(
    request: Request, words: MetricWords, every: tuple[Line, ...], found: Drawn, scores: Scores
) -> str:
    series = found.chart.series
    noun = NOUNS[request.over]
    likely_too = any(point.low is not None for line in series for point in line.points)
    what = f"{capital(words.name)}{scores_words(scores)} of each {noun}"
    what += " with its likely range (95 % over cases)" if likely_too else ", mean over its cases"
    if len(series) > 1:
        apart = "prompt" if any(line.prompt for line in every) else "configuration"
        apart = "benchmark" if any(line.benchmark for line in every) else apart
        what += f", one line a {apart}"
    newer = found.total - found.last
    left = [
        f"the {wording.count(found.first - 1, f'oldest {noun}')}" if found.first > 1 else "",
        f"the {wording.count(newer, f'newest {noun}')}" if newer else "",
        wording.count(len(found.others), "other line") if found.others else "",
    ]
    said_left = " and ".join(part for part in left if part)
    return f"{what}." + (f" Not drawn: {said_left}." if said_left else "")


def _gaps(chart: LineChart) -> str:
    """Return where lines break, by reason: the most frequent ones, with the newest places."""
    gaps: dict[str, list[str]] = {}
    for gap in reversed(chart.breaks):
        for why in gap.whys:
            gaps.setdefault(why, []).append(chart.labels[gap.at])
    said = []
    for why, labels in sorted(gaps.items(), key=lambda each: -len(each[1])):
        more = len(labels) - MAX_PLACES
        where = ", ".join(labels[:MAX_PLACES]) + (f" and {more:,} more" if more > 0 else "")
        # A long reason is whole on the mark in the chart.
        reason = why[1:] if len(why) <= MAX_REASON else f"{why[1:MAX_REASON]}…"
        said.append(f"Gap before {where}: {why[0].lower()}{reason}")
    more = len(said) - MAX_REASONS
    end = [f"And {wording.count(more, 'more reason')}."] if more > 0 else []
    return " ".join([*said[:MAX_REASONS], *end])


def chart_blocks(chart: LineChart | None) -> list[Block]:
    """Describe what is drawn, what is not, and where lines break."""
    if chart is None:
        return []
    said = (f"{chart.sentence} A point opens its runs.", chart.gaps)
    return [Say(text, quiet=True) for text in said if text]


def line_picture(
    ws: Workspace, suite: str, metric: Metric, chart: LineChart, scores: Scores
) -> Picture:
    """Return the chart with its caption: cases and runs of the newest points, and its intervals."""
    newest = [line.points[-1].hover.partition("\n")[0] for line in chart.series]
    facts = [f"Newest: {'; '.join(newest)}.", "Whiskers are 95 % intervals over cases."]
    name = capital(metric_words(ws, suite, metric).name)
    title = f"{name} of {suite if suite != '.' else ws.name}"
    return picture(ws, suite, chart, title, facts, scores)
