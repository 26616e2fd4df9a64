"""Skip a run, come back to it, and close requests for a judgment."""

from collections.abc import Collection
from contextlib import suppress

from evalcore.errors import CannotWrite
from evalcore.families.reviews.models import (
    ApprovalRequestFields,
    SkipFields,
)
from evalcore.families.reviews.review import Chain, chains, joined
from evalcore.ids import derived_id, within
from evalcore.judging.answering.writing import receipt_of
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.record_factory import (
    about,
    make_record,
    part_of,
    standing_id,
    suite_of,
    superseding,
)
from evalcore.judging.storing.run_reviews import (
    answered,
    judges_wanted,
    reviews_of_run,
    whole_answers,
)
from evalcore.judging.storing.store import store, store_first
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews, review_folder
from evalcore.workspace.opened import Workspace


def skip(ws: Workspace, run_id: str, judge: Judge, reason: str = "") -> Receipt:
    """Store that a judge skips a run; returns the stored record if they already do.

    Raises:
        CannotJudge: the reason is too long.
        UnknownName: it is no run's id.
        CannotWrite: it could not be written.
    """
    folder = review_folder(ws, suite_of(run_id))
    reviews = load_reviews(folder)
    skipped = reviews_of_run(reviews, run_id).skips.get(judge.id)
    if skipped is not None:
        return receipt_of(folder, skipped.head.type, skipped.head.id)
    fields = SkipFields(test_run_id=run_id, reason=stored(reason, LIMITS.reason, "The reason"))
    own = [each for each in reviews if (each.type, each.created_by) == ("skip", judge.id)]
    lifted = chains([each for each in own if about(each, run_id)])
    before = superseding(joined(lifted) if lifted else None)
    name = derived_id(within(run_id), f"{judge.id} {before}")
    return store_first(folder, make_record(fields, judge, name, before))


def unskip(ws: Workspace, run_id: str, judge: Judge) -> Receipt | None:
    """Store that a judge no longer skips a run; None if they did not skip it.

    Raises:
        UnknownName: it is no run's id.
        CannotWrite: it could not be written.
    """
    folder = review_folder(ws, suite_of(run_id))
    skipped = reviews_of_run(load_reviews(folder), run_id).skips.get(judge.id)
    if skipped is None:
        return None
    fields = SkipFields(test_run_id=run_id, lifted=True)
    name = part_of(standing_id(skipped), "lifted")
    return store(folder, make_record(fields, judge, name, superseding(skipped)))


def finish_request(ws: Workspace, run_id: str, judge: Judge) -> tuple[Receipt, ...]:
    """Close all open requests for a run.

    Raises:
        UnknownName: it is no run's id.
        CannotWrite: it could not be written.
    """
    folder = review_folder(ws, suite_of(run_id))
    open_ = reviews_of_run(load_reviews(folder), run_id).requests
    return tuple(_finish(folder, run_id, judge, request) for request in open_)


def answer_requests(
    folder: ReviewFolder, run_id: str, judge: Judge, asked: Collection[str]
) -> None:
    """Close the requests that a judge, as the last one asked for, answered by scoring everything.

    If that cannot be written, the scores still show that the requests are answered.
    """
    reviews = reviews_of_run(load_reviews(folder), run_id)
    if not reviews.requests or not reviews.scored(judge.id).keys() >= set(asked):
        return
    with suppress(CannotWrite):
        for request in reviews.requests:
            mine = answered(request.head, reviews, judge.id) is not None
            if mine and whole_answers(request.head, reviews, asked) >= judges_wanted(request.head):
                _finish(folder, run_id, judge, request)


def _finish(folder: ReviewFolder, run_id: str, judge: Judge, request: Chain) -> Receipt:
    fields = ApprovalRequestFields(test_run_id=run_id, done=True)
    name = part_of(standing_id(request), "done")
    record = make_record(fields, judge, name, superseding(request))
    return store_first(folder, record)
