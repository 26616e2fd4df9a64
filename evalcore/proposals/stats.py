"""The statistics of a benchmark, rounded as the tools of the field write them."""

from collections.abc import Sequence
from typing import Any, Final

from evalcore.numbers import stddev

PLACES: Final = 4

Number = int | float


def shortened(value: Number) -> Number:
    """Return a number with four decimals, rounded as Python's `round` does it.

    Other tools of the format write it so; half-up, which everything on screen is rounded by, would
    differ from them where the fifth decimal is a 5.
    """
    return round(value, PLACES)


def whole(value: float | None) -> Number | None:
    """Return a number without decimals as the whole number that it is."""
    return int(value) if value is not None and value == int(value) else value


def statistics(values: Sequence[Number], runs: int) -> dict[str, Any] | None:
    """Return mean, sample deviation, least and most of values; None without any.

    The deviation of one value is null. `n` is there where it is not the number of `runs`.
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
