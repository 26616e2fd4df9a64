"""The verdict rule: better, worse, or can't tell and why; docs/statistics.md says it in words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics import intervals, paired, planning
from evalcore.statistics.intervals import SAME
from evalcore.statistics.planning import FEWEST, LEVEL
from evalcore.statistics.several import holm

Word = Literal["better", "worse", "can't tell"]
Kind = Literal["bounded", "too few", "powerless", "mixed"]
Method = Literal["mcnemar", "sign-flip, exact", "sign-flip, sampled", "none"]
Interval = Literal["score", "bca", "t", "same change", "no change", "none"]
Numbers = NDArray[np.float64]

MARGIN = 0.10
"""A difference, if any, below this is told as "bounded": 10 points."""
BALANCED = 0.4
"""With this share of the changed cases or more each way, they changed both ways."""


@dataclass(frozen=True)
class Verdict:
    """What paired differences (second minus first, one a case, on a scale of length 1) tell.

    `low` to `high` is the 95 % interval of the mean `difference`, None below two cases. `p` is that
    of the test; `adjusted` the same after Holm where several were asked at once, else equal to `p`.
    `bound` is the largest difference, either way, that the interval leaves open. `visible` is the
    smallest true difference that so many cases, as spread as these, would show in 80 % of repeats;
    `needed` is how many cases would show one of `statistics.planning.TARGET`.
    """

    word: Word
    kind: Kind | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    adjusted: float | None
    method: Method
    interval: Interval
    cases: int
    up: int
    down: int
    bound: float | None
    visible: float | None
    needed: int | None

    @property
    def same(self) -> int:
        """How many cases did not change."""
        return self.cases - self.up - self.down

    @property
    def changed(self) -> int:
        """How many cases changed."""
        return self.up + self.down


def verdict(differences: Sequence[float] | Numbers, *, binary: bool = False) -> Verdict:
    """Tell whether paired differences say better, worse, or nothing.

    `differences` are second minus first, one a case, from -1 to 1, in any order. `binary` says that
    each is of one run a side that passed or failed; it is not taken as said where a difference is
    neither -1, 0 nor 1. The second is better, or worse, if the p of the test is below .05, the
    interval excludes 0 and at least six cases changed.

    Raises:
        ValueError: a difference is not a number from -1 to 1.
    """
    return verdicts([(differences, binary)])[0]


def verdicts(
    asked: Sequence[tuple[Sequence[float] | Numbers, bool]],
) -> tuple[Verdict, ...]:
    """Return the verdict of each of several sets of differences that are shown together.

    As `verdict`, but `adjusted` (Holm), not `p`, must be below .05. Adjusted are those that could
    come below it at all, which are those where six cases or more changed: whether the rest is
    asked too makes no difference.
    """
    tested = _adjusted(asked)
    return tuple(_verdict(one, *_interval(one)) for one in tested)


def words(asked: Sequence[tuple[Sequence[float] | Numbers, bool]]) -> tuple[Word, ...]:
    """Return only the word of each of `verdicts`, without the intervals that cannot change it."""
    tested = _adjusted(asked)
    return tuple(_word(one, *_interval(one)[:2]) if _clear(one) else "can't tell" for one in tested)


@dataclass(frozen=True, eq=False)
class _Tested:
    """Sorted differences, those of no account set to 0, and what the test says of them."""

    differences: Numbers
    binary: bool
    up: int
    down: int
    p: float | None
    adjusted: float | None
    method: Method

    @property
    def cases(self) -> int:
        return int(self.differences.size)

    @property
    def mean(self) -> float:
        return math.fsum(self.differences) / self.cases


def _adjusted(asked: Sequence[tuple[Sequence[float] | Numbers, bool]]) -> list[_Tested]:
    tested = [_tested(differences, binary) for differences, binary in asked]
    able = [i for i, one in enumerate(tested) if one.up + one.down >= FEWEST]
    adjusted = holm([tested[i].p or 0.0 for i in able])
    for i, p in zip(able, adjusted, strict=True):
        tested[i] = replace(tested[i], adjusted=p)
    return tested


def _tested(differences: Sequence[float] | Numbers, binary: bool) -> _Tested:
    array = np.sort(np.asarray(differences, dtype=np.float64))
    if not (np.abs(array) <= 1 + SAME).all():
        raise ValueError("Differences are numbers from -1 to 1: scale the values to 0 to 1 first.")
    array = np.where(np.abs(array) <= SAME, 0.0, array)
    up, down = int(np.count_nonzero(array > 0)), int(np.count_nonzero(array < 0))
    binary = binary and bool(np.isin(array, (-1.0, 0.0, 1.0)).all())
    method: Method = "none"
    p: float | None = None
    if array.size and binary:
        p, method = paired.mcnemar(up, down), "mcnemar"
    elif array.size:
        p, exact = paired.sign_flip(array)
        method = "sign-flip, exact" if exact else "sign-flip, sampled"
    return _Tested(array, binary, up, down, p, p, method)


def _interval(one: _Tested) -> tuple[float | None, float | None, Interval]:
    """Return the interval of the mean difference and what it is."""
    if one.cases < 2:
        return None, None, "none"
    if not one.up + one.down:
        width = intervals.unchanged_width(one.cases)
        return -width, width, "no change"
    if one.binary:
        return *paired.score_interval(one.up, one.down, one.cases), "score"
    if np.ptp(one.differences) <= SAME:
        width = intervals.even_width(one.mean, one.cases)
        return *_within(one.mean - width, one.mean + width), "same change"
    return _resampled(one)


def _resampled(one: _Tested) -> tuple[float, float, Interval]:
    """Return the hull of the BCa, the t and Hall's interval, each of which is too narrow at times.

    Below 15 cases the t interval is one of 98 %: `benchmarks/verdicts.py` shows that ten skewed
    differences need it. Hall's is asked where cases changed both ways: those that went the other
    way are its rare values. Where fewer than six cases changed, none says as much of the others as
    "no change" does, so it is no narrower than that.
    """
    found = intervals.bca(one.differences)
    few = one.cases < intervals.FEW
    sure = intervals.SMALL_CONFIDENCE if few else intervals.CONFIDENCE
    hull = [intervals.t_interval(one.differences, sure)]
    if one.up and one.down:
        hull.append(intervals.skew_interval(one.differences))
    if found is not None:
        hull.append(found)
    if one.up + one.down < FEWEST:
        width = intervals.unchanged_width(one.cases)
        hull.append((one.mean - width, one.mean + width))
    low, high = min(low for low, _ in hull), max(high for _, high in hull)
    return *_within(low, high), "t" if found is None else "bca"


def _within(low: float, high: float) -> tuple[float, float]:
    return max(low, -1.0), min(high, 1.0)


def _clear(one: _Tested) -> bool:
    """Say whether the test, and enough cases, speak for a difference."""
    return one.adjusted is not None and one.adjusted < LEVEL and one.up + one.down >= FEWEST


def _word(one: _Tested, low: float | None, high: float | None) -> Word:
    if low is None or high is None or not _clear(one) or low <= 0 <= high:
        return "can't tell"
    return "better" if low > 0 else "worse"


def _kind(one: _Tested, bound: float | None) -> Kind:
    """Return why nothing can be told; the order is that of what helps most to know."""
    changed = one.up + one.down
    if one.cases < FEWEST:
        return "powerless"
    if bound is not None and bound <= MARGIN:
        return "bounded"
    if changed >= FEWEST and min(one.up, one.down) / changed >= BALANCED:
        return "mixed"
    return "powerless" if changed < FEWEST else "too few"


def _verdict(one: _Tested, low: float | None, high: float | None, interval: Interval) -> Verdict:
    word = _word(one, low, high)
    bound = None if low is None or high is None else max(abs(low), abs(high))
    return Verdict(
        word=word,
        kind=_kind(one, bound) if word == "can't tell" else None,
        difference=one.mean if one.cases else None,
        low=low,
        high=high,
        p=one.p,
        adjusted=one.adjusted,
        method=one.method,
        interval=interval,
        cases=one.cases,
        up=one.up,
        down=one.down,
        bound=bound,
        visible=planning.visible(one.differences),
        needed=planning.needed(one.differences),
    )
