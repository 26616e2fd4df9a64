"""A workspace shared by several users that follows its folder on disk."""

import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.disk.listing import Listing
from evalcore.errors import EvalcoreError, WorkspaceNotFound
from evalcore.live.tree import differing
from evalcore.live.watcher import Listener, Watcher
from evalcore.workspace.opened import Workspace, open_workspace, reopened

REMEMBERED: Final = 500
"""Of so many readings it is known which files changed."""
REVIVE_SECONDS: Final = 10.0


class Snapshot(NamedTuple):
    """One snapshot of the folder; later ones have a higher generation."""

    generation: int
    workspace: Workspace


class _Reading(NamedTuple):
    generation: int
    paths: frozenset[str]


class LiveWorkspace:
    """The newest snapshot of a folder, reread in the background.

    Shared by all users; every method may be called from any thread and none of them walks.
    Nothing is watched while nobody calls `look`.

    Raises:
        WorkspaceNotFound: there is no such folder.
    """

    def __init__(self, root: Path, opening: Callable[[Path], Workspace] = open_workspace) -> None:
        self._root = root
        self.newest = Snapshot(0, opening(root))
        self.fault: str | None = None
        self._reading_since: float | None = None
        self._readings: deque[_Reading] = deque(maxlen=REMEMBERED)
        self._lock, self._turn = threading.Lock(), threading.Lock()
        self._watcher: Watcher | None = None
        self._begun = 0.0
        self._sure = time.monotonic()

    def look(self) -> int:
        """Keep the watch alive; return the newest generation."""
        watcher = self._watcher
        if watcher is not None and watcher.alive:
            watcher.look()
        else:
            self._watch()
        return self.newest.generation

    def stop(self, wait_seconds: float = 0.0) -> None:
        """Stop watching until the next `look`."""
        with self._lock:
            watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.stop(wait_seconds)

    def wait_until_watched(self, seconds: float) -> bool:
        """Wait until changes are noticed; False if that took longer."""
        watcher = self._watcher
        return watcher is not None and watcher.wait_until_ready(seconds)

    @property
    def unsure_seconds(self) -> float:
        """For how long the newest snapshot may be out of date; 0 while watched."""
        watcher = self._watcher
        if watcher is not None and watcher.alive and watcher.wait_until_ready(0):
            return 0.0
        return time.monotonic() - self._sure

    @property
    def walking(self) -> str | None:
        """Why changes are found by walks only; None while the system reports them."""
        watcher = self._watcher
        return None if watcher is None else watcher.reason

    @property
    def reading_seconds(self) -> float:
        """For how long changes have been being read; 0 if none are."""
        since = self._reading_since
        return 0.0 if since is None else time.monotonic() - since

    def changed_since(self, generation: int) -> frozenset[str] | None:
        """Return the files that changed after a generation; None if unknown."""
        with self._lock:
            later = [reading for reading in self._readings if reading.generation > generation]
            if len(later) < self.newest.generation - generation:
                return None
        return frozenset().union(*(reading.paths for reading in later))

    def _watch(self) -> None:
        with self._lock:
            if self._watcher is not None and self._watcher.alive:
                return
            if self._watcher is not None and self._watcher.failed:
                self.fault = "Changes are not noticed: the terminal that runs evalcore says why."
                if time.monotonic() - self._begun < REVIVE_SECONDS:
                    return
            self._begun = time.monotonic()
            listener = Listener(self._read, self._compare, self._gone)
            self._watcher = Watcher(self._root, listener)
            self._watcher.start()

    def take_in(self) -> None:
        """Read what changed on disk so far, before the watch reports it."""
        self._reopen(None)

    def _read(self, paths: frozenset[str]) -> None:
        self._reopen(paths)

    def _compare(self, listing: Listing) -> None:
        if self.newest.workspace.differs(listing):
            self._reopen(None)
        else:
            self._sure, self.fault = time.monotonic(), None

    def _reopen(self, paths: frozenset[str] | None) -> None:
        """Read some files anew, or all that changed; one after the other, each from the newest."""
        self._reading_since = time.monotonic()
        try:
            with self._turn:
                before = self.newest.workspace
                workspace = reopened(before, paths)
                if paths is None:
                    paths = frozenset(differing(before.opened.listing, workspace.opened.listing))
                with self._lock:
                    generation = self.newest.generation + 1
                    self._readings.append(_Reading(generation, paths))
                    self.newest = Snapshot(generation, workspace)
        except WorkspaceNotFound:
            return  # the watcher notices that itself
        except (EvalcoreError, OSError) as error:
            self.fault = f"The changes could not be read: {_why(error)}."
            return
        finally:
            self._reading_since = None
        self._sure, self.fault = time.monotonic(), None

    def _gone(self, away: bool) -> None:
        self.fault = str(WorkspaceNotFound(self._root)) if away else None


def _why(error: Exception) -> str:
    strerror = getattr(error, "strerror", None)
    return strerror or str(error) or type(error).__name__
