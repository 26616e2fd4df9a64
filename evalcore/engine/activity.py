"""What test runs in work are doing: told while they go on, and of no use afterwards."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from evalcore.engine.progress import Progress
from evalcore.engine.store import RunFolder

FOLDER: Final = "activity"
EVERY: Final = 0.5
"""Seconds between two notes of one step, so that an answer in pieces costs few of them."""


class Activity(msgspec.Struct, frozen=True, omit_defaults=True):
    """The step of an executing model, the tool in work, and what it used until this step.

    `heard` is how many characters of an answer have come; `tokens` are None where none were told.
    """

    step: int
    steps: int
    calls: int = 0
    tokens: int | None = None
    cost_usd: float | None = None
    tool: str = ""
    heard: int = 0


Tell = Callable[[Activity], None]


class Teller:
    """Notes what one test run is doing in the run's folder; nothing is flushed to disk."""

    def __init__(self, run: RunFolder, index: int) -> None:
        self._path = run.path / FOLDER / str(index)
        self._told: Activity | None = None
        self._at = 0.0
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, exist_ok=True)
        self.end()  # an earlier process may have been killed in the middle

    def tell(self, activity: Activity) -> None:
        """Note an activity, or leave that for later where only its answer grew a little."""
        now, before = time.monotonic(), self._told
        grew = (
            before is not None and msgspec.structs.replace(activity, heard=before.heard) == before
        )
        if grew and now - self._at < EVERY:
            return
        self._told, self._at = activity, now
        new = self._path.with_suffix(".new")
        with suppress(OSError):  # a full disk stops no test run because of this
            new.write_bytes(msgspec.json.encode(activity))
            os.replace(new, self._path)  # noqa: PTH105 - as cheap as it can be

    def end(self) -> None:
        """Remove the note."""
        with suppress(OSError):
            self._path.unlink()


def activities(folder: Path, found: Progress) -> dict[int, Activity]:
    """Return what the test runs in work are doing, as far as they tell, by their index."""
    working = (index for index, one in enumerate(found.runs) if one.is_in_work)
    told = ((index, activity_of(folder, index)) for index in working)
    return {index: each for index, each in told if each is not None}


def activity_of(folder: Path, index: int) -> Activity | None:
    """Return what a test run in work is doing; None if it does not tell."""
    try:
        return msgspec.json.decode((folder / FOLDER / str(index)).read_bytes(), type=Activity)
    except (OSError, msgspec.MsgspecError):
        return None
