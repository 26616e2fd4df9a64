"""Exclude a run from all rates with a reason, and include it again."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from evalcore.families.reviews.models import ExclusionFields
from evalcore.families.reviews.review import Chain, Review, chains, joined
from evalcore.judging.limits import LIMITS, shortened, stored
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.record_factory import (
    about,
    make_record,
    part_of,
    standing_id,
    suite_of,
    superseding,
)
from evalcore.judging.storing.store import store, store_first
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.workspace.opened import Workspace

COUNTED: Final = "It counts again."


class Exclusion(NamedTuple):
    """Who excluded a run from the rates, when, and why."""

    id: str
    reason: str
    author: str
    created_at: datetime


def exclude(
    ws: Workspace, run_id: str, reason: str, judge: Judge, *, submission: str | None = None
) -> Receipt:
    """Exclude a run; a reason is required.

    Raises:
        ValueError: the reason is blank.
        CannotJudge: it is too long.
        CannotWrite: it could not be written.
        UnknownName: it is no run's id.
    """
    reason = stored(reason, LIMITS.reason, "The reason")
    if not reason:
        raise ValueError("Say why the run is excluded.")
    reviews = review_folder(ws, suite_of(run_id))
    # One chain for each run: lifting it once is enough. A submission never supersedes itself.
    old = _chains((each for each in load_reviews(reviews) if each.id != submission), run_id)
    before = superseding(joined(old) if old else None)
    fields = ExclusionFields(test_run_id=run_id, reason=reason)
    return store(reviews, make_record(fields, judge, submission, before))


def lift(ws: Workspace, run_id: str, judge: Judge) -> tuple[Receipt, ...]:
    """Include a run again; returns no receipt if it is not excluded.

    Raises:
        CannotWrite: it could not be written.
        UnknownName: it is no run's id.
    """
    reviews = review_folder(ws, suite_of(run_id))
    fields = ExclusionFields(test_run_id=run_id, reason=COUNTED, lifted=True)
    records = (
        make_record(
            fields,
            judge,
            part_of(standing_id(chain), "lifted"),
            superseding(chain),
        )
        for chain in _standing(load_reviews(reviews), run_id)
    )
    return tuple(store_first(reviews, record) for record in records)


def exclusion_of(reviews: Iterable[Review], run_id: str) -> Exclusion | None:
    """Return the newest exclusion of a run; None if it counts."""
    found = _standing(reviews, run_id)
    if not found:
        return None
    head = found[-1].head
    reason = head.fields.get("reason")
    text = shortened(reason, LIMITS.reason) if isinstance(reason, str) else ""
    return Exclusion(head.id, text, head.created_by, head.created_at)


def _standing(reviews: Iterable[Review], run_id: str) -> list[Chain]:
    return [
        chain for chain in _chains(reviews, run_id) if chain.head.fields.get("lifted") is not True
    ]


def _chains(reviews: Iterable[Review], run_id: str) -> list[Chain]:
    return chains([each for each in reviews if each.type == "exclusion" and about(each, run_id)])
