"""The headline of a suite over its versions, as a chart."""

from dataclasses import replace
from itertools import pairwise
from typing import Final

from evalcore.comparing.comparability import comparability
from evalcore.comparing.model import Break, Side
from evalcore.counting.case_values import case_values
from evalcore.counting.focus import UNASSIGNED
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column
from evalcore.counting.people import Scores
from evalcore.counting.rates import EFFICIENCY, Rate
from evalcore.counting.score_source import rates_by
from evalcore.statistics.intervals import mean_interval
from evalcore.views.charts.caption import picture
from evalcore.views.charts.model import Axis, LineChart, Picture, Point, Series
from evalcore.views.overview.sentences import likely
from evalcore.views.verdict.limits import break_sentence
from evalcore.views.words import wording
from evalcore.views.words.score_source import scores_words
from evalcore.workspace.opened import Workspace

MAX_SERIES: Final = 7
MAX_VERSIONS: Final = 40


@memoize_per_workspace
def headline_chart(
    ws: Workspace, suite: str, headline: str, scores: Scores = "recorded"
) -> LineChart | None:
    """Return the headline per version, one series for each configuration; None below two points.

    Versions of several prompts (`prompt@number`) form a series for each prompt. No line is broken
    yet; see `with_gaps`.
    """
    columns = {
        column: rate
        for column, rate in rates_by(ws, scores)[suite].items()
        if rate.value is not None and column.version != UNASSIGNED
    }
    versions = tuple(dict.fromkeys(column.version for column in columns))
    shown = versions[-MAX_VERSIONS:]
    prompts = {version.rpartition("@")[0] for version in versions}
    several = len(prompts) > 1 and "" not in prompts
    ranges = {
        column: mean_interval(values)
        for column, values in case_values(ws, suite, scores).items()
        if column.version in shown
    }
    grouped: dict[str, list[Point]] = {}
    for column, rate in columns.items():
        if column.version in shown:
            at = shown.index(column.version)
            point = _point(at, column, rate, ranges[column], headline)
            grouped.setdefault(_name(column, several), []).append(point)
    if sum(map(len, grouped.values())) < 2:
        return None
    chosen = _most_complete(grouped)
    series = tuple(
        Series(name if len(grouped) > 1 else "", tuple(grouped[name])) for name in chosen
    )
    hidden = (len(versions) - len(shown), len(grouped) - len(chosen))
    labels = tuple(version.rpartition("@")[2] if several else version for version in shown)
    sentence = _sentence(f"{headline}{scores_words(scores)}", series, several, *hidden)
    return LineChart(sentence, "", labels, series, Axis(0.0, 1.0, _ticks(headline)))


def _name(column: Column, several: bool) -> str:
    parts = [
        column.version.rpartition("@")[0] if several else "",
        "" if column.configuration == "-" else column.configuration,
    ]
    return " · ".join(part for part in parts if part) or "no configuration"


def _point(
    at: int, column: Column, rate: Rate, found: tuple[float, float] | None, headline: str
) -> Point:
    text = wording.headline(rate.value, headline)
    over = f"over {wording.count(rate.cases, 'case')}, {wording.count(rate.counted, 'run')}"
    low, high = found or (None, None)
    hover = f"{column.key}: {text} {over}{likely(low, high, headline)}"
    return Point(at, column, float(rate.value or 0.0), low, high, text, hover)


@memoize_per_workspace
def with_gaps(
    ws: Workspace, suite: str, chart: LineChart, scores: Scores = "recorded"
) -> LineChart:
    """Return a chart whose lines break where a version is not comparable with the previous one."""
    series = tuple(
        Series(line.name, _broken(ws, suite, line.points, scores)) for line in chart.series
    )
    return chart._replace(series=series, gaps=_gaps(series))


def headline_picture(
    ws: Workspace, suite: str, chart: LineChart, headline: str, scores: Scores
) -> Picture:
    """Return the chart with its caption: cases and runs of the newest points, and its intervals."""
    newest = [line.points[-1].hover for line in chart.series]
    facts = [f"Newest: {'; '.join(newest)}.", "Whiskers are 95 % intervals over cases."]
    title = f"{headline[:1].upper()}{headline[1:]} of {suite if suite != '.' else ws.name}"
    return picture(ws, suite, chart, title, facts, scores)


def _broken(
    ws: Workspace, suite: str, points: tuple[Point, ...], scores: Scores
) -> tuple[Point, ...]:
    found = list(points[:1])
    for before, point in pairwise(points):
        sides = Side(ws, suite, Column(*before.key)), Side(ws, suite, Column(*point.key))
        stop = next(filter(_parts, comparability(*sides, scores).breaks), None)
        why = break_sentence(replace(stop, a="", b="", mend="")) if stop else ""
        found.append(point._replace(broken=why))
    return tuple(found)


def _parts(found: Break) -> bool:
    """Return whether a line over versions must not pass a difference.

    Two versions can be compared by different judges or models, if that is said; a line would say
    that all of its points are alike.
    """
    return found.stops or (found.what in {"judge", "executor"} and not found.cases)


def _most_complete(grouped: dict[str, list[Point]]) -> list[str]:
    """Return the names of at most seven series: those with the most points, in order."""
    best = sorted(grouped, key=lambda name: -len(grouped[name]))[:MAX_SERIES]
    return [name for name in grouped if name in best]


def _sentence(
    headline: str, series: tuple[Series, ...], several: bool, versions: int, others: int
) -> str:
    likely_too = any(point.low is not None for line in series for point in line.points)
    what = f"{headline[0].upper()}{headline[1:]} of each version"
    what += " with its likely range (95 % over cases)" if likely_too else ", mean over its cases"
    if len(series) > 1:
        what += ", one line a prompt" if several else ", one line a configuration"
    left = [
        f"the {versions:,} oldest versions" if versions else "",
        f"{wording.count(others, 'other line')}" if others else "",
    ]
    said_left = " and ".join(part for part in left if part)
    return f"{what}." + (f" Not drawn: {said_left}." if said_left else "")


def _gaps(series: tuple[Series, ...]) -> str:
    """Return the reason of the newest line break, and the number of others."""
    breaks = [
        (Column(*before.key).key, Column(*point.key).key, point.broken)
        for line in series
        for before, point in pairwise(line.points)
        if point.broken
    ]
    if not breaks:
        return ""
    before, after, why = breaks[-1]
    more = f" {wording.count(len(breaks) - 1, 'more gap')}." if len(breaks) > 1 else ""
    return f"// no line from {before} to {after}: {why[0].lower()}{why[1:]}{more}"


def _ticks(headline: str) -> tuple[tuple[float, str], ...]:
    steps = (0.0, 0.25, 0.5, 0.75, 1.0)
    if headline == EFFICIENCY:
        return tuple((step, wording.number(step)) for step in steps)
    return tuple((step, wording.percent(step)) for step in steps)
