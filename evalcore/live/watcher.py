"""A thread that notices changes in a folder: by system notifications, else by periodic walks."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.disk.listing import Listing
from evalcore.errors import WorkspaceNotFound
from evalcore.live.notices import CannotWatch, Notices
from evalcore.live.settling import Settling
from evalcore.live.tree import Resolved, Tree

STEP_SECONDS: Final = 0.1
REST_SECONDS: Final = 0.4
"""So long a wait for news is begun anew while nothing waits to be whole."""
IDLE_SECONDS: Final = 180.0
"""Browsers let hidden pages speak once a minute only; who is silent for longer has gone."""
MISSES: Final = 2
"""So often a watch may break, or a walk find what nobody told of, before only walks are made."""

# A walk is made no more often than this, and takes at most this part of the time. As a safety net
# it takes less, but in a large folder it does not wait longer than a minute for that.
_WALK_SECONDS, _WALK_SHARE = 1.0, 20
_NET_SECONDS, _NET_SHARE, _NET_LONGEST = 5.0, 100, 60.0
_TELLING_SECONDS: Final = 2.0


class Listener(NamedTuple):
    """The callbacks of a watcher, called on its thread."""

    changed: Callable[[frozenset[str]], None]
    """These files (relative paths) are new, changed or gone, and whole."""
    listed: Callable[[Listing], None]
    """The folder was walked, and nothing waits to be whole."""
    gone: Callable[[bool], None]
    """The folder is away (True), or back (False)."""


class Watcher:
    """Reports batches of changed files while it is kept alive.

    `reason` says why system notifications are not used, None while they are; a watcher that is not
    alive and `failed` had an error.
    """

    def __init__(self, root: Path, listener: Listener) -> None:
        self._root = Path(os.path.realpath(root))
        self._listener = listener
        self.reason: str | None = None
        self.failed = False
        self._notices: Notices | None = None
        self._stop = threading.Event()
        self._ready = threading.Event()
        self._looked = time.monotonic()
        self._misses = 0
        self._next_walk = 0.0
        self._pause = STEP_SECONDS
        self._settling = Settling(str(self._root))
        self._reported: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)

    def start(self) -> None:
        """Start to notice changes."""
        self._thread.start()

    def look(self) -> None:
        """Keep the watcher alive."""
        self._looked = time.monotonic()

    def stop(self, wait_seconds: float = 0.0) -> None:
        """End the thread."""
        self._stop.set()
        self._thread.join(wait_seconds)

    def wait_until_ready(self, seconds: float) -> bool:
        """Wait until changes are noticed; False when that took longer."""
        return self._ready.wait(seconds)

    @property
    def alive(self) -> bool:
        """Return whether changes are still noticed."""
        return self._thread.is_alive()

    def _run(self) -> None:
        self.failed = True  # until it ends well
        try:
            while not self._ended():
                try:
                    self._follow(os.stat(self._root).st_ino)  # noqa: PTH116 - as in _away
                except (WorkspaceNotFound, FileNotFoundError, NotADirectoryError):
                    self._wait_for_folder()
            self.failed = False
        finally:
            self._close()

    def _ended(self) -> bool:
        return self._stop.is_set() or time.monotonic() - self._looked > IDLE_SECONDS

    def _wait_for_folder(self) -> None:
        self._close()
        self._listener.gone(True)
        while not self._ended() and not self._root.is_dir():
            self._stop.wait(STEP_SECONDS)
        if not self._ended():
            self._listener.gone(False)

    def _follow(self, inode: int) -> None:
        """Follow one folder until it is removed or replaced."""
        tree = Tree(self._root)
        self._settling = Settling(str(self._root))
        self._watch(tree)
        # What changed before the folders were watched is found by this walk.
        self._walk(tree)
        self._ready.set()
        while not self._ended() and not self._away(inode):
            self._take(tree, self._touched(tree))
            if time.monotonic() >= self._next_walk:
                self._walk(tree)
            began = time.monotonic()
            ready = self._settling.ready(began)
            cost = time.monotonic() - began
            if ready:
                self._listener.changed(ready)
            # Thousands of waiting files must not be looked at ten times a second.
            self._pause = max(STEP_SECONDS, 2 * cost) if self._settling else REST_SECONDS

    def _away(self, inode: int) -> bool:
        return os.stat(self._root).st_ino != inode  # noqa: PTH116 - ten times a second

    def _watch(self, tree: Tree) -> None:
        self._close()
        if self._misses >= MISSES:
            return
        try:
            self._notices = Notices(str(self._root), tree.folders)
        except CannotWatch as refused:
            self._rely_on_walks(str(refused))

    def _rely_on_walks(self, reason: str) -> None:
        self.reason, self._misses = reason, MISSES
        self._close()
        self._next_walk = 0.0

    def _close(self) -> None:
        if self._notices is not None:
            self._notices.close()
            self._notices = None

    def _touched(self, tree: Tree) -> Resolved:
        """Wait a moment; return the changes notified in the meantime."""
        if self._notices is None:
            self._stop.wait(self._pause)
            return Resolved(set(), [])
        try:
            return tree.resolved(self._notices.touched(self._pause, self._stop))
        except CannotWatch as refused:
            # One name that is no text breaks a watch for good; a new one no longer meets it.
            self._misses += 1
            if self._misses >= MISSES:
                self._rely_on_walks(str(refused))
            else:
                self._watch(tree)
            self._next_walk = 0.0
            return Resolved(set(), [])

    def _take(self, tree: Tree, resolved: Resolved) -> None:
        """Hold the changed files until they are complete, and watch the new folders."""
        self._settling.touch(resolved.files, time.monotonic())
        self._reported |= resolved.files
        if resolved.folders and self._notices is not None:
            try:
                self._notices.add(resolved.folders)
            except CannotWatch as refused:
                self._rely_on_walks(str(refused))
            # What came into the new folders before they were watched.
            self._take(tree, tree.walk_again(resolved.folders))

    def _walk(self, tree: Tree) -> None:
        began = time.perf_counter()
        found = tree.walk_all()
        unreported = found.files - self._reported
        missed = self._ready.is_set() and any(self._is_old(path) for path in unreported)
        self._reported = set()
        self._settling.touch(unreported, time.monotonic())
        if missed and self._notices is not None:
            self._misses += 1
            if self._misses >= MISSES:
                self._rely_on_walks("the file system does not tell of every change")
            else:
                self._watch(tree)
        elif found.folders:
            self._take(tree, Resolved(set(), found.folders))
        if not self._settling:
            self._listener.listed(tree.listing)
        self._plan_walk(time.perf_counter() - began)

    def _is_old(self, path: str) -> bool:
        """Return whether a change is so old that the system must have reported it."""
        try:
            changed = os.lstat(self._root / path).st_ctime
        except OSError:
            return False
        return time.time() - changed > _TELLING_SECONDS

    def _plan_walk(self, cost: float) -> None:
        if self._notices is None:
            wait = max(_WALK_SECONDS, _WALK_SHARE * cost)
        else:
            wait = max(_NET_SECONDS, min(_NET_SHARE * cost, max(_NET_LONGEST, _WALK_SHARE * cost)))
        self._next_walk = time.monotonic() + wait
