"""Cases and criteria as their documents define them, each with its problems."""

from collections.abc import Collection
from typing import Final

import numpy as np

from evalcore.counting.cells import typed, where
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.outcomes import outcomes
from evalcore.problems import Problem
from evalcore.tables.exported import Listing
from evalcore.tables.rows import CaseRow, CriterionRow
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.evidence import fault, source_block
from evalcore.views.blocks.page import Cell, Heading, Row, Table, heads
from evalcore.views.blocks.paging import page_of
from evalcore.views.data.state import PAGE, DataView, clear, pager_of, to
from evalcore.views.matching import arrow_texts, rows_with
from evalcore.views.problems import Problems
from evalcore.views.run.case import asked_of_case, criterion_block
from evalcore.views.run.evidence import case_of
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

EXCERPT: Final = 140
SEARCHED: Final = ("case_id", "name", "prompt", "tags")
CASE = (
    "case_id", "name", "status", "prompt", "expected", "tags", "source", "pointer", "criteria",
)  # fmt: skip


def case_list_blocks(ws: Workspace, suite: str, view: DataView, problems: Problems) -> list[Block]:
    """Describe one page of the cases that a suite defines."""
    places, total = matching_cases(ws, suite, view), len(where(ws, "cases", suite=suite))
    page = page_of(view.page, len(places), PAGE)
    shown = typed(ws, "cases", CaseRow, places[page.rows])
    asked = _criteria(ws, suite, {row.case_id for row in shown})
    rows = []
    for row in shown:
        criteria = asked.get(row.case_id, [])
        wrong = [*problems.below(row.source, row.pointer)]
        for criterion in criteria:
            wrong += _of_criterion(criterion, problems)
        name = Cell(
            row.name or row.case_id or "",
            id=row.case_id,
            link=to(view, page=view.page, case=row.case_id),
            sub=wording.line(row.prompt or "no prompt is recorded", EXCERPT),
        )
        n = len(dict.fromkeys(wrong))
        cells = [
            name,
            Cell(f"{len(criteria):,}" if criteria else "none", num=True, quiet=not criteria),
            Cell(row.status or "not given", quiet=row.status is None, keep=True),
            Cell(f"{n:,}", num=True, quiet=not n),
        ]
        rows.append(Row(cells, on=row.case_id == view.case))
    empty = "No document defines a case of this suite."
    if total:
        empty = "No case matches. Search for other words."
    head = heads("case", "#criteria", "status", "#problems")
    cases = Table("Cases", head, rows, empty=empty, scroll=True)
    return [cases, *clear(view, page), pager_of(view, page, total, "case")]


def matching_cases(ws: Workspace, suite: str, view: DataView) -> Numbers:
    """Return the rows of the defined cases that the search keeps."""
    places = where(ws, "cases", suite=suite)
    if not view.text:
        return places
    columns = (ws.tables.cases[name].iloc[places] for name in SEARCHED)
    found = [rows_with(arrow_texts(column), view.text) for column in columns]
    kept: Numbers = places[np.unique(np.concatenate(found))]
    return kept


def first_case(ws: Workspace, suite: str, view: DataView) -> str | None:
    """Return the case to open if the address names none: the first that the search keeps."""
    found = matching_cases(ws, suite, view)
    return str(ws.tables.cases["case_id"].iloc[int(found[0])]) if len(found) else None


def has_case(ws: Workspace, suite: str, case_id: str) -> bool:
    """Return whether a suite has a case, defined or only run."""
    return case_id in outcomes(ws, suite).positions


def _criteria(
    ws: Workspace, suite: str, cases: Collection[str | None]
) -> dict[str | None, list[CriterionRow]]:
    """Return the criteria of some cases of a suite."""
    places = where(ws, "criteria", suite=suite)
    wanted = coded(ws, "criteria", "case_id").among(case for case in cases if case is not None)
    found: dict[str | None, list[CriterionRow]] = {}
    rows = typed(ws, "criteria", CriterionRow, places[wanted[places]])
    for row in sorted(rows, key=lambda row: (row.kind or "", row.position or 0)):
        found.setdefault(row.case_id, []).append(row)
    return found


def _of_criterion(row: CriterionRow, problems: Problems) -> tuple[Problem, ...]:
    """Return the problems at a criterion's place in its document; empty without a place."""
    return problems.below(row.source, row.pointer) if row.pointer else ()


def definition_blocks(ws: Workspace, suite: str, case_id: str, problems: Problems) -> list[Block]:
    """Describe a case as it is defined, each problem next to the value it concerns."""
    case = case_of(ws, suite, case_id)
    criteria = _criteria(ws, suite, {case_id}).get(case_id, [])
    beside = [_of_criterion(row, problems) for row in criteria]
    spoken = {problem for found in beside for problem in found}
    whole = [each for each in problems.below(case.source, case.pointer) if each not in spoken]
    asked = wording.count(len(criteria), "criterion") if criteria else "No criterion"
    blocks: list[Block] = [
        Heading(case.name, case.case_id),
        *map(fault, whole),
        *asked_of_case(case),
        Heading(asked),
    ]
    for row, found in zip(criteria, beside, strict=True):
        blocks += [criterion_block(row), *map(fault, found)]
    if case.source:
        blocks.append(source_block("Defined in", case.source, case.pointer))
    return blocks


def cases_listing(ws: Workspace, suite: str, view: DataView) -> Listing:
    """Return every defined case that the search keeps, with the number of its criteria."""
    rows = typed(ws, "cases", CaseRow, matching_cases(ws, suite, view))
    asked = ws.tables.criteria["case_id"].iloc[where(ws, "criteria", suite=suite)]
    counts = asked.value_counts().to_dict()
    listed = [(*(getattr(r, n) for n in CASE[:-1]), int(counts.get(r.case_id, 0))) for r in rows]
    return Listing("cases", CASE, listed)
