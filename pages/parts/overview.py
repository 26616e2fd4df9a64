"""The headline over the versions of a suite; a click on a point opens its runs."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import streamlit as st

from evalcore import Workspace
from evalcore.charts.figure import HEIGHT, line_figure
from evalcore.trends.metrics import HEADLINE
from evalcore.views.charts.model import LineChart
from evalcore.views.overview.top import chart_head, headline_drawn
from evalcore.views.series.chart import line_picture, with_gaps
from pages.parts.links import go_to_page
from pages.parts.panels.components import sheet_panel, source
from pages.parts.session_state import session_object
from pages.parts.share import ground, report_of, share
from pages.parts.state import Choice

_TELLER: Final = st.components.v2.component("evalcore.painted", js=source("painted.js"))


@dataclass
class FirstPaint:
    """Whether the browser has painted a page of this session."""

    done: bool = False


def headline(ws: Workspace, choice: Choice, suite: str, words: str) -> bool:
    """Draw the chart of what the suite calls `words`; say whether there is anything to draw."""
    found = headline_drawn(ws, suite, choice.scores)
    if found is None:
        return False
    chart = with_gaps(ws, suite, HEADLINE, found.chart, choice.scores)
    sheet_panel(chart_head(words, found, chart), choice.query(), "overview-chart")
    _drawn_when_painted(ws, choice, suite, chart)
    return True


# A part of the page: who left it before the browser has painted it is not brought back.
@st.fragment
def _drawn_when_painted(ws: Workspace, choice: Choice, suite: str, chart: LineChart) -> None:
    # Plotly keeps a browser busy for half a second, and so long nothing else is painted.
    if not painted(HEIGHT):
        return
    chosen: Any = st.plotly_chart(
        line_figure(chart, ground()),
        theme=None,
        alt=chart.sentence,
        key=f"headline-{hash(suite)}",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False, "scrollZoom": False},
    )
    picture = partial(line_picture, ws, suite, HEADLINE, chart, choice.scores)
    share(picture, "headline", report_of(ws, suite, choice.scores))
    points = chosen["selection"]["points"] if chosen else []
    if points and len(points[0].get("customdata") or []) == 2:
        version, configuration = points[0]["customdata"]
        side = None if configuration == "-" else str(configuration)
        go_to_page(choice, "gradings", v=str(version), c=side)


def painted(height: int) -> bool:
    """Return whether a page has been painted; if not, leave a place that is `height` pixels high.

    The part of the page that asks is drawn again as soon as it is.
    """
    found = session_object(FirstPaint)

    def tell() -> None:
        found.done = True

    if not found.done:
        with st.container(height=height, border=False):
            _TELLER(key="painted", data={}, on_shown_change=tell)
    return found.done
