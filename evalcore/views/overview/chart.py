"""The headline of a suite over its newest versions, as a chart."""

from evalcore.counting.people import Scores
from evalcore.trends.metrics import HEADLINE
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Chip, Heading, Links, Say
from evalcore.views.charts.model import LineChart
from evalcore.views.series.chart import Drawn, Request, drawn, with_gaps
from evalcore.views.verdict.limits import capital
from evalcore.views.words import wording
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


def chart_head(suite_headline: str, chart: LineChart) -> list[Block]:
    """Describe the title of the chart, its sentence, and where its lines are broken."""
    title = f"{capital(suite_headline)} by version"
    said = [f"{chart.sentence} A point opens its runs.", chart.gaps]
    return [Heading(title), *(Say(text, quiet=True) for text in said if text)]


def trends_links(found: Drawn) -> list[Block]:
    """Describe the link to Trends, which draws what is left out; empty if it is whole."""
    if found.first == 1 and not found.others:
        return []
    what = f"all {wording.count(found.total, 'version')}" if found.first > 1 else "all lines"
    return [Links("", [Chip(text=f"{what} in Trends", link=link("trends"))])]
