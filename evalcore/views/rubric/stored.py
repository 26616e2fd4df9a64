"""The aggregates that files store of a column, beside those of its runs."""

from evalcore.counting.outcomes import Column
from evalcore.numbers import disagrees
from evalcore.tables.rows import BenchmarkRow
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table
from evalcore.views.gradings.version import about_version
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

FOLD = 6
FIGURES = ("mean", "stddev", "min", "max")


def stored_blocks(ws: Workspace, suite: str, column: Column) -> list[Block]:
    """Describe the stored aggregates of a column's version, beside the computed ones."""
    found = about_version(ws, suite, column)
    hint = f"{column.version}: from the files, with our own figures from the runs"
    title = Heading("Stored summaries", hint)
    if found.hidden:
        return [title, Say(f"Its summaries are {wording.HIDDEN} its runs.", quiet=True)]
    if not found.metrics:
        return []
    head = [("Aggregate", False), *((name, True) for name in FIGURES)]
    rows = [
        Row([Cell(name), *(_cell(stored, computed, figure) for figure in FIGURES)])
        for name, (stored, computed) in found.metrics.items()
    ]
    return [title, Table("Stored summaries", head, rows, fold=FOLD)]


def _cell(stored: BenchmarkRow | None, computed: BenchmarkRow | None, figure: str) -> Cell:
    """Return the stored number over ours; marked where they disagree."""
    theirs, ours = (getattr(row, figure) if row is not None else None for row in (stored, computed))
    if theirs is None and ours is None:
        return Cell("not stored", num=True, quiet=True)
    mine = "" if ours is None else f"ours {wording.number(ours, 3)}"
    if theirs is None:
        return Cell("not stored", sub=mine, num=True, quiet=True)
    wrong = ours is not None and disagrees(theirs, ours)
    mark = "fail" if wrong else None
    return Cell(wording.number(theirs, 4), sub=mine, num=True, mark=mark)
