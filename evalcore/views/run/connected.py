"""Describe what a run or a case of a store names of other tools: agent run, skill and prompt."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from evalcore.counting.memo import memoize_per_workspace
from evalcore.disk.values import decoded
from evalcore.errors import EvalcoreError
from evalcore.families.registry import family
from evalcore.shapes.prompts import names_of, text_of
from evalcore.tables.cells import cells
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.evidence import Prompt, note, source_block
from evalcore.views.blocks.page import Heading
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

MOST_READ: Final = 500
"""So many documents of other tools are looked through; of more only those named like the record."""
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


class _Found(NamedTuple):
    """A record of another tool, and its place."""

    record: Mapping[str, Any]
    path: str
    pointer: str


def connected_blocks(
    ws: Workspace, suite: str, source: str | None, pointer: str | None
) -> list[Block]:
    """Describe what the record of a run or a case names of other tools; nothing without any."""
    types = family(dict(cells(ws.tables, "suites", "suite", "family"))[suite]).connections
    record = _raw(ws, source or "", (pointer or "").removesuffix(_OUTPUT)) if types else None
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
        found = _find(ws, suite, wanted, name)
        why = NOT_HERE if len(_places(ws, suite, wanted)) <= MOST_READ else NOT_SEEN
        yield note(TITLES.get(field, field), _about(found) if found else why, tags=[name])
        if found is None or found[1:] in shown:
            continue
        shown.add(found[1:])
        if text := text_of(found.record):
            yield Prompt("Text", text[:MAX_TEXT])
        yield source_block("Stands in", found.path, found.pointer)
        yield from _leads(ws, suite, found.record, {"promptRef": types["promptRef"]}, shown)


def _about(found: _Found) -> str | None:
    """Say what a record tells of itself in a few words; None if nothing."""
    fields = found.record.get("fields")
    about = fields if isinstance(fields, dict) else {}
    said = [about.get(key) for key in ("name", "description", "agentId", "status")]
    words = [each.strip()[:MAX_TEXT] for each in said if isinstance(each, str) and each.strip()]
    calls = decoded(about.get("toolCallsLog"))
    if isinstance(calls, list):
        words.append(f"{wording.count(len(calls), 'tool call')} in its log")
    return "; ".join(words) or None


def _find(ws: Workspace, suite: str, types: tuple[str, ...], name: str) -> _Found | None:
    """Return the record of a name; beyond the first documents only where its file is called so."""
    found = _index(ws, suite, types).get(name)
    if found is None:
        rest = _places(ws, suite, types)[MOST_READ:]
        called = [path for path in rest if name in path.rpartition("/")[2]]
        found = _by_name(ws, called[:MOST_READ], types).get(name)
    return found


@memoize_per_workspace
def _index(ws: Workspace, suite: str, types: tuple[str, ...]) -> dict[str, _Found]:
    return _by_name(ws, _places(ws, suite, types)[:MOST_READ], types)


@memoize_per_workspace
def _places(ws: Workspace, suite: str, types: tuple[str, ...]) -> list[str]:
    """Return the documents of a suite that may hold records of some types."""
    rows = cells(ws.tables, "documents", "path", "suite", "kind")
    return [path for path, of, kind in rows if of == suite and kind in (*types, "records")]


def _by_name(ws: Workspace, paths: Iterable[str], types: tuple[str, ...]) -> dict[str, _Found]:
    """Return the records of some types in documents by each of their names."""
    found: dict[str, _Found] = {}
    for path in paths:
        value = _raw(ws, path, "")
        whole = isinstance(value, dict)
        for at, record in [("", value)] if whole else enumerate(value or ()):
            if isinstance(record, dict) and _is_of(record, types, whole=whole):
                place = _Found(record, path, "" if whole else f"/{at}")
                found |= {name: place for name in names_of(record) if name not in found}
    return found


def _is_of(record: Mapping[str, Any], types: tuple[str, ...], *, whole: bool) -> bool:
    """Return whether a record is of some types; a document of its own was recognised as one."""
    return whole or record.get("type") in types or record.get("minionTypeId") in types


def _raw(ws: Workspace, path: str, pointer: str) -> Any:
    """Return a value of a document; None where it is gone or hidden."""
    try:
        return ws.raw(path, pointer)
    except EvalcoreError:
        return None
