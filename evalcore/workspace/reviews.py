"""Read what people said beside their suites: after all families, and again where it changed."""

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from threading import Lock
from typing import Final, NamedTuple

import numpy as np

from evalcore.disk.listing import Listing
from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.families.base import REVIEWS
from evalcore.families.registry import family
from evalcore.families.reviews.finding import is_ours, is_unfinished, place_of
from evalcore.families.reviews.known import Known, Suite, among, where
from evalcore.families.reviews.reading import FAMILY, read_reviews
from evalcore.families.reviews.totals import ORIGIN
from evalcore.tables.builder import Rows
from evalcore.tables.columns import Array, Laid, picked
from evalcore.tables.patch import patched
from evalcore.tables.rows import ProblemRow
from evalcore.tables.snapshot import LaidTables
from evalcore.workspace.changes import Change

REMEMBERED: Final = 10_000
"""So many records are remembered as they were read: a record never changes."""

BY_SOURCE: Final = ("judgments", "notes", "exclusions", "requests")

_values: OrderedDict[tuple[str, str, int, int], Json] = OrderedDict()
_lock = Lock()


def read_beside(left: Mapping[str, Json], reader: Reader, rows: Rows) -> set[str]:
    """Add the rows of the reviews among files that no family took; return their paths.

    `left` are paths with their values, MISSING for those that could not be read.
    """
    placed = [path for path in left if place_of(path) is not None]
    if not placed:
        return set()

    @cache
    def column(table: str, name: str) -> Laid:
        return rows.tables[table].column(name)

    return read_placed({path: left[path] for path in placed}, Known(column, family), reader, rows)


def read_placed(values: Mapping[str, Json], known: Known, reader: Reader, rows: Rows) -> set[str]:
    """Add the rows of those files that lie where a suite has its reviews; return their paths."""
    roots = by_root(known.suites)
    found: dict[str, list[tuple[str, Json]]] = defaultdict(list)
    for path, value in values.items():
        place = place_of(path)
        suites = roots.get(place.root, []) if place is not None else []
        if suites and is_ours(path, value, in_store=any(suite.family.is_store for suite in suites)):
            found[suites[0].root].append((path, value))
    for root, files in found.items():
        read_reviews(files, roots[root], known, reader, rows)
    return {path for files in found.values() for path, _ in files}


def by_root(suites: Iterable[Suite]) -> dict[str, list[Suite]]:
    """Return suites by the folder that holds their `reviews`."""
    found: dict[str, list[Suite]] = defaultdict(list)
    for suite in suites:
        found[suite.root].append(suite)
    return dict(found)


class Parted(NamedTuple):
    """A change in two parts, without files that are still being written.

    `files` lie where the suites at `roots` have their reviews.
    """

    files: frozenset[str]
    roots: frozenset[str]
    others: Change


def parted(tables: LaidTables, change: Change) -> Parted:
    """Part what changed in reviews from what changed elsewhere."""
    known = by_root(_known(tables).suites)
    folders = {f"{root}/{REVIEWS}" if root else REVIEWS for root in known}
    files, roots, others = set(), set(), set()
    for path in change.files:
        place = place_of(path)
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
    return Parted(
        frozenset(files), frozenset(roots), Change(frozenset(others), frozenset(elsewhere))
    )


def reread(
    tables: LaidTables, listing: Listing, roots: Collection[str], changed: Collection[str]
) -> tuple[LaidTables, frozenset[str]] | None:
    """Return tables with the reviews of the suites at `roots` read again, and what is watched.

    None when a changed file is, or was, read by a family.
    """
    known = _known(tables)
    suites = [
        suite for root, there in by_root(known.suites).items() if root in roots for suite in there
    ]
    before = _listed(tables, {suite.id for suite in suites})
    if any(path not in before for path in _documents(tables, changed) | _lost(tables, changed)):
        return None
    reader, rows = Reader(listing), Rows()
    start = len(reader.problems)
    values = _read(reader, roots)
    if not before and not values:
        return tables, frozenset()
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


def _known(tables: LaidTables) -> Known:
    return Known(lambda table, name: tables[table][name], family)


def _listed(tables: LaidTables, suites: Collection[str]) -> frozenset[str]:
    """Return the files that were read as reviews of some suites."""
    rows = where(tables["documents"]["family"], [FAMILY]).tolist()
    columns = (picked(tables["documents"][name], rows) for name in ("path", "suite"))
    return frozenset(path for path, suite in zip(*columns, strict=True) if suite in suites)


def _documents(tables: LaidTables, paths: Collection[str]) -> set[str]:
    """Return those of some paths that are documents."""
    chosen = among(tables["documents"]["path"], paths)
    return set(picked(tables["documents"]["path"], chosen.tolist()))


def _lost(tables: LaidTables, paths: Collection[str]) -> set[str]:
    """Return those of some paths that looked like a document where none is expected."""
    rows = where(tables["problems"]["code"], ["unrecognised"]).tolist()
    return set(picked(tables["problems"]["path"], rows)) & set(paths)


def _read(reader: Reader, roots: Collection[str]) -> dict[str, Json]:
    """Return the values of all files that lie where the suites at `roots` have their reviews.

    Those of other families' records are among them.
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
        if path.startswith(prefixes) and (place := place_of(path)) and place.root in roots
    ]
    for _, at in sorted(found):
        yield listing.paths[at], listing.sizes[at], listing.mtimes[at]


def _remember(key: tuple[str, str, int, int], value: Json) -> None:
    with _lock:
        _values[key] = value
        if len(_values) > REMEMBERED:
            _values.popitem(last=False)


def _drops(tables: LaidTables, paths: Collection[str], suites: Iterable[Suite]) -> dict[str, Array]:
    """Return which rows of each table came from some reviews of some suites."""
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


def _marked(table: Mapping[str, Laid], rows: Array) -> Array:
    marks = np.zeros(next(iter(table.values())).rows, bool)
    marks[rows] = True
    return marks


def is_in(column: Laid, words: Collection[str]) -> Array:
    """Return which rows of a column of names are one of the words."""
    marks = np.zeros(column.rows, bool)
    marks[among(column, words)] = True
    return marks
