"""Receipts of what was stored, as read back from disk."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from evalcore.errors import MayBeWritten
from evalcore.judging.model import Asked, ReadBack, Receipt, Task
from evalcore.views.blocks.base import PanelData
from evalcore.views.words import wording

MAX_NAME: Final = 60
MAX_LONG: Final = 200
HASH: Final = 12
UNREAD: Final = "stored, but the file was changed since"


def receipt_block(
    task: Task, receipts: Sequence[Receipt], stored: Sequence[ReadBack], *, corrected: bool = False
) -> PanelData:
    """Describe receipts by the content of their records as read back from disk.

    Records of earlier submissions are only counted.
    """
    asked, own = {each.key: each for each in task.criteria}, set(task.ids.values())
    rows = []
    for receipt, record in zip(receipts, stored, strict=True):
        if receipt.id not in own:
            continue
        criterion = asked.get(record.key)
        rows.append(
            {
                "name": (criterion.name if criterion else record.key)[:MAX_LONG],
                "score": score_words(criterion, record.score) if record.intact else UNREAD,
                "id": receipt.id,
                "sha256": receipt.sha256[:HASH],
                "path": receipt.path,
            }
        )
    before = len(receipts) - len(rows)
    more = f"; {before} as before" if before else ""
    lost = sum(row["score"] == UNREAD for row in rows)
    more += f"; {lost} {'was' if lost == 1 else 'were'} changed in the file since" if lost else ""
    name = wording.short(task.name, MAX_NAME).rstrip(":")
    verb = "Corrected" if corrected else "Stored"
    return {
        "run": task.run_id,
        "message": f"{verb}: {wording.count(len(rows), 'score')} for {name}{more}",
        "at": datetime.now(UTC).isoformat(),
        "short": wording.count(len(rows), "receipt"),
        "rows": rows,
        "ids": [row["id"] for row in rows],
    }


def stored_words(task: Task, receipts: Sequence[Receipt], stored: Sequence[ReadBack]) -> str:
    """Return what was stored, as it was read back from the disk, and its receipt."""
    rows = receipt_block(task, receipts, stored)["rows"]
    if not rows:
        return "It is stored like this already."
    return f"Stored: {rows[0]['score']} · receipt {rows[0]['id']}, sha256 {rows[0]['sha256']}…"


def record_words(what: str, record: str) -> str:
    """Return a sentence on what was stored, with the id of the record."""
    return f"{what} (record {record[:13]} …)."


def refusal(fault: Exception) -> str:
    """Return why nothing was stored, or why it is not known whether it was."""
    return str(fault) if isinstance(fault, MayBeWritten) else f"Nothing was stored. {fault}"


def score_words(asked: Asked | None, score: object) -> str:
    """Return a score in words: `4 of 5`, `passes`, `withdrawn`."""
    if not wording.known(score):
        return "withdrawn"
    if asked is None:
        return wording.number(score)
    if asked.pass_fail and score in (asked.low, asked.high):
        return "passes" if score == asked.high else "fails"
    return wording.score(score, asked.high)
