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


def agreeing(cases: Sequence[Sequence[float] | Numbers]) -> int:
    """Return in how many cases, of those with two runs or more, all runs have the same value."""
    repeated = (np.asarray(values, dtype=np.float64) for values in cases if len(values) > 1)
    return sum(bool(np.ptp(values) <= SAME) for values in repeated)


def noise(cases: Sequence[Sequence[float] | Numbers]) -> float | None:
    """Return by how much two equal versions with as many runs differ by chance: the A/A floor.

    Half the width of a 95 % interval around 0 of the difference of their means over the cases that
    have two runs or more: each case's variance over its runs, twice, by their number, with the
    degrees of freedom of their sum (Satterthwaite 1946). None below six such cases, whose chance
    would reach over most of the scale; where the runs of fewer than six differ at all, it is no
    less than with none, z² / (n + z²).
    """
    repeated = [np.asarray(values, dtype=np.float64) for values in cases if len(values) > 1]
    if (total := len(repeated)) < FEWEST:
        return None
    varied = [
        (2 * spread(values) ** 2 / values.size, values.size - 1)
        for values in repeated
        if np.ptp(values) > SAME
    ]
    floor = unchanged_width(total) if len(varied) < FEWEST else 0.0
    if not varied:
        return floor
    variance = math.fsum(of_one for of_one, _ in varied)
    freedom = variance**2 / math.fsum(of_one**2 / free for of_one, free in varied)
    return min(max(t(freedom + 1) * math.sqrt(variance) / total, floor), 1.0)
