"""Take a judge's answers: check them, store each as a record, and show what was stored."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from evalcore.disk.files import Files
from evalcore.disk.parsing import parse
from evalcore.errors import PathOutside, StaleTask
from evalcore.families.reviews.review import Chain, Review, review_of
from evalcore.judging.answering.answers import checked
from evalcore.judging.answering.undoing import take_back, undo
from evalcore.judging.answering.waiting import answer_requests, finish_request, skip, unskip
from evalcore.judging.answering.writing import (
    judge_lock,
    moment,
    receipt_of,
    record,
    scored,
    store_all,
)
from evalcore.judging.asking.differences import differences, not_mine
from evalcore.judging.asking.tasks import LEVELS
from evalcore.judging.model import Answer, Asked, Judge, ReadBack, Receipt, Task
from evalcore.judging.storing.heads import scale_of, score_of, text_of
from evalcore.judging.storing.place import Reviews, reviews_of
from evalcore.workspace.opened import Workspace

__all__ = ["finish_request", "read_back", "skip", "submit", "take_back", "undo", "unskip"]


def submit(
    ws: Workspace,
    task: Task,
    answers: Sequence[Answer],
    judge: Judge,
    *,
    partial: bool = False,
) -> tuple[Receipt, ...]:
    """Store a judge's answers, one record each, and return the receipts in the order of the task.

    To submit the same task twice is to submit it once. What the judge said before with the same
    words, and rests on the same, is not written again. With `partial`, criteria may be left open.

    Raises:
        CannotJudge: an answer is missing, off the scale or without a rationale; nothing is stored.
        StaleTask: the run is not what the judge saw any more, or the judge has answered it
            elsewhere meanwhile; nothing is stored by this call.
        NotAllStored: some answers could not be written; those that were have receipts in it.
    """
    given = checked(task, answers, partial=partial)
    reviews = reviews_of(ws, task.suite)
    with judge_lock(reviews, judge, task.run_id) as said:
        receipts = _stored(ws, reviews, task, given, judge, said)
    answer_requests(reviews, task.run_id, judge, {each.key for each in task.criteria})
    return receipts


def _stored(
    ws: Workspace,
    reviews: Reviews,
    task: Task,
    given: Mapping[str, Answer],
    judge: Judge,
    said: Mapping[str, Chain],
) -> tuple[Receipt, ...]:
    """Store those answers that are not stored yet."""
    mine = {each.id: each for chain in said.values() for each in _members(chain)}
    known = {key: mine[task.ids[key]] for key in given if task.ids.get(key) in mine}
    open_ = [key for key in given if key not in known]
    before = {key: said[key].head for key in open_ if key in said and _unchanged(task, given[key])}
    changes = not_mine(task, said, {key: _same(given[key], known[key]) for key in known})
    left = [each for each in task.criteria if each.key in open_ and each.key not in before]
    if not changes and left:
        changes = differences(ws, task)
    if changes:
        raise StaleTask(f"{' '.join(changes)} Nothing was stored now: look again, then store.")
    records = _records(task, left, given, judge, said, known)
    new = {each.id: each for each in store_all(reviews, records)} if records else {}
    old = {key: receipt_of(reviews, review) for key, review in (known | before).items()}
    return tuple(old.get(key) or new[task.ids[key]] for key in given)


def _records(
    task: Task,
    left: Sequence[Asked],
    given: Mapping[str, Answer],
    judge: Judge,
    said: Mapping[str, Chain],
    known: Mapping[str, Review],
) -> list[Any]:
    """Return the records of some answers, of one moment: that of those stored already, if any."""
    at = next((text_of(review, "judgedAt") for review in known.values()), "") or moment(
        said.values()
    )
    return [
        record(
            task.ids[each.key],
            scored(task.run_id, each, given[each.key], judge, task.basis, at),
            judge,
            at,
            said[each.key].head.id if each.key in said else None,
        )
        for each in left
    ]


def _members(chain: Chain) -> tuple[Review, ...]:
    return (*chain.replaced, *chain.rivals, chain.head)


def _unchanged(task: Task, answer: Answer) -> bool:
    """Say whether an answer is the one that stands, and nothing that it rests on has changed."""
    mine = task.mine.get(answer.key)
    return (
        mine is not None
        and mine.stale is None
        and mine.score is not None
        and answer == Answer(mine.key, mine.score, mine.rationale, mine.evidence, mine.level)
    )


def _same(answer: Answer, review: Review) -> bool:
    """Say whether a stored judgment says what an answer says."""
    evidence = review.fields.get("evidence") or []
    return (
        score_of(review) == answer.score
        and text_of(review) == answer.rationale
        and list(evidence) == list(answer.evidence)
        and (text_of(review, "confidenceLevel") or None) == answer.level
    )


def read_back(reviews: Reviews, receipts: Sequence[Receipt]) -> tuple[ReadBack, ...]:
    """Return what receipts stand for, read from the disk, so that nobody is shown what they typed.

    A record whose bytes are not those of its receipt is not shown.
    """
    files = Files(reviews.root)
    return tuple(_read(files, receipt) for receipt in receipts)


def _read(files: Files, receipt: Receipt) -> ReadBack:
    try:
        data = files.read(receipt.path)
    except (OSError, PathOutside):
        data = b""
    intact = hashlib.sha256(data).hexdigest() == receipt.sha256
    review = review_of(parse(data), receipt.path) if intact else None
    if review is None or review.id != receipt.id:
        return ReadBack(receipt.id, "", None, None, None, "", (), None, False)
    low, high = scale_of(review) or (None, None)
    level = text_of(review, "confidenceLevel")
    evidence = review.fields.get("evidence") or []
    return ReadBack(
        review.id,
        text_of(review, "criterionId"),
        score_of(review),
        low,
        high,
        text_of(review),
        tuple(map(str, evidence)),
        next((each for each in LEVELS if each == level), None),
        True,
    )
