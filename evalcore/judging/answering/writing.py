"""Put what one judge says of one run on the disk, record by record."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Any, Final

from pydantic import ValidationError

from evalcore.disk.files import Files
from evalcore.errors import AlreadyStored, CannotWrite, NotAllStored, PathOutside
from evalcore.families.reviews.models import Basis as Rests
from evalcore.families.reviews.models import HumanJudgmentFields, HumanJudgmentRecord, ReviewRecord
from evalcore.families.reviews.review import Chain, Review
from evalcore.judging.model import Answer, Asked, Basis, Judge, Level, Receipt
from evalcore.judging.storing.heads import of_run, scale_of, score_of, text_of
from evalcore.judging.storing.place import Reviews, load_reviews
from evalcore.judging.storing.record_factory import within
from evalcore.judging.storing.store import new_id, store

SURENESS: Final[Mapping[Level, float]] = {"low": 0.33, "medium": 0.67, "high": 1.0}
TAKEN_BACK: Final = "Taken back."
_TICK: Final = timedelta(milliseconds=1)

_locks: Final = tuple(Lock() for _ in range(64))


@contextmanager
def judge_lock(reviews: Reviews, judge: Judge, run_id: str) -> Iterator[dict[str, Chain]]:
    """Yield what a judge says of a run, which no other tab of this server changes meanwhile."""
    key = (str(reviews.root), reviews.folder, judge.id, within(run_id))
    with _locks[hash(key) % len(_locks)]:
        yield dict(of_run(load_reviews(reviews), run_id).judges.get(judge.id, {}))


def moment(said: Iterable[Chain]) -> str:
    """Return this moment as records have it, later than whatever the judge said before."""
    last = max((chain.head.created_at for chain in said), default=None)
    now = datetime.now(UTC)
    now = now.replace(microsecond=now.microsecond // 1000 * 1000)
    if last is not None and now <= last:
        now = last + _TICK
    return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def scored(
    run_id: str, of: Asked, answer: Answer, judge: Judge, basis: Basis, at: str
) -> tuple[HumanJudgmentFields, Rests]:
    """Return what a record says of one answer, and what it rests on."""
    fields = HumanJudgmentFields(
        test_run_id=run_id,
        criterion_id=of.key,
        score=_whole(answer.score),
        min_score=_whole(of.low),
        max_score=_whole(of.high),
        rationale=answer.rationale,
        judged_by=judge.id,
        judged_at=at,
        confidence=SURENESS[answer.level] if answer.level else None,
        confidence_level=answer.level,
        evidence=list(answer.evidence),
    )
    rests = Rests(
        output_sha256=basis.output, prompt_sha256=basis.prompt, criterion_sha256=of.sha256
    )
    return fields, rests


def record(
    submission: str,
    said: tuple[HumanJudgmentFields, Rests],
    judge: Judge,
    at: str,
    supersedes: str | None,
) -> HumanJudgmentRecord:
    """Return a judgment as it is stored."""
    fields, rests = said
    return HumanJudgmentRecord(
        id=submission,
        fields=fields,
        created_at=at,
        created_by=judge.id,
        supersedes=supersedes,
        evalcore=rests,
    )


def restored(head: Review, before: Review | None, judge: Judge, at: str) -> HumanJudgmentRecord:
    """Return what replaces a judgment by the one before it; by no score where there is none."""
    fields: dict[str, Any] | None = None
    if before is not None and score_of(before) is not None:
        fields = {**before.fields, "judgedAt": at, "judgedBy": judge.id}
    try:
        if fields is not None:
            said = HumanJudgmentFields.model_validate(fields)
            return record(new_id(), (said, _rests(before)), judge, at, head.id)
    except ValidationError:
        pass  # it was written by hand and never was a valid one: there is nothing to go back to
    return taken_back(head, judge, at)


def taken_back(head: Review, judge: Judge, at: str) -> HumanJudgmentRecord:
    """Return what replaces a judgment by no score."""
    low, high = scale_of(head) or (0, 1)
    fields = HumanJudgmentFields(
        test_run_id=text_of(head, "testRunId"),
        criterion_id=text_of(head, "criterionId"),
        score=None,
        min_score=low,
        max_score=high,
        rationale=TAKEN_BACK,
        judged_by=judge.id,
        judged_at=at,
    )
    return record(new_id(), (fields, Rests()), judge, at, head.id)


def store_all(reviews: Reviews, records: Sequence[ReviewRecord]) -> tuple[Receipt, ...]:
    """Store records in their order; each is attempted, also where one before it failed.

    Raises:
        AlreadyStored: other content is stored under the id of one.
        NotAllStored: some could not be stored; it has the receipts of the others.
    """
    receipts: list[Receipt] = []
    failed: list[CannotWrite] = []
    for each in records:
        try:
            receipts.append(store(reviews, each))
        except AlreadyStored:
            raise
        except CannotWrite as error:
            failed.append(error)
    if failed:
        raise NotAllStored(failed[0], receipts, len(failed)) from failed[0]
    return tuple(receipts)


def receipt_of(reviews: Reviews, review: Review) -> Receipt:
    """Return the receipt of a record that is stored.

    Raises:
        CannotWrite: it cannot be read any more.
    """
    path = reviews.path_of(review.type, review.id)
    try:
        data = Files(reviews.root).read(path)
    except (OSError, PathOutside) as error:
        why = "it was stored and cannot be read now; look for it, then store again"
        raise CannotWrite(reviews.root / path, why) from error
    return Receipt(review.id, hashlib.sha256(data).hexdigest(), path, False)


def _rests(before: Review | None) -> Rests:
    given = before.basis if before is not None else {}
    names = ("outputSha256", "promptSha256", "criterionSha256")
    known = {name: given[name] for name in names if isinstance(given.get(name), str)}
    return Rests.model_validate(known)


def _whole(number: float) -> float:
    """Return a whole number without a decimal point, as people write it."""
    return int(number) if number == int(number) else number
