"""What the forms of a failure begin with."""

from typing import Final

from evalcore.failures.detail import Failure
from evalcore.judging.answering.classifying import Classified
from evalcore.judging.limits import LIMITS
from evalcore.memory.failures import unrecorded
from evalcore.views.failures.words import type_words
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace


def as_said(found: Failure) -> Classified:
    """Return a failure as a person's record would say it without a change.

    Without a severity, as in some stores, it is minor.
    """
    resolved = found.resolved_at
    return Classified(
        run_id=found.run_id or found.named_run or "",
        failure_type=found.type,
        severity=found.severity or "minor",
        description=found.description[: LIMITS.failure],
        criteria=found.criteria,
        root_cause=found.root_cause or "",
        resolution=None if resolved is None else found.resolution_notes or "",
        resolved_at=None if resolved is None else resolved.isoformat(timespec="milliseconds"),
    )


def criteria_to_choose(found: Failure) -> list[str]:
    """Return the criteria that a failure may affect: those stated, and those that failed."""
    return list(dict.fromkeys((*found.stated, *(each.key for each in found.failed))))


def to_record(ws: Workspace, suite: str) -> str:
    """Return what the button says that records failures: `Record 9 failures`; empty for none."""
    n = len(unrecorded(ws, suite))
    return f"Record {wording.count(n, 'failure')}" if n else ""


RECORD_WORDS: Final = (
    "Writes one record for each failure, with the type that the rules guess, so that other "
    "tools see it. People and models can replace it."
)


def stored_words(found: Failure) -> str:
    """Return what resolving a guess stores beside the resolution."""
    kind = type_words(found)
    return f"It is stored as {kind}, {found.severity}; classify it first if that is wrong."
