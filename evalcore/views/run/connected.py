"""Describe what a run or a case of a store names of other tools: agent run, skill and prompt."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from evalcore.counting.cells import family_of
from evalcore.counting.named_records import MOST_READ, NamedRecord, named_record, places, read_value
from evalcore.disk.values import decoded
from evalcore.shapes.prompts import text_of
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.evidence import Prompt, note, source_block
from evalcore.views.blocks.page import Heading
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


def connected_blocks(
    ws: Workspace, suite: str, source: str | None, pointer: str | None
) -> list[Block]:
    """Describe what the record of a run or a case names of other tools; nothing without any."""
    types = family_of(ws, suite).connections
    record = read_value(ws, source or "", (pointer or "").removesuffix(_OUTPUT)) if types else None
    blocks = list(_leads(ws, suite, record, types, set())) if isinstance(record, dict) else []
    return [Heading("What other tools keep of it"), *blocks] if blocks else []


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
