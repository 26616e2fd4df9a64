"""The only module that uses plotly: charts become figures in the colours of the palette."""

import html
from functools import lru_cache
from typing import Any, Final

import plotly.graph_objects as go

from evalcore.charts.places import COLOURS, LABEL_GAP, STEP, beside, spread
from evalcore.palette import PALETTE, Mode
from evalcore.views.charts.model import Axis, LineChart, Point, Series

HEIGHT: Final = 216
_SYMBOLS: Final = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "x")
# How far a value stands off its point or the end of its whisker.
_CLEAR: Final = {"top center": 0.03, "bottom center": -0.015}
_FEW: Final = 8
_LONG: Final = 16
_MANY: Final = 20
# How many characters stand side by side below the chart.
_ROOM: Final = 64
# Few labels stand far apart, so that a smaller share of their step is enough.
_STEP_EACH: Final = 0.03


@lru_cache(maxsize=16)
def line_figure(chart: LineChart, mode: Mode, chosen: tuple[str, ...] = ()) -> go.Figure:
    """Return lines with whiskers, with names and values beside them.

    The point with the key `chosen` has a ring.

    The figure is cached for each chart and must not be changed.

    Each point has its key as custom data. Labels are escaped.
    """
    figure = go.Figure()
    for index, series in enumerate(chart.series):
        figure.add_trace(_trace(chart, series, index, mode))
        if len(chart.labels) <= _FEW and len(chart.series) <= 2:
            figure.add_trace(_values(chart, series, index, mode))
    ring = {"size": 20, "symbol": "circle-open", "line": {"width": 2}}
    for index, series in enumerate(chart.series):
        for point in series.points:
            if chosen and point.key == chosen:
                figure.add_scatter(
                    x=[_x(chart, point, index)],
                    y=[point.value],
                    mode="markers",
                    marker=ring | {"color": PALETTE.accent.on(mode)},
                    cliponaxis=False,
                    hoverinfo="skip",  # it takes no clicks from the point
                )
    _name_lines(figure, chart, mode)
    # Each gap is marked on the axis, with a dotted line above it and its reasons to read on it.
    ink = PALETTE.missing.on(mode)
    for gap in chart.breaks:
        across = {"x0": gap.at - 0.5, "x1": gap.at - 0.5, "y0": 0, "y1": 1, "yref": "paper"}
        figure.add_shape(
            **across, line={"color": ink, "width": 1, "dash": "2px,4px"}, layer="below"
        )
        figure.add_annotation(
            x=gap.at - 0.5,
            y=0,
            yref="paper",
            text="//",
            hovertext="<br>".join(map(escaped, gap.whys)),
            showarrow=False,
            font={"color": ink, "size": 14},
        )
    figure.update_layout(**_layout(chart, mode))
    return figure


def _trace(chart: LineChart, series: Series, index: int, mode: Mode) -> go.Scatter:
    """Return a line whose points have whiskers, with gaps between incomparable points."""
    colour = _colour(index, mode)
    rows: list[Point | None] = []
    for point in series.points:
        rows += [None, point] if point.broken and rows else [point]
    size = 10 if len(chart.labels) <= _MANY else 6
    # Plotly takes intervals as the distances above and below each point.
    above = [point.high - point.value if point and point.high is not None else 0 for point in rows]
    below = [point.value - point.low if point and point.low is not None else 0 for point in rows]
    return go.Scatter(
        x=[None if point is None else _x(chart, point, index) for point in rows],
        y=[None if point is None else point.value for point in rows],
        mode="lines+markers",
        connectgaps=False,
        error_y={
            "type": "data",
            "symmetric": False,
            "array": above,
            "arrayminus": below,
            "color": colour,
            "thickness": 1,
            "width": 4,
        },
        cliponaxis=False,
        customdata=[[] if point is None else list(point.key) for point in rows],
        hovertext=["" if point is None else _hover(point) for point in rows],
        hoverinfo="text",
        line={"color": colour, "width": 2},
        marker={"color": colour, "size": size, "symbol": _SYMBOLS[index]},
        unselected={"marker": {"opacity": 1}},
        name=escaped(series.name),
    )


def _hover(point: Point) -> str:
    broken = f"<br>Not compared with the point before: {escaped(point.broken)}"
    lines = "<br>".join(map(escaped, point.hover.splitlines()))
    return f"{lines}{broken if point.broken else ''}<br>Click to open these runs"


def _values(chart: LineChart, series: Series, index: int, mode: Mode) -> go.Scatter:
    """Return the value of each point as a text: above it if its line is the upper one there."""
    heights, sides = [], []
    for point in series.points:
        below = any(
            other.value > point.value or (other.value == point.value and index == 0)
            for line in chart.series
            if line is not series
            for other in line.points
            if other.at == point.at
        )
        side = "bottom center" if below else "top center"
        end = point.low if below else point.high
        sides.append(side)
        height = point.value if end is None else end
        heights.append(height + _CLEAR[side] * _height(chart.axis))
    return go.Scatter(
        x=[_x(chart, point, index) for point in series.points],
        y=heights,
        mode="text",
        text=[escaped(point.text) for point in series.points],
        textposition=sides,
        textfont={"color": _colour(index, mode)},
        cliponaxis=False,
        hoverinfo="skip",
    )


def _x(chart: LineChart, point: Point, index: int) -> float:
    step = min(STEP, _STEP_EACH * len(chart.labels))
    return point.at + beside(index, len(chart.series), step)


def _height(axis: Axis) -> float:
    return axis.high - axis.low


def _name_lines(figure: go.Figure, chart: LineChart, mode: Mode) -> None:
    """Write each line's name beside the chart, moved apart if lines end at the same height."""
    if len(chart.series) < 2:
        return
    heights = spread(
        [series.points[-1].value for series in chart.series], LABEL_GAP * _height(chart.axis)
    )
    names = [
        f'<span style="color:{_colour(index, mode)}">{escaped(_short(series.name))}</span>'
        for index, series in enumerate(chart.series)
    ]
    figure.add_scatter(x=[None], y=[None], yaxis="y2", hoverinfo="skip")
    # Names are the labels of a second axis: the browser measures those, unlike annotations.
    beside_lines = {"overlaying": "y", "side": "right", "showgrid": False, "ticklabelstandoff": 6}
    figure.update_layout(
        yaxis2=_upright(chart.axis, list(zip(heights, names, strict=True))) | beside_lines
    )


def _layout(chart: LineChart, mode: Mode) -> dict[str, Any]:
    quiet, hairline = PALETTE.quiet.on(mode), PALETTE.hairline.on(mode)
    widest = max(len(_short(label)) for label in chart.labels)
    step = max(1, -(-len(chart.labels) * (widest + 2) // _ROOM))
    places = list(range(0, len(chart.labels), step))
    return {
        "height": HEIGHT,
        "margin": {"l": 0, "r": 24, "t": 2, "b": 22},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "system-ui, sans-serif", "size": 12, "color": quiet},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": PALETTE.second_ground.on(mode),
            "bordercolor": hairline,
            "font": {"color": PALETTE.text.on(mode)},
        },
        "xaxis": {
            "tickvals": places,
            "ticktext": [escaped(_short(chart.labels[place])) for place in places],
            "range": [-0.3, len(chart.labels) - 0.7],
            "automargin": True,
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        "yaxis": _upright(chart.axis, [(value, escaped(text)) for value, text in chart.axis.ticks])
        | {"gridcolor": hairline},
    }


def _upright(axis: Axis, labels: list[tuple[float, str]]) -> dict[str, Any]:
    """Return a vertical axis over the heights of `axis`, with a margin as wide as its labels."""
    height = _height(axis)
    return {
        "tickvals": [value for value, _ in labels],
        "ticktext": [text for _, text in labels],
        "range": [axis.low - 0.1 * height, axis.high + 0.14 * height],
        "automargin": True,
        "zeroline": False,
        "fixedrange": True,
    }


def _short(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"


def _colour(index: int, mode: Mode) -> str:
    colour: str = getattr(PALETTE, COLOURS[index]).on(mode)
    return colour


def escaped(text: str) -> str:
    """Return `text` escaped for plotly, which interprets some HTML in labels."""
    return html.escape(" ".join(text.split()))
