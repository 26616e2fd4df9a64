"""The records of a suite in all folders that hold some, each attached to its run."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple

from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.disk.files import Files
from evalcore.families.base import REVIEWS
from evalcore.families.registry import family
from evalcore.families.reviews.basis import held_sha256, output_sha256
from evalcore.families.reviews.lookup import Lookup, Run
from evalcore.families.reviews.matching import Place, attach, folder_at, identity
from evalcore.families.reviews.reading import FAMILY
from evalcore.families.reviews.review import Review, review_path
from evalcore.tables.held import output_pointer
from evalcore.tables.rows import DocumentRow
from evalcore.workspace.above import above, is_above
from evalcore.workspace.opened import Workspace

MAX_CACHED: Final = 16

Load = Callable[[Path, str], tuple[Review, ...]]
"""The records in a `reviews` folder, by a root and its path below that."""

Known = dict[int, tuple[Review, Review | None]]
"""Each record by its id in memory: as it was read, and as it is about a run; None if it is not."""


class Source(NamedTuple):
    """A `reviews` folder below `root`, and where it lies."""

    root: Path
    path: str
    at: Place
    way: str


class SuiteRecords:
    """Attaches the records of one suite to its runs, as one snapshot of the workspace has them."""

    def __init__(self, suite: str, sources: Sequence[Source], root: Path, lookup: Lookup) -> None:
        self.suite = suite
        self.sources = tuple(sources)
        self._root = root
        self._lookup = lookup
        self._places = {source: folder_at(source.at, lookup) for source in sources}
        self._known: Known = {}
        self._last: tuple[tuple[tuple[Review, ...], ...], tuple[Review, ...]] | None = None
        self._lock = Lock()

    def load(self, load: Load) -> tuple[Review, ...]:
        """Return the records of the suite, the oldest first.

        Each names the run that it is about by its id in this workspace. What may be about several
        runs, or about another suite's, is left out. The same tuple is returned until one changes.
        """
        parts = tuple(load(source.root, source.path) for source in self.sources)
        with self._lock:
            if self._last is None or any(
                one is not two for one, two in zip(self._last[0], parts, strict=True)
            ):
                self._last = parts, self._joined(parts)
            return self._last[1]

    def identity(self, run_id: str) -> dict[str, Any] | None:
        """Return what a record that is stored here says of its run beside the id."""
        return identity(self._lookup, run_id, self.sources[0].at)

    def _joined(self, parts: Sequence[tuple[Review, ...]]) -> tuple[Review, ...]:
        found: list[Review] = []
        for source, records in zip(self.sources, parts, strict=True):
            self._attach([each for each in records if id(each) not in self._known], source)
            found += filter(None, (self._known[id(each)][1] for each in records))
        if len(parts) > 1:
            found.sort(key=lambda review: review.order)
        return tuple(found)

    def _attach(self, new: Sequence[Review], source: Source) -> None:
        self._known |= {id(each): (each, None) for each in new}
        for each in attach(new, self._places[source], self._lookup, self._digest):
            if each.suite.id == self.suite and len(each.match.runs) < 2:
                named = _named(each.review, each.match.run, source)
                self._known[id(each.review)] = each.review, named

    def _digest(self, run: Run) -> str | None:
        if run.origin == "record":
            return None
        if (held := output_pointer(run)) is not None:
            return held_sha256(Files(self._root), run.source or "", held)
        return output_sha256(self._root, run.outputs)


def _named(review: Review, run: Run | None, source: Source) -> Review:
    """Return a record that names a run by its id, with its path as the workspace sees it."""
    if source.way:
        review = review._replace(path=f"{source.way}/{review.path.partition('/')[2]}")
    if run is None or review.fields.get("testRunId") == run.id:
        return review
    return review._replace(fields={**review.fields, "testRunId": run.id})


@memoize_per_workspace
def suite_records(ws: Workspace, suite: str, own: str) -> SuiteRecords:
    """Return the records of a suite, whose own `reviews` folder is at the path `own`.

    Of a snapshot with the same runs and cases as an earlier one, the earlier one's are returned.
    """
    columns = ws.tables.columns
    sources = tuple(_sources(ws, suite, own))
    basis = tuple(columns[name] for name in ("runs", "cases", "suites"))
    with _lock:
        before = _latest.get((ws.root, suite))
        if before is not None and _same(before[0], basis) and before[1].sources == sources:
            return before[1]
        lookup = Lookup(lambda table, name: columns[table][name], family)
        found = SuiteRecords(suite, sources, ws.root, lookup)
        _latest[ws.root, suite] = basis, found
        _latest.move_to_end((ws.root, suite))
        if len(_latest) > MAX_CACHED:
            _latest.popitem(last=False)
    return found


_latest: OrderedDict[tuple[Path, str], tuple[tuple[object, ...], SuiteRecords]] = OrderedDict()
_lock = Lock()


def _same(one: tuple[object, ...], two: tuple[object, ...]) -> bool:
    return all(before is now for before, now in zip(one, two, strict=True))


def _sources(ws: Workspace, suite: str, own: str) -> Iterator[Source]:
    """Yield the folders with records of a suite: its own, others below it, those above."""
    yield Source(ws.root, own, Place(own.rpartition("/")[0]), "")
    rows = typed(ws, "documents", DocumentRow, where(ws, "documents", family=FAMILY, suite=suite))
    places = (review_path(row.path or "") for row in rows if not is_above(row.path or ""))
    others = {place.root for place in places if place is not None} - {own.rpartition("/")[0]}
    for root in sorted(others):
        yield Source(ws.root, f"{root}/{REVIEWS}" if root else REVIEWS, Place(root), "")
    for each in above(ws.root):
        yield Source(each.root, REVIEWS, each.at, each.way)
