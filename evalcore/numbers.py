"""Shared arithmetic of all families; without input the result is None, never 0."""

import math
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

NEAR = 1e-9
SMALL = 100


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the known values; None without any."""
    present = [value for value in values if value is not None]
    try:
        return math.fsum(present) / len(present) if present else None
    except OverflowError:  # a file may hold numbers whose sum is none
        return math.fsum(value / len(present) for value in present)


def median(values: Iterable[float | None]) -> float | None:
    """Return the median of the known values; None without any."""
    present = sorted(value for value in values if value is not None)
    if not present:
        return None
    half = len(present) // 2
    return present[half] if len(present) % 2 else (present[half - 1] + present[half]) / 2


def stddev(values: Iterable[float | None]) -> float | None:
    """Return the sample standard deviation; None below two values, and if it is not a number."""
    present = [value for value in values if value is not None]
    middle = mean(present)
    if middle is None or len(present) < 2:
        return None
    try:
        return math.sqrt(math.fsum((v - middle) ** 2 for v in present) / (len(present) - 1))
    except OverflowError:  # the squares of what a file holds may be too large
        return None


def consistency(values: Iterable[float | None]) -> float | None:
    """Return 1 - stddev / mean of the values of runs, as seed 002 has it.

    None below two runs, which would always look perfect, and for a mean of 0. Over cases it mixes
    how hard they are with how flaky (`statistics.repeats.agreeing` does not).
    """
    present = [value for value in values if value is not None]
    middle, spread = mean(present), stddev(present)
    return None if middle is None or spread is None or abs(middle) <= NEAR else 1 - spread / middle


def weighted_mean(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return Σ(value·weight) / Σ(weight) of (value, weight) pairs; None without weight."""
    total = math.fsum(weight for _, weight in pairs)
    return math.fsum(value * weight for value, weight in pairs) / total if total else None


def whole(number: float) -> float:
    """Return a whole number without a decimal point, as people write it."""
    return int(number) if number == int(number) else number


def at_least(value: float, threshold: float) -> bool:
    """Return whether `value` reaches `threshold`, deciding near ties on the printed decimals."""
    if value == threshold or abs(value - threshold) > NEAR:
        return value >= threshold
    return printed(value, 9) >= printed(threshold, 9)


def printed(value: float, places: int) -> Fraction:
    """Return `value` rounded half-up to `places` decimals, exactly."""
    if abs(value) >= 2**53:  # a whole number, and more digits than a decimal context holds
        return Fraction(value)
    step = Decimal(1).scaleb(-places)
    return Fraction(Decimal(repr(float(value))).quantize(step, rounding=ROUND_HALF_UP))


def rounded(value: float, places: int = 0) -> float:
    """Return `value` rounded half-up to `places` decimals, for display only."""
    return float(printed(value, places))


def disagrees(stored: float, computed: float) -> bool:
    """Return whether a stored number differs by more than half a unit of its last printed digit.

    A large whole number (`2672`, not `2672.0`) has none, so its unit is 1; a small one may be a
    rate or a score whose `.0` the writer dropped, so it counts as printed to one decimal.
    """
    if isinstance(stored, int):
        places = 0 if abs(stored) >= SMALL else 1
    else:
        places = _places(repr(stored))
    return abs(stored - computed) > 10.0**-places / 2 + NEAR


def _places(text: str) -> int:
    """Return the number of decimals of a printed number."""
    _, point, decimals = text.partition(".")
    if point and decimals.isdecimal():
        return len(decimals)
    exponent = Decimal(text).as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) else 0
