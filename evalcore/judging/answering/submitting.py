"""Submit a judge's answers: validate them, store each as a record, and read the records back."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from evalcore.disk.files import Files
from evalcore.disk.parsing import parse
from evalcore.errors import PathOutside, StaleTask
from evalcore.families.reviews.models import JudgmentFields, ReviewRecord
from evalcore.families.reviews.review import Chain, Review, Seen, review_of
from evalcore.judging.answering.answers import checked
from evalcore.judging.answering.skips import answer_requests, finish_request, skip, unskip
from evalcore.judging.answering.undoing import take_back, undo
from evalcore.judging.answering.writing import (
    judge_lock,
    next_moment,
    receipt_of,
    store_all,
)
from evalcore.judging.asking.differences import differences, own_changes
from evalcore.judging.asking.tasks import LEVELS
from evalcore.judging.model import Answer, Asked, Judge, Level, ReadBack, Receipt, Task
from evalcore.judging.storing.record_factory import make_record, rests_on, superseding
from evalcore.judging.storing.run_reviews import scale_of, score_of, text_of
from evalcore.judging.storing.stored_reviews import ReviewFolder, review_folder
from evalcore.numbers import whole
from evalcore.workspace.opened import Workspace

__all__ = ["finish_request", "read_back", "skip", "submit", "take_back", "undo", "unskip"]

_CONFIDENCE: Final[Mapping[Level, float]] = {"low": 0.33, "medium": 0.67, "high": 1.0}


def submit(
    ws: Workspace,
    task: Task,
    answers: Sequence[Answer],
    judge: Judge,
    *,
    partial: bool = False,
    seen: list[Seen] | None = None,
) -> tuple[Receipt, ...]:
    """Store a judge's answers, one record each, and return the receipts in the order of the task.

    Submitting the same task twice has no further effect. An answer that is already stored with the
    same content and basis is not written again. With `partial`, criteria may be left unscored.
    `seen` is what the judge could have seen of the run before, None if that is not known.

    Raises:
        CannotJudge: an answer is missing, off the scale, or without a rationale that the suite
            requires; nothing is stored.
        StaleTask: the run changed since the judge saw it, or the judge has answered it elsewhere
            in the meantime; nothing is stored by this call.
        NotAllStored: some answers could not be written; those that were have receipts in it.
    """
    given = checked(task, answers, partial=partial)
    folder = review_folder(ws, task.suite)
    with judge_lock(folder, judge, task.run_id) as chains:
        receipts = _stored(ws, folder, task, given, judge, chains, seen)
    answer_requests(folder, task.run_id, judge, {each.key for each in task.left})
    return receipts


def _stored(
    ws: Workspace,
    folder: ReviewFolder,
    task: Task,
    given: Mapping[str, Answer],
    judge: Judge,
    chains: Mapping[str, Chain],
    seen: list[Seen] | None,
) -> tuple[Receipt, ...]:
    """Store the answers that are not stored yet."""
    mine = {each.id: each for chain in chains.values() for each in chain.members}
    stored = {key: mine[task.ids[key]] for key in given if task.ids.get(key) in mine}
    open_ = [key for key in given if key not in stored]
    unchanged = {
        key: chains[key].head for key in open_ if key in chains and _unchanged(task, given[key])
    }
    changes = own_changes(task, chains, {key: _same(given[key], stored[key]) for key in stored})
    open_criteria = [
        each for each in task.criteria if each.key in open_ and each.key not in unchanged
    ]
    if not changes and open_criteria:
        changes = differences(ws, task)
    if changes:
        raise StaleTask(f"{' '.join(changes)} Nothing was stored. Look again, then store.")
    records = _records(task, open_criteria, given, judge, chains, stored, seen)
    new = {each.id: each for each in store_all(folder, records)} if records else {}
    old = {
        key: receipt_of(folder, review.type, review.id)
        for key, review in (stored | unchanged).items()
    }
    return tuple(old.get(key) or new[task.ids[key]] for key in given)


def _records(
    task: Task,
    open_criteria: Sequence[Asked],
    given: Mapping[str, Answer],
    judge: Judge,
    chains: Mapping[str, Chain],
    stored: Mapping[str, Review],
    seen: list[Seen] | None,
) -> list[ReviewRecord]:
    """Return records of the answers, all with one time: that of the stored ones, if any."""
    at = next((text_of(review, "judgedAt") for review in stored.values()), "") or next_moment(
        chains.values()
    )
    found = []
    for of in open_criteria:
        answer = given[of.key]
        fields = JudgmentFields(
            test_run_id=task.run_id,
            criterion_id=of.key,
            score=whole(answer.score),
            min_score=whole(of.low),
            max_score=whole(of.high),
            rationale=answer.rationale,
            judged_by=judge.id,
            judged_at=at,
            confidence=_CONFIDENCE[answer.level] if answer.level else None,
            confidence_level=answer.level,
            evidence=list(answer.evidence),
        )
        rests = replace(rests_on(task.basis, of.key), seen=seen, reasons=task.reasons)
        older = superseding(chains.get(of.key))
        found.append(make_record(fields, judge, task.ids[of.key], older, rests, at))
    return found


def _unchanged(task: Task, answer: Answer) -> bool:
    """Return whether an answer equals the stored one and its basis has not changed."""
    mine = task.mine.get(answer.key)
    return (
        mine is not None
        and mine.stale is None
        and mine.score is not None
        and answer == Answer(mine.key, mine.score, mine.rationale, mine.evidence, mine.level)
    )


def _same(answer: Answer, review: Review) -> bool:
    """Return whether a stored judgment has the content of an answer."""
    evidence = review.fields.get("evidence") or []
    return (
        score_of(review) == answer.score
        and text_of(review) == answer.rationale
        and list(evidence) == list(answer.evidence)
        and (text_of(review, "confidenceLevel") or None) == answer.level
    )


def read_back(folder: ReviewFolder, receipts: Sequence[Receipt]) -> tuple[ReadBack, ...]:
    """Return the stored answers of some receipts, read from disk rather than from what was typed.

    A record whose bytes differ from its receipt is returned as not intact.
    """
    files = Files(folder.root)
    return tuple(_read(files, receipt) for receipt in receipts)


def _read(files: Files, receipt: Receipt) -> ReadBack:
    try:
        data = files.read(receipt.path)
    except (OSError, PathOutside):
        data = b""
    intact = hashlib.sha256(data).hexdigest() == receipt.sha256
    review = review_of(parse(data), receipt.path) if intact else None
    if review is None or review.id != receipt.id:
        return ReadBack(
            id=receipt.id,
            key="",
            score=None,
            low=None,
            high=None,
            rationale="",
            evidence=(),
            level=None,
            intact=False,
        )
    low, high = scale_of(review) or (None, None)
    level = text_of(review, "confidenceLevel")
    evidence = review.fields.get("evidence") or []
    return ReadBack(
        id=review.id,
        key=text_of(review, "criterionId"),
        score=score_of(review),
        low=low,
        high=high,
        rationale=text_of(review),
        evidence=tuple(map(str, evidence)),
        level=next((each for each in LEVELS if each == level), None),
        intact=True,
    )
