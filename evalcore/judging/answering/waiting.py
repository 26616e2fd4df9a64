"""Pass over a run, come back to it, and end a request for somebody's judgment."""

from collections.abc import Collection
from contextlib import suppress

from evalcore.errors import CannotWrite
from evalcore.families.reviews.models import (
    ApprovalRequestFields,
    ApprovalRequestRecord,
    SkipFields,
    SkipRecord,
)
from evalcore.judging.answering.writing import receipt_of
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.heads import answered, of_run
from evalcore.judging.storing.place import Reviews, load_reviews, reviews_of
from evalcore.judging.storing.record_factory import make_record, suite_of
from evalcore.judging.storing.store import store
from evalcore.workspace.opened import Workspace


def skip(ws: Workspace, run_id: str, judge: Judge, reason: str = "") -> Receipt:
    """Store that a judge passes over a run; one that they pass over already is left alone.

    Raises:
        CannotJudge: the reason is too long.
        UnknownName: it is no run's id.
        CannotWrite: it could not be written.
    """
    reviews = reviews_of(ws, suite_of(run_id))
    there = of_run(load_reviews(reviews), run_id).skips.get(judge.id)
    if there is not None:
        return receipt_of(reviews, there)
    fields = SkipFields(test_run_id=run_id, reason=stored(reason, LIMITS.reason, "The reason"))
    return store(reviews, make_record(SkipRecord, fields, judge, None))


def unskip(ws: Workspace, run_id: str, judge: Judge) -> Receipt | None:
    """Store that a judge comes back to a run; None where they did not pass over it.

    Raises:
        UnknownName: it is no run's id.
        CannotWrite: it could not be written.
    """
    reviews = reviews_of(ws, suite_of(run_id))
    there = of_run(load_reviews(reviews), run_id).skips.get(judge.id)
    if there is None:
        return None
    fields = SkipFields(test_run_id=run_id, lifted=True)
    return store(reviews, make_record(SkipRecord, fields, judge, None, there.id))


def finish_request(ws: Workspace, run_id: str, judge: Judge) -> tuple[Receipt, ...]:
    """Store that a run waits for nobody any more; nothing where it does not wait.

    Raises:
        UnknownName: it is no run's id.
        CannotWrite: it could not be written.
    """
    reviews = reviews_of(ws, suite_of(run_id))
    open_ = of_run(load_reviews(reviews), run_id).requests
    return tuple(_finish(reviews, run_id, judge, request.id) for request in open_)


def answer_requests(reviews: Reviews, run_id: str, judge: Judge, asked: Collection[str]) -> None:
    """End the requests that a judge has answered by scoring all that is asked.

    Where that cannot be written they are known to be answered all the same, by the scores.
    """
    said = of_run(load_reviews(reviews), run_id)
    if not said.requests or not said.scored(judge.id).keys() >= set(asked):
        return
    with suppress(CannotWrite):
        for request in said.requests:
            if answered(request, said, judge.id) is not None:
                _finish(reviews, run_id, judge, request.id)


def _finish(reviews: Reviews, run_id: str, judge: Judge, request: str) -> Receipt:
    fields = ApprovalRequestFields(test_run_id=run_id, done=True)
    return store(reviews, make_record(ApprovalRequestRecord, fields, judge, None, request))
