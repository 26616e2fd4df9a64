"""What every family module offers, and what it works with."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.tables.builder import Rows

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


class Family(NamedTuple):
    """A document dialect: finds its suites in a listing and turns their documents into rows.

    `find(reader, loose)` returns the plans; a plan's files are then nobody else's.
    `read(plan, reader, rows)` adds every row of one suite, and notes problems on the reader.
    """

    name: str
    find: Callable[[Reader, Loose], list[Plan]]
    read: Callable[[Plan, Reader, Rows], None]


def suite_id(path: str) -> str:
    """Return the id of the suite whose skill or workspace lies at `path`."""
    return path.removesuffix("-workspace") or "."
