"""Criteria, scores, changes and pages of lists in words."""

from typing import Final

import pandas as pd

from evalcore.counting.cells import where
from evalcore.counting.guides import name_and_meaning
from evalcore.counting.memo import memoize_per_workspace
from evalcore.rubrics.cells import Criterion
from evalcore.statistics.intervals import SAME
from evalcore.views.blocks.page import Pager
from evalcore.views.blocks.paging import Page, pager
from evalcore.views.rubric.state import RubricView
from evalcore.views.verdict.differences import points
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

MAX_NAME: Final = 200
MAX_ABOUT: Final = 160
SEVERAL: Final = "a different check in each case"
KINDS: Final = {
    "rubric": "dimension",
    "expectation": "expectation",
    "assertion": "assertion",
    "structural": "structural check",
    "convention": "convention",
}


def named(ws: Workspace, suite: str, criterion: Criterion) -> str:
    """Return the name of a criterion on one line; in its words where it is only an id."""
    name, _ = name_and_meaning(criterion.name, _described(ws, suite).get(criterion))
    return wording.line(name, MAX_NAME)


def abouts(ws: Workspace, suite: str) -> dict[Criterion, str]:
    """Return what its name does not explain of each criterion, on one line."""
    return {
        each: wording.line(meaning, MAX_ABOUT)
        for each, text in _described(ws, suite).items()
        if (meaning := name_and_meaning(each.name, text)[1])
    }


@memoize_per_workspace
def _described(ws: Workspace, suite: str) -> dict[Criterion, str]:
    """Return the description of each criterion that has one besides its name."""
    defined = ws.tables.criteria.iloc[where(ws, "criteria", suite=suite)]
    found: dict[Criterion, str] = {}
    columns = (defined[name] for name in ("kind", "criterion", "description"))
    several: set[Criterion] = set()
    for kind, name, description in zip(*columns, strict=True):
        key = Criterion(str(kind), str(name))
        if pd.isna(description) or description == name:
            continue
        if found.setdefault(key, str(description)) != description:
            several.add(key)
    return {key: SEVERAL if key in several else text for key, text in found.items()}


def score(value: float | None, top: float | None) -> str:
    """Return a score on its scale: `4.2` of a scale, `86 %` of what passed or has no scale."""
    if top is None or top <= 1:
        return wording.percent(value)
    return wording.on_scale(value, top)


def of_top(top: float | None) -> str:
    """Return the end of a scale as the end of a clause; empty without a scale."""
    return f" of {wording.number(top)}" if top is not None and top > 1 else ""


def difference(value: float, top: float | None) -> str:
    """Return a signed change: `+0.80` on a scale, `+12 points` of a share."""
    if top is None or top <= 1:
        return points(value) if abs(value) > SAME else "±0 points"
    sign = "+" if value > 0 else wording.MINUS if value < 0 else "±"
    return f"{sign}{score(abs(value), top)}"


def pagers(view: RubricView, name: str, page: Page, total: str = "", **reset: None) -> list[Pager]:
    """Describe the way to the other pages; empty for a single one.

    `name` is the field of the view, `total` the number of elements in words. `reset` are fields
    that another page does not keep.
    """
    if page.pages == 1:
        return []
    text = f"{page.span} of {total or f'{page.total:,}'}"
    return [pager(text, page, lambda number: view.to(**reset, **{name: number}))]
