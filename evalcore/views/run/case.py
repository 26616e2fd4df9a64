"""Describe a case's definition: prompt, expectation and criteria."""

import orjson

from evalcore.tables.rows import CriterionRow
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.evidence import Facts, Note, Prompt, note, source_block
from evalcore.views.blocks.page import Heading
from evalcore.views.run.connected import connected_blocks
from evalcore.views.run.evidence import Case, rows_of
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace


def case_blocks(ws: Workspace, case: Case) -> list[Block]:
    """Describe a case as it is defined."""
    rows = rows_of(ws, "criteria", CriterionRow, suite=case.suite, case_id=case.case_id)
    rows.sort(key=lambda row: (row.kind or "", row.position or 0))
    defined = wording.count(len(rows), "criterion") if rows else "No criterion is defined"
    blocks: list[Block] = [
        Heading(case.name, case.case_id if case.case_id != case.name else ""),
        Prompt("Prompt", case.prompt or wording.NOT_RECORDED),
        Prompt("Expected", case.expected or wording.NOT_RECORDED),
        Facts(case_facts(case)),
        Heading(defined),
        *map(criterion_block, rows),
        *connected_blocks(ws, case.suite, case.source, case.pointer),
    ]
    if case.source:
        blocks.append(source_block("Defined in", case.source, case.pointer))
    return blocks


def criterion_block(row: CriterionRow) -> Note:
    """Describe one criterion as it is defined, with its anchors or the judge's instructions."""
    label = row.criterion if row.criterion != row.description else None
    scale = passes = None
    if row.max_score not in (None, 1.0):
        low = wording.number(row.min_score) if row.min_score is not None else "…"
        scale = f"{low} to {wording.number(row.max_score)}"
        passes = f"passes at {wording.number(row.pass_at)}" if row.pass_at is not None else None
    required = None if row.required is None else "required" if row.required else "optional"
    weight = f"weight {wording.number(row.weight)}" if row.weight is not None else None
    critical = "critical" if row.critical else None
    tags = [row.kind, label, scale, passes, required, critical, weight]
    title = row.description or row.criterion or "no text"
    return note(title, guide_text(row.guide), tags=tags)


def guide_text(guide: str | None) -> str | None:
    """Return a criterion's anchors one a line, or the judge's instructions, as plain text."""

    def plain(value: object) -> str:
        return value if isinstance(value, str) else orjson.dumps(value).decode("utf-8", "replace")

    if not guide:
        return None
    try:
        value = orjson.loads(guide)
    except orjson.JSONDecodeError:
        return guide
    if isinstance(value, dict):
        return "\n".join(f"{key}: {plain(text)}" for key, text in value.items())
    return plain(value)


def case_facts(case: Case) -> list[tuple[str, str, bool]]:
    """Return the further fields of a definition, each with whether it is given."""
    weight = None if case.weight is None else wording.number(case.weight)
    return [
        ("tags", ", ".join(case.tags) or "none", bool(case.tags)),
        ("files", ", ".join(case.files) or "none", bool(case.files)),
        ("weight", weight or "not given", weight is not None),
        ("status", case.status or "not given", case.status is not None),
    ]
