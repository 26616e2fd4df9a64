"""Cases and criteria as their documents define them, with what is wrong beside each."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import orjson

from evalcore.counting.cells import typed, where
from evalcore.counting.coded import coded
from evalcore.problems import Problem
from evalcore.tables.rows import CaseRow, CriterionRow
from evalcore.views import wording
from evalcore.views.data import DataView, Paged, paged
from evalcore.views.data_panel import clear, pager, to
from evalcore.views.doors import Block, cell, table
from evalcore.views.evidence import Case, case_of
from evalcore.views.faults import Problems
from evalcore.views.matching import arrow_texts, rows_with
from evalcore.views.panel import (
    facts_block,
    heading,
    note_block,
    problem_block,
    prompt,
    source_block,
)
from evalcore.workspace.opened import Workspace

EXCERPT: Final = 140
SEARCHED: Final = ("case_id", "name", "prompt", "tags")


@dataclass(frozen=True)
class CaseLine:
    """One case as it is defined, how many criteria it has, and what is wrong in its definition."""

    row: CaseRow
    criteria: int
    problems: int


def case_page(
    ws: Workspace, suite: str, view: DataView, problems: Problems
) -> tuple[Paged, list[CaseLine]]:
    """Return one page of the cases that a suite defines, with what each has."""
    places = where(ws, "cases", suite=suite)
    total = len(places)
    if view.text:
        said = (ws.tables.cases[name].iloc[places] for name in SEARCHED)
        found = [rows_with(arrow_texts(column), view.text) for column in said]
        places = places[np.unique(np.concatenate(found))]
    shown = paged(view.page, len(places), total)
    rows = typed(ws, "cases", CaseRow, places[shown.rows])
    criteria = _criteria(ws, suite, {row.case_id for row in rows})
    return shown, [_case_line(row, criteria.get(row.case_id, []), problems) for row in rows]


def first_case(ws: Workspace, suite: str) -> str | None:
    """Return the case that is open where the address names none."""
    found = where(ws, "cases", suite=suite)
    return str(ws.tables.cases["case_id"].iloc[int(found[0])]) if len(found) else None


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
    """Return the problems of a criterion's own place; one without a place has none of its own."""
    return problems.below(row.source, row.pointer) if row.pointer else ()


def case_list_blocks(shown: Paged, lines: list[CaseLine], view: DataView) -> list[Block]:
    """Describe one page of the defined cases."""
    head = [("case", False), ("criteria", True), ("status", False), ("problems", True)]
    rows = [
        {"on": line.row.case_id == view.case, "cells": list(_case_cells(line, view))}
        for line in lines
    ]
    empty = (
        "No case is left. Search for other words."
        if shown.total
        else "No document defines a case of this suite."
    )
    cases = {**table("Cases", head, rows, empty=empty), "scroll": True}
    return [cases, *clear(view, shown), pager(view, shown, "case")]


def _case_cells(line: CaseLine, view: DataView) -> Iterator[Block]:
    row = line.row
    prompt = " ".join((row.prompt or "no prompt is recorded")[: 4 * EXCERPT].split())
    yield cell(
        row.name or row.case_id or "",
        id=row.case_id,
        door=to(view, page=view.page, case=row.case_id),
        sub=prompt if len(prompt) <= EXCERPT else f"{prompt[:EXCERPT]}…",
    )
    yield cell(f"{line.criteria:,}" if line.criteria else "none", num=True, quiet=not line.criteria)
    yield cell(row.status or "not given", quiet=row.status is None, keep=True)
    yield cell(f"{line.problems:,}", num=True, quiet=not line.problems)


def definition_blocks(ws: Workspace, suite: str, case_id: str, problems: Problems) -> list[Block]:
    """Describe a case as it is defined, each problem of its definition beside what it speaks of."""
    case = case_of(ws, suite, case_id)
    criteria = _criteria(ws, suite, {case_id}).get(case_id, [])
    beside = [_of_criterion(row, problems) for row in criteria]
    spoken = {problem for found in beside for problem in found}
    whole = [
        problem for problem in problems.below(case.source, case.pointer) if problem not in spoken
    ]
    blocks = [heading(case.name, case.case_id), *map(problem_block, whole)]
    for label, text in (("Prompt", case.prompt), ("Expected", case.expected)):
        blocks.append(prompt(label, text or wording.NOT_RECORDED))
    blocks.append(facts_block(_facts(case)))
    blocks.append(
        heading(wording.count(len(criteria), "criterion") if criteria else "No criterion")
    )
    for row, found in zip(criteria, beside, strict=True):
        blocks += [_criterion(row), *map(problem_block, found)]
    if case.source:
        blocks.append(source_block("Defined in", case.source, case.pointer))
    return blocks


def _facts(case: Case) -> list[tuple[str, str, bool]]:
    weight = "not given" if case.weight is None else wording.number(case.weight)
    return [
        ("tags", ", ".join(case.tags) or "none", bool(case.tags)),
        ("files", ", ".join(case.files) or "none", bool(case.files)),
        ("weight", weight, case.weight is not None),
        ("status", case.status or "not given", case.status is not None),
    ]


def _criterion(row: CriterionRow) -> Block:
    low = wording.number(row.min_score) if row.min_score is not None else "…"
    scale = None if row.max_score in (None, 1.0) else f"{low} to {wording.number(row.max_score)}"
    limit = (
        f"passes at {wording.number(row.pass_at)}" if scale and row.pass_at is not None else None
    )
    weight = f"weight {wording.number(row.weight)}" if row.weight is not None else None
    required = None if row.required is None else "required" if row.required else "optional"
    label = row.criterion if row.criterion != row.description else None
    tags = [row.kind, label, scale, limit, required, "critical" if row.critical else None, weight]
    return note_block(row.description or row.criterion or "", guide_text(row.guide), tags=tags)


def guide_text(guide: str | None) -> str | None:
    """Return a criterion's anchors one a line, or the judge's instructions, as plain text."""
    if not guide:
        return None
    try:
        value = orjson.loads(guide)
    except orjson.JSONDecodeError:
        return guide
    if isinstance(value, dict):
        lines = (
            (key, text if isinstance(text, str) else orjson.dumps(text).decode())
            for key, text in value.items()
        )
        return "\n".join(f"{key}: {text}" for key, text in lines)
    return value if isinstance(value, str) else guide
