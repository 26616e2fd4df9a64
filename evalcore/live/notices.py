"""Change notifications of the operating system, through `watchfiles`."""

import os
import platform
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

from evalcore.disk.listing import shown

MAX_FOLDERS: Final = 50_000
"""Watching costs about 10 µs and 1 KB of kernel memory a folder."""
SHARE_OF_LIMIT: Final = 2
"""Other programs of this person watch too: at most this part of the limit is taken."""
MERGED: Final = 500
_LIMIT_FILE: Final = Path("/proc/sys/fs/inotify/max_user_watches")
_STEP_MS: Final = 50
_GATHER_MS: Final = 150
_POLL_MS: Final = 300


class CannotWatch(Exception):
    """The operating system does not report changes in a folder; the message is the reason."""


class Notices:
    """Reports which paths below a folder changed, until it is closed.

    If the system watches folder by folder (Linux), only `folders` (relative to `root`, without it)
    are watched, so that folders outside the walk cost nothing; otherwise the whole tree is.

    Raises:
        CannotWatch: also by every method, once the system refuses.
    """

    def __init__(self, root: str, folders: Iterable[str]) -> None:
        self._root = root
        self._whole_tree = platform.system() != "Linux"
        self._folders = [root, *self._known(folders)]
        self._recent: list[str] = []
        self._second: RustNotify | None = None
        self._first = self._watch(self._folders)

    def add(self, folders: Iterable[str]) -> None:
        """Watch further folders without missing changes in those already watched."""
        if self._whole_tree:
            return
        self._recent += self._known(folders)
        if len(self._recent) > MERGED:
            self._folders += self._recent
            self._recent = []
            self._first, old = self._watch(self._folders), self._first
            old.close()
            return
        # A small second watch: to begin the first one anew for each new folder would cost more.
        self._second, before = self._watch(self._recent), self._second
        if before is not None:
            before.close()

    def touched(self, seconds: float, stop: threading.Event) -> set[str]:
        """Return the paths that changed, relative to the root; waits at most about `seconds`."""
        watches = [watch for watch in (self._first, self._second) if watch is not None]
        wait = max(_STEP_MS, round(seconds * 1000 / len(watches)))
        found: set[str] = set()
        for watch in watches:
            try:
                changes = watch.watch(_GATHER_MS, _STEP_MS, wait, stop)
            except (OSError, RuntimeError, WatchfilesRustInternalError) as error:
                raise CannotWatch(str(error)) from error
            if isinstance(changes, set):
                found.update(path for _, path in changes)
        start = len(self._root) + 1
        return {path[start:] for path in found if path.startswith(f"{self._root}/")}

    def close(self) -> None:
        """Stop watching."""
        for watch in (self._first, self._second):
            if watch is not None:
                watch.close()

    def _known(self, folders: Iterable[str]) -> list[str]:
        # A name that is no text cannot be watched; its files are problems, not documents.
        return [f"{self._root}/{folder}" for folder in folders if shown(folder) == folder]

    def _watch(self, folders: list[str]) -> RustNotify:
        if self._whole_tree:
            folders = [self._root]
        elif len(folders) > (most := _most_folders()):
            raise CannotWatch(f"{len(folders):,} folders are more than the {most:,} to watch")
        try:
            return _begun(folders, self._whole_tree)
        except FileNotFoundError:  # a folder went away since it was listed
            there = [folder for folder in folders if os.path.isdir(folder)]  # noqa: PTH112 - many
        except (OSError, RuntimeError, WatchfilesRustInternalError) as error:
            raise CannotWatch(str(error)) from error
        try:
            return _begun(there, self._whole_tree)
        except (OSError, RuntimeError, WatchfilesRustInternalError) as error:
            raise CannotWatch(str(error)) from error


def _begun(folders: list[str], whole_tree: bool) -> RustNotify:
    return RustNotify(folders, False, False, _POLL_MS, whole_tree, True)


def _most_folders() -> int:
    try:
        allowed = int(_LIMIT_FILE.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return MAX_FOLDERS
    return min(MAX_FOLDERS, allowed // SHARE_OF_LIMIT)
