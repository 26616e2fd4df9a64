"""Workspaces that keep copies of a skill, one for each version, and a list of these versions."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

from evalcore.proposals.proposal import merged
from evalcore.proposals.stats import shortened
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables

Json = Any


class Version(NamedTuple):
    """A version of a skill: `path` is its copy below the workspace, `git_hash` any commit of it."""

    number: int
    path: str | None
    at: str = ""
    description: str = ""
    git_hash: str | None = None

    @property
    def entry(self) -> dict[str, Json]:
        """The version as an entry of the list of versions, before it was measured."""
        return {
            "version": self.number,
            "timestamp": self.at,
            "description": self.description,
            "git_hash": self.git_hash,
            "path": self.path,
            "average_score": None,
        }


class Versioning(NamedTuple):
    """How the versions of a skill are recorded, and with which test cases a new one begins.

    `definitions` and `history` are paths of documents, `cases` the field that lists the test cases.
    """

    definitions: str
    cases: str
    history: str
    example: Callable[[str], Json]

    def is_definitions(self, value: Json) -> bool:
        """Return whether a document holds test cases of this family."""
        return isinstance(value, dict) and isinstance(value.get(self.cases), list)

    def new_history(self, version: Version) -> Json:
        """Return the history of a workspace with its first version."""
        return {"versions": [version.entry], "current_version": 0}

    def versions(self, history: Json) -> list[Version] | None:
        """Return the versions of a history; None if it is none of this family."""
        if not is_history(history):
            return None
        listed = [(number_of(entry, at), entry) for at, entry in enumerate(history["versions"])]
        paths = [(number, entry.get("path")) for number, entry in listed]
        return [Version(number, path if isinstance(path, str) else None) for number, path in paths]

    def with_version(
        self, history: Json, version: Version, tables: Tables, suite: str | None
    ) -> Json:
        """Return a history with one more version; the one before gets the average of its runs."""
        value = deepcopy(history)
        entries = value["versions"]
        if entries and suite is not None:
            before = entries[-1]
            own = averages(tables, suite).get(f"v{number_of(before, len(entries) - 1)}")
            if own is not None:
                before["average_score"] = average_in(before, own)
        entries.append(version.entry)
        value["current_version"] = len(entries) - 1
        return value


def is_history(value: Json) -> bool:
    """Return whether a document holds a list of versions."""
    versions = value.get("versions") if isinstance(value, dict) else None
    return isinstance(versions, list) and all(isinstance(each, dict) for each in versions)


def number_of(entry: dict[str, Json], position: int) -> int:
    """Return the number of a version; one without a number has that of its place."""
    number = entry.get("version")
    return number if type(number) is int else position


def average_in(entry: dict[str, Json], own: float) -> Json:
    """Return a version's own average as its entry has it, if that says the same."""
    return merged(entry.get("average_score"), shortened(own))


def averages(tables: Tables, suite: str) -> dict[str, float]:
    """Return the mean over cases of each case's mean, by version."""
    names = ("suite", "version", "metric", "origin", "mean")
    return {
        version: mean
        for own, version, metric, origin, mean in cells(tables, "benchmarks", *names)
        if (own, metric, origin) == (suite, "average_score", "computed") and mean is not None
    }
