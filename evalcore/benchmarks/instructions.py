"""Instructions to compare two versions that nobody has answered yet."""

import json
from typing import Final, NamedTuple

from evalcore.counting.memo import memoize_per_workspace
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace

COMPARE: Final = "compare-prompts"
"""The subject of such an instruction."""
_FIELDS: Final = ("benchmarkId", "promptVersionA", "promptVersionB")


class Instruction(NamedTuple):
    """A message that asks to compare two versions by a benchmark; what it does not say is None."""

    id: str
    sender: str
    text: str
    benchmark: str | None
    a: str | None
    b: str | None


@memoize_per_workspace
def open_instructions(ws: Workspace, suite: str) -> tuple[Instruction, ...]:
    """Return the instructions of a suite that no message answers, oldest first."""
    columns = ("message", "subject", "in_reply_to", "sender", "text", "payload", "created_at")
    rows = [
        row
        for kind, of, *row in cells(ws.tables, "messages", "kind", "suite", *columns)
        if kind == "message" and of == suite
    ]
    answered = {reply for name, _, reply, *_ in rows if reply != name}
    open_ = [row for row in rows if row[1] == COMPARE and row[0] not in answered]
    open_.sort(key=lambda row: (row[-1] or 0, row[0]))
    return tuple(
        Instruction(name, sender or "", text or "", *_asked(payload))
        for name, _, _, sender, text, payload, _ in open_
    )


def _asked(payload: str | None) -> tuple[str | None, str | None, str | None]:
    """Return the benchmark and the versions that a payload names."""
    try:
        value = json.loads(payload or "{}")
    except ValueError:  # a long payload is cut in the table
        value = {}
    found = [value.get(name) if isinstance(value, dict) else None for name in _FIELDS]
    benchmark, a, b = (name if isinstance(name, str) and name else None for name in found)
    return benchmark, a, b
