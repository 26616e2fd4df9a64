"""What every family module offers, and what it works with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.tables.builder import Rows

if TYPE_CHECKING:
    import pandas as pd

Place = tuple[str, str]
"""(path, kind): a file and the kind of document it is taken for."""


class Plan(NamedTuple):
    """One suite to read, with the files that belong to it.

    `root` holds versions and runs; `skill_path` holds the skill itself (both relative, `""` is the
    workspace's root).
    """

    suite: str
    family: str
    root: str
    skill_path: str | None
    files: tuple[Place, ...]

    def of(self, kind: str) -> list[str]:
        """Return the suite's files of one kind."""
        return [path for path, found in self.files if found == kind]


Loose = Mapping[str, Json]
"""Parsed JSON of the files that no path rule claimed: path to value."""


class Kept(NamedTuple):
    """What was known of a suite before some of its gradings changed: rows of its tables.

    `runs` are those of unchanged gradings, `gone` those of the others. `folders` came or went.
    """

    runs: pd.DataFrame
    gone: pd.DataFrame
    cases: pd.DataFrame
    criteria: pd.DataFrame
    versions: pd.DataFrame
    benchmarks: pd.DataFrame
    folders: frozenset[str]


class Update(NamedTuple):
    """How a family takes in changed gradings without reading the others again.

    `root(path)` is the root of the suite that a file is a grading of, None for any other file.
    `beside(path)` are the folders that matter to such a grading when they are there.
    `again` names the kinds of documents that are read again with the changed gradings.
    `read(plan, reader, rows, kept)` adds the rows of those, and the versions and benchmarks of the
    suite; False when others hang on them, so that all must be read.
    """

    root: Callable[[str], str | None]
    beside: Callable[[str], list[str]]
    again: tuple[str, ...]
    read: Callable[[Plan, Reader, Rows, Kept], bool]


class Family(NamedTuple):
    """A document dialect: finds its suites in a listing and turns their documents into rows.

    `find(reader, loose)` returns the plans; a plan's files are then nobody else's.
    `read(plan, reader, rows)` adds every row of one suite, and notes problems on the reader.
    """

    name: str
    find: Callable[[Reader, Loose], list[Plan]]
    read: Callable[[Plan, Reader, Rows], None]
    update: Update | None = None


REVIEWS = "reviews"


def is_review(path: str | None) -> bool:
    """Say whether `path` lies in a `reviews` folder, which belongs to its suite and makes none."""
    return path is not None and REVIEWS in path.split("/")[:-1]


def suite_id(path: str) -> str:
    """Return the id of the suite whose skill or workspace lies at `path`."""
    return path.removesuffix("-workspace") or "."
