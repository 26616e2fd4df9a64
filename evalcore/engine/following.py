"""Follow the journal of a run: what was read once is not read again, however often pages ask."""

from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Final

from evalcore.engine.journal import events_from
from evalcore.engine.plan import Plan
from evalcore.engine.progress import Progress, progress_of, take_in

FOLLOWED: Final = 16
"""So many runs are kept in memory, the last ones that somebody looked at."""


class _Followed:
    """How far a run is by what was read of its journal."""

    def __init__(self, plan: Plan) -> None:
        self._progress = progress_of(plan, ())
        self._read = 0
        self._lock = Lock()

    def now(self, folder: Path) -> Progress:
        """Return how far the run is, after reading what is new.

        Its test runs are shared with whoever asks next, and are not to be changed.
        """
        with self._lock:
            found, self._read = events_from(folder, self._read)
            for event in found:
                take_in(self._progress, event)
            shared = self._progress
            return replace(
                shared,
                runs=shared.runs[:],
                log=shared.log[:],
                pairs=shared.pairs.copy(),
                explained=shared.explained.copy(),
                steps=shared.steps.copy(),
                failed=shared.failed.copy(),
                moved=shared.moved.copy(),
            )


_followed: OrderedDict[str, _Followed] = OrderedDict()
_lock = Lock()


def follow(folder: Path, plan: Plan) -> Progress:
    """Return how far a run is by its journal."""
    key = str(folder)
    with _lock:
        one = _followed.pop(key, None) or _Followed(plan)
        _followed[key] = one
        while len(_followed) > FOLLOWED:
            _followed.popitem(last=False)
    return one.now(folder)
