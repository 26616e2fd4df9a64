"""Blind studies as their records tell them: what is compared, who judges, and how far they are."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from datetime import datetime
from threading import Lock
from typing import Final, NamedTuple, TypeVar

from msgspec import ValidationError, convert

from evalcore.families.reviews.models import (
    BlindJudgeFields,
    BlindKeyFields,
    BlindPair,
    BlindStudyFields,
    BlindVerdictFields,
    Fields,
)
from evalcore.families.reviews.review import (
    BLIND_JUDGE,
    BLIND_KEY,
    BLIND_STUDY,
    BLIND_VERDICT,
    Part,
    Review,
)
from evalcore.ids import within
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import is_named

F = TypeVar("F", bound=Fields)
OVER: Final[tuple[Part, ...]] = ("gave up", "revealed")


class BlindVerdict(NamedTuple):
    """A judge's verdict on a pair as it stood on the screen: its record's id, author and fields.

    `since` is when the judge's first one on this pair was stored.
    """

    id: str
    judge: str
    fields: BlindVerdictFields
    path: str
    since: datetime


class Study(NamedTuple):
    """A blind study; `verdicts` are those that stand, one for each judge and pair.

    `parts` says what each judge did beside judging. `closed` is when it ended, None while it is
    open; `secret` is then what its commitment was made of, None where that was lost.
    """

    id: str
    suite: str
    fields: BlindStudyFields
    author: str
    since: datetime
    parts: Mapping[str, Part]
    verdicts: tuple[BlindVerdict, ...]
    closed: datetime | None
    secret: str | None

    def takes_part(self, judge: Judge) -> bool:
        """Return whether a judge judges in the open study, and still knows nothing of its sides."""
        part = self.parts.get(judge.id)
        asked = is_named(judge, self.fields.judges, self.fields.names)
        return self.closed is None and part not in OVER and (asked or part == "joined")

    def may_join(self, judge: Judge) -> bool:
        """Return whether a judge could take part and does not yet."""
        anyone = not self.fields.judges and not self.fields.names
        return self.closed is None and anyone and judge.id not in self.parts

    def judged_by(self, judge: str) -> dict[str, BlindVerdict]:
        """Return the verdicts of a judge that stand, by pair."""
        return {each.fields.pair: each for each in self.verdicts if each.judge == judge}

    def open_for(self, judge: Judge) -> tuple[BlindPair, ...]:
        """Return the pairs that a judge has still to compare, in the order of the study."""
        if not self.takes_part(judge):
            return ()
        mine, most = self.judged_by(judge.id), self.fields.judges_per_task
        given = Counter(each.fields.pair for each in self.verdicts)
        return tuple(
            pair
            for pair in self.fields.pairs
            if pair.pair not in mine and (most is None or given[pair.pair] < most)
        )


def studies_of(records: Sequence[Review], suite: str) -> tuple[Study, ...]:
    """Return the studies that records tell of, the newest last; invalid records are left out.

    Those of the last few lists of records are cached: every page asks for them.
    """
    with _lock:
        known = next((found for of, name, found in _read if of is records and name == suite), None)
    if known is not None:
        return known
    found = _studies(records, suite)
    with _lock:
        _read.append((records, suite, found))
    return found


_read: deque[tuple[Sequence[Review], str, tuple[Study, ...]]] = deque(maxlen=8)
_lock = Lock()


def _studies(records: Sequence[Review], suite: str) -> tuple[Study, ...]:
    about: dict[object, list[Review]] = {}
    for record in records:
        if record.type in (BLIND_JUDGE, BLIND_VERDICT, BLIND_KEY):
            about.setdefault(record.fields.get("study"), []).append(record)
    studies = [record for record in records if record.type == BLIND_STUDY]
    found = (_study(record, suite, about.get(record.id, [])) for record in studies)
    return tuple(study for study in found if study is not None)


def runs_compared(studies: Sequence[Study], judge: Judge) -> set[str]:
    """Return the runs of the studies in which a judge has pairs left, by their ids `within`."""
    pairs = (pair for study in studies if study.open_for(judge) for pair in study.fields.pairs)
    return {within(run) for pair in pairs for run in (pair.run_a, pair.run_b)}


def _study(record: Review, suite: str, about: Sequence[Review]) -> Study | None:
    fields = _valid(BlindStudyFields, record)
    if fields is None or not fields.pairs:
        return None
    ended = [(each, found) for each in about if (found := _key(each)) is not None]
    return Study(
        id=record.id,
        suite=suite,
        fields=fields,
        author=record.created_by,
        since=record.created_at,
        parts=_parts(about),
        verdicts=_verdicts(about, {pair.pair for pair in fields.pairs}),
        closed=min((each.created_at for each, _ in ended), default=None),
        secret=next((found.secret for _, found in ended if found.secret is not None), None),
    )


def _key(record: Review) -> BlindKeyFields | None:
    return _valid(BlindKeyFields, record) if record.type == BLIND_KEY else None


def _parts(about: Sequence[Review]) -> dict[str, Part]:
    """Return what each judge did last; who once gave up or was told stays out."""
    found: dict[str, Part] = {}
    for each in sorted(about, key=_order):
        fields = _valid(BlindJudgeFields, each) if each.type == BLIND_JUDGE else None
        if fields is not None and found.get(each.created_by) not in OVER:
            found[each.created_by] = fields.part
    return found


def _verdicts(about: Sequence[Review], pairs: set[str]) -> tuple[BlindVerdict, ...]:
    """Return the last verdict of each judge on each pair, those taken back left out."""
    last: dict[tuple[str, str], BlindVerdict] = {}
    for each in sorted(about, key=_order):
        fields = _valid(BlindVerdictFields, each) if each.type == BLIND_VERDICT else None
        if fields is not None and fields.pair in pairs:
            key = each.created_by, fields.pair
            since = last[key].since if key in last else each.created_at
            last[key] = BlindVerdict(each.id, each.created_by, fields, each.path, since)
    return tuple(each for each in last.values() if each.fields.winner is not None)


def _valid(model: type[F], record: Review) -> F | None:
    try:
        return convert(record.fields, model)
    except ValidationError:
        return None


def _order(record: Review) -> tuple[datetime, str]:
    return record.order
