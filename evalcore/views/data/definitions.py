"""Cases and criteria as their documents define them, each with its problems."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from evalcore.counting.cells import typed, where
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.outcomes import outcomes
from evalcore.problems import Problem
from evalcore.tables.rows import CaseRow, CriterionRow
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.evidence import Facts, Prompt, fault, source_block
from evalcore.views.blocks.page import Cell, Heading, Row, Table
from evalcore.views.data.lists import DataView, Paged, paged
from evalcore.views.data.tables import clear, pager, to
from evalcore.views.matching import arrow_texts, rows_with
from evalcore.views.problems import Problems
from evalcore.views.run.case import case_facts, criterion_block
from evalcore.views.run.evidence import case_of
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

EXCERPT: Final = 140
SEARCHED: Final = ("case_id", "name", "prompt", "tags")


@dataclass(frozen=True)
class CaseLine:
    """One case as defined, its number of criteria, and the problems of its definition."""

    row: CaseRow
    criteria: int
    problems: int


def case_page(
    ws: Workspace, suite: str, view: DataView, problems: Problems
) -> tuple[Paged, list[CaseLine]]:
    """Return one page of the cases that a suite defines."""
    places, total = matching_cases(ws, suite, view), len(where(ws, "cases", suite=suite))
    shown = paged(view.page, len(places), total)
    rows = typed(ws, "cases", CaseRow, places[shown.rows])
    criteria = _criteria(ws, suite, {row.case_id for row in rows})
    return shown, [_case_line(row, criteria.get(row.case_id, []), problems) for row in rows]


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


def _case_line(row: CaseRow, criteria: list[CriterionRow], problems: Problems) -> CaseLine:
    found = [*problems.below(row.source, row.pointer)]
    for criterion in criteria:
        found += _of_criterion(criterion, problems)
    return CaseLine(row, len(criteria), len(dict.fromkeys(found)))


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


def case_list_blocks(shown: Paged, lines: list[CaseLine], view: DataView) -> list[Block]:
    """Describe one page of the defined cases."""
    head = [("case", False), ("criteria", True), ("status", False), ("problems", True)]
    rows = [Row(list(_case_cells(line, view)), on=line.row.case_id == view.case) for line in lines]
    empty = (
        "No case matches. Search for other words."
        if shown.total
        else "No document defines a case of this suite."
    )
    cases = Table("Cases", head, rows, empty=empty, scroll=True)
    return [cases, *clear(view, shown), pager(view, shown, "case")]


def _case_cells(line: CaseLine, view: DataView) -> Iterator[Cell]:
    row = line.row
    prompt = " ".join((row.prompt or "no prompt is recorded")[: 4 * EXCERPT].split())
    yield Cell(
        row.name or row.case_id or "",
        id=row.case_id,
        link=to(view, page=view.page, case=row.case_id),
        sub=prompt if len(prompt) <= EXCERPT else f"{prompt[:EXCERPT]}…",
    )
    yield Cell(f"{line.criteria:,}" if line.criteria else "none", num=True, quiet=not line.criteria)
    yield Cell(row.status or "not given", quiet=row.status is None, keep=True)
    yield Cell(f"{line.problems:,}", num=True, quiet=not line.problems)


def definition_blocks(ws: Workspace, suite: str, case_id: str, problems: Problems) -> list[Block]:
    """Describe a case as it is defined, each problem next to the value it concerns."""
    case = case_of(ws, suite, case_id)
    criteria = _criteria(ws, suite, {case_id}).get(case_id, [])
    beside = [_of_criterion(row, problems) for row in criteria]
    spoken = {problem for found in beside for problem in found}
    whole = [
        problem for problem in problems.below(case.source, case.pointer) if problem not in spoken
    ]
    blocks: list[Block] = [Heading(case.name, case.case_id), *map(fault, whole)]
    for label, text in (("Prompt", case.prompt), ("Expected", case.expected)):
        blocks.append(Prompt(label, text or wording.NOT_RECORDED))
    blocks.append(Facts(case_facts(case)))
    blocks.append(
        Heading(wording.count(len(criteria), "criterion") if criteria else "No criterion")
    )
    for row, found in zip(criteria, beside, strict=True):
        blocks += [criterion_block(row), *map(fault, found)]
    if case.source:
        blocks.append(source_block("Defined in", case.source, case.pointer))
    return blocks
