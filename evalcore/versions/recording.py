"""Read and write the list of versions of a workspace, in the form of its family."""

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from evalcore.disk.files import Files
from evalcore.disk.listing import shown
from evalcore.errors import CannotSnapshot, CannotWrite
from evalcore.families.registry import FAMILIES
from evalcore.families.versioning import Version, Versioning
from evalcore.proposals.proposal import Proposal, Stored, Target, stored, write
from evalcore.revisions.committed import Committed, committed
from evalcore.versions.copying import Contents, Copied


class Recorded(NamedTuple):
    """The versions of a workspace, and the document that lists them as it was read."""

    versions: list[Version]
    document: Stored


def versioning() -> tuple[str, Versioning]:
    """Return the family that records copies of a skill as versions, by name, and how."""
    return next((each.name, how) for each in FAMILIES if (how := each.versioning()) is not None)


def recorded(workspace: Path, how: Versioning) -> Recorded | None:
    """Return the versions of a workspace; None if it has no list of them.

    Raises:
        CannotSnapshot: there is a document of that name that lists none.
    """
    found = stored(Files(workspace), how.history)
    if found is None:
        return None
    versions = how.versions(found.value)
    if versions is None:
        raise CannotSnapshot(
            f"{workspace / how.history} cannot be read as a list of versions, so none was added. "
            "`evalcore check` says what is wrong with it."
        )
    return Recorded(versions, found)


def write_new(root: Path, path: str, value: object) -> None:
    """Write a document that is not there yet.

    Raises:
        ChangedMeanwhile: it is there.
        CannotWrite: it cannot be written.
    """
    write(root, Target("", None, path).fresh(value))


def write_changed(root: Path, path: str, before: Stored, value: object) -> Proposal:
    """Write a value into a document as it was read; only the differences are touched.

    Raises:
        ChangedMeanwhile: somebody else wrote it since.
        CannotWrite: it cannot be written, or not changed in places.
    """
    proposal = Target("", None, path).changed(before, value)
    if proposal.data is None:
        why = " ".join(proposal.messages).rstrip(".") or "nothing of it would change"
        raise CannotWrite(root / path, why[:1].lower() + why[1:])
    write(root, proposal)
    return proposal


def commit_of(contents: Contents, copy: Copied) -> Committed:
    """Return the commit that holds exactly what was copied."""
    return committed(contents.root, {**copy.files, **contents.links}, contents.passed_over)


def version_of(number: int, path: str, description: str, commit: Committed) -> Version:
    """Return the record of a version made now."""
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Version(number, path, at, shown(description), commit.sha)
