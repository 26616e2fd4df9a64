"""One criterion: what it asks, how it was scored in each column, and the runs behind a cell."""

from collections.abc import Iterator
from typing import Final

from evalcore.counting.cells import typed, where
from evalcore.counting.guides import anchors, instructions
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import outcomes
from evalcore.counting.people import Scores
from evalcore.rubrics.cells import Criterion, CriterionCells, criterion_cells
from evalcore.rubrics.spread import given, judgments_of_criterion, spread_in
from evalcore.tables.rows import CriterionRow
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.page import Cell, Chip, Heading, Links, Row, Say, Table, heads
from evalcore.views.blocks.paging import page_of
from evalcore.views.gradings.grid import case_name
from evalcore.views.rubric.criteria import bar_of, mean_words, scores_cell
from evalcore.views.rubric.quality import criterion_faults
from evalcore.views.rubric.state import RubricView
from evalcore.views.rubric.suggested import suggested_for
from evalcore.views.rubric.words import KINDS, named, of_top, pagers, score
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

RUNS: Final = 15
MAX_WHY: Final = 240
MAX_CASE: Final = 20
MAX_TEXT: Final = 600
DEFINED: Final = 6
VERSIONS: Final = 40
SHORT: Final = 24
PLACES: Final = frozenset({"case_id", "position", "source", "pointer"})
"""Where a criterion is defined, which does not make its definition another one."""
GONE: Final = "The criterion in this link has no score here. Choose one in the table."


def detail_blocks(
    ws: Workspace,
    suite: str,
    configuration: str | None,
    view: RubricView,
    scores: Scores = "recorded",
) -> list[Block]:
    """Describe the open criterion; empty if none is open."""
    if view.criterion is None:
        return []
    cells = criterion_cells(ws, suite, scores)
    at = cells.place(view.criterion)
    if at is None:
        return [Say(GONE)]
    criterion = cells.criteria[at]
    keys = [column.key for column in cells.columns]
    column = keys.index(view.at) if view.at in keys else None
    blocks: list[Block] = [
        Heading(named(ws, suite, criterion), KINDS.get(criterion.kind, criterion.kind)),
    ]
    if view.at is not None and column is None:
        none = f"There is no column called {wording.line(view.at, 80)} here, so all are shown."
        blocks.append(Say(none, quiet=True))
    return [
        *blocks,
        *criterion_faults(ws, suite, at, scores),
        *_over_columns(ws, suite, at, cells, configuration, view, scores),
        *_runs(ws, suite, at, column, view, scores),
        *suggested_for(ws, suite, criterion, view),
        *_definition(ws, suite, criterion),
    ]


def _definition(ws: Workspace, suite: str, criterion: Criterion) -> list[Block]:
    """Describe how a criterion is defined, and where."""
    rows, cases = _definitions(ws, suite, criterion)
    texts = list(dict.fromkeys(row.description for row in rows if row.description))
    blocks: list[Block] = [Heading("Definition")]
    blocks += [
        Say(wording.line(text, MAX_TEXT)) for text in texts[:DEFINED] if text != criterion.name
    ]
    if len(texts) > DEFINED:
        blocks.append(Say(f"{len(texts) - DEFINED:,} other wordings in other cases.", quiet=True))
    facts = [Row([Cell(name, quiet=True), Cell(text)]) for name, text in _facts(rows)]
    if facts:
        blocks.append(Table("Definition", heads("", "As defined"), facts))
    if cases:
        data = link("data", dview="cases", dcase=cases[0])
        words = "Definition" if len(cases) == 1 else f"Definition in {len(cases):,} cases"
        blocks.append(Links("", [Chip(text=words, link=data)]))
    return blocks


@memoize_per_workspace
def _definitions(
    ws: Workspace, suite: str, criterion: Criterion
) -> tuple[list[CriterionRow], list[str]]:
    """Return the different definitions of a criterion, and the cases that have one."""
    found = where(ws, "criteria", suite=suite, kind=criterion.kind, criterion=criterion.name)
    frame = ws.tables.criteria.iloc[found]
    first = ~frame.duplicated([name for name in CriterionRow._fields if name not in PLACES])
    rows = typed(ws, "criteria", CriterionRow, found[first.to_numpy()])
    return rows, [str(case) for case in frame["case_id"].dropna().unique()]


def _facts(rows: list[CriterionRow]) -> Iterator[tuple[str, str]]:
    """Yield what all definitions say: weight, scale, pass mark, anchors or instructions."""
    weights = {row.weight for row in rows if row.weight is not None}
    if weights:
        yield "weight", " or ".join(map(wording.number, sorted(weights)))
    marks = {row.pass_at for row in rows if row.pass_at is not None and (row.max_score or 1) > 1}
    if marks:
        yield "passes from", " or ".join(map(wording.number, sorted(marks)))
    for name in ("required", "critical"):
        if any(getattr(row, name) for row in rows):
            yield name, "yes" if all(getattr(row, name) for row in rows) else "in some cases"
    guide = next((row.guide for row in rows if row.guide), None)
    for step, text in anchors(guide).items():
        yield f"score {wording.number(step)}", wording.line(text, MAX_TEXT)
    if plain := instructions(guide):
        yield "instructions", wording.line(plain, MAX_TEXT)


def _over_columns(
    ws: Workspace,
    suite: str,
    at: int,
    cells: CriterionCells,
    configuration: str | None,
    view: RubricView,
    scores: Scores,
) -> list[Block]:
    """Describe the criterion in each column, newest first, with its distribution."""
    places = [
        place
        for place in range(len(cells.columns) - 1, -1, -1)
        if cells.judged[at, place] and configuration in {None, cells.columns[place].configuration}
    ]
    rows = []
    for place in places[:VERSIONS]:
        column, one = cells.columns[place], spread_in(ws, suite, at, place, scores)
        first = Cell(
            column.version,
            sub="" if column.configuration == "-" else column.configuration,
            link=view.to(at=column.key, runs=1),
            id=f"in {column.key}",
            keep=len(column.version) <= SHORT,
        )
        mean = Cell(mean_words(one), sub=wording.count(one.judged, "judgment"), num=True)
        on = view.at == column.key
        rows.append(Row([first, mean, Cell("", bar=bar_of(one)), scores_cell(one)], on=on))
    head = heads("In", "#Mean over cases", "Lowest to highest", "Scores")
    blocks: list[Block] = [Table("The criterion in each version", head, rows, fold=8)]
    if len(places) > VERSIONS:
        older = wording.count(len(places) - VERSIONS, "older column")
        blocks.append(Say(f"{older} are in the table and on Trends.", quiet=True))
    return blocks


def _runs(
    ws: Workspace, suite: str, at: int, column: int | None, view: RubricView, scores: Scores
) -> list[Block]:
    """Describe a page of the judgments behind the open cell, the lowest scores first."""
    found = judgments_of_criterion(ws, suite, at, column, scores)
    page = page_of(view.runs, len(found), RUNS)
    shown = given(ws, suite, found[page.rows], scores)
    cells = criterion_cells(ws, suite, scores)
    where_ = "" if column is None else f" in {wording.column_words(cells.columns[column])}"
    texts = ws.tables.text("judgments", [one.row for one in shown])
    top, rows = float(cells.top[at]), []
    scale = None if top != top else top  # noqa: PLR0124 - NaN differs from itself
    for one, *said in zip(shown, texts["rationale"], texts["evidence"], strict=True):
        why = next((str(text) for text in said if isinstance(text, str) and text.strip()), "")
        run = str(ws.tables.runs["run_id"].iloc[one.run])
        name = case_name(outcomes(ws, suite).cases.iloc[one.case].to_dict())
        value = score(one.share * (scale or 1.0), scale)
        if (scale is None or scale <= 1) and one.share in {0.0, 1.0}:
            value = wording.verdict(one.share == 1)
        case = Cell(
            wording.line(name, MAX_CASE),
            title=name,
            sub="" if column is not None else wording.column_words(one.column),
            link=link("gradings", suite=suite, run=run),
            id=run,
            keep=True,
        )
        mark = "fail" if one.share == 0 else None
        given_for = wording.line(why, MAX_WHY) or "no rationale recorded"
        rows.append(
            Row(
                [
                    case,
                    Cell(f"{value}{of_top(scale)}", num=True, mark=mark, keep=True),
                    Cell(given_for, quiet=not why, clamp=True),
                ]
            )
        )
    title = f"{wording.count(len(found), 'judgment')}{where_}"
    table = Table(title, heads("Case", "#Score", "Why"), rows)
    return [Heading(title, "lowest first"), table, *pagers(view, "runs", page)]
