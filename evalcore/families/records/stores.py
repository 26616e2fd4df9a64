"""Find the stores of records in a workspace: which files belong together."""

import os
from collections import defaultdict

import orjson

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.documents.reviews import SCHEMA
from evalcore.errors import PathOutside
from evalcore.families.base import REVIEWS, Loose, Place, Plan, is_review, suite_id
from evalcore.families.records.shapes import (
    CONTAINERS,
    SHARDS,
    TYPE_FOLDERS,
    is_envelope,
    is_known,
)

PEEK = 256 * 1024


def store_root(path: str) -> str:
    """Return the folder that a record at `path` belongs to: folders that only sort are left out."""
    parts = path.split("/")[:-1]
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
    sure, maybe, reviews = _sorted_out(reader, loose)
    roots = {store_root(path) for path, _ in sure}
    files: dict[str, list[Place]] = defaultdict(list)
    for path, kind in sure:
        files[_outermost(store_root(path), roots) or ""].append((path, kind))
    for path, kind in maybe:
        home = _outermost(store_root(path), roots)
        if home is not None:
            files[home].append((path, kind))
    for path, kind in reviews:
        home = _outermost(_reviewed(path), roots)
        if home is not None and home == _reviewed(path):
            files[home].append((path, kind))
    return _plans(files)


def _sorted_out(reader: Reader, loose: Loose) -> tuple[list[Place], list[Place], list[Place]]:
    """Part files into those that make a store, those that may belong to one, and reviews.

    What evalcore itself wrote into a `reviews` folder is not read here, whatever became of it.
    """
    sure: list[Place] = []
    maybe: list[Place] = []
    reviews: list[Place] = []
    for path, kind, known in _candidates(reader, loose):
        if is_review(path):
            if kind != "broken" and "/.tmp/" not in path:
                reviews.append((path, kind))
        else:
            (sure if known else maybe).append((path, kind))
    return sure, maybe, reviews


def _candidates(reader: Reader, loose: Loose) -> list[tuple[str, str, bool]]:
    """Return (path, kind, whether it is one of the ten types) of what looks like records."""
    found: list[tuple[str, str, bool]] = []
    noted = {problem.path for problem in reader.problems if problem.severity == "error"}
    for path in reader.listing.paths:
        if path in loose:
            looks = _looks(path, loose[path])
        elif path.endswith(".jsonl"):
            looks = _lines_look(reader, path)
        else:
            looks = _looks_broken(path, path in noted)
        if looks is not None:
            found.append((path, *looks))
    return found


def _looks(path: str, value: Json) -> tuple[str, bool] | None:
    """Return (kind, whether it is one of the ten types) of what looks like records."""
    if value is MISSING:
        return _looks_broken(path, noted=True)
    if isinstance(value, dict) and value.get("schema") == SCHEMA:
        return None
    if isinstance(value, list):
        if any(map(is_known, value)):
            return "records", True
        return ("records", False) if value and all(map(is_envelope, value)) else None
    if is_known(value):
        return "record", True
    return ("record", False) if is_envelope(value) and ("id" in value or SHARDS in path) else None


def _looks_broken(path: str, noted: bool) -> tuple[str, bool] | None:
    """Take a file whose value is not known for a record where only records lie."""
    folders = path.split("/")[:-1]
    if SHARDS in folders:
        return ("broken" if noted else "record"), False
    return ("broken", False) if noted and folders and folders[-1] in TYPE_FOLDERS else None


def _lines_look(reader: Reader, path: str) -> tuple[str, bool] | None:
    """Look at the first lines of a JSONL file, without noting what is wrong with them."""
    values = []
    for line in _first_bytes(reader, path).split(b"\n"):
        try:
            values.append(orjson.loads(line))
        except ValueError:
            continue
    return ("records", True) if any(map(is_known, values)) else None


def _first_bytes(reader: Reader, path: str) -> bytes:
    try:
        handle = reader.files.open(path)
    except (OSError, PathOutside):
        return b""
    try:
        return os.pread(handle, PEEK, 0)
    except OSError:
        return b""
    finally:
        os.close(handle)


def _reviewed(path: str) -> str:
    """Return the folder whose `reviews` hold `path`."""
    parts = path.split("/")
    return "/".join(parts[: parts.index(REVIEWS)])


def _outermost(root: str, roots: set[str]) -> str | None:
    """Return the outermost of `roots` that is `root` or holds it; None where none does."""
    if "" in roots:
        return ""
    end = root.find("/")
    while end != -1:
        if root[:end] in roots:
            return root[:end]
        end = root.find("/", end + 1)
    return root if root in roots else None


def _plans(files: dict[str, list[Place]]) -> list[Plan]:
    """Make the plans; a folder and the same with `-workspace` are one suite."""
    by_suite: dict[str, list[str]] = defaultdict(list)
    for root in sorted(files):
        by_suite[suite_id(root)].append(root)
    return [
        Plan(suite, "records", roots[0], None,
             tuple(sorted(place for root in roots for place in files[root])))
        for suite, roots in sorted(by_suite.items())
    ]  # fmt: skip
