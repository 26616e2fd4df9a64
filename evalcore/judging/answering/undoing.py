"""Take scores back: a correction is a new record, and nothing that was said is lost."""

from collections.abc import Iterable

from evalcore.families.reviews.review import Chain, Review
from evalcore.judging.answering.writing import judge_lock, moment, restored, store_all, taken_back
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.heads import score_of
from evalcore.judging.storing.place import reviews_of
from evalcore.judging.storing.record_factory import suite_of
from evalcore.workspace.opened import Workspace


def take_back(
    ws: Workspace, run_id: str, judge: Judge, key: str | None = None
) -> tuple[Receipt, ...]:
    """Store that a judge says nothing of a run any more, or of one criterion (its key).

    What was taken back already is left alone, so to do it twice is to do it once.

    Raises:
        UnknownName: it is no run's id.
        NotAllStored: some could not be written.
    """
    reviews = reviews_of(ws, suite_of(run_id))
    with judge_lock(reviews, judge, run_id) as said:
        at = moment(said.values())
        heads = [chain.head for name, chain in said.items() if key in (None, name)]
        gone = [taken_back(head, judge, at) for head in heads if score_of(head) is not None]
        return store_all(reviews, gone) if gone else ()


def undo(
    ws: Workspace, run_id: str, judge: Judge, of: Iterable[str] | None = None
) -> tuple[Receipt, ...]:
    """Store again what a judge said of a run before their last submission.

    Where nothing was said before, the score is taken back. To undo that is to have it again. `of`
    are the ids of the records to undo, as receipts have them: those that do not stand any more are
    left alone, so that a second click does not undo the undoing.

    Raises:
        UnknownName: it is no run's id.
        NotAllStored: some could not be written; the same `of` completes it.
    """
    reviews = reviews_of(ws, suite_of(run_id))
    wanted = None if of is None else set(of)
    with judge_lock(reviews, judge, run_id) as said:
        last = max((chain.head.created_at for chain in said.values()), default=None)
        chosen = [
            chain
            for chain in said.values()
            if (chain.head.created_at == last if wanted is None else chain.head.id in wanted)
        ]
        at = moment(said.values())
        records = [restored(chain.head, _before(chain), judge, at) for chain in chosen]
        return store_all(reviews, records) if records else ()


def _before(chain: Chain) -> Review | None:
    old = chain.head.supersedes
    return next((each for each in (*chain.replaced, *chain.rivals) if each.id == old), None)
