"""Find the stores of records in a workspace: which files belong together."""

from collections import defaultdict
from typing import NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.families.base import REVIEWS, SCHEMA, ClaimedFile, Loose, Plan, is_review, suite_id
from evalcore.families.records.shapes import (
    CONTAINERS,
    SHARDS,
    TYPE_FOLDERS,
    is_envelope,
    is_known,
)


class _Folder(NamedTuple):
    """The files of one folder that look like records: certain ones, and possible ones."""

    sure: list[ClaimedFile]
    maybe: list[ClaimedFile]


def store_root(folder: str) -> str:
    """Return the root of the store that records in `folder` belong to, above type folders."""
    parts = folder.split("/")
    if SHARDS in parts:
        return "/".join(parts[: parts.index(SHARDS)])
    while parts and parts[-1] in TYPE_FOLDERS:
        parts.pop()
    if parts and parts[-1] in CONTAINERS:
        parts.pop()
    return "/".join(parts)


def find(reader: Reader, loose: Loose) -> list[Plan]:
    """Return one plan for each store.

    Kinds of files: `record` (one), `records` (a list, or JSONL) and `broken` (a file that by its
    place is a record, and whose problem is noted already).
    """
    folders = _folders(reader, loose)
    reviews = {folder for folder in folders if is_review(f"{folder}/")}
    roots = {store_root(name) for name in folders.keys() - reviews if folders[name].sure}
    files: dict[str, list[ClaimedFile]] = defaultdict(list)
    for name, folder in folders.items():
        root = _reviewed(name) if name in reviews else store_root(name)
        home = _outermost(root, roots)
        if home is not None and name not in reviews:
            files[home].extend((*folder.sure, *folder.maybe))
        elif home == root:
            files[root].extend(_stored_reviews(name, folder))
    return _plans(files)


def _folders(reader: Reader, loose: Loose) -> dict[str, _Folder]:
    """Return the files that look like records, by folder."""
    found: dict[str, _Folder] = defaultdict(lambda: _Folder([], []))
    noted = {problem.path for problem in reader.problems if problem.severity == "error"}
    for path in reader.listing.paths:
        folder = path.rpartition("/")[0]
        if path in loose:
            kind, known = _looks(path, loose[path])
        else:
            kind, known = _looks_broken(folder, path in noted)
        if kind is not None:
            (found[folder].sure if known else found[folder].maybe).append((path, kind))
    return found


def _looks(path: str, value: Json) -> tuple[str | None, bool]:
    """Return the kind of a file that looks like records, and whether it is of a known type."""
    if isinstance(value, dict):
        if value.get("schema") == SCHEMA:
            return None, False
        if is_known(value):
            return "record", True
        plain = is_envelope(value) and ("id" in value or SHARDS in path)
        return ("record" if plain else None), False
    if not isinstance(value, list):
        return None, False
    known = any(map(is_known, value))
    return ("records" if known or (value and all(map(is_envelope, value))) else None), known


def _looks_broken(folder: str, noted: bool) -> tuple[str | None, bool]:
    """Treat an unreadable file as a record if its folder contains only records."""
    parts = folder.split("/")
    if SHARDS in parts:
        return "broken" if noted else "record", False
    return "broken" if noted and parts[-1] in TYPE_FOLDERS else None, False


def _stored_reviews(name: str, folder: _Folder) -> list[ClaimedFile]:
    """Return the records in a store's `reviews` folder that evalcore did not write."""
    if "/.tmp/" in f"{name}/":
        return []
    return [place for place in (*folder.sure, *folder.maybe) if place[1] != "broken"]


def _reviewed(folder: str) -> str:
    """Return the folder whose `reviews` folder is, or contains, `folder`."""
    parts = folder.split("/")
    return "/".join(parts[: parts.index(REVIEWS)])


def _outermost(root: str, roots: set[str]) -> str | None:
    """Return the outermost of `roots` that is or contains `root`; None without one."""
    if "" in roots:
        return ""
    end = root.find("/")
    while end != -1:
        if root[:end] in roots:
            return root[:end]
        end = root.find("/", end + 1)
    return root if root in roots else None


def _plans(files: dict[str, list[ClaimedFile]]) -> list[Plan]:
    """Make the plans; a folder and the same with `-workspace` are one suite."""
    by_suite: dict[str, list[str]] = defaultdict(list)
    for root in sorted(files):
        by_suite[suite_id(root)].append(root)
    return [
        Plan(
            suite,
            "records",
            roots[0],
            None,
            tuple(sorted(place for root in roots for place in files[root])),
        )
        for suite, roots in sorted(by_suite.items())
    ]
