"""What a set of cases can show at all: planned from how much the cases differ among themselves.

Never from the difference that was seen: such "observed power" only says the p value again.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics.intervals import SAME, careful, spread

Numbers = NDArray[np.float64]

TARGET: Final = 0.10
"""A difference worth telling: 10 points."""
FEWEST: Final = 6
"""With fewer changed cases no exact test of signs reaches p < .05: 5 of 5 one way is 0.0625."""
POWER: Final = 0.8
LEVEL: Final = 0.05
MOST: Final = 100_000


class Spread(NamedTuple):
    """How differences of cases vary: their standard deviation, and the size of the median change.

    `scores` says that they are not of runs that pass or fail, which the rule is more careful with
    where cases are few.
    """

    deviation: float
    size: float
    scores: bool


def spread_of(differences: Numbers, *, scores: bool) -> Spread | None:
    """Return how differences vary, None with fewer than six cases or where no case changed.

    Then nothing tells how large a change would be.
    """
    sizes = np.abs(differences)
    changed = sizes[sizes > SAME]
    if differences.size < FEWEST or not changed.size:
        return None
    return Spread(spread(differences), float(np.median(changed)), scores)


def visible_in(cases: int, of: Spread, level: float = LEVEL) -> float:
    """Return the smallest true difference that so many cases show in 80 % of repeats, at most 1.

    The larger of what a paired t test at two-sided `level` sees (by the noncentral t distribution;
    Miller 2024, arXiv:2411.00640, equation 9), and what changes six cases in 80 % of repeats.
    """
    asked = careful(level, cases) if of.scores else level
    return min(1.0, max(_effect(cases, asked) * of.deviation, _share(cases) * of.size))


def fewest(enough: Callable[[int], bool], low: int, high: int) -> int | None:
    """Return the smallest number from `low` to `high` that is enough, as all above it are."""
    if not enough(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low


def least(enough: Callable[[float], bool], high: float = 1.0) -> float | None:
    """Return the smallest size up to `high` that is enough, as all above it are."""
    if not enough(high):
        return None
    low = 0.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


@lru_cache(maxsize=4096)
def _effect(cases: int, level: float) -> float:
    """Return the mean, in standard deviations, that a t test of so many cases sees."""
    from scipy.special import nctdtrinc, stdtrit

    beyond = stdtrit(cases - 1, 1 - level / 2)
    return float(nctdtrinc(cases - 1, 1 - POWER, beyond)) / math.sqrt(cases)


@lru_cache(maxsize=4096)
def _share(cases: int) -> float:
    """Return the share of changing cases with which six of so many change in 80 % of repeats."""
    from scipy.special import betaincinv

    return float(betaincinv(FEWEST, cases - FEWEST + 1, POWER))
