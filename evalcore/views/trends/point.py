"""The points of a chart as a table, and the runs behind one of them, worst case first."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from evalcore.benchmarks.members import members, row_of
from evalcore.counting.cells import typed
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import columns_of_runs, outcomes
from evalcore.counting.people import Scores
from evalcore.counting.tally import mean
from evalcore.tables.judged import RunRow
from evalcore.trends.lines import Over, Place, lines
from evalcore.trends.metrics import Metric, metrics, run_values
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Cell, Chip, Heading, Links, Row, Say, Table, heads
from evalcore.views.blocks.paging import page_of, pager
from evalcore.views.gradings.grid import case_name
from evalcore.views.series.chart import NOTHING, NOUNS, Drawn, stored_words, versions_about
from evalcore.views.series.words import MetricWords, likely_words, metric_words
from evalcore.views.trends.alerts import LONGEST
from evalcore.views.trends.state import View
from evalcore.views.verdict.limits import capital
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

PAGE: Final = 30
POINTS: Final = 40
NO_RUN: Final = "This point has no runs: its value is from a document."
_BESIDE: Final = ("time", "tokens")


def table_blocks(
    ws: Workspace, suite: str, metric: Metric, found: Drawn, view: View, scores: Scores
) -> list[Block]:
    """Describe the points of a chart, newest first, one page of them."""
    spots = found.newest_first
    page = page_of(view.rows, len(spots), POINTS)
    abouts, words = versions_about(ws, suite), metric_words(ws, suite, metric)
    shown = [
        (line, spot, abouts.get(spot.place.version, NOTHING)) for line, spot in spots[page.rows]
    ]
    # Columns that are there where something is in them: the line, what a run takes, the version.
    beside = [
        (metric_words(ws, suite, each), _values(ws, suite, each, view.over, scores))
        for each in metrics(ws, suite)
        if each.resource in _BESIDE and each.kind != metric.kind
    ]
    told = any(about[:2] != NOTHING[:2] for _, _, about in shown)
    several = len(found.lines) + len(found.others) > 1
    head = [
        (capital(NOUNS[view.over]), False),
        *([("Line", False)] if several else []),
        (capital(words.name if len(words.name) < 30 else words.name.partition(" “")[0]), True),
        *heads("Likely", "#Cases", "#Runs"),
        *((f"{capital(of.metric.kind)} per run", True) for of, _ in beside),
        ("When", False),
        *([("About", False)] if told else []),
    ]
    rows = []
    for line, spot, about in shown:
        amounts = []
        for of, known in beside:
            value = known.get(spot.place)
            amounts.append(Cell(of.value(value), num=True, quiet=value is None))
        place, there = spot.place, view.link(point=spot.place.key, page=1)
        named = point_name(place)
        when = spot.when or about.when
        commit = f"commit {about.git_hash}" if about.git_hash else ""
        cells = [
            Cell(
                named,
                sub=place.version if named != place.version else "",
                link=there,
                clamp=True,
                title=place.key,
                id=f"at {place.key}",
            ),
            *([Cell(line)] if several else []),
            Cell(
                words.value(spot.value),
                sub=stored_words(words, spot),
                num=True,
                link=there,
                id=f"of {place.key}",
            ),
            Cell(likely_words(words, spot), keep=True, quiet=spot.interval is None),
            Cell(f"{spot.cases:,}", num=True),
            Cell(f"{spot.runs:,}", num=True),
            *amounts,
            Cell(wording.moment(when), keep=True, quiet=when is None),
            *([Cell(about.description, sub=commit, quiet=True)] if told else []),
        ]
        rows.append(Row(cells, on=place.key == view.point))
    count = f"{wording.count(len(spots), 'point')}, newest first"
    blocks: list[Block] = [Heading("Points", count), Table("Points", head, rows)]
    if page.pages > 1:
        text = f"{page.number:,} of {page.pages:,}"
        blocks.append(pager(text, page, lambda number: view.link(rows=number)))
    return blocks


def point_name(place: Place) -> str:
    """Return the name of a point: of a benchmark run with a long id its version, where known."""
    name = place.benchmark_run or place.version
    return place.version if len(name) > LONGEST and place.version else name


@memoize_per_workspace
def _values(
    ws: Workspace, suite: str, metric: Metric, over: Over, scores: Scores
) -> dict[Place, float | None]:
    """Return the value of a metric at each place."""
    found = lines(ws, suite, metric, over, scores)
    return {spot.place: spot.value for line in found for spot in line.spots}


class PointRuns(NamedTuple):
    """The runs of a point (positions), worst case first, with their values and their case's.

    `total` counts all runs there, also those without a value.
    """

    place: Place
    run: Numbers
    value: Numbers
    of_case: Numbers
    total: int


def place_named(
    ws: Workspace, suite: str, metric: Metric, over: Over, name: str | None, scores: Scores
) -> Place | None:
    """Return the place of a point by its name; None if no line has it."""
    found = lines(ws, suite, metric, over, scores)
    spots = (spot for line in found for spot in line.known)
    return next((spot.place for spot in spots if spot.place.key == name), None)


@memoize_per_workspace
def point_runs(
    ws: Workspace, suite: str, metric: Metric, place: Place, scores: Scores = "recorded"
) -> PointRuns:
    """Return the runs of a point.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    if place.benchmark_run:
        row = row_of(ws, suite, place.benchmark_run)
        runs = members(ws).of(-1 if row is None else row)
    else:
        found = columns_of_runs(ws, suite)
        runs = found.here[found.column == found.columns.index(place.column)]
    there = np.zeros(len(coded(ws, "runs", "suite").codes), bool)
    there[runs] = True
    values = run_values(ws, suite, metric, scores)
    mine = there[values.run]
    run, value = values.run[mine], values.value[mine]
    case = coded(ws, "runs", "case_id")
    keys = case.keys_of(run)
    of_case = mean(value, keys, case.width)[keys]
    good = -1 if metric.resource else 1  # the most expensive one first
    order = np.lexsort((run, good * value, keys, good * of_case))
    return PointRuns(place, run[order], value[order], of_case[order], int(there.sum()))


def point_blocks(
    ws: Workspace, words: MetricWords, found: PointRuns, view: View, said: Sequence[Block] = ()
) -> list[Block]:
    """Describe what is `said` of a point and one page of its runs, each a link to its evidence."""
    page, resource = page_of(view.page, len(found.run), PAGE), words.metric.resource
    place, column, left = found.place, found.place.column, found.total - len(found.run)
    name = point_name(place) if place.benchmark_run else place.key
    rows = []
    for row, value, of_case in zip(
        typed(ws, "runs", RunRow, found.run[page.rows].tolist()),
        found.value[page.rows].tolist(),
        found.of_case[page.rows].tolist(),
        strict=True,
    ):
        case, known = row.case_id or "", outcomes(ws, row.suite or "")
        case_words = case_name(known.cases.iloc[known.positions[case]].to_dict())
        there = link("gradings", v=row.version, c=_side(row.configuration), case=case)
        cells = [
            Cell(case_words, link=there, clamp=True, id=f"case {row.run_id}"),
            Cell(row.run or "1", link=link("gradings", run=row.run_id), id=row.run_id),
            Cell(words.value(value), num=True),
            Cell(words.value(of_case), num=True),
        ]
        rows.append(Row(cells))
    head = [*heads("Case", "Run"), (capital(resource or "value"), True), ("Case mean", True)]
    in_gradings = link("gradings", v=column.version, c=_side(column.configuration))
    ways = [
        Chip(text="Open in Gradings", link=in_gradings),
        Chip(text="Close", link=view.link(point=None, page=1)),
    ]
    blocks: list[Block] = [
        Heading(name, f"{wording.count(len(found.run), 'run')}, worst case first"),
        Links("", ways),
        *said,
        Table(f"Runs of {name}", head, rows, empty=NO_RUN, scroll=True),
    ]
    if left:
        without = "were not measured" if resource else "have no value here"
        blocks.append(Say(f"{wording.count(left, 'run')} of it {without}.", quiet=True))
    if page.pages > 1:
        text = f"{page.span} of {page.total:,}"
        blocks.append(pager(text, page, lambda number: view.link(page=number)))
    return blocks


def _side(configuration: str | None) -> str | None:
    """Return a configuration as an address names it: not where there is only one."""
    return None if configuration == "-" else configuration
