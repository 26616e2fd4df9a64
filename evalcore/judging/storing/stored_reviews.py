"""The folder of review records of a suite, and its current contents."""

import errno
import os
import threading
from bisect import insort
from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.disk.handles import LINK, folder
from evalcore.errors import UnknownName
from evalcore.families.base import REVIEWS
from evalcore.families.reviews.lookup import run_named
from evalcore.families.reviews.models import BY_TYPE
from evalcore.families.reviews.review import (
    INDEPENDENT,
    REMEMBERED,
    UNFINISHED,
    Review,
    judge_of,
)
from evalcore.judging.storing.record_files import ENDING, Changes, RecordFiles
from evalcore.judging.storing.suite_records import SuiteRecords, suite_records
from evalcore.workspace.hidden import NOTHING, Hidden
from evalcore.workspace.opened import Workspace
from evalcore.workspace.read import no_gc

MAX_FOLDERS: Final = 64
"""How many folders are cached; the least recently used is dropped first."""

FEW: Final = 32
"""So many new records are put in their places one by one; more are sorted."""

MAX_SEEN: Final = 8
"""How many lists of records without hidden ones are cached."""

_NOT_THERE: Final = LINK | {errno.ENOENT}
"""What opening a folder says that is missing (yet), or whose name something else has."""


class ReviewFolder(NamedTuple):
    """A folder of review records: its `path` is relative to `root`, the folder of the workspace.

    `suite` attaches records to the runs of the suite, in this folder and in others; without it,
    the records are those of this folder alone, as they were written. `hidden` are the runs of
    which the reader sees no records of others.
    """

    root: Path
    path: str
    suite: SuiteRecords | None = None
    hidden: Hidden = NOTHING

    @property
    def unfinished(self) -> str:
        """The folder where records are written before they have their names."""
        return f"{self.path}/{UNFINISHED}"

    def path_of(self, kind: str, name: str) -> str:
        """Return where the record of a type and an id lies, relative to the workspace."""
        return f"{self.path}/{kind}/{name}{ENDING}"


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
    return ReviewFolder(ws.root, path, suite_records(ws.unmasked, suite, path), ws.hidden)


def load_reviews(reviews: ReviewFolder) -> tuple[Review, ...]:
    """Return the review records of all judges that are on disk now, oldest first.

    A process parses each of them once, until the content of its file changes. Files that evalcore
    did not write, links, and files that are too large or broken are left out until they change.
    What others said of runs that are hidden from the reader is left out too.
    """
    with no_gc():  # it would look through all records over and over
        suite = reviews.suite
        records = _read(reviews.root, reviews.path) if suite is None else suite.load(_read)
        return _visible(records, reviews.hidden) if reviews.hidden else records


def _read(root: Path, path: str) -> tuple[Review, ...]:
    reviews = ReviewFolder(root, path)
    key = os.fspath(reviews.root), reviews.path
    with _folders_lock:
        found = _folders.get(key)
        if found is None:
            found = _folders[key] = _Folder(reviews)
        _folders.move_to_end(key)
        while len(_folders) > MAX_FOLDERS:
            _folders.popitem(last=False)
    return found.now()


def _visible(records: tuple[Review, ...], hidden: Hidden) -> tuple[Review, ...]:
    """Return the records that a judge may see; the same tuple for the same records."""
    with _folders_lock:
        known = next((to for of, by, to in _seen if of is records and by is hidden), None)
    if known is not None:
        return known
    found = tuple(each for each in records if _is_visible(each, hidden))
    with _folders_lock:
        _seen.append((records, hidden, found))
    return found


def _is_visible(review: Review, hidden: Hidden) -> bool:
    if run_named(review) not in hidden.runs or review.type == INDEPENDENT:
        return True
    return hidden.judge in (review.created_by, judge_of(review))


class _Folder:
    """Cache of one folder of records; safe to use from several threads."""

    def __init__(self, reviews: ReviewFolder) -> None:
        self.reviews = reviews
        self._lock = threading.Lock()
        kinds = (kind for kind in BY_TYPE if kind not in REMEMBERED)
        self._types = {kind: RecordFiles(f"{reviews.path}/{kind}") for kind in kinds}
        self._all: tuple[Review, ...] = ()

    def now(self) -> tuple[Review, ...]:
        with self._lock:
            for kind, files in self._types.items():
                gone, new = self._look(kind, files)
                if gone or new:
                    self._all = _merged(self._all, gone, new)
            return self._all

    def _look(self, kind: str, files: RecordFiles) -> Changes:
        try:
            with folder(self.reviews.root, [*self.reviews.path.split("/"), kind]) as handle:
                return files.update(handle)
        except OSError as error:
            if error.errno not in _NOT_THERE:
                return Changes([], [])  # a file server that does not answer takes no record away
            return files.clear()


def _merged(
    known: tuple[Review, ...], gone: Iterable[Review], new: Sequence[Review]
) -> tuple[Review, ...]:
    """Return records in order, without some and with others."""
    old = set(map(id, gone))
    kept = [record for record in known if id(record) not in old] if old else list(known)
    if len(new) > FEW:
        return tuple(sorted([*kept, *new], key=_order))
    for record in new:
        insort(kept, record, key=_order)
    return tuple(kept)


def _order(review: Review) -> tuple[datetime, str]:
    return review.order


_seen: deque[tuple[tuple[Review, ...], Hidden, tuple[Review, ...]]] = deque(maxlen=MAX_SEEN)
_folders: OrderedDict[tuple[str, str], _Folder] = OrderedDict()
_folders_lock = threading.Lock()
