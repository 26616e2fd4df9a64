"""The commits that changed a folder."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from evalcore.revisions.repository import damage_reported, opened

_MAX_SUBJECT: Final = 200


@dataclass(frozen=True)
class Revision:
    """One commit that changed a folder: its full and short id, its first line, when it was made.

    `names` are the branches and tags at it.
    """

    sha: str
    short: str
    subject: str
    when: datetime
    names: tuple[str, ...]


def revisions(root: Path, limit: int = 50) -> tuple[Revision, ...]:
    """Return the commits before `HEAD` that changed this folder, the newest first.

    At most 2,000 commits are inspected.

    Raises:
        NoRevision: the folder is not in a git repository, or its history cannot be read.
    """
    with opened(root) as repo, damage_reported(repo):
        names = repo.names_by_commit()
        found: list[Revision] = []
        for sha, commit in repo.history(repo.resolved("HEAD")):
            before = repo.folder_in(commit.parents[0]) if commit.parents else None
            if repo.folder_in(sha) != before:
                text = commit.message.decode("utf-8", "replace").strip()
                try:
                    when = datetime.fromtimestamp(commit.commit_time, UTC)
                except (ValueError, OverflowError, OSError):
                    when = datetime.fromtimestamp(0, UTC)
                subject = text.split("\n", 1)[0][:_MAX_SUBJECT]
                full = sha.decode()
                found.append(Revision(full, full[:10], subject, when, tuple(names.get(sha, ()))))
            if len(found) >= limit:
                break
        return tuple(found)
