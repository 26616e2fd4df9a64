"""Classify why a run failed, resolve the failure, and open it again."""

from collections.abc import Sequence
from typing import NamedTuple

from evalcore.disk.values import now_text
from evalcore.families.reviews.models import FailureFields
from evalcore.families.reviews.review import FailureType, Severity
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.record_factory import make_record, one_or_list
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.workspace.opened import Workspace


class Classified(NamedTuple):
    """What a person says of a failure; `criteria` are `kind:criterion`.

    `resolution` is None while it is open, else how it was resolved, which may be empty.
    """

    run_id: str
    failure_type: FailureType | None
    severity: Severity
    description: str
    criteria: tuple[str, ...] = ()
    root_cause: str = ""
    resolution: str | None = None
    resolved_at: str | None = None


def classify(
    ws: Workspace,
    suite: str,
    said: Classified,
    judge: Judge,
    replaces: Sequence[str] = (),
    *,
    submission: str | None = None,
) -> Receipt:
    """Store a failure in place of those that are replaced, whoever wrote them.

    A resolution without a time is of now. `replaces` are the ids that the person saw, so that what
    another stored meanwhile stands beside it and somebody decides.

    Raises:
        ValueError: the description is blank.
        CannotJudge: a text is too long.
        CannotWrite: it could not be written.
        UnknownName: there is no such suite.
    """
    description = stored(said.description, LIMITS.failure, "The description")
    if not description:
        raise ValueError("Say what is wrong.")
    notes = None if said.resolution is None else stored(said.resolution, LIMITS.failure, "The note")
    fields = FailureFields(
        test_run_id=said.run_id,
        failure_type=said.failure_type,
        description=description,
        affected_criterion_ids=list(said.criteria),
        severity=said.severity,
        root_cause=stored(said.root_cause, LIMITS.failure, "The root cause"),
        resolved_at=None if said.resolution is None else said.resolved_at or now_text(),
        resolution_notes=notes or None,
    )
    record = make_record(fields, judge, submission, one_or_list(replaces))
    return store(review_folder(ws, suite), record)
