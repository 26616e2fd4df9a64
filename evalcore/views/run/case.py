"""Describe a case's definition, and what a case or a run names of other tools.

These are an agent run, a skill and a prompt, as far as the same store has their records.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import orjson

from evalcore.counting.cells import family_of
from evalcore.counting.named_records import MOST_READ, NamedRecord, named_record, places, read_value
from evalcore.disk.values import decoded
from evalcore.shapes.prompts import text_of
from evalcore.tables.rows import CriterionRow
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.evidence import Facts, Note, Prompt, note, source_block
from evalcore.views.blocks.page import Heading, titled
from evalcore.views.run.evidence import Case, rows_of
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

MAX_TEXT: Final = 20_000
NOT_HERE: Final = "This store holds no such record, so what it is cannot be shown."
NOT_SEEN: Final = (
    f"It is not in the first {MOST_READ} documents that may hold it, nor in one so called."
)
TITLES: Final = {
    "agentRunId": "Agent run",
    "skillId": "Skill",
    "promptVersionRef": "Prompt version",
    "promptRef": "Prompt of the skill",
}
_OUTPUT: Final = "/fields/actualOutput"


def case_blocks(ws: Workspace, case: Case) -> list[Block]:
    """Describe a case as it is defined."""
    rows = rows_of(ws, "criteria", CriterionRow, suite=case.suite, case_id=case.case_id)
    rows.sort(key=lambda row: (row.kind or "", row.position or 0))
    defined = wording.count(len(rows), "criterion") if rows else "No criterion is defined"
    blocks: list[Block] = [
        Heading(case.name, case.case_id if case.case_id != case.name else ""),
        *asked_of_case(case),
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


def asked_of_case(case: Case) -> list[Block]:
    """Describe what a case asks and expects, and its further fields, also those not given."""
    weight = None if case.weight is None else wording.number(case.weight)
    facts = [
        ("tags", ", ".join(case.tags) or "none", bool(case.tags)),
        ("files", ", ".join(case.files) or "none", bool(case.files)),
        ("weight", weight or "not given", weight is not None),
        ("status", case.status or "not given", case.status is not None),
    ]
    return [
        Prompt("Prompt", case.prompt or wording.NOT_RECORDED),
        Prompt("Expected", case.expected or wording.NOT_RECORDED),
        Facts(facts),
    ]


def connected_blocks(
    ws: Workspace, suite: str, source: str | None, pointer: str | None
) -> list[Block]:
    """Describe what the record of a run or a case names of other tools; nothing without any."""
    types = family_of(ws, suite).connections
    record = read_value(ws, source or "", (pointer or "").removesuffix(_OUTPUT)) if types else None
    leads = _leads(ws, suite, record, types, set()) if isinstance(record, dict) else ()
    return titled("What other tools keep of it", leads)


def _leads(
    ws: Workspace,
    suite: str,
    record: Mapping[str, Any],
    types: Mapping[str, tuple[str, ...]],
    shown: set[tuple[str, str]],
) -> Iterator[Block]:
    """Yield what each name leads to; a record that was `shown` is not shown again."""
    fields = record.get("fields")
    for field, wanted in types.items():
        name = fields.get(field) if isinstance(fields, dict) else None
        if not isinstance(name, str) or not name.strip():
            continue
        found = named_record(ws, suite, wanted, name)
        why = NOT_HERE if len(places(ws, suite, wanted)) <= MOST_READ else NOT_SEEN
        yield note(TITLES.get(field, field), _about(found) if found else why, tags=[name])
        if found is None or found[1:] in shown:
            continue
        shown.add(found[1:])
        if text := text_of(found.record):
            yield Prompt("Text", text[:MAX_TEXT])
        yield source_block("Stands in", found.path, found.pointer)
        yield from _leads(ws, suite, found.record, {"promptRef": types["promptRef"]}, shown)


def _about(found: NamedRecord) -> str | None:
    """Return a short description of a record; None if it has none."""
    fields = found.record.get("fields")
    about = fields if isinstance(fields, dict) else {}
    said = [about.get(key) for key in ("name", "description", "agentId", "status")]
    words = [each.strip()[:MAX_TEXT] for each in said if isinstance(each, str) and each.strip()]
    calls = decoded(about.get("toolCallsLog"))
    if isinstance(calls, list):
        words.append(f"{wording.count(len(calls), 'tool call')} in its log")
    return "; ".join(words) or None
