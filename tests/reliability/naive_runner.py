"""A runner for the control: it writes the journal and the documents in place."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from evalcore.engine import journal, process, runner, writing
from evalcore.engine.plan import Plan

THINKING = 0.02
"""Seconds that a program may be held up between two calls to the system."""


class InPlace(journal.Journal):
    """Writes the whole journal again for each event."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._path = folder / journal.JOURNAL
        self._lines = self._path.read_bytes().splitlines(keepends=True)

    def add(self, event: Any, *, durable: bool = True) -> None:
        """Open it, which empties it, and write line by line."""
        del durable
        self._lines.append(msgspec.json.encode(event) + b"\n")
        with self._path.open("wb") as file:
            time.sleep(THINKING)
            file.writelines(self._lines)


def create(plan: Plan, files: Sequence[tuple[str, bytes]]) -> None:
    """Open each document and write it in two parts, whatever was there."""
    for path, data in files:
        place = Path(plan.workspace) / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("wb", buffering=0) as file:
            file.write(data[: len(data) // 2])
            time.sleep(THINKING)
            file.write(data[len(data) // 2 :])


def work_in_place(name: str) -> None:
    """Work on a run; for who does nothing else in this process."""
    setattr(runner, "Journal", InPlace)  # noqa: B010 - a class is replaced on purpose
    setattr(writing, "_create", create)  # noqa: B010 - a function is replaced on purpose
    process.work(name)
