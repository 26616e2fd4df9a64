"""What several runs of the same case tell: chances over k runs, and how much a side repeats itself.

All of it goes case by case. Pooled runs of different cases mix how hard a case is with how flaky:
[1, 1, 1] and [0, 0, 0] repeat perfectly, though their pooled runs vary as much as a coin.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics.intervals import SAME, spread, t, unchanged_width
from evalcore.statistics.planning_cases import FEWEST

Numbers = NDArray[np.float64]
Counts = Sequence[int] | NDArray[np.int64]


def pass_at_k(passed: Counts, runs: Counts, k: int) -> float | None:
    """Return pass@k: the chance that at least one of `k` runs of a case passes, mean over cases.

    `passed` of `runs` by case. The unbiased estimator 1 - C(n-c, k) / C(n, k) of Chen et al. 2021
    (arXiv:2107.03374). None without a case, and where a case has fewer than `k` runs.

    Raises:
        ValueError: a case has more passed runs than runs, or `k` is below 1.
    """
    return _over_cases(passed, runs, k, lambda c, n: 1 - math.comb(n - c, k) / math.comb(n, k))


def pass_all_k(passed: Counts, runs: Counts, k: int) -> float | None:
    """Return pass^k: the chance that `k` runs of a case all pass, mean over cases.

    C(c, k) / C(n, k) as of tau-bench (Yao et al. 2024, arXiv:2406.12045); else as `pass_at_k`.
    """
    return _over_cases(passed, runs, k, lambda c, n: math.comb(c, k) / math.comb(n, k))


def _over_cases(
    passed: Counts, runs: Counts, k: int, chance: Callable[[int, int], float]
) -> float | None:
    pairs = [(int(c), int(n)) for c, n in zip(passed, runs, strict=True)]
    if k < 1 or any(not 0 <= c <= n for c, n in pairs):
        raise ValueError("Of each case's runs, 0 to all of them pass, and k is 1 or more.")
    if not pairs or any(n < k for _, n in pairs):
        return None
    return math.fsum(chance(c, n) for c, n in pairs) / len(pairs)


def consistency(values: Sequence[float] | Numbers) -> float | None:
    """Return 1 - stddev / mean of the values of runs, with the standard deviation of a sample.

    It is below 0 where the deviation exceeds the mean, and left so. None below two runs, which
    would always look perfect, and for a mean of 0. Pooled over cases it mixes how hard they are
    with how flaky (`agreeing` does not).
    """
    array = np.asarray(values, dtype=np.float64)
    if array.size < 2:
        return None
    mean = math.fsum(array) / array.size
    return None if abs(mean) <= SAME else 1 - spread(array) / mean


def agreeing(cases: Sequence[Sequence[float] | Numbers]) -> int:
    """Return in how many cases, of those with two runs or more, all runs have the same value."""
    repeated = (np.asarray(values, dtype=np.float64) for values in cases if len(values) > 1)
    return sum(bool(np.ptp(values) <= SAME) for values in repeated)


def noise(halves: Sequence[float] | Numbers) -> float | None:
    """Return by how much chance alone moves a mean over cases: the A/A noise floor.

    `halves` are, one a case, the mean of one half of its runs minus that of the other half. Their
    true mean is 0, so this is half the width of a 95 % t interval around 0. Two halves of six runs
    differ as much as two versions run three times each. None below six cases, whose chance would
    reach over most of the scale; where fewer than six cases differ at all, it is no less than with
    none, z² / (n + z²).
    """
    array = np.asarray(halves, dtype=np.float64)
    if array.size < FEWEST:
        return None
    half = t(array.size + 1) * math.sqrt(math.fsum(np.square(array))) / array.size
    if np.count_nonzero(np.abs(array) > SAME) < FEWEST:
        half = max(half, unchanged_width(array.size))
    return min(half, 1.0)
