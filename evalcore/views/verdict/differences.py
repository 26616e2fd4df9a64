"""The difference of two headlines in words: signed points, or a signed number."""

import math

from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.numbers import rounded
from evalcore.statistics.intervals import SAME
from evalcore.views.words.wording import MINUS, NOT_MEASURED, fixed, known, number


def points(difference: float | None, headline: str = SHARE, places: int = 0) -> str:
    """Return a difference with its sign and unit: `+21 points`; of efficiencies `+0.05`."""
    if not known(difference) or not known(100 * difference):
        return NOT_MEASURED
    return _with_unit(signed(difference, headline, places), headline)


def agreeing_places(a: float | None, b: float | None, headline: str = SHARE) -> int:
    """Return with how many more decimals two values and their difference agree as shown.

    83 % against 57 % can differ by 26.6 points: with one decimal it is 83.3 against 56.7 and +26.6.
    At most one, as then hardly anybody sees what is left.
    """
    if not known(a) or not known(b):
        return 0
    scale, usual = (1, 2) if headline == EFFICIENCY else (100, 0)
    shown = rounded(scale * b, usual) - rounded(scale * a, usual)
    apart = abs(shown - rounded(scale * (b - a), usual))
    return 1 if apart > SAME else 0


def span(size: float, headline: str = SHARE) -> str:
    """Return the size of a difference without a sign: `17 points`, `0.17`."""
    return _with_unit(signed(abs(size), headline).removeprefix("+"), headline)


def span_below(size: float, headline: str = SHARE) -> str:
    """Return a size that `size` does not exceed, rounded up: 0.082 is `9 points`, or `0.09`."""
    return span(math.ceil(100 * size - SAME) / 100, headline)


def between(low: float, high: float, headline: str = SHARE) -> str:
    """Return an interval of a difference without its unit: `between +7 and +36`."""
    return f"between {signed(low, headline)} and {signed(high, headline)}"


def signed(difference: float, headline: str = SHARE, more: int = 0) -> str:
    """Return a difference with its sign, without its unit: `+21`, `+0.05`, a minus as U+2212.

    What is not 0 is never shown as 0: as many decimals follow as it takes.
    """
    efficiency = headline == EFFICIENCY
    scaled, places = (difference, 2 + more) if efficiency else (100 * difference, more)
    if abs(scaled) <= SAME:
        return "0"
    while rounded(scaled, places) == 0:
        places += 1
    size = abs(rounded(scaled, places))
    text = fixed(size, places) if efficiency else number(size, places)
    return f"{'+' if scaled > 0 else MINUS}{text}"


def _with_unit(text: str, headline: str) -> str:
    if headline == EFFICIENCY:
        return text
    return f"{text} point" if text.lstrip(f"+{MINUS}") == "1" else f"{text} points"
