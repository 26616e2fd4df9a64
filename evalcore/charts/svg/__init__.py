"""Charts as small SVG pictures: text as text, a title for each value, no script, nothing loaded."""

from evalcore.charts.svg import bars, heat, lines
from evalcore.charts.svg.parts import Canvas, begin, end
from evalcore.palette import Mode
from evalcore.views.charts.model import Bars, HeatMap, LineChart, Picture

NOTHING = "There is nothing to draw yet."


def svg(picture: Picture, mode: Mode = "light") -> str:
    """Return a picture as SVG on the ground of `mode`; one without values says so."""
    canvas = Canvas(mode)
    chart = picture.chart
    begin(canvas, picture.caption, chart.sentence)
    if isinstance(chart, LineChart) and any(line.points for line in chart.series):
        lines.draw(canvas, chart)
    elif isinstance(chart, HeatMap) and chart.rows:
        heat.draw(canvas, chart)
    elif isinstance(chart, Bars) and chart.rows:
        bars.draw(canvas, chart)
    else:
        canvas.lines(NOTHING, 'class="q"')
    return end(canvas, picture.caption)
