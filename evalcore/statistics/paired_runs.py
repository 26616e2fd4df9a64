"""The runs of the same cases on two sides: what a verdict is computed from."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evalcore.statistics.intervals import SAME

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairedRuns:
    """The values, from 0 to 1, of the runs of each case on both sides, in any order.

    `case_a` and `case_b` hold the case of each value, counted from 0 without a gap: each case has a
    run or more on each side. `cluster` holds the cluster of each case where cases are alike in
    groups, such as those made from one template; None where every case stands for itself.

    Raises:
        ValueError: a value is no number from 0 to 1, a case has no run on one side, or there are
            not as many cases as values, or clusters as cases.
    """

    a: Numbers
    b: Numbers
    case_a: Codes
    case_b: Codes
    cluster: Codes | None = None

    def __post_init__(self) -> None:
        for values, cases in ((self.a, self.case_a), (self.b, self.case_b)):
            if values.shape != cases.shape or values.ndim != 1:
                raise ValueError("Each value has its case: give as many cases as values.")
            if not ((values >= -SAME) & (values <= 1 + SAME)).all():
                raise ValueError("Values are numbers from 0 to 1: scale the scores first.")
        if len(self.runs_a) != len(self.runs_b) or not (self.runs_a.all() and self.runs_b.all()):
            raise ValueError("Every case has a run on each side: leave the others out first.")
        if self.cluster is not None and self.cluster.shape != (self.cases,):
            raise ValueError("Each case has its cluster: give as many clusters as cases.")

    @classmethod
    def of_means(cls, a: ArrayLike, b: ArrayLike, cluster: Codes | None = None) -> "PairedRuns":
        """Return cases with one run a side, whose values are `a` and `b`, one a case."""
        first, second = (np.asarray(side, dtype=np.float64) for side in (a, b))
        return cls(first, second, np.arange(first.size), np.arange(second.size), cluster)

    @classmethod
    def of_tables(cls, a: ArrayLike, b: ArrayLike, cluster: Codes | None = None) -> "PairedRuns":
        """Return cases with as many runs each: a row of values for each case, on both sides."""
        first, second = (np.asarray(side, dtype=np.float64) for side in (a, b))
        case_a, case_b = (np.repeat(np.arange(len(s)), s.shape[1]) for s in (first, second))
        return cls(first.ravel(), second.ravel(), case_a, case_b, cluster)

    @cached_property
    def runs_a(self) -> Codes:
        """The number of runs of A of each case."""
        return np.bincount(self.case_a)

    @cached_property
    def runs_b(self) -> Codes:
        """The number of runs of B of each case."""
        return np.bincount(self.case_b)

    @property
    def exchanged(self) -> "PairedRuns":
        """The same cases with A and B exchanged."""
        return PairedRuns(self.b, self.a, self.case_b, self.case_a, self.cluster)

    @property
    def cases(self) -> int:
        """The number of cases."""
        return len(self.runs_a)

    @cached_property
    def differences(self) -> Numbers:
        """For each case the mean of B's runs minus that of A's, whatever the order of runs."""
        return self.means_b - self.means_a

    @cached_property
    def means_a(self) -> Numbers:
        """The mean of A's runs of each case."""
        return _means(self.a, self.case_a, self.runs_a)

    @cached_property
    def means_b(self) -> Numbers:
        """The mean of B's runs of each case."""
        return _means(self.b, self.case_b, self.runs_b)

    @cached_property
    def ran_once(self) -> bool:
        """Whether no case has two runs on either side."""
        return bool((self.runs_a == 1).all() and (self.runs_b == 1).all())

    @cached_property
    def pass_fail(self) -> bool:
        """Whether every run either passed (1) or failed (0)."""
        both = np.concatenate([self.a, self.b])
        return bool((np.minimum(np.abs(both), np.abs(both - 1)) <= SAME).all())

    @property
    def single(self) -> bool:
        """Whether every case has one run a side that either passed or failed."""
        return self.ran_once and self.pass_fail


def _means(values: Numbers, cases: Codes, runs: Codes) -> Numbers:
    """Return the mean of each case, sorted first so that the order of runs changes no bit."""
    ordered = np.lexsort((values, cases)) if len(values) > len(runs) else slice(None)
    found: Numbers = np.bincount(cases[ordered], values[ordered], len(runs)) / np.maximum(runs, 1)
    return found
