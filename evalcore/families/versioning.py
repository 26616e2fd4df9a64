"""The interface of a family whose workspaces keep copies of a skill, one for each version."""

from typing import Any, NamedTuple, Protocol

from evalcore.tables.snapshot import Tables

Json = Any


class Version(NamedTuple):
    """A version of a skill; `path` is that of its copy below the workspace.

    `at` is an ISO time in UTC. `git_hash` is None if the copy is in no commit.
    """

    number: int
    path: str | None
    at: str = ""
    description: str = ""
    git_hash: str | None = None


class Versioning(Protocol):
    """How the versions of a skill are recorded, and with which test cases a new one begins."""

    definitions: str
    """The path of the test cases below the skill."""
    history: str
    """The path of the list of versions below the workspace."""

    def example(self, skill: str) -> Json:
        """Return test cases to begin with: one, that keeps every rule."""

    def is_definitions(self, value: Json) -> bool:
        """Return whether a document holds test cases of this family."""

    def new_history(self, version: Version) -> Json:
        """Return the history of a workspace with its first version."""

    def versions(self, history: Json) -> list[Version] | None:
        """Return the versions of a history; None if it is none of this family."""

    def with_version(
        self, history: Json, version: Version, tables: Tables, suite: str | None
    ) -> Json:
        """Return a history with one more version, the current one.

        The one before gets the average of its own runs, as the tables have them for `suite`.
        """
