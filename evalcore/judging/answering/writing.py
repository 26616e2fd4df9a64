"""Write one judge's judgments of one run to disk, record by record."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Final

from msgspec import ValidationError, convert
from msgspec.structs import replace

from evalcore.disk.files import Files
from evalcore.disk.values import time_text
from evalcore.errors import AlreadyStored, CannotWrite, MayBeWritten, NotAllStored, PathOutside
from evalcore.families.reviews.models import Basis as Rests
from evalcore.families.reviews.models import JudgmentFields, ReviewRecord, renewed, without_nulls
from evalcore.families.reviews.review import JUDGMENT, Chain, Review
from evalcore.ids import within
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.record_factory import make_record, superseding
from evalcore.judging.storing.run_reviews import reviews_of_run, scale_of, score_of, text_of
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews

TAKEN_BACK: Final = "Taken back."
_TICK: Final = timedelta(milliseconds=1)

_locks: Final = tuple(Lock() for _ in range(64))


@contextmanager
def judge_lock(folder: ReviewFolder, judge: Judge, run_id: str) -> Iterator[dict[str, Chain]]:
    """Yield a judge's records of a run while no other tab of this server can change them."""
    key = (str(folder.root), folder.path, judge.id, within(run_id))
    with _locks[hash(key) % len(_locks)]:
        yield dict(reviews_of_run(load_reviews(folder), run_id).judges.get(judge.id, {}))


def next_moment(chains: Iterable[Chain]) -> str:
    """Return the current time as records have it, always later than the judge's earlier records."""
    last = max((chain.head.created_at for chain in chains), default=None)
    now = datetime.now(UTC)
    now = now.replace(microsecond=now.microsecond // 1000 * 1000)
    if last is not None and now <= last:
        now = last + _TICK
    return time_text(now)


def restored(chain: Chain, before: Review | None, judge: Judge, at: str) -> ReviewRecord:
    """Return the record that restores a judgment before, or withdraws the score without one."""
    record = taken_back(chain, judge, at)
    if before is None or score_of(before) is None:
        return record
    try:
        fields = renewed(JUDGMENT, {**before.fields, "judgedAt": at, "judgedBy": judge.id})
    except ValidationError:
        return record  # it was written by hand and is not valid: there is nothing to restore
    return replace(record, fields=without_nulls(JUDGMENT, fields), evalcore=_rests(before))


def taken_back(chain: Chain, judge: Judge, at: str) -> ReviewRecord:
    """Return the record that withdraws a judgment."""
    head = chain.head
    low, high = scale_of(head) or (0, 1)
    fields = JudgmentFields(
        test_run_id=text_of(head, "testRunId"),
        criterion_id=text_of(head, "criterionId"),
        score=None,
        min_score=low,
        max_score=high,
        rationale=TAKEN_BACK,
        judged_by=judge.id,
        judged_at=at,
    )
    return make_record(fields, judge, None, superseding(chain), Rests(), at)


def store_all(folder: ReviewFolder, records: Sequence[ReviewRecord]) -> tuple[Receipt, ...]:
    """Store records in order; each is attempted, even if an earlier one failed.

    Raises:
        AlreadyStored: other content is stored under the id of one.
        NotAllStored: some could not be stored; it has the receipts of the others.
    """
    receipts: list[Receipt] = []
    failed: list[CannotWrite] = []
    for each in records:
        try:
            receipts.append(store(folder, each))
        except AlreadyStored:
            raise
        except CannotWrite as error:
            failed.append(error)
    if failed:
        first = next((each for each in failed if isinstance(each, MayBeWritten)), failed[0])
        raise NotAllStored(first, receipts, len(failed)) from first
    return tuple(receipts)


def receipt_of(folder: ReviewFolder, kind: str, name: str) -> Receipt:
    """Return the receipt of a record that is stored, by its type and id.

    Raises:
        CannotWrite: it cannot be read any more.
    """
    path = folder.path_of(kind, name)
    try:
        data = Files(folder.root).read(path)
    except (OSError, PathOutside) as error:
        why = "it was stored and cannot be read now; look for it, then store again"
        raise CannotWrite(folder.root / path, why) from error
    return Receipt(name, hashlib.sha256(data).hexdigest(), path, False)


def _rests(before: Review) -> Rests:
    names = (
        "outputSha256", "promptSha256", "promptSource", "criterionSha256", "criterionSource",
        "reasons",
    )  # fmt: skip
    known = {n: before.basis[n] for n in names if isinstance(before.basis.get(n), str)}
    return convert(known, Rests)
