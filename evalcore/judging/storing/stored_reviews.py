"""The folder of review records of a suite, and its current contents."""

import os
import threading
import time
from collections import OrderedDict
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.disk.creating import MAX_BYTES
from evalcore.disk.handles import content, folder, listed, regular
from evalcore.disk.parsing import parse
from evalcore.errors import UnknownName
from evalcore.families.base import REVIEWS
from evalcore.families.reviews.models import BY_TYPE
from evalcore.families.reviews.review import UNFINISHED, Review, review_of
from evalcore.judging.storing.suite_records import SuiteRecords, suite_records
from evalcore.workspace.opened import Workspace

MAX_FOLDERS: Final = 64
"""How many folders are cached; the least recently used is dropped first."""

MAX_RECORDS: Final = 200_000
"""How many records of one type are read from one folder."""

SETTLED_SECONDS: Final = 5.0
LISTED_SECONDS: Final = 30.0

_ENDING: Final = ".json"


class ReviewFolder(NamedTuple):
    """A folder of review records: its `path` is relative to `root`, the folder of the workspace.

    `suite` attaches records to the runs of the suite, in this folder and in others; without it,
    the records are those of this folder alone, as they were written.
    """

    root: Path
    path: str
    suite: SuiteRecords | None = None

    @property
    def unfinished(self) -> str:
        """The folder where records are written before they have their names."""
        return f"{self.path}/{UNFINISHED}"

    def path_of(self, kind: str, name: str) -> str:
        """Return where the record of a type and an id lies, relative to the workspace."""
        return f"{self.path}/{kind}/{name}{_ENDING}"


def review_folder(ws: Workspace, suite: str) -> ReviewFolder:
    """Return the folder for the review records of a suite: `reviews` in the root of the suite.

    That is beside its runs or, if there are none yet, beside its evaluations.

    Raises:
        UnknownName: there is no such suite.
    """
    suites = ws.tables.suites
    found = suites.loc[suites["suite"] == suite, "root"]
    if found.empty:
        raise UnknownName("suite", suite, suites["suite"])
    root = found.iloc[0]
    within = root.strip("/") if isinstance(root, str) and root != "." else ""
    path = f"{within}/{REVIEWS}" if within else REVIEWS
    return ReviewFolder(ws.root, path, suite_records(ws, suite, path))


def load_reviews(reviews: ReviewFolder) -> tuple[Review, ...]:
    """Return the review records of all judges that are on disk now, oldest first.

    Records never change, so a process parses each of them once. Files that evalcore did not write,
    links, and files that are too large or broken are left out, and tried again on the next call.
    """
    return _read(reviews.root, reviews.path) if reviews.suite is None else reviews.suite.load(_read)


def _read(root: Path, path: str) -> tuple[Review, ...]:
    return _remembered(ReviewFolder(root, path)).now()


class _Folder:
    """Cache of one folder of records; safe to use from several threads."""

    def __init__(self, reviews: ReviewFolder) -> None:
        self.reviews = reviews
        self._lock = threading.Lock()
        self._known: dict[str, dict[str, Review]] = {kind: {} for kind in BY_TYPE}
        self._odd: dict[str, tuple[int, ...]] = {}  # what was no record, as it was when read
        self._quiet: dict[str, tuple[tuple[int, ...], float]] = {}
        self._all: tuple[Review, ...] = ()

    def now(self) -> tuple[Review, ...]:
        with self._lock:
            for kind, known in self._known.items():
                self._look(kind, known)
            return self._all

    def _look(self, kind: str, known: dict[str, Review]) -> None:
        """Add the new records of one type, and drop those whose files are gone."""
        try:
            with folder(self.reviews.root, [*self.reviews.path.split("/"), kind]) as handle:
                if self._is_quiet(kind, handle):
                    return
                names = listed(handle)
                gone = known.keys() - names
                found = self._new(handle, kind, names)
        except OSError:  # not there (yet), or something else has its name
            gone, found = set(known), {}
        if gone or found:
            old = {id(known.pop(name)) for name in gone}
            known.update(found)
            kept = [record for record in self._all if id(record) not in old]
            # Almost all of it is in order already, which the sort makes use of.
            self._all = tuple(sorted([*kept, *found.values()], key=_order))

    def _is_quiet(self, kind: str, handle: int) -> bool:
        """Say whether a folder was listed recently and has not changed since."""
        about, now = os.fstat(handle), time.time()
        changed = about.st_ino, about.st_mtime_ns, about.st_ctime_ns
        before, until = self._quiet.get(kind, ((), 0.0))
        if before == changed and now < until and not self._odd:
            return True
        # Times of files may be as coarse as two seconds: a folder that changed just now may change
        # again without a sign.
        settled = now - about.st_mtime > SETTLED_SECONDS
        self._quiet[kind] = changed, now + LISTED_SECONDS if settled else 0.0
        return False

    def _new(self, handle: int, kind: str, names: list[str]) -> dict[str, Review]:
        known = self._known[kind]
        new = [name for name in names if name not in known and name.endswith(_ENDING)]
        room = max(0, MAX_RECORDS - len(known))
        read = ((name, self._read(handle, kind, name)) for name in new[:room])
        return {name: record for name, record in read if record is not None}

    def _read(self, handle: int, kind: str, name: str) -> Review | None:
        """Return the record in a file; None where there is none, until the file changes."""
        stem = name.removesuffix(_ENDING)
        path = self.reviews.path_of(kind, stem)
        mark = _mark(handle, name)
        if self._odd.get(path) == mark:
            return None
        try:
            with regular(handle, name) as file:
                record = review_of(parse(content(file, MAX_BYTES)), path)
        except OSError:
            record = None
        if record is not None and (record.type, record.id) == (kind, stem):
            return record
        if len(self._odd) >= MAX_RECORDS:
            self._odd.clear()
        self._odd[path] = mark
        return None


def _order(review: Review) -> tuple[datetime, str]:
    return review.order


def _mark(handle: int, name: str) -> tuple[int, ...]:
    try:
        about = os.stat(name, dir_fd=handle, follow_symlinks=False)
    except OSError:
        return ()
    return about.st_ino, about.st_size, about.st_mtime_ns


_folders: OrderedDict[tuple[str, str], _Folder] = OrderedDict()
_folders_lock = threading.Lock()


def _remembered(reviews: ReviewFolder) -> _Folder:
    key = os.fspath(reviews.root), reviews.path
    with _folders_lock:
        found = _folders.get(key)
        if found is None:
            found = _folders[key] = _Folder(reviews)
        _folders.move_to_end(key)
        while len(_folders) > MAX_FOLDERS:
            _folders.popitem(last=False)
    return found
