"""Hold back changed files until they are complete, so that a half-written one is never shown."""

import os
from collections.abc import Iterable
from typing import Final

from evalcore.disk.files import Files
from evalcore.disk.parsing import parsed
from evalcore.errors import PathOutside

QUIET_SECONDS: Final = 0.25
"""A file that did not change for this long is looked into."""
LONGEST_SECONDS: Final = 1.0
"""A whole file waits no longer than this for others that still change."""
PATIENCE_SECONDS: Final = 5.0
"""A file that is still no whole document this long after its last change is shown as it is."""
MAX_READ_BYTES: Final = 16 * 1024 * 1024
MAX_READ_FILES: Final = 2000
"""Of more files at once than this none is looked into: reading them all says what is wrong."""
UNFINISHED: Final = frozenset({"half-written", "empty"})
"""The faults of a file that is still being written."""

_Stat = tuple[int, int]


class _ChangedFile:
    """A changed file: the times of its first and last change, and its state then."""

    __slots__ = ("first", "last", "stat", "whole")

    def __init__(self, now: float) -> None:
        self.first = self.last = now
        self.stat: _Stat | None = None
        self.whole: bool | None = None


class Settling:
    """The changed files of one folder that are not ready yet.

    Times are seconds of one monotonic clock, given by the caller.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._waiting: dict[str, _ChangedFile] = {}
        self._last_touch = 0.0

    def __contains__(self, path: str) -> bool:
        return path in self._waiting

    def __len__(self) -> int:
        return len(self._waiting)

    def touch(self, paths: Iterable[str], now: float) -> None:
        """Add files (relative paths) that are new, changed or deleted."""
        for path in paths:
            known = self._waiting.get(path)
            if known is None:
                self._waiting[path] = _ChangedFile(now)
            else:
                known.last, known.whole = now, None
            self._last_touch = now

    def ready(self, now: float) -> frozenset[str]:
        """Return the files that can be read now, and remove them; often none."""
        files = Files(self._root) if len(self._waiting) <= MAX_READ_FILES else None
        found = [
            path for path, file in self._waiting.items() if self._is_ready(files, path, file, now)
        ]
        if not found:
            return frozenset()
        longest = now - min(self._waiting[path].first for path in found)
        if now - self._last_touch < QUIET_SECONDS and longest < LONGEST_SECONDS:
            return frozenset()  # more is coming: one batch instead of many
        for path in found:
            del self._waiting[path]
        return frozenset(found)

    def _is_ready(self, files: Files | None, path: str, file: _ChangedFile, now: float) -> bool:
        seen = _stat(f"{self._root}/{path}")
        if seen != file.stat:
            if file.stat is not None:
                file.last = now
            file.stat, file.whole = seen, None
        quiet = now - file.last
        if quiet < QUIET_SECONDS and now - file.first < LONGEST_SECONDS:
            return False
        if file.whole is None:
            file.whole = files is None or seen is None or is_whole(files, path)
        return file.whole or quiet >= PATIENCE_SECONDS


def is_whole(files: Files, path: str) -> bool:
    """Return whether a file ends where a JSON or JSONL document may end.

    Faults that waiting does not fix (a wrong comma, a pipe, a link out of the folder, an unreadable
    or very large file) count as complete.
    """
    try:
        data = files.read(path, MAX_READ_BYTES)
    except (OSError, PathOutside):
        return True
    if path.endswith(".jsonl"):
        data = data.rpartition(b"\n")[2]
        if not data.strip():
            return True
    fault = parsed(data)[1]
    return fault is None or fault.code not in UNFINISHED


def _stat(path: str) -> _Stat | None:
    try:
        about = os.lstat(path)
    except (OSError, ValueError):
        return None
    return about.st_size, about.st_mtime_ns
