"""Resolve a disagreement between judges: store the score that counts, with the reason."""

from collections.abc import Sequence
from typing import NamedTuple

from evalcore.disk.values import now_text
from evalcore.errors import StaleTask
from evalcore.families.reviews.models import AdjudicationFields
from evalcore.families.reviews.review import Review
from evalcore.ids import within
from evalcore.judging.agreeing.ratings import Rating, ratings
from evalcore.judging.asking.asked import asked, basis
from evalcore.judging.limits import LIMITS, stored
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.record_factory import (
    make_record,
    one_or_list,
    rests_on,
    standing_id,
    suite_of,
    superseding,
)
from evalcore.judging.storing.run_reviews import reviews_of_run
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.workspace.opened import Workspace


class Decision(NamedTuple):
    """A person's decision on one criterion of one run.

    `judgment_ids` are the judgments that the person saw, `over` the `standing_id` of the decision
    before, None where there was none. `submission` is the id of the record, made once for what is
    typed once.
    """

    run_id: str
    key: str
    score: float
    rationale: str
    judgment_ids: tuple[str, ...]
    over: str | None = None
    submission: str | None = None


def adjudicate(ws: Workspace, decision: Decision, judge: Judge) -> Receipt:
    """Store the score of a criterion that outranks those of all judges.

    The judgments and the adjudication must still be those that the person saw. Storing the same
    submission twice has no further effect.

    Raises:
        ValueError: the reason is blank, or the score is not on the scale.
        CannotJudge: the reason is too long.
        StaleTask: a judgment was added or withdrawn since the person looked, somebody else
            decided, or the criterion is no longer part of the run.
        CannotWrite: it could not be written.
        UnknownName: it is no run's id.
    """
    run_id, key = decision.run_id, decision.key
    found = next((one for one in asked(ws, run_id) if one.key == key), None)
    if found is None:
        raise StaleTask("This criterion is not asked of the run any more; load the page again.")
    suite, criterion = suite_of(run_id), found
    folder = review_folder(ws, suite)
    there = load_reviews(folder)
    rationale = stored(decision.rationale, LIMITS.rationale, "The reason")
    if not rationale:
        raise ValueError("Say why this score counts.")
    if not criterion.low <= decision.score <= criterion.high:
        raise ValueError(f"The scale goes from {criterion.low:g} to {criterion.high:g}.")
    before = _before(there, decision)
    _same(ratings(ws, suite, there).get(within(run_id), {}).get(key, []), decision.judgment_ids)
    fields = AdjudicationFields(
        test_run_id=run_id,
        criterion_id=key,
        score=decision.score,
        min_score=criterion.low,
        max_score=criterion.high,
        rationale=rationale,
        judged_by=judge.id,
        judged_at=now_text(),
        judgment_ids=sorted(decision.judgment_ids),
    )
    rests = rests_on(basis(ws, run_id), key)
    return store(folder, make_record(fields, judge, decision.submission, before, rests))


def _before(there: tuple[Review, ...], decision: Decision) -> str | list[str] | None:
    """Return what a new adjudication replaces.

    If the current one has the same submission, it is this decision stored earlier: return what
    that one replaced.
    """
    found = reviews_of_run(there, decision.run_id).decided.get(decision.key)
    if found is not None and found.head.id == decision.submission:
        return one_or_list(found.head.supersedes)
    if (None if found is None else standing_id(found)) != decision.over:
        who = found.head.created_by if found is not None else "Somebody"
        raise StaleTask(f"{who} decided this meanwhile; look at it before you decide again.")
    return superseding(found)


def _same(standing: Sequence[Rating], seen: Sequence[str]) -> None:
    """Raise `StaleTask` if the current judgments are not those that were seen."""
    new = sorted(rating.judge for rating in standing if rating.id not in set(seen))
    if new:
        raise StaleTask(
            f"{' and '.join(new)} scored this meanwhile; look at the scores before you decide."
        )
    if len(set(seen)) != len(standing):
        raise StaleTask(
            "A score that you saw was taken back or replaced meanwhile; look at those that stand "
            "before you decide."
        )
