"""The runs that were started in a workspace, newest first, and those that are going on now."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.engine.store import RunFolder, all_runs, runs_dir
from evalcore.errors import CannotRun
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.page import Cell, Row, Say, Table
from evalcore.views.runs.state import LISTED, to_run
from evalcore.views.runs.words import (
    done_words,
    moment_words,
    plan_words,
    state_words,
    used_words,
)
from evalcore.views.words.wording import short

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
    rows = []
    for folder in folders[:LISTED]:
        on = folder is chosen
        try:
            found = folder.progress()
        except CannotRun as fault:
            cells = [Cell(folder.id[:13], id=folder.id), Cell(str(fault)), Cell("")]
            rows.append(Row(cells, on))
            continue
        plan = found.plan
        words, mark = state_words(folder.state(found), found)
        what, by = plan_words(plan)
        about = f"{short(what, MAX_WHAT)} · {moment_words(plan.at)}"
        cells = [
            Cell(plan.suite, sub=about, link=to_run(folder.id), id=folder.id),
            Cell(words, sub=by, mark=mark, keep=len(words) < MAX_STATE),
            Cell(done_words(found), sub=used_words(found), num=True, keep=True),
        ]
        rows.append(Row(cells, on))
    blocks: list[Block] = [
        Table("Runs of this suite first, newest first", _HEAD, rows, scroll=False)
    ]
    if len(folders) > LISTED:
        more = f"The newest {LISTED} of {len(folders):,} runs; `evalcore runs` lists all."
        blocks.append(Say(more, quiet=True))
    return blocks


class Now(NamedTuple):
    """A run that is going on: how many of its test runs are done."""

    id: str
    done: int
    total: int

    @property
    def share(self) -> float:
        """The part that is done, 0 to 1."""
        return self.done / self.total if self.total else 0.0


_ended: set[str] = set()
"""Runs that need not be looked at again while nothing in their folder changes."""


def running_now(root: Path) -> list[Now]:
    """Return the runs of a workspace that a process works on, newest first.

    It is asked every few seconds: a run that has ended costs one look at its folder.
    """
    found = []
    for folder in all_runs(root):
        times = []
        for name in ("journal.jsonl", "plan.json"):  # what changes when something happens
            try:
                about = (folder.path / name).stat()
                times.append(f"{about.st_size}-{about.st_mtime_ns}")
            except OSError:
                times.append("")
        mark = f"{runs_dir()} {folder.path.name} {' '.join(times)}"
        if mark in _ended:
            continue
        try:
            progress = folder.progress()
            state = folder.state(progress)
            if state not in ("running", "planned"):
                _ended.add(mark)
            elif state == "running":
                found.append(Now(folder.id, progress.done, progress.total))
        except CannotRun:
            _ended.add(mark)
    return found
