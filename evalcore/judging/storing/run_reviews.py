"""The review records of a suite that are in force, grouped by run."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Final, NamedTuple

from evalcore.families.reviews.review import (
    ADJUDICATION,
    JUDGMENT,
    Chain,
    Review,
    chains,
    judge_of,
)
from evalcore.judging.storing.record_factory import within

MAX_CACHED: Final = 8


@dataclass(slots=True)
class RunReviews:
    """The review records of one run.

    `judges` holds each judge's judgments by the judge's id, including withdrawn ones. `settled`
    holds by key the ids of the judgments that an adjudication considered, `skips` the current skips
    by judge, `requests` those that were not withdrawn, the oldest first. `excluded` says that the
    run is excluded from rates.
    """

    judges: dict[str, dict[str, Chain]] = field(default_factory=dict)
    settled: dict[str, frozenset[str]] = field(default_factory=dict)
    skips: dict[str, Review] = field(default_factory=dict)
    requests: list[Review] = field(default_factory=list)
    excluded: bool = False

    def scored(self, judge: str) -> dict[str, Chain]:
        """Return a judge's judgments that are not withdrawn."""
        mine = self.judges.get(judge, {})
        return {key: chain for key, chain in mine.items() if score_of(chain.head) is not None}


NO_REVIEWS: Final = RunReviews()


class _Grouped(NamedTuple):
    """The records of a suite, grouped by run."""

    records: tuple[Review, ...]
    members: Mapping[str, tuple[Review, ...]]
    runs: Mapping[str, RunReviews]


_cache: list[_Grouped] = []
_lock = Lock()


def reviews_by_run(records: tuple[Review, ...]) -> Mapping[str, RunReviews]:
    """Return the review records of each run, by the part of its id after the suite.

    The same tuple of records is grouped once; of a longer one, only the runs with new records are
    grouped again. The result for a run is the same object while it has no new record.
    """
    with _lock:
        known = next((each for each in _cache if each.records is records), None)
        near = [
            each for each in _cache if records and each.records and each.records[0] is records[0]
        ]
    if known is None:
        known = _updated(near[-1], records) if near else _grouped(records)
        with _lock:
            _cache.append(known)
            del _cache[:-MAX_CACHED]
    return known.runs


def reviews_of_run(records: tuple[Review, ...], run_id: str) -> RunReviews:
    """Return the review records of one run."""
    return reviews_by_run(records).get(within(run_id), NO_REVIEWS)


def _grouped(records: tuple[Review, ...]) -> _Grouped:
    members = _members(records)
    return _Grouped(
        records, members, {run: _run_reviews(reviews) for run, reviews in members.items()}
    )


def _updated(before: _Grouped, records: tuple[Review, ...]) -> _Grouped:
    """Return the grouping of records, reusing an earlier one of almost the same records."""
    old, new = set(map(id, before.records)), set(map(id, records))
    added = _members(tuple(review for review in records if id(review) not in old))
    gone = _members(tuple(review for review in before.records if id(review) not in new))
    members, runs = dict(before.members), dict(before.runs)
    for run in {*added, *gone}:
        left = (review for review in members.pop(run, ()) if id(review) in new)
        members[run] = (*left, *added.get(run, ()))
        runs[run] = _run_reviews(members[run])
    return _Grouped(records, members, runs)


def _members(records: tuple[Review, ...]) -> dict[str, tuple[Review, ...]]:
    found: dict[str, list[Review]] = defaultdict(list)
    for review in records:
        named = review.fields.get("testRunId")
        if isinstance(named, str):
            found[within(named)].append(review)
    return {run: tuple(reviews) for run, reviews in found.items()}


def score_of(review: Review) -> float | None:
    """Return the score of a judgment, None if it was withdrawn or is not a number."""
    return _number(review, "score")


def scale_of(review: Review) -> tuple[float, float] | None:
    """Return the ends of a judgment's scale, None if they are invalid."""
    low, high = _number(review, "minScore"), _number(review, "maxScore")
    return (low, high) if low is not None and high is not None and low < high else None


def text_of(review: Review, name: str = "rationale") -> str:
    """Return a text field of a record, empty if it has none."""
    value = review.fields.get(name)
    return value if isinstance(value, str) else ""


def answered(request: Review, reviews: RunReviews, judge: str) -> datetime | None:
    """Return when a judge's scores answered a request; None if they did not.

    Only scores newer than the request answer it. Somebody who had judged a run and requests another
    judge does not answer that by correcting their own scores.
    """
    mine = reviews.judges.get(judge, {})
    newest = max((chain.head.created_at for chain in reviews.scored(judge).values()), default=None)
    if newest is None or newest <= request.created_at:
        return None
    first = min(
        each.created_at for chain in mine.values() for each in (*chain.replaced, chain.head)
    )
    return None if request.created_by == judge and first <= request.created_at else newest


def _run_reviews(reviews: tuple[Review, ...]) -> RunReviews:
    """Return the records of one run that are in force, among those that can replace each other."""
    groups: dict[tuple[str, str, str], list[Review]] = defaultdict(list)
    for review in reviews:
        groups[review.type, *_apart(review)].append(review)
    found = RunReviews()
    for (kind, judge, key), members in groups.items():
        _take(found, kind, judge, key, _chains(members))
    return found


def _apart(review: Review) -> tuple[str, str]:
    """Return the judge and the criterion: records of different ones never replace each other."""
    if review.type in (JUDGMENT, ADJUDICATION):
        key = text_of(review, "criterionId")
        return (judge_of(review) if review.type == JUDGMENT else ""), key
    return (review.created_by if review.type == "skip" else ""), ""


def _chains(reviews: list[Review]) -> list[Chain]:
    return [Chain(reviews[0], (), ())] if len(reviews) == 1 else chains(reviews)


def _take(run: RunReviews, kind: str, judge: str, key: str, found: list[Chain]) -> None:
    newest = found[-1]
    if kind == JUDGMENT:
        run.judges.setdefault(judge, {})[key] = _joined(found)
    elif kind == ADJUDICATION and score_of(newest.head) is not None:
        weighed = newest.head.fields.get("judgmentIds")
        known = weighed if isinstance(weighed, list) else []
        run.settled[key] = frozenset(each for each in known if isinstance(each, str))
    elif kind == "skip" and newest.head.fields.get("lifted") is not True:
        run.skips[judge] = newest.head
    elif kind == "approval-request":
        run.requests = [each.head for each in _without(found, "done")]
    elif kind == "exclusion":
        run.excluded = any(_without(found, "lifted"))


def _joined(found: list[Chain]) -> Chain:
    """Merge chains that were started concurrently; the newest head counts."""
    if len(found) == 1:
        return found[0]
    *others, newest = found
    seen = max((each.order for each in newest.replaced), default=None)
    late = [each for each in others if seen is None or each.head.order > seen]
    gone = (r for each in others for r in (*each.replaced, *each.rivals, each.head))
    rivals = tuple(each.head for each in late)
    old = tuple(review for review in gone if review not in rivals)
    return Chain(newest.head, (*newest.replaced, *old), (*newest.rivals, *rivals))


def _without(found: Iterable[Chain], taken_back: str) -> Iterator[Chain]:
    return (chain for chain in found if chain.head.fields.get(taken_back) is not True)


def _number(review: Review, name: str) -> float | None:
    value: object = review.fields.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if math.isfinite(value) else None
