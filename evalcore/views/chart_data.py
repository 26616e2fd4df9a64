"""What the charts draw, as plain numbers: chosen and worded here, drawn by `evalcore.charts`."""

from typing import Final, NamedTuple

from evalcore.counting.focus import UNASSIGNED
from evalcore.counting.outcomes import Column
from evalcore.counting.rates import EFFICIENCY, Rate, rates
from evalcore.views import wording
from evalcore.workspace.opened import Workspace

MAX_SERIES: Final = 7
MAX_VERSIONS: Final = 40


class Point(NamedTuple):
    """One version and configuration: a value from 0 to 1, its words, and what it rests on."""

    column: Column
    value: float
    text: str
    hover: str


class Series(NamedTuple):
    """Points that are compared over time, under one name (empty when there is only one series)."""

    name: str
    points: tuple[Point, ...]


class HeadlineChart(NamedTuple):
    """The headline of a suite over its versions.

    `labels` are what the axis calls the versions, `ticks` the places and words of the other axis.
    """

    sentence: str
    versions: tuple[str, ...]
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    ticks: tuple[tuple[float, str], ...]


def headline_chart(ws: Workspace, suite: str, headline: str) -> HeadlineChart | None:
    """Return the headline per version, one series a configuration; None below two points.

    Versions of several prompts (`prompt@number`) make a series a prompt: one is not the other's
    next version.
    """
    columns = {
        column: rate
        for column, rate in rates(ws)[suite].items()
        if rate.value is not None and column.version != UNASSIGNED
    }
    versions = tuple(dict.fromkeys(column.version for column in columns))
    shown = versions[-MAX_VERSIONS:]
    prompts = {version.rpartition("@")[0] for version in versions}
    several = len(prompts) > 1 and "" not in prompts
    grouped: dict[str, list[Point]] = {}
    for column, rate in columns.items():
        if column.version in shown:
            grouped.setdefault(_name(column, several), []).append(_point(column, rate, headline))
    if sum(map(len, grouped.values())) < 2:
        return None
    chosen = _most_complete(grouped)
    series = tuple(
        Series(name if len(grouped) > 1 else "", tuple(grouped[name])) for name in chosen
    )
    hidden = (len(versions) - len(shown), len(grouped) - len(chosen))
    labels = tuple(version.rpartition("@")[2] if several else version for version in shown)
    sentence = _sentence(headline, series, several, *hidden)
    return HeadlineChart(sentence, shown, labels, series, _ticks(headline))


def _name(column: Column, several: bool) -> str:
    parts = [
        column.version.rpartition("@")[0] if several else "",
        "" if column.configuration == "-" else column.configuration,
    ]
    return " · ".join(part for part in parts if part) or "no configuration"


def _point(column: Column, rate: Rate, headline: str) -> Point:
    text = wording.headline(rate.value, headline)
    over = f"over {wording.count(rate.cases, 'case')}, {wording.count(rate.counted, 'run')}"
    return Point(column, float(rate.value or 0.0), text, f"{column.key}: {text} {over}")


def _most_complete(grouped: dict[str, list[Point]]) -> list[str]:
    """Return the names of at most seven series: those with the most points, in their order."""
    best = sorted(grouped, key=lambda name: -len(grouped[name]))[:MAX_SERIES]
    return [name for name in grouped if name in best]


def _sentence(
    headline: str, series: tuple[Series, ...], several: bool, versions: int, others: int
) -> str:
    what = f"{headline[0].upper()}{headline[1:]} of each version, mean over its cases"
    if len(series) > 1:
        what += ", one line a prompt" if several else ", one line a configuration"
    left = [
        f"the {versions:,} oldest versions" if versions else "",
        f"{wording.count(others, 'other line')}" if others else "",
    ]
    said_left = " and ".join(part for part in left if part)
    return f"{what}; a point opens its runs." + (f" Not drawn: {said_left}." if said_left else "")


def _ticks(headline: str) -> tuple[tuple[float, str], ...]:
    steps = (0.0, 0.25, 0.5, 0.75, 1.0)
    if headline == EFFICIENCY:
        return tuple((step, wording.number(step)) for step in steps)
    return tuple((step, wording.percent(step)) for step in steps)
