"""Send runs to judging: request a person's judgment of them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from evalcore.errors import CannotWrite
from evalcore.families.reviews.models import ApprovalRequestFields
from evalcore.families.reviews.review import Review
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.record_factory import make_record, part_of, suite_of
from evalcore.judging.storing.run_reviews import answered, judges_wanted, reviews_of_run
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews, review_folder
from evalcore.workspace.opened import Workspace

MOST: Final = 500
"""Upper limit of runs sent at once."""


class Sent(NamedTuple):
    """The result of sending runs: receipts, the number already requested, and the failure."""

    receipts: tuple[Receipt, ...]
    waited: int
    failed: str | None = None


def send(
    ws: Workspace,
    run_ids: Sequence[str],
    reason: str,
    judge: Judge,
    *,
    submission: str | None = None,
) -> Sent:
    """Store a request for each run that has no open request yet.

    Raises:
        ValueError: there are more runs than are sent at once.
        CannotJudge: the reason is too long.
        CannotWrite: none of them could be written.
        UnknownName: one is no run's id.
    """
    if len(run_ids) > MOST:
        raise ValueError(f"At most {MOST} runs are sent at once; narrow them with the filters.")
    reason = stored(reason, LIMITS.reason, "The reason")
    receipts: list[Receipt] = []
    waited = 0
    for reviews, run_id, waiting in _each(ws, run_ids):
        name = part_of(submission, run_id)
        if waiting not in (None, name):
            waited += 1
            continue
        fields = ApprovalRequestFields(test_run_id=run_id, reason=reason)
        try:
            receipts.append(store(reviews, make_record(fields, judge, name)))
        except CannotWrite as error:
            if not receipts:
                raise
            return Sent(tuple(receipts), waited, str(error))
    return Sent(tuple(receipts), waited)


def waits_by(reviews: tuple[Review, ...], run_id: str) -> str | None:
    """Return the id of the open request for a run, None if there is none.

    A request that was withdrawn, or answered by somebody's newer scores, is not open.
    """
    found = reviews_of_run(reviews, run_id)
    waiting = (
        each.head.id
        for each in found.requests
        if sum(answered(each.head, found, judge) is not None for judge in found.judges)
        < judges_wanted(each.head)
    )
    return next(waiting, None)


def _each(ws: Workspace, run_ids: Iterable[str]) -> Iterator[tuple[ReviewFolder, str, str | None]]:
    """Yield (review folder, run id, open request) for each run, once."""
    there: dict[str, tuple[ReviewFolder, tuple[Review, ...]]] = {}
    for run_id in dict.fromkeys(run_ids):
        suite = suite_of(run_id)
        if suite not in there:
            reviews = review_folder(ws, suite)
            there[suite] = reviews, load_reviews(reviews)
        reviews, records = there[suite]
        yield reviews, run_id, waits_by(records, run_id)
