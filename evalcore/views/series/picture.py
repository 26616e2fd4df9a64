"""A chart of a metric with the caption that it needs elsewhere."""

from evalcore.counting.people import Scores
from evalcore.trends.metrics import Metric
from evalcore.views.charts.caption import picture
from evalcore.views.charts.model import LineChart, Picture
from evalcore.views.series.words import metric_words
from evalcore.views.verdict.limits import capital
from evalcore.workspace.opened import Workspace


def line_picture(
    ws: Workspace, suite: str, metric: Metric, chart: LineChart, scores: Scores
) -> Picture:
    """Return the chart with its caption: cases and runs of the newest points, and its intervals."""
    newest = [line.points[-1].hover.partition("\n")[0] for line in chart.series]
    facts = [f"Newest: {'; '.join(newest)}.", "Whiskers are 95 % intervals over cases."]
    name = capital(metric_words(ws, suite, metric).name)
    title = f"{name} of {suite if suite != '.' else ws.name}"
    return picture(ws, suite, chart, title, facts, scores)
