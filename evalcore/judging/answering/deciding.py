"""Accept or reject what a grader suggests about the evaluation itself."""

from collections.abc import Sequence
from typing import NamedTuple

from evalcore.families.reviews.models import SuggestionDecisionFields
from evalcore.families.reviews.review import Decision
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.record_factory import make_record, one_or_list
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.workspace.opened import Workspace


class Decided(NamedTuple):
    """What a person decides about a suggestion; `open` takes earlier decisions back.

    `text` is the suggestion as written, `target` the criterion as the grader names it, `run_id` a
    run whose grading makes it; both are None where there is none.
    """

    text: str
    target: str | None
    run_id: str | None
    decision: Decision
    reason: str = ""


def decide(
    ws: Workspace,
    suite: str,
    said: Decided,
    judge: Judge,
    replaces: Sequence[str] = (),
    *,
    submission: str | None = None,
) -> Receipt:
    """Store a decision in place of those that the person saw, whose ids `replaces` has.

    Raises:
        CannotJudge: the reason is too long.
        CannotWrite: it could not be written.
        UnknownName: there is no such suite.
    """
    fields = SuggestionDecisionFields(
        test_run_id=said.run_id,
        target=said.target,
        text=said.text,
        decision=said.decision,
        reason=stored(said.reason, LIMITS.reason, "The reason"),
    )
    record = make_record(fields, judge, submission, one_or_list(replaces))
    return store(review_folder(ws, suite), record)
