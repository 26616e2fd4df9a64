"""Charts as small SVG pictures: text as text, a title for each value, no script, nothing loaded."""

from evalcore.charts.svg import bars, heat, lines
from evalcore.charts.svg.parts import Canvas, begin, end
from evalcore.palette import Mode
from evalcore.views.charts.model import Chart, HeatMap, LineChart, Picture

NOTHING = "There is nothing to draw yet."


def svg(picture: Picture, mode: Mode = "light") -> str:
    """Return a picture as SVG on the ground of `mode`; one without values says so."""
    canvas = Canvas(mode)
    begin(canvas, picture.caption, picture.chart.sentence)
    if _is_empty(picture.chart):
        canvas.lines(NOTHING, 'class="q"')
    elif isinstance(picture.chart, LineChart):
        lines.draw(canvas, picture.chart)
    elif isinstance(picture.chart, HeatMap):
        heat.draw(canvas, picture.chart)
    else:
        bars.draw(canvas, picture.chart)
    return end(canvas, picture.caption)


def _is_empty(chart: Chart) -> bool:
    if isinstance(chart, LineChart):
        return not any(line.points for line in chart.series)
    return not chart.rows
