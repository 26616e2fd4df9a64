"""A line chart as a picture: whiskers, points with titles, visible gaps, names at the ends."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final, NamedTuple

from evalcore.charts.places import LABEL_GAP, STEP, beside, spread
from evalcore.charts.svg.parts import EDGE, SIZE, Canvas, colour, num
from evalcore.charts.svg.text import escaped, width
from evalcore.palette import PALETTE
from evalcore.views.charts.model import LineChart, Point, Series

HEIGHT: Final = 190
NAME: Final = 150
TITLE: Final = 120
STEP_WIDTH: Final = 60.0
"""Where places are further apart than this, lines are no further beside each other."""
FEW: Final = 8
CLOSE: Final = 14
"""Points nearer than this to each other are drawn smaller, and have no values beside them."""


class _Area(NamedTuple):
    """Where values are drawn: pixels of the first and last label, of the axis' ends."""

    left: float
    right: float
    top: float
    bottom: float
    chart: LineChart

    def x(self, at: float) -> float:
        """Return the pixel of a place among the labels."""
        last = max(len(self.chart.labels) - 1, 1)
        return self.left + (self.right - self.left) * at / last

    def y(self, value: float) -> float:
        """Return the pixel of a value."""
        axis = self.chart.axis
        share = (value - axis.low) / ((axis.high - axis.low) or 1.0)
        return self.bottom - (self.bottom - self.top) * share


def draw(canvas: Canvas, chart: LineChart) -> None:
    """Draw the chart below what is there."""
    several, moved = len(chart.series) > 1, STEP * len(chart.series) * STEP_WIDTH
    longest = max((width(line.name, SIZE) for line in chart.series), default=0.0)
    right = canvas.width - EDGE - (min(longest, NAME) + 14 + moved if several else 20)
    top = canvas.top + 16
    area = _Area(_left(chart) + 12, right, top, top + HEIGHT, chart)
    _ticks(canvas, area)
    below = 34 if several and _has_room(area) else 20
    _labels(canvas, area, below)
    _gaps(canvas, area)
    for index, line in enumerate(chart.series):
        _line(canvas, area, line, index)
    if several:
        _names(canvas, area, moved)
    canvas.top = area.bottom + below + 8
    if chart.gaps:
        canvas.lines(chart.gaps, 'class="q"')


def _left(chart: LineChart) -> float:
    """Return where the axis stands: its words begin at the edge, as the text above does."""
    return EDGE + 8 + max((width(words, SIZE) for _, words in chart.axis.ticks), default=0.0)


def _gaps(canvas: Canvas, area: _Area) -> None:
    """Mark each gap on the axis, with a dotted line above it and its reasons as a title."""
    places = [area.x(gap.at - 0.5) for gap in area.chart.breaks]
    path = "".join(f"M{num(x)} {num(area.top)}V{num(area.bottom)}" for x in places)
    if path:
        ink = PALETTE.missing.on(canvas.mode)
        canvas.add(f'<path d="{path}" stroke="{ink}" stroke-dasharray="1 3"/>')
    for gap, x in zip(area.chart.breaks, places, strict=True):
        canvas.text(x, area.bottom + 4, "//", 'class="q m"', " ".join(gap.whys)[:TITLE])


def _ticks(canvas: Canvas, area: _Area) -> None:
    hairline = PALETTE.hairline.on(canvas.mode)
    left = _left(area.chart)
    path = "".join(
        f"M{num(left)} {num(area.y(at))}H{num(area.right)}" for at, _ in area.chart.axis.ticks
    )
    canvas.add(f'<path d="{path}" stroke="{hairline}"/>')
    for at, words in area.chart.axis.ticks:
        canvas.text(left - 8, area.y(at) + 4, words, 'class="q e"')


def _labels(canvas: Canvas, area: _Area, below: float) -> None:
    """Write as many labels as have room, the newest always."""
    labels = area.chart.labels
    wide = max((min(width(label, SIZE), 90.0) for label in labels), default=0.0) + 12
    apart = area.x(1) - area.x(0) if len(labels) > 1 else wide
    every = max(1, -(-int(wide) // max(int(apart), 1)))
    for at in range(len(labels) - 1, -1, -every):
        canvas.cut(area.x(at), area.bottom + below, labels[at], wide, 'class="q m"')


def _line(canvas: Canvas, area: _Area, line: Series, index: int) -> None:
    """Draw a series: its line with gaps, its whiskers, and its points with their titles."""
    ink, off = colour(index, canvas.mode), _beside(area, index)
    places = [(point, area.x(point.at) + off, area.y(point.value)) for point in line.points]
    runs = "".join(
        "M" + "L".join(f"{num(x)} {num(y)}" for _, x, y in run) for run in _unbroken(places)
    )
    whiskers = "".join(
        f"M{num(x)} {num(area.y(point.low))}V{num(area.y(point.high))}"
        for point, x, _ in places
        if point.low is not None and point.high is not None
    )
    canvas.add(
        f'<g fill="none" stroke="{ink}"><path d="{runs}" stroke-width="2"/>'
        f'<path d="{whiskers}" opacity=".6"/></g>'
    )
    near = len(area.chart.labels) > 1 and area.x(1) - area.x(0) < CLOSE
    points = "".join(
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{2 if near else 4}">'
        f"<title>{escaped(point.hover.partition(chr(10))[0][:TITLE])}</title></circle>"
        for point, x, y in places
    )
    canvas.add(f'<g class="{canvas.ink(index)}">{points}</g>')
    if _has_room(area):
        _values(canvas, area, places, index)


def _has_room(area: _Area) -> bool:
    """Return whether values can stand beside their points."""
    return len(area.chart.labels) <= FEW and len(area.chart.series) <= 2


def _values(
    canvas: Canvas, area: _Area, places: list[tuple[Point, float, float]], index: int
) -> None:
    """Write each value beside its point: above on the upper line, below on the others."""
    ink = f'class="m {canvas.ink(index)}"'
    others = [line.points for line in area.chart.series if line is not area.chart.series[index]]
    for point, x, y in places:
        above = any(
            other.value > point.value or (other.value == point.value and index > 0)
            for points in others
            for other in points
            if other.at == point.at
        )
        end = point.low if above else point.high
        at = y if end is None else area.y(end)
        canvas.text(x, at + 14 if above else at - 6, point.text, ink)


def _names(canvas: Canvas, area: _Area, moved: float) -> None:
    """Write the name of each line at its end, moved apart where lines end together."""
    axis = area.chart.axis
    gap = LABEL_GAP * ((axis.high - axis.low) or 1.0)
    ends = [line.points[-1].value for line in area.chart.series]
    for index, height in enumerate(spread(ends, gap)):
        ink = f'class="{canvas.ink(index)}"'
        name = area.chart.series[index].name
        canvas.cut(area.right + 8 + moved / 2, area.y(height) + 4, name, NAME, ink)


def _beside(area: _Area, index: int) -> float:
    """Return how far a line is moved sideways, so that equal values stay apart."""
    apart = area.x(1) - area.x(0) if len(area.chart.labels) > 1 else 0.0
    return beside(index, len(area.chart.series)) * min(apart, STEP_WIDTH)


def _unbroken(
    places: list[tuple[Point, float, float]],
) -> Iterator[list[tuple[Point, float, float]]]:
    """Yield the stretches of a line between its breaks."""
    stretch = 0

    def of(place: tuple[Point, float, float]) -> int:
        nonlocal stretch
        stretch += bool(place[0].broken)
        return stretch

    for _, found in groupby(places, of):
        yield list(found)
