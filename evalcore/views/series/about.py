"""What is known about the versions of a suite, beside their numbers."""

from datetime import datetime
from typing import Final, NamedTuple

from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.tables.definitions import VersionRow
from evalcore.workspace.opened import Workspace

EXCERPT: Final = 120
_HASH: Final = 12


class About(NamedTuple):
    """A version: the beginning of its description, its short git hash and its date."""

    description: str
    git_hash: str
    when: datetime | None


NOTHING: Final = About("", "", None)


@memoize_per_workspace
def versions_about(ws: Workspace, suite: str) -> dict[str, About]:
    """Return what is known about each version of a suite."""
    rows = where(ws, "versions", suite=suite).tolist()
    return {
        row.version or "": About(
            _excerpt(row.description or ""), (row.git_hash or "")[:_HASH], row.created_at
        )
        for row in typed(ws, "versions", VersionRow, rows)
    }


def _excerpt(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= EXCERPT else f"{plain[: EXCERPT - 1]}…"
