"""A line chart as a picture: whiskers, points with titles, visible gaps, names at the ends."""

from typing import Final

from evalcore.charts.places import Area, Text, area_of, labels_of, names_of, values_of
from evalcore.charts.svg.parts import EDGE, Canvas, colour, num
from evalcore.charts.text import escaped
from evalcore.palette import PALETTE
from evalcore.views.charts.model import LineChart, Series

HEIGHT: Final = 190
TITLE: Final = 120
# From the middle of a text to its base line.
_BASE: Final = 4
_LABELS: Final = 22


def draw(canvas: Canvas, chart: LineChart) -> None:
    """Draw the chart below what is there."""
    area = area_of(chart, canvas.width, EDGE, canvas.top + 16, HEIGHT)
    path = "".join(
        f"M{num(area.ticks + 8)} {num(area.y(at))}H{num(area.names)}" for at, _ in chart.axis.ticks
    )
    canvas.add(f'<path d="{path}" stroke="{PALETTE.hairline.on(canvas.mode)}"/>')
    for at, words in chart.axis.ticks:
        canvas.text(area.ticks, area.y(at) + _BASE, words, 'class="q e"')
    for label in labels_of(area):
        whole = chart.labels[label.of] if "…" in label.words else ""
        canvas.text(label.x, label.y + _LABELS, label.words, 'class="q m"', whole)
    # Each gap is marked on the axis, with a dotted line above it and its reasons as a title.
    places = [area.x(gap.at - 0.5) for gap in chart.breaks]
    path = "".join(f"M{num(x)} {num(area.top)}V{num(area.bottom)}" for x in places)
    if path:
        ink = PALETTE.missing.on(canvas.mode)
        canvas.add(f'<path d="{path}" stroke="{ink}" stroke-dasharray="1 3"/>')
    for gap, x in zip(chart.breaks, places, strict=True):
        canvas.text(x, area.bottom + _BASE, "//", 'class="q m"', " ".join(gap.whys)[:TITLE])
    for index, line in enumerate(chart.series):
        _line(canvas, area, line, index)
    for value in values_of(area):
        _beside(canvas, value, "v ")
    for name in names_of(area):
        _beside(canvas, name, whole=chart.series[name.of].name)
    canvas.top = area.bottom + _LABELS + 8
    if chart.gaps:
        canvas.lines(chart.gaps, 'class="q"')


def _line(canvas: Canvas, area: Area, line: Series, index: int) -> None:
    """Draw a series: its line with gaps, its whiskers, and its points with their titles."""
    places = [(point, area.x(point.at, index), area.y(point.value)) for point in line.points]
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
        f'<g fill="none" stroke="{colour(index, canvas.mode)}"><path d="{path}" stroke-width="2"/>'
        f'<path d="{whiskers}" opacity=".6"/></g>'
    )
    points = "".join(
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(area.radius)}">'
        f"<title>{escaped(point.hover.partition(chr(10))[0][:TITLE])}</title></circle>"
        for point, x, y in places
    )
    canvas.add(f'<g class="{canvas.ink(index)}">{points}</g>')


def _beside(canvas: Canvas, text: Text, style: str = "", whole: str = "") -> None:
    """Write a text of a line in its colour; a cut one has the whole as its title."""
    title = whole if text.words.endswith("…") else ""
    ink = f'class="{style}{canvas.ink(text.of)}"'
    canvas.text(text.x, text.y + _BASE, text.words, ink, title)
