"""Read review records after all families, and reread them if they changed."""

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from threading import Lock
from typing import Final, NamedTuple

import numpy as np

from evalcore.disk.listing import Listing
from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.families.base import REVIEWS, is_review
from evalcore.families.registry import family
from evalcore.families.reviews.lookup import Lookup, Suite, among, where
from evalcore.families.reviews.matching import Folder, Place, folder_at
from evalcore.families.reviews.reading import FAMILY, read_reviews
from evalcore.families.reviews.review import ORIGIN, is_ours, is_unfinished, review_path
from evalcore.problems import UNREAD
from evalcore.tables.arrays import Array
from evalcore.tables.builder import Rows
from evalcore.tables.columns import FinishedColumn, picked
from evalcore.tables.patch import patched
from evalcore.tables.rows import ProblemRow
from evalcore.tables.snapshot import ColumnTables
from evalcore.workspace.above import above, files_in, is_above, watched
from evalcore.workspace.changes import Change

REMEMBERED: Final = 10_000
"""So many records are remembered as they were read: a record never changes."""

BY_SOURCE: Final = (
    "judgments", "notes", "exclusions", "requests", "failures", "feedback", "comparisons",
    "benchmark_definitions", "benchmark_runs", "trend_points", "relations", "approvals", "messages",
    "fingerprints",
)  # fmt: skip

_values: OrderedDict[tuple[str, str, int, int], Json] = OrderedDict()
_lock = Lock()


def add_reviews(left: Mapping[str, Json], reader: Reader, rows: Rows) -> set[str]:
    """Add the rows of review records among files that no family claimed; return their paths.

    `left` are paths with their values, MISSING for unreadable ones.
    """
    placed = {path: value for path, value in left.items() if is_review(path)}
    if not placed and not above(reader.listing.root):
        return set()

    @cache
    def column(table: str, name: str) -> FinishedColumn:
        return rows.tables[table].column(name)

    return read_placed(placed, Lookup(column, family), reader, rows)


def read_placed(values: Mapping[str, Json], known: Lookup, reader: Reader, rows: Rows) -> set[str]:
    """Add the rows of the files in review folders; return the paths that were read."""
    found: dict[str, list[tuple[str, Json]]] = defaultdict(list)
    for path, value in values.items():
        place = review_path(path)
        if place is not None:
            found[place.root].append((path, value))
    folders = [(folder_at(Place(root), known), files) for root, files in found.items()]
    ours = [(folder, _ours(folder, files)) for folder, files in folders]
    return read_reviews([*ours, *_from_above(known, reader)], known, reader, rows)


def _from_above(known: Lookup, reader: Reader) -> Iterator[tuple[Folder, list[tuple[str, Json]]]]:
    """Yield the folders above the opened one that may hold records of its suites."""
    for each in above(reader.listing.root):
        reader.extras.update(watched(each))
        if known.suites and (files := list(files_in(each))):
            reader.extras.update(path for path, _ in files)
            yield folder_at(each.at, known), files


def _ours(folder: Folder, files: list[tuple[str, Json]]) -> list[tuple[str, Json]]:
    """Return the files of a folder that are reviews; a store has its own judgments beside them."""
    in_store = any(suite.family.is_store for suite in (*folder.own, *folder.near))
    return [(path, value) for path, value in files if is_ours(path, value, in_store=in_store)]


def by_root(suites: Iterable[Suite]) -> dict[str, list[Suite]]:
    """Return suites by the folder that holds their `reviews`."""
    found: dict[str, list[Suite]] = defaultdict(list)
    for suite in suites:
        found[suite.root].append(suite)
    return dict(found)


class SplitChange(NamedTuple):
    """A change split in two, without unfinished files.

    `files` are in the review folders of the suites at `roots`.
    """

    files: frozenset[str]
    roots: frozenset[str]
    others: Change


def split_change(tables: ColumnTables, change: Change) -> SplitChange:
    """Split changes in review folders from other changes."""
    known = by_root(_known(tables).suites)
    folders = {f"{root}/{REVIEWS}" if root else REVIEWS for root in known}
    files, roots, others = set(), set(), set()
    for path in change.files:
        place = review_path(path)
        if place is not None and place.root in known:
            files.add(path)
            roots.add(place.root)
        elif not (is_unfinished(path) and path.rsplit("/", 2)[0] in folders):
            others.add(path)
    elsewhere = {
        folder
        for folder in change.folders
        if folder not in folders and folder.rpartition("/")[0] not in folders
    }
    return SplitChange(
        frozenset(files), frozenset(roots), Change(frozenset(others), frozenset(elsewhere))
    )


def reread(
    tables: ColumnTables, listing: Listing, roots: Collection[str], changed: Collection[str]
) -> tuple[ColumnTables, frozenset[str]] | None:
    """Return tables with the reviews of the suites at `roots` reread, and the watched files.

    None if a changed file is, or was, read by a family.
    """
    known = _known(tables)
    suites = [
        suite for root, there in by_root(known.suites).items() if root in roots for suite in there
    ]
    before = _listed(tables, {suite.id for suite in suites})
    if any(is_above(path) for path in before):
        return None  # records of one suite are read together
    if any(path not in before for path in _documents(tables, changed) | _lost(tables, changed)):
        return None
    reader, rows = Reader(listing), Rows()
    start = len(reader.problems)
    values = _read(reader, roots)
    if not before and not values:
        return tables, frozenset()
    if (elsewhere := before - values.keys()) and not elsewhere.isdisjoint(listing.paths):
        return None  # some lie in other folders than those of the roots
    taken = read_placed(values, known, reader, rows)
    if any(path in values and path not in taken for path in changed):
        return None
    for problem in reader.problems[start:]:
        if problem.path in taken:
            rows.add(ProblemRow(*problem))
    drops = _drops(tables, before | taken, suites)
    found = {
        name: patched(table, drops.get(name), rows.tables[name]) for name, table in tables.items()
    }
    return found, frozenset(reader.extras)


def _known(tables: ColumnTables) -> Lookup:
    return Lookup(lambda table, name: tables[table][name], family)


def _listed(tables: ColumnTables, suites: Collection[str]) -> frozenset[str]:
    """Return the files read as reviews of some suites."""
    rows = where(tables["documents"]["family"], [FAMILY]).tolist()
    columns = (picked(tables["documents"][name], rows) for name in ("path", "suite"))
    return frozenset(path for path, suite in zip(*columns, strict=True) if suite in suites)


def _documents(tables: ColumnTables, paths: Collection[str]) -> set[str]:
    """Return the given paths that are documents."""
    chosen = among(tables["documents"]["path"], paths)
    return set(picked(tables["documents"]["path"], chosen.tolist()))


def _lost(tables: ColumnTables, paths: Collection[str]) -> set[str]:
    """Return the given paths that held something and were not read."""
    rows = where(tables["problems"]["code"], UNREAD).tolist()
    return set(picked(tables["problems"]["path"], rows)) & set(paths)


def _read(reader: Reader, roots: Collection[str]) -> dict[str, Json]:
    """Return the values of all files in the review folders of the suites at `roots`.

    They include records of other families.
    """
    found = {}
    for path, size, mtime in _placed(reader.listing, roots):
        key = reader.root, path, size, mtime
        with _lock:
            value = _values.get(key, MISSING)
        if value is MISSING:
            faults = len(reader.problems)
            value = reader.json(path)
            if value is not MISSING and len(reader.problems) == faults:
                _remember(key, value)
        found[path] = value
    return found


def _placed(listing: Listing, roots: Collection[str]) -> Iterator[tuple[str, int, int]]:
    folders = {f"{root}/{REVIEWS}" if root else REVIEWS for root in roots} & listing.folders
    if not folders:
        return  # most suites have none, and paths are many
    prefixes = tuple(f"{folder}/" for folder in folders)
    found = [
        (path.replace("/", "\0"), at)
        for at, path in enumerate(listing.paths)
        if path.startswith(prefixes) and (place := review_path(path)) and place.root in roots
    ]
    for _, at in sorted(found):
        yield listing.paths[at], listing.sizes[at], listing.mtimes[at]


def _remember(key: tuple[str, str, int, int], value: Json) -> None:
    with _lock:
        _values[key] = value
        if len(_values) > REMEMBERED:
            _values.popitem(last=False)


def _drops(
    tables: ColumnTables, paths: Collection[str], suites: Iterable[Suite]
) -> dict[str, Array]:
    """Return which rows of each table come from some reviews of some suites."""
    drops = {
        name: _marked(tables[name], where(tables[name]["source"], paths)) for name in BY_SOURCE
    }
    drops["problems"] = _marked(tables["problems"], where(tables["problems"]["path"], paths))
    drops["documents"] = is_in(tables["documents"]["path"], paths)
    scores = tables["run_scores"]
    rows = where(scores["origin"], [ORIGIN])
    prefixes = tuple(f"{suite.prefix}::" for suite in suites)
    runs = picked(scores["run_id"], rows.tolist())
    mine = [run is not None and run.startswith(prefixes) for run in runs]
    drops["run_scores"] = _marked(scores, rows[np.array(mine, bool)])
    return drops


def _marked(table: Mapping[str, FinishedColumn], rows: Array) -> Array:
    marks = np.zeros(next(iter(table.values())).rows, bool)
    marks[rows] = True
    return marks


def is_in(column: FinishedColumn, words: Collection[str]) -> Array:
    """Return a mask of the rows of a code column that have one of the words."""
    marks = np.zeros(column.rows, bool)
    marks[among(column, words)] = True
    return marks
