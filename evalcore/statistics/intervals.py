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
VERY_FEW = 10
CAREFUL = 0.4
"""Of `VERY_FEW` skewed values a t interval may leave out so much of what it leaves out of others.

That is 2 % for 5 %. From `FEW` values on it leaves out the same, in between a share in between.
"""
SAME = 1e-9
"""Numbers no further apart than this are the same: what is left is how floats are stored."""
RESAMPLES = 9_999
DRAWN = 2_000_000
"""How many different numbers a bootstrap draws at most, so that 2,000 cases take no longer."""
FEW_VALUES = 64
"""Of so few different values a resample is drawn by how often each is in it."""
TAKEN = 1
"""At the very end of the scale so many more cases are taken to vary as much as they can."""
LARGE = 4_000
"""From so many cases on the mean is as good as normal."""
SEED = 20_181


def wilson(passed: float, n: float, confidence: float = CONFIDENCE) -> Range:
    """Return the Wilson interval of a rate: `passed` of `n` cases, `n` above 0.

    Never of width zero, never beyond 0 and 1: 3 of 3 gives 0.44 to 1. `passed` may be the sum of
    shares. Tests hold it against statsmodels, which takes half a second to import.
    """
    rate, squared = passed / n, normal(confidence) ** 2
    middle = (rate + squared / (2 * n)) / (1 + squared / n)
    spread = rate * (1 - rate) / n + squared / (4 * n * n)
    reach = math.sqrt(squared * spread) / (1 + squared / n)
    # At the ends the formula misses 0 and 1 by what floats cannot say.
    return (0.0 if passed <= 0 else middle - reach), (1.0 if passed >= n else middle + reach)


def mean_interval(values: Sequence[float] | Numbers) -> Range | None:
    """Return the interval of a mean of values from 0 to 1, one a case; None below two cases.

    Where every case passed or failed, it is Wilson's over cases. Where all cases have the same
    value between 0 and 1 their spread says nothing: it is then Wilson's for so many cases and that
    rate, which is as wide as if every case had passed or failed, and never of width zero. Else it
    is the t interval with one degree of freedom less than cases, cut at 0 and 1, and Wilson's for
    the number of cases that, if each had passed or failed, would vary as these do: near 0 and 1 few
    cases say how much, and the t interval alone holds the true mean in as few as 75 % of sets
    instead of 95 (`benchmarks/verdicts.py`).
    """
    array = np.sort(np.asarray(values, dtype=np.float64))
    if array.size < 2:
        return None
    if _even(array) or np.isin(array, (0.0, 1.0)).all():
        return wilson(math.fsum(array), array.size)
    (low, high), (least, most) = t_interval(array), _effective(array)
    return max(min(low, least), 0.0), min(max(high, most), 1.0)


def _effective(array: Numbers) -> Range:
    """Return Wilson's interval for as many cases that passed or failed as vary like these.

    How values vary is told by those that are not at the end of the scale, beside one more, the less
    of it the further the mean is from an end, that is taken to vary as much as it can.
    """
    n, mean = array.size, math.fsum(array) / array.size
    telling = min(np.count_nonzero(array < 1 - SAME), np.count_nonzero(array > SAME))
    taken = TAKEN * (2 * mean - 1) ** 2
    share = min(spread(array) ** 2 / (mean * (1 - mean)), 1.0)
    cases = n * (telling + taken) / (telling * share + taken)
    return wilson(mean * cases, cases)


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


def careful(level: float, cases: int) -> float:
    """Return what a t interval of so few scores may leave out to leave out `level` in truth."""
    few = min(max((FEW - cases) / (FEW - VERY_FEW), 0.0), 1.0)
    return level * (1 - (1 - CAREFUL) * few)


def skew_interval(values: Sequence[float] | Numbers, confidence: float = CONFIDENCE) -> Range:
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
    reach = t(cases, confidence)
    return mean - _turned(reach, skew) * error, mean - _turned(-reach, skew) * error


def _turned(reach: float, skew: float) -> float:
    """Return where Hall's transformation equals `reach`."""
    if abs(skew) < SAME:
        return reach
    return 3 / skew * (math.cbrt(1 + skew * (reach - skew / 6)) - 1)


def bca(values: Sequence[float] | Numbers, confidence: float = CONFIDENCE) -> Range | None:
    """Return the BCa bootstrap interval of a mean over cases, or None where there is none.

    Efron's bias-corrected and accelerated interval (1987, Journal of the American Statistical
    Association 82:171), resampling cases: what `scipy.stats.bootstrap` gives, which takes thirty
    times as long for thousands of cases. The same values always give the same interval, whatever
    their order; negated values give it mirrored. There is none for one case, for equal values, and
    from `LARGE` cases on.
    """
    from scipy.special import ndtr, ndtri

    array = np.sort(np.asarray(values, dtype=np.float64))
    if not 2 <= array.size < LARGE or _even(array):
        return None
    mirrored = -array[::-1]
    turned = _first_difference(array, mirrored) < 0
    chosen = mirrored if turned else array
    mean, drawn = math.fsum(chosen) / chosen.size, _resampled_means(chosen)
    below = float((drawn < mean).mean() + (drawn <= mean).mean()) / 2
    if not 0 < below < 1:
        return None
    bias, apart = float(ndtri(below)), chosen - mean
    skew = math.fsum(apart**3) / (6 * math.fsum(apart**2) ** 1.5)
    reach = bias + ndtri(np.array([1 - confidence, 1 + confidence]) / 2)
    low, high = np.quantile(drawn, ndtr(bias + reach / (1 - skew * reach))).tolist()
    if np.array_equal(array, mirrored):
        return (low - high) / 2, (high - low) / 2
    return (-high, -low) if turned else (low, high)


def _resampled_means(array: Numbers) -> Numbers:
    """Return the means of resamples of an array, the same ones every time."""
    rng = np.random.default_rng(SEED)
    different, times = np.unique(array, return_counts=True)
    resamples = int(np.clip(DRAWN // array.size, 999, RESAMPLES))
    if different.size <= FEW_VALUES:
        drawn = rng.multinomial(array.size, times / array.size, resamples)
        found: Numbers = drawn @ different / array.size
        return found
    rows = max(1, DRAWN // 2 // array.size)
    parts = [
        array[rng.integers(array.size, size=(min(rows, resamples - at), array.size))].mean(axis=1)
        for at in range(0, resamples, rows)
    ]
    return np.concatenate(parts)


def even_width(size: float, cases: int, confidence: float = CONFIDENCE) -> float:
    """Return half the width of an interval around differences that are all `size`.

    They have no spread of their own to go by. Each is taken as rounded to a step as large as
    itself, which spreads a number evenly over that step: its standard deviation is size / √12.
    """
    return t(cases, confidence) * abs(size) / math.sqrt(12 * cases)


def unchanged_width(cases: int, confidence: float = CONFIDENCE) -> float:
    """Return z² / (n + z²): the score interval of a paired difference that no case shows."""
    z = normal(confidence)
    return z**2 / (cases + z**2)


def normal(confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors an interval of a normal number reaches."""
    from scipy.special import ndtri

    return float(ndtri((1 + confidence) / 2))


def t(cases: float, confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors a t interval of the mean of so many cases reaches."""
    from scipy.special import stdtrit

    return float(stdtrit(cases - 1, (1 + confidence) / 2))


def _even(array: Numbers) -> bool:
    return bool(np.ptp(array) <= SAME)


def _first_difference(one: Numbers, other: Numbers) -> float:
    apart = np.flatnonzero(one != other)
    return float(one[apart[0]] - other[apart[0]]) if apart.size else 0.0
