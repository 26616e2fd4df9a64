"""A line chart as a picture: whiskers, points with titles, visible gaps, names at the ends."""

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
    axis, series, mode = chart.axis, chart.series, canvas.mode
    several, moved = len(series) > 1, STEP * len(series) * STEP_WIDTH
    longest = max((width(line.name, SIZE) for line in series), default=0.0)
    right = canvas.width - EDGE - (min(longest, NAME) + 14 + moved if several else 20)
    top = canvas.top + 16
    # The words of the axis begin at the edge, as the text above does.
    left = EDGE + 8 + max((width(words, SIZE) for _, words in axis.ticks), default=0.0)
    area = _Area(left + 12, right, top, top + HEIGHT, chart)
    path = "".join(f"M{num(left)} {num(area.y(at))}H{num(right)}" for at, _ in axis.ticks)
    canvas.add(f'<path d="{path}" stroke="{PALETTE.hairline.on(mode)}"/>')
    for at, words in axis.ticks:
        canvas.text(left - 8, area.y(at) + 4, words, 'class="q e"')
    below = 34 if several and _has_room(area) else 20
    _labels(canvas, area, below)
    # Each gap is marked on the axis, with a dotted line above it and its reasons as a title.
    places = [area.x(gap.at - 0.5) for gap in chart.breaks]
    path = "".join(f"M{num(x)} {num(area.top)}V{num(area.bottom)}" for x in places)
    if path:
        ink = PALETTE.missing.on(mode)
        canvas.add(f'<path d="{path}" stroke="{ink}" stroke-dasharray="1 3"/>')
    for gap, x in zip(chart.breaks, places, strict=True):
        canvas.text(x, area.bottom + 4, "//", 'class="q m"', " ".join(gap.whys)[:TITLE])
    for index, line in enumerate(series):
        _line(canvas, area, line, index)
    if several:
        # The name of each line at its end, moved apart where lines end together.
        gap_of_names = LABEL_GAP * ((axis.high - axis.low) or 1.0)
        heights = spread([line.points[-1].value for line in series], gap_of_names)
        for index, height in enumerate(heights):
            ink, x = f'class="{canvas.ink(index)}"', right + 8 + moved / 2
            canvas.cut(x, area.y(height) + 4, series[index].name, NAME, ink)
    canvas.top = area.bottom + below + 8
    if chart.gaps:
        canvas.lines(chart.gaps, 'class="q"')


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
    ink, many = colour(index, canvas.mode), len(area.chart.labels) > 1
    apart = area.x(1) - area.x(0) if many else 0.0
    # Lines stand a little beside each other, so that equal values stay apart.
    off = beside(index, len(area.chart.series)) * min(apart, STEP_WIDTH)
    places = [(point, area.x(point.at) + off, area.y(point.value)) for point in line.points]
    path = "".join(
        f"{'M' if at == 0 or point.broken else 'L'}{num(x)} {num(y)}"
        for at, (point, x, y) in enumerate(places)
    )
    whiskers = "".join(
        f"M{num(x)} {num(area.y(point.low))}V{num(area.y(point.high))}"
        for point, x, _ in places
        if point.low is not None and point.high is not None
    )
    canvas.add(
        f'<g fill="none" stroke="{ink}"><path d="{path}" stroke-width="2"/>'
        f'<path d="{whiskers}" opacity=".6"/></g>'
    )
    points = "".join(
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{2 if many and apart < CLOSE else 4}">'
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
