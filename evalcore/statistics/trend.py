"""The direction of a few scores over time, and the rule of drops: exact arithmetic on decimals.

Seed 001 asks for a direction of the last five scores and for an alert "if the pass rate dropped by
more than 10 %"; the help of the Trends page says how both are read here.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Final, Literal, NamedTuple

from evalcore.numbers import printed

Direction = Literal["improving", "degrading", "stable", "no clear direction", "too early"]
Level = Literal["critical", "watch"]
Number = float | Fraction

LAST: Final = 5
"""How many of the newest points have a direction."""
FEWEST: Final = 3
STABLE: Final = Fraction(5, 100)
"""Scores from 0 to 1 that lie no further apart are stable."""
ORDERED: Final = {3: 3, 4: 6, 5: 9}
"""How many pairs of points must rise, or fall, by the number of points; equal ones do neither."""
ESCALATES: Final = 3
"""So many degrading directions in a row, each of five points, are an escalation."""
LARGE: Final = Fraction(10, 100)
PLACES: Final = 9
"""Floats are taken as decimals of so many places: 0.8 - 0.7 is then 0.1 and no more."""


class Trend(NamedTuple):
    """The direction of the last `points` scores (at most five), and from where to where they went.

    It is `early` for three or four points. `first` to `last` are their ends, `low` to `high` their
    range; None without any.
    """

    direction: Direction
    points: int
    early: bool
    first: float | None
    last: float | None
    low: float | None
    high: float | None


class Drop(NamedTuple):
    """How far a rate fell: `points` of its scale (0.1: ten percentage points), and relative to it.

    `level` is None if it is no alert; `why` then says what is missing, empty if nothing is.
    """

    level: Level | None
    points: Fraction | None
    relative: Fraction | None
    why: str = ""


def trend(values: Sequence[Number], *, relative: bool = False) -> Trend:
    """Return the direction of scores in order, oldest first; only the last five count.

    With fewer than three it is too early. They are stable if they lie no more than 0.05 apart, else
    improving or degrading if nearly all pairs of them are in order: all of three or four points,
    all but one of five. `values` are on a scale from 0 to 1; with `relative` they are amounts, and
    0.05 is a share of the largest.
    """
    used = list(values[-LAST:])
    exact = [_exact(value) for value in used]
    ends = _ends(used)
    if len(used) < FEWEST:
        return Trend("too early", len(used), False, *ends)
    return Trend(_direction(exact, relative=relative), len(used), len(used) < LAST, *ends)


def escalates(values: Sequence[Number]) -> bool:
    """Return whether each of the last three directions, of five points each, is degrading."""
    return len(values) >= LAST + ESCALATES - 1 and all(
        trend(values[: len(values) - back]).direction == "degrading" for back in range(ESCALATES)
    )


def drop(previous: Number | None, current: Number | None) -> Drop:
    """Return whether a rate (0 to 1) fell by more than 10 points, or by more than 10 % of it.

    The first is critical, the second alone is to be watched; exactly 10 is neither.
    """
    if previous is None or current is None:
        missing = "the one before" if previous is None else "this one"
        return Drop(None, None, None, f"{missing} has no value")
    before, now = _exact(previous), _exact(current)
    points = before - now
    if before == 0:
        return Drop(None, points, None, "the one before was 0, and nothing falls below it")
    share = points / before
    level: Level | None = "critical" if points > LARGE else "watch" if share > LARGE else None
    return Drop(level, points, share)


def _direction(exact: Sequence[Fraction], *, relative: bool) -> Direction:
    apart = max(exact) - min(exact)
    scale = max(map(abs, exact)) if relative else Fraction(1)
    if apart <= STABLE * scale:
        return "stable"
    rises = sum(after > before for before, after in combinations(exact, 2))
    falls = sum(after < before for before, after in combinations(exact, 2))
    if max(rises, falls) < ORDERED[len(exact)]:
        return "no clear direction"
    return "improving" if rises > falls else "degrading"


def _ends(
    values: Sequence[Number],
) -> tuple[float | None, float | None, float | None, float | None]:
    if not values:
        return None, None, None, None
    return float(values[0]), float(values[-1]), float(min(values)), float(max(values))


def _exact(value: Number) -> Fraction:
    return value if isinstance(value, Fraction) else printed(value, PLACES)
