"""At which factor a difference changes its sign."""

from collections.abc import Callable
from typing import Final

import numpy as np

SAME: Final = 1e-9
FACTORS: Final = (0.0, *np.logspace(-3, 3, 241).tolist())
"""Factors that are tried, from none to a thousandfold, 2.5 % apart."""


def nearest_factor(difference: Callable[[float], float]) -> float | None:
    """Return the factor nearest to 1 by ratio at which a difference is 0 or changes its sign.

    None where it is 0 at 1, or keeps its sign from none to a thousandfold. Two changes of sign
    between neighbouring factors that are tried are missed.
    """
    now = difference(1.0)
    if abs(now) <= SAME:
        return None
    turned = np.array([difference(factor) * now <= SAME for factor in FACTORS])
    here = int(np.searchsorted(FACTORS, 1.0))
    below, above = np.flatnonzero(turned[:here]), np.flatnonzero(turned[here:])
    found = []
    if len(below):
        at = int(below[-1])
        found.append(_between(difference, FACTORS[at], FACTORS[at + 1]))
    if len(above):
        at = here + int(above[0])
        found.append(_between(difference, FACTORS[at - 1], FACTORS[at]))
    return min(found, key=_ratio, default=None)


def _between(difference: Callable[[float], float], low: float, high: float) -> float:
    ends = difference(low), difference(high)
    if ends[0] * ends[1] >= 0:  # one end is the root itself
        return low if abs(ends[0]) < abs(ends[1]) else high
    from scipy.optimize import brentq

    return float(brentq(difference, low, high))


def _ratio(factor: float) -> float:
    return max(factor, 1 / factor) if factor > 0 else float("inf")
