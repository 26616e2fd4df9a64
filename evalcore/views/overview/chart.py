"""The headline of a suite over its newest versions, as a chart."""

from evalcore.counting.people import Scores
from evalcore.trends.metrics import HEADLINE
from evalcore.views.blocks.base import link
from evalcore.views.blocks.page import Chip, Links
from evalcore.views.charts.model import LineChart
from evalcore.views.series.chart import Drawn, Request, drawn, with_gaps
from evalcore.workspace.opened import Workspace


def headline_drawn(ws: Workspace, suite: str, scores: Scores = "recorded") -> Drawn | None:
    """Return the headline per version, one line for each configuration; None below two points.

    Versions of several prompts (`prompt@number`) form a line for each prompt. No line is broken
    yet; see `headline_gaps`.
    """
    found = drawn(ws, suite, Request(), scores)
    if found is None or sum(len(series.points) for series in found.chart.series) < 2:
        return None
    return found


def headline_gaps(
    ws: Workspace, suite: str, chart: LineChart, scores: Scores = "recorded"
) -> LineChart:
    """Return the chart with its lines broken where versions are not comparable."""
    return with_gaps(ws, suite, HEADLINE, chart, scores)


def trends_link(found: Drawn) -> Links:
    """Describe the link to Trends, which draws what the chart leaves out."""
    left = found.first - 1
    words = f"all {found.total:,} versions" if left else "other metrics"
    return Links("", [Chip(text=f"{words} in Trends", link=link("trends"))])
