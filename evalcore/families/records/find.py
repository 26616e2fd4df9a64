"""Find the stores of a workspace by the form of their records, or by their folders."""

import re
from collections import defaultdict
from itertools import chain
from typing import Final

from evalcore.disk.reader import Reader
from evalcore.families.base import (
    REVIEWS,
    RULES_FILE,
    SCHEMA,
    ClaimedFile,
    Loose,
    Plan,
    is_review,
    suite_id,
)
from evalcore.families.records.shapes import CONTAINERS, SHARDS, TYPE_FOLDERS, is_envelope, is_known

_SHARD: Final = re.compile(rf"(?:^|/){re.escape(SHARDS)}/[^/]{{2}}/[^/]{{2}}$")


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


def placed(path: str) -> tuple[str, str] | None:
    """Return the root of the store of a path in a folder that is named by a type, or in a shard."""
    folder, _, name = path.rpartition("/")
    own = folder.rpartition("/")[2] in TYPE_FOLDERS or _SHARD.search(folder) is not None
    is_record = own and name.endswith(".json") and name != RULES_FILE
    return (store_root(folder), "record") if is_record else None


def find(reader: Reader, loose: Loose) -> list[Plan]:
    """Return one plan for each store; a folder and the same with `-workspace` are one suite.

    Kinds of files: `record` (one), `records` (a list, or JSONL) and `broken` (a file that by its
    place is a record, and whose problem is noted already). An unreadable file is a record where its
    folder contains only records.
    """
    folders: dict[str, list[ClaimedFile]] = defaultdict(list)
    sure = set()  # the folders with known types
    noted = {problem.path for problem in reader.problems if problem.severity == "error"}
    for path in reader.listing.paths:
        folder = path.rpartition("/")[0]
        if path in loose:
            kind, known = None, False
            value = loose[path].value
            if isinstance(value, dict) and value.get("schema") != SCHEMA:
                known = is_known(value)
                plain = is_envelope(value) and ("id" in value or SHARDS in path)
                kind = "record" if known or plain else None
            elif isinstance(value, list) and value:
                known = any(map(is_known, value))
                kind = "records" if known or all(map(is_envelope, value)) else None
            if known:
                sure.add(folder)
        elif SHARDS in folder.split("/"):
            kind = "broken" if path in noted else "record"
        else:
            is_broken = path in noted and folder.rpartition("/")[2] in TYPE_FOLDERS
            kind = "broken" if is_broken else None
        if kind is not None:
            folders[folder].append((path, kind))
    reviews = {folder for folder in folders if is_review(f"{folder}/")}
    roots = {store_root(name) for name in sure - reviews}
    files: dict[str, list[ClaimedFile]] = defaultdict(list)
    for name, found in folders.items():
        if name not in reviews:
            home = _outermost(store_root(name), roots)
            if home is not None:
                files[home].extend(found)
            continue
        # Of a store's `reviews` folder, only records that evalcore did not write.
        parts = name.split("/")
        root = "/".join(parts[: parts.index(REVIEWS)])
        if _outermost(root, roots) == root and "/.tmp/" not in f"{name}/":
            files[root].extend(file for file in found if file[1] != "broken")
    suites: dict[str, list[str]] = defaultdict(list)
    for root in sorted(files):
        suites[suite_id(root)].append(root)
    return [
        Plan(suite, "records", own[0], None, tuple(sorted(chain(*map(files.__getitem__, own)))))
        for suite, own in sorted(suites.items())
    ]


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
