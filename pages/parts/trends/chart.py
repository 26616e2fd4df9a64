"""The chart of Trends: a click on a point opens its runs beside it."""

from functools import partial
from typing import Any

import streamlit as st

from evalcore import Workspace
from evalcore.charts.data import data_of
from evalcore.charts.figure import line_figure
from evalcore.tables.exported import Listing
from evalcore.trends.lines import Place
from evalcore.views.charts.model import LineChart
from evalcore.views.series.chart import line_picture
from evalcore.views.trends.page import Found
from pages.parts.address import change_address
from pages.parts.export import export
from pages.parts.share import ground, share
from pages.parts.state import Choice


def chart(ws: Workspace, choice: Choice, suite: str, found: Found, lines: LineChart) -> None:
    """Draw the chart; a clicked point becomes part of the address."""
    keys = [point.key for series in lines.series for point in series.points]
    open_key = next((key for key in keys if Place(*key).key == found.view.point), ())
    chosen: Any = st.plotly_chart(
        line_figure(lines, ground(), open_key),
        theme=None,
        alt=lines.sentence,
        # A new chart for each open point: what was clicked before is not clicked again.
        key=f"trends-{hash((suite, found.metric, found.view.over, found.view.point))}",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False, "scrollZoom": False},
    )
    with st.container(horizontal=True, vertical_alignment="center", key="sharing-trends"):
        share(partial(line_picture, ws, suite, found.metric, lines, choice.scores), "trends")
        export(lambda: Listing("points", *data_of(lines)), "points", "trends")
    points = chosen["selection"]["points"] if chosen else []
    key = tuple(map(str, (points[0].get("customdata") or []) if points else []))
    if key in keys:
        change_address(point=Place(*key).key, page=None)
        st.rerun()
