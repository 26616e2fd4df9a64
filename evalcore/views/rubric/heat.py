"""The heat map of criteria by version: one hue, a number in every cell, each opening its runs."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import UNASSIGNED
from evalcore.counting.people import Scores
from evalcore.rubrics.cells import Change, CriterionCells, change, criterion_cells
from evalcore.rubrics.spread import scaled
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.heat import Heat, HeatColumn, HeatLine, HeatTurn
from evalcore.views.blocks.page import Chip, Links, Say
from evalcore.views.charts.caption import picture
from evalcore.views.charts.model import HeatCell, HeatMap, HeatRow, Picture
from evalcore.views.rubric.paging import page_of, pagers
from evalcore.views.rubric.state import SORTS, RubricView, Sort
from evalcore.views.rubric.words import abouts, difference, named, of_top, score
from evalcore.views.words import wording
from evalcore.views.words.score_source import scores_words
from evalcore.workspace.opened import Workspace

PAGE: Final = 50
COLUMNS: Final = 12
SHADES: Final = 10
SCALE: Final = ("lowest score", "highest score")


class Ranked(NamedTuple):
    """The criteria in order (positions), the columns that are compared, and each one's change.

    `columns` are the chosen configuration's columns that judged anything; `newest` is the column
    that changes lead to, `before` maps a criterion to the one before it.
    """

    order: tuple[int, ...]
    columns: tuple[int, ...]
    changes: dict[int, Change]


@memoize_per_workspace
def ranked(
    ws: Workspace, suite: str, configuration: str | None, sort: Sort, scores: Scores = "recorded"
) -> Ranked:
    """Return the criteria of a suite in the chosen order.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    cells = criterion_cells(ws, suite, scores)
    columns = tuple(
        at
        for at, column in enumerate(cells.columns)
        if configuration in {None, column.configuration} and cells.judged[:, at].any()
    )
    judged = [at for at in range(len(cells.criteria)) if cells.judged[at, list(columns)].any()]
    changes = {at: found for at in judged if (found := _change(cells, columns, at)) is not None}
    return Ranked(
        tuple(sorted(judged, key=_order(cells, columns, changes, sort))), columns, changes
    )


def _change(cells: CriterionCells, columns: tuple[int, ...], at: int) -> Change | None:
    """Return the change of a criterion from its previous column to its newest one.

    Both have one configuration, and cases in common; the newest column is the same for all.
    """
    dated = [place for place in columns if cells.columns[place].version != UNASSIGNED]
    if not dated or not cells.judged[at, dated[-1]]:
        return None
    newest = dated[-1]
    same = (place for place in reversed(dated[:-1]) if _same_side(cells, place, newest))
    before = next((place for place in same if cells.judged[at, place]), None)
    return None if before is None else change(cells, at, before, newest)


def _same_side(cells: CriterionCells, one: int, other: int) -> bool:
    return cells.columns[one].configuration == cells.columns[other].configuration


def _order(
    cells: CriterionCells, columns: tuple[int, ...], changes: dict[int, Change], sort: Sort
) -> Callable[[int], tuple[object, ...]]:
    """Return the sort key of a criterion: what lacks the value comes last, equal ones by name."""

    def key(at: int) -> tuple[object, ...]:
        name = cells.criteria[at]
        moved = changes.get(at)
        if sort == "name":
            return (name.kind, name.name)
        if sort == "change":
            return (moved is None, -abs(_moved(cells, at, moved)), name)
        if sort == "worse":
            return (moved is None, _moved(cells, at, moved), name)
        return (_newest_share(cells, columns, at), name)

    return key


def _moved(cells: CriterionCells, at: int, moved: Change | None) -> float:
    """Return a change as a share of the scale."""
    top, least = cells.top[at], cells.least[at]
    length = (top - least) / top if top > least else 1.0
    return 0.0 if moved is None else round(moved.difference / length, 9)


def _newest_share(cells: CriterionCells, columns: tuple[int, ...], at: int) -> float:
    """Return a criterion's share of its scale in the newest column that judged it."""
    newest = next(place for place in reversed(columns) if cells.judged[at, place])
    return round(shade(cells, at, cells.mean[at, newest]), 9)


def shade(cells: CriterionCells, at: int, share: float) -> float:
    """Return a share of the highest score as a share of the scale."""
    top, least = cells.top[at], cells.least[at]
    return share if np.isnan(top) or np.isnan(least) else scaled(share * top, least, top)


def heat_map(
    ws: Workspace, suite: str, configuration: str | None, sort: Sort, scores: Scores = "recorded"
) -> HeatMap:
    """Return the whole heat map of a suite, for pictures and exports."""
    found = ranked(ws, suite, configuration, sort, scores)
    cells = criterion_cells(ws, suite, scores)
    about = abouts(ws, suite)
    rows = tuple(
        HeatRow(
            named(cells.criteria[at]),
            about.get(cells.criteria[at], ""),
            tuple(_cell(cells, at, place) for place in found.columns),
            _note(cells, at, found.changes.get(at)),
        )
        for at in found.order
    )
    names = tuple(wording.column_words(cells.columns[place]) for place in found.columns)
    noted = "change" if found.changes else ""
    return HeatMap(_sentence(ws, suite, sort, scores), names, rows, SCALE, noted)


def _sentence(ws: Workspace, suite: str, sort: Sort, scores: Scores) -> str:
    del ws, suite
    return (
        f"Mean of each criterion over its cases{scores_words(scores)}, {SORTS[sort].lower()}; "
        "shaded from the lowest to the highest score of its scale."
    )


def _cell(cells: CriterionCells, at: int, place: int) -> HeatCell | None:
    if not cells.judged[at, place]:
        return None
    share, top = float(cells.mean[at, place]), _top(cells.top[at])
    text = score(share * (top or 1.0), top)
    over = f"over {wording.count(int(cells.cases[at, place]), 'case')}"
    judged = wording.count(int(cells.judged[at, place]), "judgment")
    column = wording.column_words(cells.columns[place])
    hover = f"{named(cells.criteria[at])}, {column}: {text}{of_top(top)} {over}, {judged}"
    return HeatCell(shade(cells, at, share), text, hover)


def _top(top: Numbers | float) -> float | None:
    return None if np.isnan(top) else float(top)


def _note(cells: CriterionCells, at: int, moved: Change | None) -> str:
    if moved is None:
        return ""
    top = _top(cells.top[at])
    return difference(moved.difference * (top or 1.0), top)


def heat_picture(
    ws: Workspace, suite: str, configuration: str | None, sort: Sort, scores: Scores = "recorded"
) -> Picture:
    """Return the heat map with its caption."""
    cells = criterion_cells(ws, suite, scores)
    chart = heat_map(ws, suite, configuration, sort, scores)
    judged = wording.count(int(cells.judged.sum()), "judgment")
    facts = [f"{wording.count(len(chart.rows), 'criterion')}, {judged}."]
    if chart.noted:
        facts.append("Change: the newest version minus the one before, over cases judged in both.")
    name = suite if suite != "." else ws.name
    return picture(ws, suite, chart, f"Criteria of {name} by version", facts, scores)


def heat_blocks(
    ws: Workspace,
    suite: str,
    configuration: str | None,
    view: RubricView,
    scores: Scores = "recorded",
) -> list[Block]:
    """Describe the page of the heat map that is chosen, with its orders and pages."""
    found = ranked(ws, suite, configuration, view.sort, scores)
    if not found.order:
        return [Say("No criterion has a score yet. Grade a run to see scores here.", quiet=True)]
    cells, about = criterion_cells(ws, suite, scores), abouts(ws, suite)
    page = page_of(view.page, len(found.order), PAGE)
    rows = found.order[page.start : page.stop]
    shown, turns = _columns(found.columns, view)
    lines = [
        _line(cells, at, shown, about.get(cells.criteria[at], ""), found.changes.get(at), view)
        for at in rows
    ]
    heat = Heat(
        label="Criteria by version",
        columns=[_head(cells, place) for place in shown],
        rows=lines,
        noted="Change" if found.changes else "",
        turns=turns,
        ends=SCALE,
        query=replace(view, criterion=None, at=None, runs=1).to().query,
    )
    total = wording.count(len(found.order), "criterion")
    return [_orders(view), heat, *pagers(view, "page", page, total)]


def _orders(view: RubricView) -> Links:
    chips = [
        Chip(text=words, link=view.to(sort=sort, page=1), on=sort == view.sort)
        for sort, words in SORTS.items()
    ]
    return Links("", chips)


def _columns(columns: tuple[int, ...], view: RubricView) -> tuple[tuple[int, ...], list[HeatTurn]]:
    """Return the columns of a page from the newest on, and the ways to the others."""
    last = max(-(-len(columns) // COLUMNS), 1)
    page = min(view.columns, last)
    end = len(columns) - (page - 1) * COLUMNS
    start = max(end - COLUMNS, 0)
    turns = []
    if start:
        turns.append(HeatTurn(text=f"‹ {start:,} earlier", link=view.to(columns=page + 1)))
    if end < len(columns):
        later = len(columns) - end
        turns.append(HeatTurn(text=f"{later:,} later ›", link=view.to(columns=page - 1)))
    return columns[start:end], turns


def _head(cells: CriterionCells, place: int) -> HeatColumn:
    column = cells.columns[place]
    side = "" if column.configuration == "-" else column.configuration
    return HeatColumn(key=column.key, text=column.version, sub=side)


def _line(
    cells: CriterionCells,
    at: int,
    shown: tuple[int, ...],
    about: str,
    moved: Change | None,
    view: RubricView,
) -> HeatLine:
    criterion = cells.criteria[at]
    found = [_cell(cells, at, place) for place in shown]
    return HeatLine(
        id=criterion.key,
        name=named(criterion),
        about=about,
        cells=[
            None
            if cell is None
            # The panel puts the name before it: all cells of a row have the same.
            else (
                min(int(cell.value * SHADES), SHADES - 1),
                cell.text,
                cell.hover.removeprefix(f"{named(criterion)}, "),
            )
            for cell in found
        ],
        note=_note(cells, at, moved),
        mark=_mark(moved),
        on=criterion.key == view.criterion,
        at=view.at if criterion.key == view.criterion else None,
    )


def _mark(moved: Change | None) -> str | None:
    if moved is None or abs(moved.difference) < 1e-9:
        return None
    return "up" if moved.difference > 0 else "down"
