"""Compare the JSON value that is expected with the actual one, without a model."""

import math
import re
import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple

from evalcore.checks.outcome import quoted
from evalcore.checks.whole import places

How = Literal["exact", "normalised", "number", "contains", "subset", "missing", "different"]

RELATIVE: Final = 1e-6
"""Numbers that differ by less than this share of the larger one are the same."""
DEEPEST: Final = 64
BUDGET: Final = 20_000
"""So many pairs of values are compared at most."""
MAX_TEXT: Final = 1024 * 1024
_UNIT: Final = 5_000
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,40})(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?", re.ASCII)
_OPENING: Final = "\"'`“”‘’«»„¿¡"
_ENDING: Final = _OPENING + ".,;:!?。、"


class Part(NamedTuple):
    """How one expected value agrees: its pointer in the expected value, and a sentence."""

    pointer: str
    how: How
    passed: bool
    sentence: str


def compare(expected: Any, actual: Any) -> list[Part]:
    """Return a part for each key of an expected object; one part for any other expected value.

    Texts agree up to case, spaces, typography and punctuation at their ends, or if the actual one
    contains the expected one as whole words. A number may be given as a text. Of objects and lists,
    everything expected must be found, in any order.
    """
    judge = _Comparison()
    if not isinstance(expected, dict):
        return [_part("", expected, actual, judge)]
    parts = []
    for key, value in expected.items():
        pointer = f"/{str(key).replace('~', '~0').replace('/', '~1')}"
        if isinstance(actual, dict) and key in actual:
            parts.append(_part(pointer, value, actual[key], judge))
        else:
            said = f"{quoted(pointer)} is missing in the actual output."
            parts.append(Part(pointer, "missing", False, said))
    return parts


def share(parts: Sequence[Part]) -> float | None:
    """Return the share of parts that agree; None without any."""
    return sum(part.passed for part in parts) / len(parts) if parts else None


def same_number(
    expected: Any, actual: Any, relative: float = RELATIVE, absolute: float = 0.0
) -> bool:
    """Return whether two numbers, or texts of numbers, differ by no more than the tolerance."""
    first, second = number(expected), number(actual)
    if first is None or second is None:
        return False
    allowed = max(Fraction(relative) * max(abs(first), abs(second)), Fraction(absolute))
    return abs(first - second) <= allowed


def number(value: Any) -> Fraction | None:
    """Return the exact value of a finite number or of a text that is one; else None."""
    if isinstance(value, str):
        text = value.strip() if len(value) <= 200 else ""
        return Fraction(text) if _NUMBER.fullmatch(text) else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return Fraction(value)


def normalised(text: str) -> str:
    """Return a text without differences of case, spaces, typography and punctuation at its ends."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split()).lstrip(_OPENING).rstrip(_ENDING).strip()


class _Comparison:
    """Compares values until its budget is used up; `cut` says that some were not compared."""

    def __init__(self) -> None:
        self.left = BUDGET
        self.cut = False

    def how(self, expected: Any, actual: Any, depth: int = 0) -> How:
        """Return how two values agree, the strictest way first."""
        self.left -= 1
        if self.left < 0 or depth > DEEPEST:
            self.cut = True
            return "different"
        if isinstance(expected, dict) and isinstance(actual, dict):
            return self._objects(expected, actual, depth)
        if isinstance(expected, list) and isinstance(actual, list):
            return self._lists(expected, actual, depth)
        if isinstance(expected, str) and isinstance(actual, str):
            self.left -= (len(expected) + len(actual)) // _UNIT
            if expected == actual:
                return "exact"
            if max(len(expected), len(actual)) > MAX_TEXT:
                return "different"
            wanted, given = normalised(expected), normalised(actual)
            if not wanted:
                return "different"
            if wanted == given:
                return "normalised"
            return "different" if next(places(given, wanted), None) is None else "contains"
        if type(expected) is type(actual) and expected == actual:
            return "exact"
        return "number" if same_number(expected, actual) else "different"

    def _objects(self, expected: dict[Any, Any], actual: dict[Any, Any], depth: int) -> How:
        if not expected:
            return "different" if actual else "exact"
        if not all(key in actual for key in expected):
            return "different"
        ways = [self.how(value, actual[key], depth + 1) for key, value in expected.items()]
        return _together(ways, len(expected) == len(actual))

    def _lists(self, expected: list[Any], actual: list[Any], depth: int) -> How:
        if not expected:
            return "different" if actual else "exact"
        if len(expected) > len(actual):
            return "different"
        if len(expected) == len(actual):
            ways = [self.how(e, a, depth + 1) for e, a in zip(expected, actual, strict=True)]
            if "different" not in ways:
                return _together(ways, True)
        return "subset" if self._assigned(expected, actual, depth) else "different"

    def _agree(self, expected: Any, actual: Any, depth: int) -> bool:
        self.cut = self.cut or self.left <= 0
        return self.left > 0 and self.how(expected, actual, depth) != "different"

    def _assigned(self, expected: list[Any], actual: list[Any], depth: int) -> bool:
        """Return whether each expected item finds an actual one of its own (Kuhn's algorithm)."""
        fits: list[list[int]] = []
        for item in expected:
            found = [at for at, a in enumerate(actual) if self._agree(item, a, depth + 1)]
            if not found or self.left < 0:
                return False
            fits.append(found)
        taken: dict[int, int] = {}
        return all(_placed(number, fits, taken) for number in range(len(expected)))


def _placed(start: int, fits: list[list[int]], taken: dict[int, int]) -> bool:
    """Give one item a place, moving others to places that are free: breadth first, no recursion."""
    came: dict[int, int] = {}
    waiting = [start]
    for item in waiting:
        for at in fits[item]:
            if at in came:
                continue
            came[at] = item
            if at in taken:
                waiting.append(taken[at])
                continue
            place: int | None = at
            while place is not None:
                mover = came[place]
                before = next((p for p, owner in taken.items() if owner == mover), None)
                taken[place] = mover
                if before is not None:
                    del taken[before]
                place = before
            return True
    return False


def _together(ways: Sequence[How], whole: bool) -> How:
    """Return how a collection agrees whose items agree in these ways."""
    if "different" in ways:
        return "different"
    if not whole or "subset" in ways or "contains" in ways:
        return "subset"
    if "normalised" in ways:
        return "normalised"
    return "number" if "number" in ways else "exact"


def _part(pointer: str, expected: Any, actual: Any, judge: _Comparison) -> Part:
    judge.cut = False
    how = judge.how(expected, actual)
    passed = how != "different"
    found = "too large to compare" if judge.cut and not passed else how
    where = quoted(pointer) if pointer else "The output"
    said = f"{where}: expected {in_words(expected)}, got {in_words(actual)} ({found})."
    return Part(pointer, how, passed, said)


def in_words(value: Any) -> str:
    """Return a value in a few words."""
    if isinstance(value, (dict, list)):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value):,}"
    if isinstance(value, str):
        return quoted(value)
    return "a large number" if isinstance(value, int) and abs(value) > 10**40 else repr(value)[:80]
