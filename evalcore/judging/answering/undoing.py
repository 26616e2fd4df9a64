"""Withdraw or restore scores; each is a new record, so that no earlier score is lost."""

from collections.abc import Iterable

from evalcore.families.reviews.review import Chain, Review
from evalcore.judging.answering.writing import (
    judge_lock,
    next_moment,
    restored,
    store_all,
    taken_back,
)
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.record_factory import suite_of
from evalcore.judging.storing.run_reviews import score_of
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.workspace.opened import Workspace


def take_back(
    ws: Workspace, run_id: str, judge: Judge, key: str | None = None
) -> tuple[Receipt, ...]:
    """Withdraw a judge's scores of a run, or of one criterion (its key).

    What is already withdrawn is left alone, so that a second call has no effect.

    Raises:
        UnknownName: it is no run's id.
        NotAllStored: some could not be written.
    """
    folder = review_folder(ws, suite_of(run_id))
    with judge_lock(folder, judge, run_id) as chains:
        at = next_moment(chains.values())
        chosen = [chain for name, chain in chains.items() if key in (None, name)]
        records = [
            taken_back(chain, judge, at)
            for chain in chosen
            if any(score_of(head) is not None for head in chain.heads)
        ]
        return store_all(folder, records) if records else ()


def undo(
    ws: Workspace, run_id: str, judge: Judge, of: Iterable[str] | None = None
) -> tuple[Receipt, ...]:
    """Restore a judge's scores of a run from before their last submission.

    If there was no earlier score, the score is withdrawn; undoing that restores it. `of` are the
    ids of the records to undo, as receipts have them. Records that are no longer current are left
    alone, so that a second click does not undo the undo.

    Raises:
        UnknownName: it is no run's id.
        NotAllStored: some could not be written; the same `of` completes it.
    """
    folder = review_folder(ws, suite_of(run_id))
    wanted = None if of is None else set(of)
    with judge_lock(folder, judge, run_id) as chains:
        last = max((chain.head.created_at for chain in chains.values()), default=None)
        chosen = [
            chain
            for chain in chains.values()
            if (chain.head.created_at == last if wanted is None else chain.head.id in wanted)
        ]
        at = next_moment(chains.values())
        records = [restored(chain, _before(chain), judge, at) for chain in chosen]
        return store_all(folder, records) if records else ()


def _before(chain: Chain) -> Review | None:
    """Return the judgment that counted before the current one."""
    named = set(chain.head.supersedes)
    return next((each for each in reversed(chain.replaced) if each.id in named), None)
