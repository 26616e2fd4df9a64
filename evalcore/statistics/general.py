"""The test and the interval for cases like these: the cases are the sample, one difference each."""

import math
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics import intervals, paired
from evalcore.statistics.intervals import SAME
from evalcore.statistics.paired_runs import Codes, PairedRuns
from evalcore.statistics.planning_cases import FEWEST, LEVEL

Method = Literal["mcnemar", "sign-flip, exact", "sign-flip, sampled", "none"]
Interval = Literal["score", "bca", "t", "same change", "no change", "none"]
Numbers = NDArray[np.float64]


NOISY_RUNS: Final = 6
"""The mean of more runs that pass or fail is as fine as a score, and as skewed: with 20 runs of ten
cases, 8 % of verdicts were false by the interval that is right for five."""


class Limits(NamedTuple):
    """The interval of a mean difference, None below two cases, and what it is."""

    low: float | None
    high: float | None
    interval: Interval


@dataclass(frozen=True, eq=False)
class General:
    """Differences of what is independent, those of no account set to 0, and their test.

    `differences` are sorted, one a case, or one a cluster where cases lie in clusters; their mean
    is the mean difference over cases. `up` and `down` count cases, `changed` counts differences.
    `scores` says that they are as fine as those of scores: runs do more than pass or fail, there
    are many of them, or cases lie in clusters.
    """

    differences: Numbers
    mean: float
    up: int
    down: int
    changed: int
    binary: bool
    scores: bool
    p: float | None
    method: Method

    @property
    def units(self) -> int:
        """The number of differences: of cases, or of clusters."""
        return int(self.differences.size)


def general(runs: PairedRuns) -> General:
    """Return the test of the mean difference over cases: McNemar's of single runs, or sign flips.

    Runs of a case are averaged first: cases are what is independent, or clusters of them, whose
    sums flip their signs then. Where cases ran more than once it is the mid-p, as means of few runs
    fall on few steps and often tie. Where they ran once, the exact test on these cases is the same
    test and has to hold too.
    """
    each = np.where(np.abs(runs.differences) <= SAME, 0.0, runs.differences)
    if not each.size:
        return General(each, 0.0, 0, 0, 0, binary=False, scores=False, p=None, method="none")
    array, sums, mean = each, each, math.fsum(each) / each.size
    if runs.cluster is not None:
        array, sums = _by_cluster(each, runs.cluster, mean)
    found = paired.sign_flip(sums)
    method: Method = "sign-flip, exact" if found.exact else "sign-flip, sampled"
    binary = runs.single and runs.cluster is None
    return General(
        differences=np.sort(np.rint(array) if binary else array),
        mean=mean,
        up=int(np.count_nonzero(each > 0)),
        down=int(np.count_nonzero(each < 0)),
        changed=int(np.count_nonzero(np.abs(sums) > SAME)),
        binary=binary,
        scores=not _noisy(runs),
        p=found.p if runs.ran_once and array.size == each.size else found.mid,
        method="mcnemar" if binary else method,
    )


def _noisy(runs: PairedRuns) -> bool:
    """Say whether the noise of single runs hides how cases differ: few that pass or fail."""
    few = runs.a.size + runs.b.size <= 2 * NOISY_RUNS * runs.cases
    return runs.pass_fail and few and runs.cluster is None


def _by_cluster(each: Numbers, cluster: Codes, mean: float) -> tuple[Numbers, Numbers]:
    """Return one difference a cluster, and the sums of clusters.

    A cluster's difference is the mean over all cases, and by how much the cluster differs from it,
    by its share of the cases: they vary as the mean does over clusters of unlike sizes.
    """
    order = np.argsort(cluster, kind="stable")
    parts = np.split(each[order], np.flatnonzero(np.diff(cluster[order])) + 1)
    sums = np.array([math.fsum(part) for part in parts])
    sizes = np.array([part.size for part in parts])
    return mean + (sums - sizes * mean) * (len(parts) / each.size), sums


def limits(one: General, level: float = LEVEL) -> Limits:
    """Return the interval of the mean difference over cases, of 95 % or of 1 - `level`."""
    sure = 1 - level
    if one.units < 2:
        return Limits(None, None, "none")
    if not one.changed:
        width = intervals.unchanged_width(one.units, sure)
        return Limits(-width, width, "no change")
    if one.binary:
        return Limits(*paired.score_interval(one.up, one.down, one.units, sure), "score")
    if np.ptp(one.differences) <= SAME:
        width = intervals.even_width(one.mean, one.units, sure)
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
    noisy = not one.scores and one.units < intervals.FEW
    left_out = 1 - sure if noisy else intervals.careful(1 - sure, one.units)
    hull = [intervals.t_interval(one.differences, 1 - left_out)]
    if one.up and one.down and not noisy:
        hull.append(intervals.skew_interval(one.differences, sure))
    if found is not None:
        hull.append(found)
    if one.changed < FEWEST:
        width = intervals.unchanged_width(one.units, sure)
        hull.append((one.mean - width, one.mean + width))
    low, high = min(low for low, _ in hull), max(high for _, high in hull)
    return _within(low, high, "t" if found is None else "bca")


def _within(low: float, high: float, interval: Interval) -> Limits:
    return Limits(max(low, -1.0), min(high, 1.0), interval)
