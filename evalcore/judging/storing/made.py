"""How a record is made: by whom, when and about which run."""

import hashlib
from datetime import UTC, datetime
from typing import TypeVar

from evalcore.documents.record_fields import RecordModel
from evalcore.documents.reviews import ReviewRecord
from evalcore.errors import UnknownName
from evalcore.families.reviews.review import Review
from evalcore.ids import parse_run_id
from evalcore.judging.model import Judge
from evalcore.judging.storing.store import new_id

R = TypeVar("R", bound=ReviewRecord)


def made(
    model: type[R],
    fields: RecordModel,
    judge: Judge,
    submission: str | None,
    supersedes: str | None = None,
) -> R:
    """Return a record of this moment; without a submission it is given a new one."""
    return model(id=submission or new_id(), fields=fields, created_at=now(), created_by=judge.id,
                 supersedes=supersedes)  # fmt: skip


def part_of(submission: str | None, name: str) -> str:
    """Return the id of one of several records of a submission, the same each time.

    A second click may run beside the first one: what both store must have the same ids.
    """
    if submission is None:
        return new_id()
    digits = hashlib.sha256(f"{submission} {name}".encode()).hexdigest()
    # Its time, its version and its variant stay; all that is random is made anew.
    return f"{submission[:20]}{digits[:3]}-{digits[3:15]}"


def now() -> str:
    """Return this moment as records have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def about(review: Review, run_id: str | None) -> bool:
    """Say whether a record speaks of a run, or of no run where there is none.

    The suite's part of an id depends on the folder that was opened, so it is not compared.
    """
    named = review.fields.get("testRunId")
    if run_id is None or not isinstance(named, str):
        return run_id is None and named is None
    return within(named) == within(run_id)


def within(run_id: str) -> str:
    """Return the part of a run's id that tells it within its suite."""
    return run_id.partition("::")[2] or run_id


def suite_of(run_id: str) -> str:
    """Return the suite of a run.

    Raises:
        UnknownName: it is no run's id.
    """
    found = parse_run_id(run_id)
    if found is None:
        raise UnknownName("run", run_id, ())
    return found.suite
