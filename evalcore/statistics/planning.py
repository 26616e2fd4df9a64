"""What a set of cases can show at all: planned from how much the cases differ among themselves.

Never from the difference that was seen: such "observed power" only says the p value again.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics.intervals import SAME, spread

Numbers = NDArray[np.float64]

TARGET = 0.10
"""A difference worth telling: 10 points."""
FEWEST = 6
"""With fewer changed cases no exact test of signs reaches p < .05: 5 of 5 one way is 0.0625."""
POWER = 0.8
LEVEL = 0.05
MOST = 100_000


def visible(differences: Sequence[float] | Numbers) -> float | None:
    """Return the smallest true difference that these cases show in 80 % of repeats, at most 1.

    The larger of what a paired t test at two-sided .05 sees with the standard deviation of these
    differences (`statsmodels.stats.power.TTestPower`; Miller 2024, arXiv:2411.00640, equation 9),
    and what changes six cases in 80 % of repeats, where a case that changes does so by the median
    of those that did. None with fewer than six cases, or where no case changed: then nothing tells
    how large a change would be.
    """
    array, size = np.asarray(differences, dtype=np.float64), _typical(differences)
    if array.size < FEWEST or size is None:
        return None
    return _visible(array.size, spread(array), size)


def needed(differences: Sequence[float] | Numbers, target: float = TARGET) -> int | None:
    """Return how many cases as spread as these would show a true difference of `target`.

    The smallest number of cases with which `visible` is `target`; None under the conditions under
    which that is None, and where it would be more than 100,000.
    """
    array, size = np.asarray(differences, dtype=np.float64), _typical(differences)
    if array.size < FEWEST or size is None:
        return None
    deviation = spread(array)
    if _visible(MOST, deviation, size) > target:
        return None
    low, high = FEWEST, MOST
    while low < high:
        middle = (low + high) // 2
        if _visible(middle, deviation, size) <= target:
            high = middle
        else:
            low = middle + 1
    return low


def _visible(cases: int, deviation: float, size: float) -> float:
    return min(1.0, max(_effect(cases) * deviation, _share(cases) * size))


def _typical(differences: Sequence[float] | Numbers) -> float | None:
    sizes = np.abs(np.asarray(differences, dtype=np.float64))
    changed = sizes[sizes > SAME]
    return float(np.median(changed)) if changed.size else None


@lru_cache(maxsize=4096)
def _effect(cases: int) -> float:
    """Return the mean, in standard deviations, that a t test of so many cases sees."""
    from scipy.optimize import brentq
    from scipy.special import stdtrit
    from statsmodels.stats.power import TTestPower

    power = TTestPower().power
    # Near the answer: far from it scipy's noncentral t is not a number.
    near = float(stdtrit(cases - 1, [1 - LEVEL / 2, POWER]).sum()) / math.sqrt(cases)
    return float(brentq(lambda effect: power(effect, cases, LEVEL) - POWER, near * 0.9, near * 1.1))


@lru_cache(maxsize=4096)
def _share(cases: int) -> float:
    """Return the share of changing cases with which six of so many change in 80 % of repeats."""
    from scipy.special import betaincinv

    return float(betaincinv(FEWEST, cases - FEWEST + 1, POWER))
