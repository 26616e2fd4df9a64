"""The runs that were started in a workspace, newest first."""

from collections.abc import Sequence
from typing import Final

from evalcore.engine.store import RunFolder
from evalcore.errors import CannotRun
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Row, Say, Table
from evalcore.views.runs.state import to_run
from evalcore.views.runs.step_words import doer_words, plan_words
from evalcore.views.runs.words import (
    done_words,
    moment_words,
    state_words,
    used_words,
)

LISTED: Final = 50
NOTHING: Final = (
    "No runs were started here yet. A run executes cases, checks and judges the outputs, and "
    "writes the suite's own files."
)
_HEAD: Final = (("Run", False), ("State", False), ("Done", True))
MAX_WHAT: Final = 90
MAX_STATE: Final = 20


def listing_blocks(folders: Sequence[RunFolder], chosen: RunFolder | None) -> list[Block]:
    """Describe the list of runs."""
    if not folders:
        return [Say(NOTHING)]
    rows = [_row(folder, on=folder is chosen) for folder in folders[:LISTED]]
    blocks: list[Block] = [Table("Runs, newest first", _HEAD, rows, scroll=False)]
    if len(folders) > LISTED:
        more = f"The newest {LISTED} of {len(folders):,} runs; `evalcore runs` lists all."
        blocks.append(Say(more, quiet=True))
    return blocks


def _row(folder: RunFolder, *, on: bool) -> Row:
    try:
        found = folder.progress()
    except CannotRun as fault:
        return Row([Cell(folder.id[:13], id=folder.id), Cell(str(fault)), Cell("")], on)
    state = folder.state(found)
    words, mark = state_words(state, found)
    plan = found.plan
    what, by = plan_words(plan), doer_words(plan)
    what = what if len(what) <= MAX_WHAT else f"{what[: MAX_WHAT - 1]}…"
    return Row(
        [
            Cell(
                plan.suite,
                sub=f"{what} · {moment_words(plan.at)}",
                link=to_run(folder.id),
                id=folder.id,
            ),
            Cell(
                words,
                sub=by,
                mark=mark,
                keep=len(words) < MAX_STATE,
            ),
            Cell(done_words(found), sub=used_words(found), num=True, keep=True),
        ],
        on,
    )
