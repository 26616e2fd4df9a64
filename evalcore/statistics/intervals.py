"""95 % intervals of rates, of means, and of the mean of paired differences.

Cases are what is independent, and the mean is that over cases: whatever has several runs of a
case takes their mean first. With as many runs for each case, the standard error is then that of a
regression on a constant with errors clustered on the case (Miller 2024, arXiv:2411.00640).
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Range = tuple[float, float]

CONFIDENCE = 0.95
FEW = 15
SMALL_CONFIDENCE = 0.98
"""Below `FEW` cases a t interval of 95 % leaves out too much of skewed values."""
SAME = 1e-9
"""Numbers no further apart than this are the same: what is left is how floats are stored."""
RESAMPLES = 9_999
DRAWN = 2_000_000
"""How many numbers a bootstrap draws at most, so that 2,000 cases take no longer than others."""
LARGE = 4_000
"""From so many cases on the mean is as good as normal, and BCa would cost the square of them."""
SEED = 20_181


def wilson(passed: float, n: int) -> Range:
    """Return the Wilson interval of a rate: `passed` of `n` cases, `n` above 0.

    Never of width zero, never beyond 0 and 1: 3 of 3 gives 0.44 to 1. `passed` may be the sum of
    shares. From statsmodels (`proportion_confint`).
    """
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(passed, n, alpha=1 - CONFIDENCE, method="wilson")
    # At the ends the formula misses 0 and 1 by what floats cannot say.
    return (0.0 if passed <= 0 else float(low)), (1.0 if passed >= n else float(high))


def mean_interval(values: Sequence[float] | Numbers) -> Range | None:
    """Return the interval of a mean of values from 0 to 1, one a case; None below two cases.

    Where every case passed or failed, it is Wilson's over cases, else the t interval with one
    degree of freedom less than cases, cut at 0 and 1. Where all cases have the same value between
    0 and 1 their spread says nothing: it is then Wilson's for so many cases and that rate, which
    is as wide as if every case had passed or failed, and never of width zero.
    """
    array = np.sort(np.asarray(values, dtype=np.float64))
    if array.size < 2:
        return None
    if _even(array) or np.isin(array, (0.0, 1.0)).all():
        return wilson(math.fsum(array), array.size)
    low, high = t_interval(array)
    return max(low, 0.0), min(high, 1.0)


def spread(values: Sequence[float] | Numbers) -> float:
    """Return the sample standard deviation of two values or more.

    Summed without a rounding error, so that neither the order nor the sign of the values counts.
    """
    array = np.asarray(values, dtype=np.float64)
    mean = math.fsum(array) / array.size
    return math.sqrt(math.fsum(np.square(array - mean)) / (array.size - 1))


def standard_error(values: Sequence[float] | Numbers) -> float:
    """Return the standard error of a mean of one value a case, of two cases or more."""
    return spread(values) / math.sqrt(len(values))


def t_interval(values: Sequence[float] | Numbers, confidence: float = CONFIDENCE) -> Range:
    """Return the t interval of a mean of one value a case, of two cases or more."""
    array = np.asarray(values, dtype=np.float64)
    mean = math.fsum(array) / array.size
    half = t(array.size, confidence) * standard_error(array)
    return mean - half, mean + half


def skew_interval(values: Sequence[float] | Numbers) -> Range:
    """Return Hall's interval of a mean of one value a case, of two cases or more, not all equal.

    The t interval after the cubic transformation that removes skewness (Hall 1992, Journal of the
    Royal Statistical Society B 54:221): it reaches further to the side where rare values may have
    been missed.
    """
    array = np.asarray(values, dtype=np.float64)
    cases = array.size
    mean, error = math.fsum(array) / cases, standard_error(array)
    apart = array - mean
    moment = math.sqrt(math.fsum(apart * apart) / cases)
    skew = math.fsum(apart * apart * apart) / cases / moment**3 / math.sqrt(cases)
    reach = t(cases)
    return mean - _turned(reach, skew) * error, mean - _turned(-reach, skew) * error


def _turned(reach: float, skew: float) -> float:
    """Return where Hall's transformation comes to `reach`."""
    if abs(skew) < SAME:
        return reach
    return 3 / skew * (math.cbrt(1 + skew * (reach - skew / 6)) - 1)


def bca(values: Sequence[float] | Numbers) -> Range | None:
    """Return the BCa bootstrap interval of a mean over cases, or None where there is none.

    Efron's bias-corrected and accelerated interval (`scipy.stats.bootstrap`), resampling cases.
    The same values always give the same interval, whatever their order; negated values give it
    mirrored. There is none for one case, for equal values, and from `LARGE` cases on.
    """
    from scipy.stats import bootstrap

    array = np.sort(np.asarray(values, dtype=np.float64))
    if not 2 <= array.size < LARGE or _even(array):
        return None
    mirrored = -array[::-1]
    turned = _first_difference(array, mirrored) < 0
    resamples = int(np.clip(DRAWN // array.size, 999, RESAMPLES))
    found = bootstrap(
        (mirrored if turned else array,),
        np.mean,
        method="BCa",
        confidence_level=CONFIDENCE,
        n_resamples=resamples,
        batch=max(1, DRAWN // 2 // array.size),
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    low, high = float(found.low), float(found.high)
    if not (math.isfinite(low) and math.isfinite(high)):
        return None
    if np.array_equal(array, mirrored):
        return (low - high) / 2, (high - low) / 2
    return (-high, -low) if turned else (low, high)


def even_width(size: float, cases: int) -> float:
    """Return half the width of an interval around differences that are all `size`.

    They have no spread of their own to go by. Each is taken as rounded to a step as large as
    itself, which spreads a number evenly over that step: its standard deviation is size / √12.
    """
    return t(cases) * abs(size) / math.sqrt(12 * cases)


def unchanged_width(cases: int) -> float:
    """Return z² / (n + z²): the score interval of a paired difference that no case shows."""
    z = normal()
    return z**2 / (cases + z**2)


def normal() -> float:
    """Return how many standard errors a 95 % interval of a normal number reaches."""
    from scipy.special import ndtri

    return float(ndtri((1 + CONFIDENCE) / 2))


def t(cases: int, confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors a t interval of the mean of so many cases reaches."""
    from scipy.special import stdtrit

    return float(stdtrit(cases - 1, (1 + confidence) / 2))


def _even(array: Numbers) -> bool:
    return bool(np.ptp(array) <= SAME)


def _first_difference(one: Numbers, other: Numbers) -> float:
    apart = np.flatnonzero(one != other)
    return float(one[apart[0]] - other[apart[0]]) if apart.size else 0.0
