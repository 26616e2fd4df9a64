"""The test and the interval for cases like these: the cases are the sample, one difference each."""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics import intervals, paired
from evalcore.statistics.intervals import SAME
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.planning import FEWEST

Method = Literal["mcnemar", "sign-flip, exact", "sign-flip, sampled", "none"]
Interval = Literal["score", "bca", "t", "same change", "no change", "none"]
Numbers = NDArray[np.float64]


class Limits(NamedTuple):
    """The interval of a mean difference, None below two cases, and what it is."""

    low: float | None
    high: float | None
    interval: Interval


@dataclass(frozen=True, eq=False)
class General:
    """Sorted differences, those of no account set to 0, and what the test says of them."""

    differences: Numbers
    binary: bool
    up: int
    down: int
    p: float | None
    method: Method

    @property
    def cases(self) -> int:
        """The number of differences."""
        return int(self.differences.size)

    @property
    def changed(self) -> int:
        """How many cases changed."""
        return self.up + self.down

    @property
    def mean(self) -> float:
        """The mean difference, of one case or more."""
        return math.fsum(self.differences) / self.cases


def general(runs: PairedRuns) -> General:
    """Return the test of the mean difference over cases: McNemar's of single runs, or sign flips.

    Runs of a case are averaged first: cases are what is independent.
    """
    array = np.sort(runs.differences)
    array = np.where(np.abs(array) <= SAME, 0.0, array)
    up, down = int(np.count_nonzero(array > 0)), int(np.count_nonzero(array < 0))
    if not array.size:
        return General(array, False, 0, 0, None, "none")
    if runs.single:
        return General(np.rint(array), True, up, down, paired.mcnemar(up, down), "mcnemar")
    p, exact = paired.sign_flip(array)
    method: Method = "sign-flip, exact" if exact else "sign-flip, sampled"
    return General(array, False, up, down, p, method)


def limits(one: General) -> Limits:
    """Return the 95 % interval of the mean difference over cases."""
    if one.cases < 2:
        return Limits(None, None, "none")
    if not one.changed:
        width = intervals.unchanged_width(one.cases)
        return Limits(-width, width, "no change")
    if one.binary:
        return Limits(*paired.score_interval(one.up, one.down, one.cases), "score")
    if np.ptp(one.differences) <= SAME:
        width = intervals.even_width(one.mean, one.cases)
        return _within(one.mean - width, one.mean + width, "same change")
    return _resampled(one)


def _resampled(one: General) -> Limits:
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
    if one.changed < FEWEST:
        width = intervals.unchanged_width(one.cases)
        hull.append((one.mean - width, one.mean + width))
    low, high = min(low for low, _ in hull), max(high for _, high in hull)
    return _within(low, high, "t" if found is None else "bca")


def _within(low: float, high: float, interval: Interval) -> Limits:
    return Limits(max(low, -1.0), min(high, 1.0), interval)
