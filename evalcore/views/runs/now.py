"""The runs of a workspace that are going on now, for the sidebar of every page."""

from pathlib import Path
from typing import NamedTuple

from evalcore.engine.store import all_runs, runs_dir
from evalcore.errors import CannotRun


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
        mark = _mark(folder.path)
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


def _mark(path: Path) -> str:
    """Return what changes when something happens in a run's folder."""
    names = ("journal.jsonl", "plan.json")
    times = []
    for name in names:
        try:
            about = (path / name).stat()
            times.append(f"{about.st_size}-{about.st_mtime_ns}")
        except OSError:
            times.append("")
    return f"{runs_dir()} {path.name} {' '.join(times)}"
