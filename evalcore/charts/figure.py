"""The only module that uses plotly: charts become figures in the colours of the palette."""

import html
from functools import lru_cache
from typing import Any, Final

import plotly.graph_objects as go

from evalcore.charts.places import (
    COLOURS,
    GAP,
    SIZE,
    Area,
    area_of,
    labels_of,
    names_of,
    values_of,
)
from evalcore.palette import PALETTE, Mode
from evalcore.views.charts.model import LineChart, Point, Series

HEIGHT: Final = 216
NARROWEST: Final = 340
"""On a phone. What has room there has room on all screens: only distances to the side grow."""
_AXIS: Final = 170
# Above the axis' upper end, and below its lower end: half a text, and the labels of places.
_ABOVE: Final = 12
_BELOW: Final = 34
_LABELS: Final = 22
_SYMBOLS: Final = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "x")


@lru_cache(maxsize=16)
def line_figure(chart: LineChart, mode: Mode, chosen: tuple[str, ...] = ()) -> go.Figure:
    """Return lines with whiskers, with names and values beside them.

    The point with the key `chosen` has a ring.

    The figure is cached for each chart and must not be changed.

    Each point has its key as custom data. Labels are escaped.
    """
    figure, area = go.Figure(), area_of(chart, NARROWEST, 2, _ABOVE, _AXIS)
    for index, series in enumerate(chart.series):
        figure.add_trace(_trace(area, series, index, mode))
    ring = {"size": 14, "symbol": "circle-open", "line": {"width": 2}}
    for index, series in enumerate(chart.series):
        for point in series.points:
            if chosen and point.key == chosen:
                figure.add_scatter(
                    x=[_place(area, area.x(point.at, index))],
                    y=[point.value],
                    mode="markers",
                    marker=ring | {"color": PALETTE.accent.on(mode)},
                    cliponaxis=False,
                    hoverinfo="skip",  # it takes no clicks from the point
                )
    for value in values_of(area):
        figure.add_annotation(
            x=_place(area, value.x - area.clear),
            xshift=area.clear,
            y=_value(area, value.y),
            text=escaped(value.words),
            xanchor="left",
            yanchor="middle",
            showarrow=False,
            borderpad=0,
            font={"color": _colour(value.of, mode)},
            bgcolor=PALETTE.ground.on(mode),  # a line may pass below it
        )
    if len(chart.series) > 1:  # without a line on it, the axis of the names is not drawn
        figure.add_scatter(x=[None], y=[None], yaxis="y2", hoverinfo="skip")
    # Each gap is marked on the axis, with a dotted line above it and its reasons to read on it.
    ink = PALETTE.missing.on(mode)
    for gap in chart.breaks:
        across = {"x0": gap.at - 0.5, "x1": gap.at - 0.5, "y0": 0, "y1": 1, "yref": "paper"}
        figure.add_shape(
            **across, line={"color": ink, "width": 1, "dash": "2px,4px"}, layer="below"
        )
        figure.add_annotation(
            x=gap.at - 0.5,
            y=chart.axis.low,
            text="//",
            hovertext="<br>".join(map(escaped, gap.whys)),
            showarrow=False,
            font={"color": ink, "size": 14},
        )
    figure.update_layout(**_layout(area, mode))
    return figure


def _place(area: Area, x: float) -> float:
    """Return the place at a pixel; between places it is a fraction."""
    return (x - area.left) / area.step


def _value(area: Area, y: float) -> float:
    """Return the value at a pixel."""
    axis = area.chart.axis
    return axis.low + (area.bottom - y) / _AXIS * (axis.high - axis.low)


def _trace(area: Area, series: Series, index: int, mode: Mode) -> go.Scatter:
    """Return a line whose points have whiskers, with gaps between incomparable points."""
    colour = _colour(index, mode)
    rows: list[Point | None] = []
    for point in series.points:
        rows += [None, point] if point.broken and rows else [point]
    # Plotly takes intervals as the distances above and below each point.
    above = [point.high - point.value if point and point.high is not None else 0 for point in rows]
    below = [point.value - point.low if point and point.low is not None else 0 for point in rows]
    return go.Scatter(
        x=[None if point is None else _place(area, area.x(point.at, index)) for point in rows],
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
            "width": min(area.radius, 4),
        },
        cliponaxis=False,
        customdata=[[] if point is None else list(point.key) for point in rows],
        hovertext=["" if point is None else _hover(point) for point in rows],
        hoverinfo="text",
        line={"color": colour, "width": 2},
        marker={"color": colour, "size": 2 * area.radius, "symbol": _SYMBOLS[index]},
        unselected={"marker": {"opacity": 1}},
        name=escaped(series.name),
    )


def _hover(point: Point) -> str:
    broken = f"<br>Not compared with the point before: {escaped(point.broken)}"
    lines = "<br>".join(map(escaped, point.hover.splitlines()))
    return f"{lines}{broken if point.broken else ''}<br>Click to open these runs"


def _layout(area: Area, mode: Mode) -> dict[str, Any]:
    quiet, hairline = PALETTE.quiet.on(mode), PALETTE.hairline.on(mode)
    chart, labels = area.chart, labels_of(area)
    ticks = [(value, escaped(words)) for value, words in chart.axis.ticks]
    # The axis begins and ends where the outermost points and their whiskers do.
    begin, end = area.ticks + GAP, area.x(len(chart.labels) - 1, len(chart.series) - 1) + GAP
    height = (chart.axis.high - chart.axis.low) / _AXIS
    upright = {
        "range": [chart.axis.low - (_BELOW - _LABELS) * height, chart.axis.high + _ABOVE * height],
        "automargin": True,
        "zeroline": False,
        "fixedrange": True,
    }
    layout = {
        "height": HEIGHT,
        "margin": {"l": begin, "r": NARROWEST - end, "t": 0, "b": _LABELS, "pad": 0},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "system-ui, sans-serif", "size": SIZE, "color": quiet},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": PALETTE.second_ground.on(mode),
            "bordercolor": hairline,
            "font": {"color": PALETTE.text.on(mode)},
        },
        "xaxis": {
            "tickvals": [label.of for label in labels],
            "ticktext": [escaped(label.words) for label in labels],
            "tickangle": 0,
            "range": [_place(area, begin), _place(area, end)],
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        "yaxis": upright
        | {
            "tickvals": [value for value, _ in ticks],
            "ticktext": [words for _, words in ticks],
            "ticklabelstandoff": 2,
            "gridcolor": hairline,
        },
    }
    if names := names_of(area):
        # Names are the labels of a second axis: the browser measures those, unlike annotations.
        layout["yaxis2"] = upright | {
            "tickvals": [_value(area, name.y) for name in names],
            "ticktext": [
                f'<span style="color:{_colour(name.of, mode)}">{escaped(name.words)}</span>'
                for name in names
            ],
            "ticklabelstandoff": round(area.names - end),
            "overlaying": "y",
            "side": "right",
            "showgrid": False,
        }
    return layout


def _colour(index: int, mode: Mode) -> str:
    colour: str = getattr(PALETTE, COLOURS[index]).on(mode)
    return colour


def escaped(text: str) -> str:
    """Return `text` escaped for plotly, which interprets some HTML in labels."""
    return html.escape(" ".join(text.split()))
