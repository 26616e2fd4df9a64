"""The test and the interval for cases like these: the cases are the sample, one difference each."""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics import intervals, paired
from evalcore.statistics.intervals import SAME
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.planning_cases import FEWEST, LEVEL

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
    pass_fail: bool
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

    Runs of a case are averaged first: cases are what is independent. Where cases ran more than once
    it is the mid-p, as means of few runs fall on few steps and often tie. Where they ran once, the
    exact test on these cases is the same test and has to hold too.
    """
    array = np.sort(runs.differences)
    array = np.where(np.abs(array) <= SAME, 0.0, array)
    up, down = int(np.count_nonzero(array > 0)), int(np.count_nonzero(array < 0))
    if not array.size:
        return General(array, False, False, 0, 0, None, "none")
    found = paired.sign_flip(array)
    method: Method = "sign-flip, exact" if found.exact else "sign-flip, sampled"
    if runs.single:
        array, method = np.rint(array), "mcnemar"
    p = found.p if runs.ran_once else found.mid
    return General(array, runs.single, runs.pass_fail, up, down, p, method)


def limits(one: General, level: float = LEVEL) -> Limits:
    """Return the interval of the mean difference over cases, of 95 % or of 1 - `level`."""
    sure = 1 - level
    if one.cases < 2:
        return Limits(None, None, "none")
    if not one.changed:
        width = intervals.unchanged_width(one.cases, sure)
        return Limits(-width, width, "no change")
    if one.binary:
        return Limits(*paired.score_interval(one.up, one.down, one.cases, sure), "score")
    if np.ptp(one.differences) <= SAME:
        width = intervals.even_width(one.mean, one.cases, sure)
        return _within(one.mean - width, one.mean + width, "same change")
    return _resampled(one, sure)


def _resampled(one: General, sure: float) -> Limits:
    """Return the hull of the BCa, the t and Hall's interval, each of which is too narrow at times.

    Below 15 cases the t interval leaves out less, down to 2 % at ten: `benchmarks/verdicts.py`
    shows that ten skewed scores need it. Hall's is asked where cases changed both ways: those that
    went the other way are its rare values. Where runs pass or fail, their noise hides the skewness
    of so few cases, and neither is needed. Where fewer than six cases changed, none says as much of
    the others as "no change" does, so it is no narrower than that.
    """
    found = intervals.bca(one.differences, sure)
    noisy = one.pass_fail and one.cases < intervals.FEW
    left_out = 1 - sure if noisy else intervals.careful(1 - sure, one.cases)
    hull = [intervals.t_interval(one.differences, 1 - left_out)]
    if one.up and one.down and not noisy:
        hull.append(intervals.skew_interval(one.differences, sure))
    if found is not None:
        hull.append(found)
    if one.changed < FEWEST:
        width = intervals.unchanged_width(one.cases, sure)
        hull.append((one.mean - width, one.mean + width))
    low, high = min(low for low, _ in hull), max(high for _, high in hull)
    return _within(low, high, "t" if found is None else "bca")


def _within(low: float, high: float, interval: Interval) -> Limits:
    return Limits(max(low, -1.0), min(high, 1.0), interval)
