"""Where all drawers put things: the colours of series, and what would lie upon each other."""

from itertools import pairwise
from typing import Final

COLOURS: Final = ("side_a", "side_b", "better", "flaky", "worse", "accent", "tie")
LABEL_GAP: Final = 0.085
"""Names of lines are at least this share of the axis apart."""
STEP: Final = 0.14
"""Lines are at most this share of a step beside each other, so that whiskers stay apart."""


def beside(index: int, lines: int, step: float = STEP) -> float:
    """Return how far a line is moved sideways, as a share of a step between labels."""
    return step * (index - (lines - 1) / 2)


def spread(heights: list[float], gap: float) -> list[float]:
    """Return heights moved apart by at least `gap`, in order, around their old positions."""
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    moved = list(heights)
    for below, above in pairwise(order):
        moved[above] = max(moved[above], moved[below] + gap)
    shift = (sum(moved) - sum(heights)) / len(heights) if heights else 0.0
    return [height - shift for height in moved]
