"""Tests of paired differences, and the interval of a paired difference of passing or failing."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics.intervals import SAME, Range, normal

Numbers = NDArray[np.float64]

EXACT = 16
"""Up to so many changed cases every way to turn their signs is counted."""
FLIPS = 9_999
SIGNS = 20_000_000
"""How many signs are drawn at most, so that thousands of changed cases take no longer."""
SEED = 19_351


def mcnemar(up: int, down: int) -> float:
    """Return the p of McNemar's exact test: `up` cases began to pass, `down` ceased to.

    Two-sided; 1 where nothing changed. From statsmodels (`mcnemar(exact=True)`).
    """
    from statsmodels.stats.contingency_tables import mcnemar as test

    if up + down == 0:
        return 1.0
    return min(1.0, float(test([[0, up], [down, 0]], exact=True).pvalue))


def sign_flip(differences: Sequence[float] | Numbers) -> tuple[float, bool]:
    """Return the p of a sign-flip permutation test of a mean of 0, and whether it is exact.

    If the two sides are the same, each difference could as well have had the other sign. The p is
    the share of all such changes of signs whose mean is as far from 0 as the one that was seen
    (Fisher 1935; what `scipy.stats.permutation_test(permutation_type="samples")` counts, which
    takes 1.3 s for 2,000 cases). Differences of 0 change nothing and are left out. Beyond `EXACT`
    others it is (1 + hits) / (1 + draws) of draws that are the same every time.
    """
    array = np.asarray(differences, dtype=np.float64)
    sizes = np.sort(np.abs(array[np.abs(array) > SAME]))
    if not sizes.size:
        return 1.0, True
    # Sums of what floats cannot store exactly, such as thirds, tie when they nearly tie.
    seen = abs(math.fsum(array)) - SAME * math.fsum(sizes)
    if sizes.size <= EXACT:
        every = np.arange(1 << sizes.size, dtype="<u4").view(np.uint8).reshape(-1, 4)
        return float(np.mean(_sums(every, sizes) >= seen)), True
    rng = np.random.default_rng(SEED)
    draws = int(np.clip(SIGNS // sizes.size, 1_999, FLIPS))
    drawn = rng.integers(0, 256, (draws, -(-sizes.size // 8)), dtype=np.uint8)
    hits = int(np.count_nonzero(_sums(drawn, sizes) >= seen))
    return (1 + hits) / (1 + draws), False


def _sums(signs: NDArray[np.uint8], sizes: Numbers) -> Numbers:
    """Return how far from 0 each row of signs, eight to a byte, takes the sum of the sizes.

    The 256 sums of each eight sizes are looked up, one table of 2 KB after the other: a product
    with a matrix of signs, or all tables at once, takes ten times as long and more.
    """
    eights = np.pad(sizes, (0, -sizes.size % 8)).reshape(-1, 8)
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    known = np.ascontiguousarray(eights @ (2.0 * bits - 1.0).T)
    sums: Numbers = np.zeros(len(signs))
    for table, drawn in zip(known, np.ascontiguousarray(signs[:, : len(eights)].T), strict=True):
        sums += table[drawn]
    return np.abs(sums)


def score_interval(up: int, down: int, cases: int, *, z: float | None = None) -> Range:
    """Return the score interval of the paired difference (up - down) / cases of a pass rate.

    Tango 1998, Statistics in Medicine 17:891: every difference that a score test with the
    restricted maximum likelihood estimate would not reject. Never of width zero; with no change at
    all it is ± z² / (n + z²). Statsmodels has none for a difference.
    """
    reach = normal() if z is None else z
    return -_upper(down, up, cases, reach), _upper(up, down, cases, reach)


def _upper(up: int, down: int, cases: int, z: float) -> float:
    from scipy.optimize import brentq

    if up == cases:
        return 1.0

    def beyond(delta: float) -> float:
        spread = cases * (2 * _restricted(up, down, cases, delta) + delta * (1 - delta))
        return up - down - cases * delta + z * math.sqrt(max(spread, 0.0))

    # At the difference that was seen itself, the spread can be 0 and look like a limit.
    return float(brentq(beyond, (up - down) / cases + SAME, 1.0, xtol=1e-12))


def _restricted(up: int, down: int, cases: int, delta: float) -> float:
    """Return the likeliest share of cases that ceased to pass if the difference is `delta`."""
    b = -up - down + (2 * cases - up + down) * delta
    c = -down * delta * (1 - delta)
    return (math.sqrt(max(b * b - 8 * cases * c, 0.0)) - b) / (4 * cases)
