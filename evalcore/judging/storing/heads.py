"""What stands in a folder of reviews: of all records, those that count, by run."""

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

MAX_KEPT: Final = 8

Said = Mapping[str, Chain]
"""What one judge says of one run: the chain that counts of each criterion, by its key."""


@dataclass(slots=True)
class OfRun:
    """What people said of one run.

    `judges` holds what each judge says by the judge's id, also what was taken back. `settled` holds
    by key the ids of the judgments that an adjudication has weighed, `skips` by judge the skips
    that stand, `requests` those that nobody took back, the oldest first. `excluded` says that
    somebody left the run out of rates.
    """

    judges: dict[str, dict[str, Chain]] = field(default_factory=dict)
    settled: dict[str, frozenset[str]] = field(default_factory=dict)
    skips: dict[str, Review] = field(default_factory=dict)
    requests: list[Review] = field(default_factory=list)
    excluded: bool = False

    def scored(self, judge: str) -> dict[str, Chain]:
        """Return what a judge says and has not taken back."""
        said = self.judges.get(judge, {})
        return {key: chain for key, chain in said.items() if score_of(chain.head) is not None}


NOTHING: Final = OfRun()


class _Kept(NamedTuple):
    """A shelf that was looked through: its records by run, and what stands of them."""

    shelf: tuple[Review, ...]
    members: Mapping[str, tuple[Review, ...]]
    runs: Mapping[str, OfRun]


_kept: list[_Kept] = []
_lock = Lock()


def by_run(shelf: tuple[Review, ...]) -> Mapping[str, OfRun]:
    """Return what people said of each run, by the part of its id that stands after the suite.

    The same shelf is looked through once; of a longer one, only the runs that records were added
    to. What is returned of a run is the same object while nothing is said of it.
    """
    with _lock:
        known = next((each for each in _kept if each.shelf is shelf), None)
        near = [each for each in _kept if shelf and each.shelf and each.shelf[0] is shelf[0]]
    if known is None:
        known = _moved_on(near[-1], shelf) if near else _looked_through(shelf)
        with _lock:
            _kept.append(known)
            del _kept[:-MAX_KEPT]
    return known.runs


def of_run(shelf: tuple[Review, ...], run_id: str) -> OfRun:
    """Return what people said of one run."""
    return by_run(shelf).get(within(run_id), NOTHING)


def _looked_through(shelf: tuple[Review, ...]) -> _Kept:
    members = _members(shelf)
    return _Kept(shelf, members, {run: _of(reviews) for run, reviews in members.items()})


def _moved_on(before: _Kept, shelf: tuple[Review, ...]) -> _Kept:
    """Return what is known of a shelf, given what is known of it as it was."""
    old, new = set(map(id, before.shelf)), set(map(id, shelf))
    added = _members(tuple(review for review in shelf if id(review) not in old))
    gone = _members(tuple(review for review in before.shelf if id(review) not in new))
    members, runs = dict(before.members), dict(before.runs)
    for run in {*added, *gone}:
        left = (review for review in members.pop(run, ()) if id(review) in new)
        members[run] = (*left, *added.get(run, ()))
        runs[run] = _of(members[run])
    return _Kept(shelf, members, runs)


def _members(shelf: tuple[Review, ...]) -> dict[str, tuple[Review, ...]]:
    found: dict[str, list[Review]] = defaultdict(list)
    for review in shelf:
        named = review.fields.get("testRunId")
        if isinstance(named, str):
            found[within(named)].append(review)
    return {run: tuple(reviews) for run, reviews in found.items()}


def score_of(review: Review) -> float | None:
    """Return the score of a judgment, None where it was taken back or is no number."""
    return _number(review, "score")


def scale_of(review: Review) -> tuple[float, float] | None:
    """Return the ends of a judgment's scale, None where they are none."""
    low, high = _number(review, "minScore"), _number(review, "maxScore")
    return (low, high) if low is not None and high is not None and low < high else None


def text_of(review: Review, name: str = "rationale") -> str:
    """Return a text field of a record, empty where it has none."""
    value = review.fields.get(name)
    return value if isinstance(value, str) else ""


def answered(request: Review, said: OfRun, judge: str) -> datetime | None:
    """Return when a judge's scores answered a request; None where they did not.

    They are newer than the request. Who asks for somebody else's scores beside their own does not
    answer that by a correction.
    """
    mine = said.judges.get(judge, {})
    newest = max((chain.head.created_at for chain in said.scored(judge).values()), default=None)
    if newest is None or newest <= request.created_at:
        return None
    first = min(
        each.created_at for chain in mine.values() for each in (*chain.replaced, chain.head)
    )
    return None if request.created_by == judge and first <= request.created_at else newest


def _of(reviews: tuple[Review, ...]) -> OfRun:
    """Return what stands of the records of one run, taken in groups that can replace each other."""
    groups: dict[tuple[str, str, str], list[Review]] = defaultdict(list)
    for review in reviews:
        groups[review.type, *_apart(review)].append(review)
    found = OfRun()
    for (kind, judge, key), members in groups.items():
        _take(found, kind, judge, key, _chains(members))
    return found


def _apart(review: Review) -> tuple[str, str]:
    """Return the judge and the criterion whose records never replace another's."""
    if review.type in (JUDGMENT, ADJUDICATION):
        key = text_of(review, "criterionId")
        return (judge_of(review) if review.type == JUDGMENT else ""), key
    return (review.created_by if review.type == "skip" else ""), ""


def _chains(reviews: list[Review]) -> list[Chain]:
    return [Chain(reviews[0], (), ())] if len(reviews) == 1 else chains(reviews)


def _take(run: OfRun, kind: str, judge: str, key: str, found: list[Chain]) -> None:
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
        run.requests = [each.head for each in _standing(found, "done")]
    elif kind == "exclusion":
        run.excluded = any(_standing(found, "lifted"))


def _joined(found: list[Chain]) -> Chain:
    """Return one chain of several, begun at once in two places; the newest head counts."""
    if len(found) == 1:
        return found[0]
    *others, newest = found
    seen = max((each.order for each in newest.replaced), default=None)
    late = [each for each in others if seen is None or each.head.order > seen]
    gone = (r for each in others for r in (*each.replaced, *each.rivals, each.head))
    rivals = tuple(each.head for each in late)
    old = tuple(review for review in gone if review not in rivals)
    return Chain(newest.head, (*newest.replaced, *old), (*newest.rivals, *rivals))


def _standing(found: Iterable[Chain], taken_back: str) -> Iterator[Chain]:
    return (chain for chain in found if chain.head.fields.get(taken_back) is not True)


def _number(review: Review, name: str) -> float | None:
    value: object = review.fields.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if math.isfinite(value) else None
