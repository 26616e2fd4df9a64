"""Pass over a run, come back to it, and end a request for somebody's judgment."""

from collections.abc import Collection
from contextlib import suppress

from evalcore.documents.reviews import (
    ApprovalRequestFields,
    ApprovalRequestRecord,
    SkipFields,
    SkipRecord,
)
from evalcore.errors import CannotWrite
from evalcore.judging.answering.writing import receipt_of
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.heads import answered, of_run
from evalcore.judging.storing.made import made, suite_of
from evalcore.judging.storing.place import Reviews, reviews_of, shelf
from evalcore.judging.storing.store import store
from evalcore.workspace.opened import Workspace

MAX_REASON = 1_000


def skip(ws: Workspace, run_id: str, judge: Judge, reason: str = "") -> Receipt:
    """Store that a judge passes over a run; one that they pass over already is left alone.

    Raises:
        UnknownName: it is no run's id.
        CannotWrite: it could not be written.
    """
    reviews = reviews_of(ws, suite_of(run_id))
    there = of_run(shelf(reviews), run_id).skips.get(judge.id)
    if there is not None:
        return receipt_of(reviews, there)
    said = reason.encode("utf-8", "replace").decode().strip()[:MAX_REASON]
    fields = SkipFields(test_run_id=run_id, reason=said)
    return store(reviews, made(SkipRecord, fields, judge, None))


def unskip(ws: Workspace, run_id: str, judge: Judge) -> Receipt | None:
    """Store that a judge comes back to a run; None where they did not pass over it.

    Raises:
        UnknownName: it is no run's id.
        CannotWrite: it could not be written.
    """
    reviews = reviews_of(ws, suite_of(run_id))
    there = of_run(shelf(reviews), run_id).skips.get(judge.id)
    if there is None:
        return None
    fields = SkipFields(test_run_id=run_id, lifted=True)
    return store(reviews, made(SkipRecord, fields, judge, None, there.id))


def finish_request(ws: Workspace, run_id: str, judge: Judge) -> tuple[Receipt, ...]:
    """Store that a run waits for nobody any more; nothing where it does not wait.

    Raises:
        UnknownName: it is no run's id.
        CannotWrite: it could not be written.
    """
    reviews = reviews_of(ws, suite_of(run_id))
    open_ = of_run(shelf(reviews), run_id).requests
    return tuple(_finish(reviews, run_id, judge, request.id) for request in open_)


def answer_requests(reviews: Reviews, run_id: str, judge: Judge, asked: Collection[str]) -> None:
    """End the requests that a judge has answered by scoring all that is asked.

    Where that cannot be written they are known to be answered all the same, by the scores.
    """
    said = of_run(shelf(reviews), run_id)
    if not said.requests or not said.scored(judge.id).keys() >= set(asked):
        return
    with suppress(CannotWrite):
        for request in said.requests:
            if answered(request, said, judge.id) is not None:
                _finish(reviews, run_id, judge, request.id)


def _finish(reviews: Reviews, run_id: str, judge: Judge, request: str) -> Receipt:
    fields = ApprovalRequestFields(test_run_id=run_id, done=True)
    return store(reviews, made(ApprovalRequestRecord, fields, judge, None, request))
