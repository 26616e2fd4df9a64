"""The review records of a suite that are in force, grouped by run."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Final, NamedTuple

from evalcore.families.reviews.review import (
    ADJUDICATION,
    INDEPENDENT,
    JUDGMENT,
    PERSON,
    REVEAL,
    Chain,
    Decided,
    JudgeType,
    Review,
    by_another,
    chains,
    decided_in,
    joined,
    judge_type_of,
    scope,
)
from evalcore.ids import within
from evalcore.workspace.read import no_gc

MAX_CACHED: Final = 8


Machine = tuple[str, JudgeType]
"""A judge that is no person, by name and type."""


class Times(NamedTuple):
    """When a judge first judged a run, and when last with a score that is not withdrawn."""

    first: datetime
    scored: datetime | None


@dataclass(slots=True)
class RunReviews:
    """The review records of one run.

    `judges` holds each person's judgments by the judge's id, including withdrawn ones, and `times`
    when they judged; `machines` those of rules and models, which answer nothing that people are
    asked. `decided` holds the adjudications by key, `skips` the current skips by judge,
    `requests` those that were not withdrawn, the oldest first, `batches` the independent batches
    that it is in, `reveals` when each judge gave up judging it independently. `by_rules` are the
    criteria that rules had decided when the rest was left to people, of the output `ruled_output`.
    `excluded` says that the run is excluded from rates.
    """

    judges: dict[str, dict[str, Chain]] = field(default_factory=dict)
    machines: dict[Machine, dict[str, Chain]] = field(default_factory=dict)
    times: dict[str, Times] = field(default_factory=dict)
    decided: dict[str, Chain] = field(default_factory=dict)
    skips: dict[str, Chain] = field(default_factory=dict)
    requests: list[Chain] = field(default_factory=list)
    batches: list[Review] = field(default_factory=list)
    reveals: dict[str, datetime] = field(default_factory=dict)
    by_rules: dict[str, Decided] = field(default_factory=dict)
    ruled_output: str | None = None
    excluded: bool = False

    def scored(self, judge: str) -> dict[str, Chain]:
        """Return a judge's judgments that are not withdrawn."""
        mine = self.judges.get(judge, {})
        return {key: chain for key, chain in mine.items() if score_of(chain.head) is not None}

    def settled(self, key: str) -> frozenset[str]:
        """Return the ids of the judgments that the one adjudication of a criterion considered."""
        found = self.decided.get(key)
        if found is None or found.rivals or score_of(found.head) is None:
            return frozenset()
        weighed = found.head.fields.get("judgmentIds")
        known = weighed if isinstance(weighed, list) else []
        return frozenset(each for each in known if isinstance(each, str))


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
        with no_gc():
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
    times = reviews.times.get(judge)
    if times is None or times.scored is None or times.scored <= request.created_at:
        return None
    own = request.created_by == judge and times.first <= request.created_at
    return None if own else times.scored


def judges_wanted(request: Review) -> int:
    """Return how many people a request asks to judge all of its run: 1 where it does not say."""
    stated: object = request.fields.get("judges")
    return stated if isinstance(stated, int) and not isinstance(stated, bool) and stated > 1 else 1


def whole_answers(
    request: Review, reviews: RunReviews, asked: Collection[str], stale: Collection[str] = ()
) -> int:
    """Return how many people answered a request by scoring all of some criteria.

    Scores whose ids are `stale` do not count.
    """
    if not asked:
        return 0
    found = 0
    for judge in reviews.judges:
        mine = reviews.scored(judge)
        whole = all(key in mine and mine[key].head.id not in stale for key in asked)
        found += whole and answered(request, reviews, judge) is not None
    return found


def _run_reviews(reviews: tuple[Review, ...]) -> RunReviews:
    """Return the records of one run that are in force."""
    groups: dict[tuple[str, str, str, JudgeType], list[Review]] = defaultdict(list)
    for review in reviews:
        if not by_another(review):
            groups[(*scope(review), judge_type_of(review))].append(review)
    found = RunReviews()
    for (kind, person, key, judge_type), members in groups.items():
        if judge_type == PERSON:
            _take(found, kind, person, key, chains(members))
        else:
            found.machines.setdefault((person, judge_type), {})[key] = joined(chains(members))
    for judge, by_key in found.judges.items():
        first = min(each.created_at for chain in by_key.values() for each in chain.members)
        scored = [chain.head.created_at for chain in found.scored(judge).values()]
        found.times[judge] = Times(first, max(scored, default=None))
    return found


def _take(run: RunReviews, kind: str, person: str, key: str, found: list[Chain]) -> None:
    if kind == JUDGMENT:
        run.judges.setdefault(person, {})[key] = joined(found)
    elif kind == ADJUDICATION:
        run.decided[key] = joined(found)
    elif kind == "skip":
        run.skips.update((person, chain) for chain in _without([joined(found)], "lifted"))
    elif kind == "approval-request":
        run.requests = list(_without(found, "done"))
        for request in (each for chain in found for each in chain.members):
            if by_rules := decided_in(request):  # also where it is answered by now
                run.by_rules, digest = by_rules, request.basis.get("outputSha256")
                run.ruled_output = digest if isinstance(digest, str) else None
    elif kind == INDEPENDENT:
        run.batches = [each.head for each in found]
    elif kind == REVEAL:
        run.reveals[person] = found[-1].head.created_at
    elif kind == "exclusion":
        run.excluded = any(_without(found, "lifted"))


def _without(found: Iterable[Chain], taken_back: str) -> Iterator[Chain]:
    return (chain for chain in found if chain.head.fields.get(taken_back) is not True)


def _number(review: Review, name: str) -> float | None:
    value: object = review.fields.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if math.isfinite(value) else None
