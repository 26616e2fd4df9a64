"""Numbers as people write them: signed text, percent, percentage points, `3/3`, with a unit."""

import math
import re
from typing import Any, Final, Literal, NamedTuple

Form = Literal["number", "text", "percent", "points", "parts"]

LONGEST: Final = 40
SIGNS: Final = str.maketrans({"−": "-", "–": "-"})
PLAIN: Final = re.compile(
    r"([+-]?)\s*(\d{1,3}(?:,\d{3})+|\d+)?(\.\d+)?(e[+-]?\d+)?\s*([a-z%][a-z. ]*)?", re.IGNORECASE
)
PARTS: Final = re.compile(r"(\d+)\s*(?:/|of|out of)\s*(\d+)", re.IGNORECASE)
# Unit to the form it makes, and what the number is divided by.
UNITS: Final[dict[str, tuple[Form, float]]] = {
    "": ("text", 1.0),
    "%": ("percent", 100.0),
    "percent": ("percent", 100.0),
    "pp": ("points", 100.0),
    "pts": ("points", 100.0),
    "percentage points": ("points", 100.0),
    "s": ("text", 1.0),
    "sec": ("text", 1.0),
    "seconds": ("text", 1.0),
    "ms": ("text", 1000.0),
    "tokens": ("text", 1.0),
}


class Amount(NamedTuple):
    """A number and the form it was written in.

    Percent and percentage points are given as fractions (53% is 0.53), parts as their quotient
    (3/4 is 0.75), milliseconds as seconds.
    """

    value: float
    form: Form


def amount(value: Any) -> Amount | None:
    """Return the number that a value means, or None when it means none."""
    if not isinstance(value, str):
        number = finite(value)
        return None if number is None else Amount(number, "number")
    if len(value) > LONGEST:
        return None
    text = value.strip()
    text = text if text.isascii() else text.translate(SIGNS)
    split = parts(text)
    if split is not None:
        return Amount(split[0] / split[1], "parts") if split[1] else None
    found = PLAIN.fullmatch(text)
    if found is None or not (found.group(2) or found.group(3)):
        return None
    sign, digits, decimals, exponent, unit = (piece or "" for piece in found.groups())
    form, divisor = UNITS.get(unit.strip().lower(), (None, 1.0))
    number = finite(float(f"{sign}{digits.replace(',', '')}{decimals}{exponent}"))
    return None if form is None or number is None else Amount(number / divisor, form)


def rate(value: Any) -> Amount | None:
    """Return a share of 1; a number above 1 and up to 100 is read as percent."""
    found = amount(value)
    if found is None or found.form not in ("number", "text"):
        return found
    if 1 < found.value <= 100:
        return Amount(found.value / 100, "percent")
    return found if 0 <= found.value <= 1 else None


def rate_difference(value: Any) -> Amount | None:
    """Return a difference of two shares of 1; one beyond 1 is read as percentage points."""
    found = amount(value)
    if found is None or found.form not in ("number", "text") or abs(found.value) <= 1:
        return found
    return Amount(found.value / 100, "points")


def parts(value: Any) -> tuple[int, int] | None:
    """Return (some, all) of a text like `3/4`."""
    found = PARTS.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None or len(value) > LONGEST:
        return None
    return int(found.group(1)), int(found.group(2))


def finite(value: Any) -> float | None:
    """Return a number field's value when it is a finite number, else None."""
    if type(value) is not int and type(value) is not float:
        return None
    try:
        return value if math.isfinite(value) else None
    except OverflowError:
        return None
