"""The drawn points as a table whose numbers open the runs behind them."""

from collections.abc import Iterator
from typing import Final

from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.people import Scores
from evalcore.trends.lines import Over, Place, Spot, lines
from evalcore.trends.metrics import Metric, metrics
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Heading, Pager, Row, Table
from evalcore.views.series.about import NOTHING, About, versions_about
from evalcore.views.series.chart import NOUNS, Drawn, stored_words
from evalcore.views.series.words import MetricWords, likely_words, metric_words
from evalcore.views.trends.state import View, page_of
from evalcore.views.verdict.limits import capital
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

PAGE: Final = 40
_BESIDE: Final = ("time", "tokens")


def table_blocks(
    ws: Workspace, suite: str, metric: Metric, found: Drawn, view: View, scores: Scores
) -> list[Block]:
    """Describe the points of a chart, newest first, one page of them."""
    spots = found.newest_first
    page, pages = page_of(view.rows, len(spots), PAGE)
    shown = spots[(page - 1) * PAGE : page * PAGE]
    words = metric_words(ws, suite, metric)
    beside = [
        each for each in metrics(ws, suite) if each.resource in _BESIDE and each.kind != metric.kind
    ]
    amounts = [(each, _values(ws, suite, each, view.over, scores)) for each in beside]
    told = any(_about(ws, suite, spot)[:2] != NOTHING[:2] for _, spot in shown)
    several = len(found.lines) + len(found.others) > 1
    head = [
        (capital(NOUNS[view.over]), False),
        *([("Line", False)] if several else []),
        (capital(words.name if len(words.name) < 30 else words.name.partition(" “")[0]), True),
        ("Likely", False),
        ("Cases", True),
        ("Runs", True),
        *((f"{capital(each.kind)} per run", True) for each in beside),
        ("When", False),
        *([("About", False)] if told else []),
    ]
    rows = []
    for line, spot in shown:
        cells = list(_cells(ws, suite, words, spot, view, told=told))
        if several:
            cells.insert(1, Cell(line))
        when = -2 if told else -1
        cells[when:when] = [
            _amount(ws, suite, each, known.get(spot.place)) for each, known in amounts
        ]
        rows.append(Row(cells, on=spot.place.key == view.point))
    count = f"{wording.count(len(spots), 'point')}, newest first"
    blocks: list[Block] = [Heading("Points", count), Table("Points", head, rows)]
    if pages > 1:
        before, after = (
            view.link(rows=page + by) if 1 <= page + by <= pages else None for by in (-1, 1)
        )
        blocks.append(Pager(f"{page:,} of {pages:,}", before, after))
    return blocks


def _about(ws: Workspace, suite: str, spot: Spot) -> About:
    return versions_about(ws, suite).get(spot.place.version, NOTHING)


def _cells(
    ws: Workspace, suite: str, words: MetricWords, spot: Spot, view: View, *, told: bool
) -> Iterator[Cell]:
    about = _about(ws, suite, spot)
    there = view.link(point=spot.place.key, page=1)
    of = spot.place.version if spot.place.benchmark_run else ""
    key = spot.place.benchmark_run or spot.place.version
    when = spot.when or about.when
    yield Cell(key, sub=of, link=there, clamp=True, id=f"at {spot.place.key}")
    stored = stored_words(words, spot)
    yield Cell(words.value(spot.value), sub=stored, num=True, link=there, id=f"of {spot.place.key}")
    yield Cell(likely_words(words, spot), keep=True, quiet=spot.interval is None)
    yield Cell(f"{spot.cases:,}", num=True)
    yield Cell(f"{spot.runs:,}", num=True)
    yield Cell(wording.moment(when), keep=True, quiet=when is None)
    if told:
        commit = f"commit {about.git_hash}" if about.git_hash else ""
        yield Cell(about.description, sub=commit, quiet=True)


def _amount(ws: Workspace, suite: str, metric: Metric, value: float | None) -> Cell:
    text = metric_words(ws, suite, metric).value(value)
    return Cell(text, num=True, quiet=value is None)


@memoize_per_workspace
def _values(
    ws: Workspace, suite: str, metric: Metric, over: Over, scores: Scores
) -> dict[Place, float | None]:
    """Return the value of a metric at each place."""
    found = lines(ws, suite, metric, over, scores)
    return {spot.place: spot.value for line in found for spot in line.spots}
