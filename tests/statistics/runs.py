"""Runs of cases, written as tests think of them."""

from collections.abc import Sequence

import numpy as np

from evalcore.statistics.paired_runs import Codes, Numbers, PairedRuns


def from_differences(differences: Sequence[float] | Numbers) -> PairedRuns:
    """Return cases with one run a side, whose second is so much higher."""
    array = np.asarray(differences, dtype=np.float64)
    return PairedRuns.of_means(np.maximum(-array, 0), np.maximum(array, 0))


def from_runs(*cases: tuple[Sequence[float], Sequence[float]]) -> PairedRuns:
    """Return cases, each the values of the runs of A and of B."""
    (a, case_a), (b, case_b) = (_flat([case[side] for case in cases]) for side in (0, 1))
    return PairedRuns(a, b, case_a, case_b)


def _flat(side: Sequence[Sequence[float]]) -> tuple[Numbers, Codes]:
    values = np.array([value for values in side for value in values], np.float64)
    return values, np.repeat(np.arange(len(side)), [len(values) for values in side])
