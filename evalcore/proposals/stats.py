"""The statistics of a benchmark, rounded as the original tools write them."""

from collections.abc import Sequence
from typing import Any, Final

from evalcore.numbers import stddev

PLACES: Final = 4

Number = int | float


def shortened(value: Number) -> Number:
    """Return a number with four decimals, rounded by Python's `round`.

    The original tools do the same; half-up rounding, used on screen, would differ from them if the
    fifth decimal is a 5.
    """
    return round(value, PLACES)


def statistics(values: Sequence[Number], runs: int) -> dict[str, Any] | None:
    """Return mean, sample deviation, minimum and maximum of values; None without any.

    The deviation of one value is null. `n` is included if it is not the number of `runs`.
    """
    if not values:
        return None
    spread = stddev(values)
    found: dict[str, Any] = {
        # Added up from the left, so that a tie of the rounding falls as in other tools.
        "mean": shortened(sum(values) / len(values)),
        "stddev": None if spread is None else shortened(spread),
        "min": shortened(min(values)),
        "max": shortened(max(values)),
    }
    return found if len(values) == runs else found | {"n": len(values)}
