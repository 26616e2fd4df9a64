"""Describe the form by which one criterion is scored where its evidence is read."""

from collections.abc import Sequence

from evalcore.judging.limits import LIMITS
from evalcore.judging.model import Asked, Judge, ReadBack, Receipt, Task
from evalcore.views.blocks.base import PanelData
from evalcore.views.judge.receipt import receipt_block
from evalcore.views.judge.task import basis_block, criterion_block, mine_block, short_key


def single_forms(task: Task, judge: Judge | None, likely: str) -> PanelData:
    """Describe a form for each criterion of a run by its key, and what goes back with a score."""
    return {
        "run": task.run_id,
        "judge": judge.name if judge else None,
        "likely": likely,
        "limits": LIMITS._asdict(),
        "basis": basis_block(task),
        "ids": {short_key(key): name for key, name in task.ids.items()},
        "mine": {short_key(key): mine.id for key, mine in task.mine.items()},
        "items": {each.key: _item(task, each) for each in task.criteria},
    }


def _item(task: Task, criterion: Asked) -> PanelData:
    mine = task.mine.get(criterion.key)
    block = criterion_block(criterion)
    wanted = ("key", "name", "low", "high", "choices", "fine")
    before = mine_block(mine) if mine is not None and mine.score is not None else None
    return {name: block[name] for name in wanted} | {"mine": before}


def stored_words(task: Task, receipts: Sequence[Receipt], stored: Sequence[ReadBack]) -> str:
    """Return what was stored, as it was read back from the disk, and its receipt."""
    rows = receipt_block(task, receipts, stored)["rows"]
    if not rows:
        return "It is stored like this already."
    return f"Stored: {rows[0]['score']} · receipt {rows[0]['id']}, sha256 {rows[0]['sha256']}…"
