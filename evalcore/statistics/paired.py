"""Sign flips of paired differences, and the interval of a difference of passing or failing."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics.intervals import CONFIDENCE, SAME, Range, normal
from evalcore.statistics.labels import labels
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.sums import Tail

Numbers = NDArray[np.float64]


def sign_flip(differences: Sequence[float] | Numbers) -> Tail:
    """Return the two-sided p of a sign-flip permutation test of a mean of 0.

    If the two sides are the same, each difference could as well have had the other sign: the test
    of labels of cases that ran once. Of passing and failing it is McNemar's exact test, and with
    `mid` McNemar's mid-p test. See `statistics.sums.tail` for when it is exact.
    """
    array = np.asarray(differences, dtype=np.float64)
    scaled = array / max(1, math.ceil(np.abs(array).max(initial=0.0) - SAME))
    return labels(PairedRuns.of_means(np.maximum(-scaled, 0), np.maximum(scaled, 0)))


def score_interval(up: int, down: int, cases: int, confidence: float = CONFIDENCE) -> Range:
    """Return the score interval of the paired difference (up - down) / cases of a pass rate.

    Tango 1998, Statistics in Medicine 17:891: every difference that a score test with the
    restricted maximum likelihood estimate would not reject. Never of width zero; with no change at
    all it is ± z² / (n + z²). Statsmodels has none for a difference.
    """
    reach = normal(confidence)
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
