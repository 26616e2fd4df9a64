"""The heat map of criteria by version: one hue, a number in every cell, each opening its runs."""

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import UNASSIGNED
from evalcore.counting.people import Scores
from evalcore.rubrics.cells import Change, CriterionCells, change, criterion_cells
from evalcore.rubrics.spread import scaled
from evalcore.views.blocks.base import Block, PanelData
from evalcore.views.blocks.heat import Heat
from evalcore.views.blocks.page import Chip, Links, Say
from evalcore.views.blocks.paging import page_from_end, page_of
from evalcore.views.charts.caption import picture
from evalcore.views.charts.model import HeatCell, HeatMap, HeatRow, Picture
from evalcore.views.rubric.state import SORTS, RubricView, Sort
from evalcore.views.rubric.words import abouts, difference, named, of_top, pagers, score
from evalcore.views.words import wording
from evalcore.views.words.score_source import scores_words
from evalcore.workspace.opened import Workspace

PAGE: Final = 50
COLUMNS: Final = 12
SHADES: Final = 10


class Ranked(NamedTuple):
    """The criteria in order (positions), the columns that are compared, and each one's change.

    `columns` are those of the chosen configuration that judged anything. A change leads from a
    criterion's column before to the newest one.
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

    def key(at: int) -> tuple[object, ...]:
        """Order by what is asked; what lacks the value comes last, equal ones by name."""
        name, moved = cells.criteria[at], changes.get(at)
        if sort == "name":
            return (name.kind, name.name)
        if sort == "weakest":
            newest = next(place for place in reversed(columns) if cells.judged[at, place])
            return (round(shade(cells, at, cells.mean[at, newest]), 9), name)
        top, least = cells.top[at], cells.least[at]
        scale = (top - least) / top if top > least else 1.0
        by = 0.0 if moved is None else round(moved.difference / scale, 9)
        return (moved is None, -abs(by) if sort == "change" else by, name)

    return Ranked(tuple(sorted(judged, key=key)), columns, changes)


def _change(cells: CriterionCells, columns: tuple[int, ...], at: int) -> Change | None:
    """Return the change of a criterion from its previous column to its newest one.

    Both have one configuration, and cases in common; the newest column is the same for all.
    """
    dated = [place for place in columns if cells.columns[place].version != UNASSIGNED]
    if not dated or not cells.judged[at, dated[-1]]:
        return None
    newest = dated[-1]
    side = cells.columns[newest].configuration
    same = (place for place in reversed(dated[:-1]) if cells.columns[place].configuration == side)
    before = next((place for place in same if cells.judged[at, place]), None)
    return None if before is None else change(cells, at, before, newest)


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
    rows = []
    for at in found.order:
        title = named(ws, suite, cells.criteria[at])
        drawn = tuple(_cell(cells, at, place, title) for place in found.columns)
        note = _note(cells, at, found.changes.get(at))
        rows.append(HeatRow(title, about.get(cells.criteria[at], ""), drawn, note))
    names = tuple(wording.column_words(cells.columns[place]) for place in found.columns)
    sentence = (
        f"Mean of each criterion over its cases{scores_words(scores)}, {SORTS[sort].lower()}; "
        "shaded from the lowest to the highest score of its scale."
    )
    noted = "change" if found.changes else ""
    return HeatMap(sentence, names, tuple(rows), _ends(cells, found), noted)


def _ends(cells: CriterionCells, found: Ranked) -> tuple[str, str]:
    """Return the ends of the shades in words: those of the scale where all criteria share one."""
    scales = {(float(cells.least[at]), float(cells.top[at])) for at in found.order}
    if len(scales) != 1 or any(map(np.isnan, min(scales))):
        return "weakest", "strongest"
    low, high = min(scales)
    return f"{wording.number(low)}, weakest", f"{wording.number(high)}, strongest"


def _cell(cells: CriterionCells, at: int, place: int, name: str) -> HeatCell | None:
    if not cells.judged[at, place]:
        return None
    share, top = float(cells.mean[at, place]), _top(cells, at)
    text = score(share * (top or 1.0), top)
    over = f"over {wording.count(int(cells.cases[at, place]), 'case')}"
    judged = wording.count(int(cells.judged[at, place]), "judgment")
    column = wording.column_words(cells.columns[place])
    hover = f"{name}, {column}: {text}{of_top(top)} {over}, {judged}"
    return HeatCell(shade(cells, at, share), text, hover)


def _top(cells: CriterionCells, at: int) -> float | None:
    return None if np.isnan(cells.top[at]) else float(cells.top[at])


def _note(cells: CriterionCells, at: int, moved: Change | None) -> str:
    if moved is None:
        return ""
    top = _top(cells, at)
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


def with_open(
    ws: Workspace,
    suite: str,
    configuration: str | None,
    view: RubricView,
    scores: Scores = "recorded",
    weakest: int | None = None,
) -> RubricView:
    """Return a view with a criterion open, where none was chosen: the first of its page.

    `weakest` is the one (position) that the first page of this order begins with in words.
    """
    found = ranked(ws, suite, configuration, view.sort, scores)
    if view.criterion is not None or not found.order:
        return view
    first = found.order[page_of(view.page, len(found.order), PAGE).rows][0]
    if weakest is not None and (view.sort, view.page) == ("weakest", 1):
        first = weakest
    return replace(view, criterion=criterion_cells(ws, suite, scores).criteria[first].key)


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
    # One page of the columns from the newest on, and the ways to the others.
    turn = page_from_end(view.columns, len(found.columns), COLUMNS)
    shown, later, turns = found.columns[turn.rows], turn.total - turn.stop, []
    if turn.start:
        earlier = view.to(columns=turn.number + 1)
        turns.append({"text": f"‹ {turn.start:,} earlier", "link": earlier})
    if later:
        turns.append({"text": f"{later:,} later ›", "link": view.to(columns=turn.number - 1)})
    columns = []
    for column in (cells.columns[place] for place in shown):
        side = "" if column.configuration == "-" else column.configuration
        columns.append({"key": column.key, "text": column.version, "sub": side})
    heat = Heat(
        label="Criteria by version",
        columns=columns,
        rows=[
            _row(
                cells,
                at,
                shown,
                named(ws, suite, cells.criteria[at]),
                about.get(cells.criteria[at], ""),
                found.changes.get(at),
                view,
            )
            for at in found.order[page.rows]
        ],
        noted="Change" if found.changes else "",
        turns=turns,
        ends=_ends(cells, found),
        query=replace(view, criterion=None, at=None, runs=1).to().query,
    )
    orders = [
        Chip(text=words, link=view.to(sort=sort, page=1), on=sort == view.sort)
        for sort, words in SORTS.items()
    ]
    total = wording.count(len(found.order), "criterion")
    return [Links("", orders), heat, *pagers(view, "page", page, total)]


def _row(
    cells: CriterionCells,
    at: int,
    shown: tuple[int, ...],
    name: str,
    about: str,
    moved: Change | None,
    view: RubricView,
) -> PanelData:
    criterion = cells.criteria[at]
    drawn: list[tuple[int, str, str] | None] = []
    for cell in (_cell(cells, at, place, name) for place in shown):
        if cell is None:
            drawn.append(None)
            continue
        # The panel puts the name before it: all cells of a row have the same.
        hover = cell.hover.removeprefix(f"{name}, ")
        drawn.append((min(int(cell.value * SHADES), SHADES - 1), cell.text, hover))
    mark = None
    if moved is not None and abs(moved.difference) >= 1e-9:
        mark = "up" if moved.difference > 0 else "down"
    on = criterion.key == view.criterion
    return {
        "id": criterion.key,
        "name": name,
        "about": about,
        "cells": drawn,
        "note": _note(cells, at, moved),
        "mark": mark,
        "on": on,
        "at": view.at if on else None,
    }
