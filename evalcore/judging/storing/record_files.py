"""The files of one type of record in a folder, each read again only when its content changes."""

import os
import time
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice
from typing import Final, NamedTuple

from evalcore.disk.creating import MAX_BYTES
from evalcore.disk.handles import content, listed, regular
from evalcore.disk.parsing import parse
from evalcore.families.reviews.review import Review, review_of

MAX_RECORDS: Final = 200_000
"""How many records of one type are read from one folder."""

SETTLED_SECONDS: Final = 5.0
"""Times of files may be as coarse as two seconds: what changed just now may change unseen."""

LISTED_SECONDS: Final = 30.0

COMPARED: Final = 1_000
"""The stat of so many files is compared at each look; of more, they take turns."""

ENDING: Final = ".json"


class Changes(NamedTuple):
    """The records that are no longer there, and the new ones."""

    gone: list[Review]
    new: list[Review]


class _File(NamedTuple):
    """A file as it was read: its record if it is one, the sha256 of its bytes, and its stat.

    A file that is not `settled` may have changed since with the same stat.
    """

    record: Review | None
    sha256: bytes
    stat: tuple[int, ...]
    settled: bool


class RecordFiles:
    """The files of one type of record in `folder`, the path of the folder of that type."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._kind = folder.rpartition("/")[2]
        self._files: dict[str, _File] = {}
        self._unsettled: set[str] = set()
        self._listed: tuple[tuple[int, ...], float] = ((), 0.0)
        self._turns: Iterator[str] = iter(())

    def update(self, handle: int) -> Changes:
        """Return the changes since the last call; `handle` is the open folder.

        Raises:
            OSError: it cannot be listed.
        """
        gone, new = self._names(handle)
        found = Changes(self._forget(gone), [])
        for name in (*self._doubtful(handle), *new):
            before, now = self._files.get(name), self._read(handle, name)
            self._files[name] = now
            (self._unsettled.discard if now.settled else self._unsettled.add)(name)
            if before is None or before.record is not now.record:
                found.gone.extend(filter(None, [before and before.record]))
                found.new.extend(filter(None, [now.record]))
        return found

    def clear(self) -> Changes:
        """Forget all files, and return their records as gone."""
        self._listed = ((), 0.0)
        return Changes(self._forget(list(self._files)), [])

    def _forget(self, names: Iterable[str]) -> list[Review]:
        self._unsettled.difference_update(names)
        found = [self._files.pop(name).record for name in names]
        return [record for record in found if record is not None]

    def _names(self, handle: int) -> tuple[list[str], list[str]]:
        """Return the names that are gone and those that are new."""
        about, now = os.fstat(handle), time.time()
        changed = about.st_ino, about.st_mtime_ns, about.st_ctime_ns
        before, until = self._listed
        if before == changed and now < until:
            return [], []
        names = [name for name in listed(handle) if name.endswith(ENDING)]
        settled = now - about.st_mtime > SETTLED_SECONDS
        self._listed = changed, now + LISTED_SECONDS if settled else 0.0
        gone = list(self._files.keys() - names)
        room = max(0, MAX_RECORDS - len(self._files) + len(gone))
        return gone, [name for name in names if name not in self._files][:room]

    def _doubtful(self, handle: int) -> list[str]:
        """Return the names of the files that may have changed."""
        compared = list(islice(self._turns, COMPARED))
        if len(compared) < COMPARED:
            self._turns = iter(list(self._files))
            compared += islice(self._turns, COMPARED - len(compared))
        known = (name for name in {*compared} - self._unsettled if name in self._files)
        changed = (name for name in known if _stat(handle, name) != self._files[name].stat)
        return [*self._unsettled, *changed]

    def _read(self, handle: int, name: str) -> _File:
        """Return a file as it is now; the same record while its content is the same."""
        about = _stat(handle, name)
        settled = not about or abs(time.time() - about[-1] / 1e9) > SETTLED_SECONDS
        data = _content(handle, name)
        digest, before = sha256(data).digest(), self._files.get(name)
        if before is not None and before.sha256 == digest:
            return before._replace(stat=about, settled=settled)
        record = review_of(parse(data), f"{self._folder}/{name}")
        named = record is not None and f"{record.id}{ENDING}" == name
        right = record if record is not None and named and record.type == self._kind else None
        return _File(right, digest, about, settled)


def _content(handle: int, name: str) -> bytes:
    """Return the bytes of a file; none of what cannot be read."""
    try:
        with regular(handle, name) as file:
            return content(file, MAX_BYTES)
    except OSError:
        return b""


def _stat(handle: int, name: str) -> tuple[int, ...]:
    try:
        about = os.stat(name, dir_fd=handle, follow_symlinks=False)
    except OSError:
        return ()
    return about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns
