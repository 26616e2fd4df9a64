"""What the Trends page shows for a view: the metric, its chart, and the texts around it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.people import Scores
from evalcore.errors import UnknownName
from evalcore.trends.alerts import regressions
from evalcore.trends.benchmarks import stored_trends
from evalcore.trends.directions import directions
from evalcore.trends.lines import benchmark_runs, lines
from evalcore.trends.metrics import HEADLINE, Metric, metric_named, metrics
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Chip, Links, Say
from evalcore.views.charts.model import LineChart
from evalcore.views.series.chart import MAX_SERIES, Drawn, Request, drawn, places, with_gaps
from evalcore.views.series.regressions import regression_blocks
from evalcore.views.series.words import metric_words
from evalcore.views.trends.alerts import LISTED, MOST, alert_blocks, current_alerts, listed_alerts
from evalcore.views.trends.directions import direction_blocks, stored_blocks
from evalcore.views.trends.state import OVER, View, toggled
from evalcore.views.verdict.limits import capital
from evalcore.views.words.wording import line
from evalcore.workspace.opened import Workspace

OFFERED: Final = 100
MAX_NAME: Final = 80
CHIPS: Final = 24
"""So many lines are offered as chips; the table of configurations is in the sidebar."""


class Found(NamedTuple):
    """A view that fits the workspace: its metric, the chart (None without a value), all places.

    `message` says what was asked for and is not there.
    """

    view: View
    metric: Metric
    drawn: Drawn | None
    places: tuple[str, ...]
    message: str = ""


def found_of(
    ws: Workspace, suite: str, view: View, configuration: str | None, scores: Scores
) -> Found:
    """Return what a view shows; what the workspace does not have falls back to the default.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    message = ""
    try:
        metric = metric_named(ws, suite, view.metric)
    except UnknownName as fault:
        metric, message = HEADLINE, f"{fault} The headline is shown instead."
    every = lines(ws, suite, metric, view.over, scores)
    if not every:
        return Found(view, metric, None, (), message)
    names = places(ws, suite, every, view.over).names
    ends = dict.fromkeys(name for name in (view.first, view.last) if name and name not in names)
    said = [message] if message else []
    said += [
        f"There is no point at “{line(name, MAX_NAME)}”; the range goes to its end there."
        for name in ends
    ]
    if not {line.name for line in every}.issuperset(view.lines):
        said.append("A line in this link no longer exists.")
    message = " ".join(said)
    first, last = (
        names.index(name) + 1 if name in names else None for name in (view.first, view.last)
    )
    chosen = view.lines or tuple(
        line.name for line in every if configuration in {None, line.configuration}
    )
    request = Request(metric, view.over, chosen, first, last)
    return Found(view, metric, drawn(ws, suite, request, scores), names, message)


@memoize_per_workspace
def metric_names(ws: Workspace, suite: str) -> dict[str, str]:
    """Return the names of a suite's metrics in words by their keys, in their order.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    words = {metric: metric_words(ws, suite, metric) for metric in metrics(ws, suite)}
    return {
        metric.key: f"{of.criterion} ({metric.of})" if metric.criterion else capital(of.name)
        for metric, of in words.items()
    }


def offered_metrics(
    names: Mapping[str, str], chosen: Metric, find: str
) -> tuple[tuple[str, ...], int]:
    """Return the keys of metrics to choose from, the chosen one among them, and how many are left.

    Only those whose name contains `find` are offered, and at most 100.
    """
    wanted = find.casefold().strip()
    every = [key for key, name in names.items() if wanted in name.casefold()]
    offered = every[:OFFERED]
    if chosen.key not in offered:
        offered.insert(0, chosen.key)
    return tuple(offered), len(names) - len(offered)


def has_benchmark_runs(ws: Workspace, suite: str) -> bool:
    """Return whether a suite has benchmark runs.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    return bool(benchmark_runs(ws, suite))


def head_blocks(ws: Workspace, suite: str, found: Found, scores: Scores) -> list[Block]:
    """Describe the directions, what documents say of them, and the alerts."""
    words, over = metric_words(ws, suite, found.metric), found.view.over
    if found.drawn is None:
        none = f"No {over.replace('-', ' ').removesuffix('s')} of this suite has a value for this."
        return [Say(f"{capital(words.name)}: {none}", big=True)]
    shown = tuple(name for name, _ in found.drawn.lines)
    told = directions(ws, suite, found.metric, over, scores, shown)
    blocks = direction_blocks(words, told, over, len(found.drawn.others))
    if found.metric == HEADLINE:
        blocks += stored_blocks(stored_trends(ws, suite))
    most = MOST if found.view.alerts else LISTED
    alerts, total = listed_alerts(ws, suite, found.metric, over, scores, most)
    if (found.metric, over) != (HEADLINE, "versions"):
        return [*blocks, *alert_blocks(alerts, total, found.view)]
    # The count in the sidebar is of these: what fell at the newest version or benchmark run.
    fell = regression_blocks(ws, suite, go="Its runs")
    now = current_alerts(ws, suite, scores) + len(regressions(ws, suite))
    hint = f"{now:,} at the newest version or benchmark run"
    return [*blocks, *alert_blocks(alerts, total, found.view, fell, hint)]


def drawn_lines(ws: Workspace, suite: str, found: Found, scores: Scores) -> LineChart | None:
    """Return the chart with its lines broken where points are not comparable; None without one."""
    if found.drawn is None:
        return None
    return with_gaps(ws, suite, found.metric, found.drawn.chart, scores)


def line_chips(ws: Workspace, suite: str, found: Found, scores: Scores) -> list[Block]:
    """Describe the lines that can be drawn, at most seven at once; nothing if there is only one."""
    if found.drawn is None or not (found.drawn.others or len(found.drawn.lines) > 1):
        return []
    every = lines(ws, suite, found.metric, found.view.over, scores)
    shown = [name for name, _ in found.drawn.lines]

    def after_click(name: str) -> tuple[str, ...]:
        names = toggled(shown, name)
        return names if len(names) <= MAX_SERIES else (*shown[: MAX_SERIES - 1], name)

    items = [
        Chip(
            text=line.name,
            link=found.view.link(lines=after_click(line.name)),
            on=line.name in shown,
            title="Hide this line" if line.name in shown else "Show this line",
        )
        for line in every[:CHIPS]
    ]
    more = f" (at most {MAX_SERIES} at once)" if len(every) > MAX_SERIES else ""
    blocks: list[Block] = [Links(f"Lines{more}", items)]
    if len(every) > CHIPS:
        rest = ", ".join(line.name for line in every[CHIPS : 2 * CHIPS])
        left = "; select one as configuration in the sidebar"
        blocks.append(Say(f"More lines: {rest}{left}.", quiet=True))
    return blocks


def over_words() -> dict[str, str]:
    """Return what metrics are followed over, in words by the parameter's values."""
    return dict(zip(OVER, ("over versions", "over benchmark runs"), strict=True))
