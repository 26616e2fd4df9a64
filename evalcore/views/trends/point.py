"""The runs behind one point: each with the value of its case, worst case first."""

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
from evalcore.trends.metrics import Metric, run_values
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Cell, Chip, Heading, Links, Pager, Row, Say, Table
from evalcore.views.gradings.grid import case_name
from evalcore.views.series.words import MetricWords
from evalcore.views.trends.state import View, page_of
from evalcore.views.verdict.limits import capital
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

PAGE: Final = 30
NO_RUN: Final = "This point has no runs: its value is from a document."


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
    there = np.zeros(len(coded(ws, "runs", "suite").codes), bool)
    there[_runs_at(ws, suite, place)] = True
    values = run_values(ws, suite, metric, scores)
    mine = there[values.run]
    run, value = values.run[mine], values.value[mine]
    case = coded(ws, "runs", "case_id")
    keys = case.keys_of(run)
    of_case = mean(value, keys, case.width)[keys]
    good = -1 if metric.resource else 1  # the most expensive one first
    order = np.lexsort((run, good * value, keys, good * of_case))
    return PointRuns(place, run[order], value[order], of_case[order], int(there.sum()))


def _runs_at(ws: Workspace, suite: str, place: Place) -> Numbers:
    if place.benchmark_run:
        row = row_of(ws, suite, place.benchmark_run)
        return members(ws).of(-1 if row is None else row)
    found = columns_of_runs(ws, suite)
    runs: Numbers = found.here[found.column == found.columns.index(place.column)]
    return runs


def point_blocks(
    ws: Workspace, words: MetricWords, found: PointRuns, view: View, said: Sequence[Block] = ()
) -> list[Block]:
    """Describe what is `said` of a point and one page of its runs, each a link to its evidence."""
    page, pages = page_of(view.page, len(found.run), PAGE)
    first = (page - 1) * PAGE
    rows = found.run[first : first + PAGE].tolist()
    values = zip(
        found.value[first : first + PAGE].tolist(),
        found.of_case[first : first + PAGE].tolist(),
        typed(ws, "runs", RunRow, rows),
        strict=True,
    )
    lines = [_row(ws, words, row, value, of_case) for value, of_case, row in values]
    place, left = found.place, found.total - len(found.run)
    head = [("Case", False), ("Run", False), (capital(_noun(words)), True), ("Case mean", True)]
    column = place.column
    side = None if column.configuration == "-" else column.configuration
    blocks: list[Block] = [
        Heading(place.key, f"{wording.count(len(found.run), 'run')}, worst case first"),
        Links(
            "",
            [
                Chip(text="Open in Gradings", link=link("gradings", v=column.version, c=side)),
                Chip(text="Close", link=view.link(point=None, page=1)),
            ],
        ),
        *said,
        Table(f"Runs of {place.key}", head, lines, empty=NO_RUN, scroll=True),
    ]
    if left:
        without = "were not measured" if words.metric.resource else "have no value here"
        blocks.append(Say(f"{wording.count(left, 'run')} of it {without}.", quiet=True))
    if pages > 1:
        span = f"{first + 1:,}–{first + len(rows):,} of {len(found.run):,}"
        before, after = (
            view.link(page=page + by) if 1 <= page + by <= pages else None for by in (-1, 1)
        )
        blocks.append(Pager(span, before, after))
    return blocks


def _row(ws: Workspace, words: MetricWords, row: RunRow, value: float, of_case: float) -> Row:
    case, known = row.case_id or "", outcomes(ws, row.suite or "")
    name = case_name(known.cases.iloc[known.positions[case]].to_dict())
    side = None if row.configuration == "-" else row.configuration
    there = link("gradings", v=row.version, c=side, case=case)
    return Row(
        [
            Cell(name, link=there, clamp=True, id=f"case {row.run_id}"),
            Cell(row.run or "1", link=link("gradings", run=row.run_id), id=row.run_id),
            Cell(words.value(value), num=True),
            Cell(words.value(of_case), num=True),
        ]
    )


def _noun(words: MetricWords) -> str:
    return words.metric.resource or "value"
