"""Whether B is shown not to be worse than A by more than a margin: two one-sided tests (TOST)."""

import math
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics.general import general, limits
from evalcore.statistics.intervals import SAME, wilson
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.planning import FEWEST

Numbers = NDArray[np.float64]
On = Literal["cases like these", "these cases"]

BOTH: Final = 0.10
"""What an interval leaves out on both sides whose limits are two one-sided tests at .05."""
TAKEN: Final = 3
"""Runs of a side are taken to vary like so many more that vary as much as they can."""


@dataclass(frozen=True)
class NotWorse:
    """Whether B is not worse than A by more than `margin`, and for what that is shown.

    `low` is the lower 90 % limit of the difference for cases like these, None below six of them;
    `these_low` that on these cases, None where no case ran more than once.
    """

    shown: bool
    on: On | None
    low: float | None
    these_low: float | None
    margin: float


def not_worse(runs: PairedRuns, margin: float) -> NotWorse:
    """Return whether the lower limit of the difference lies above minus `margin`.

    For cases like these it is the limit of the general interval, of six cases (or clusters) or
    more; else, on these cases, that of runs within their case. Either is wrong in 5 % of repeats
    where B is worse by just the margin (Schuirmann 1987).

    Raises:
        ValueError: the margin is not above 0 and at most 1.
    """
    if not 0 < margin <= 1:
        raise ValueError("The margin is a part of the scale: above 0 and at most 1.")
    over = general(runs)
    low = limits(over, BOTH).low if over.units >= FEWEST else None
    these = None if runs.ran_once else _low_on_these(runs)
    if low is not None and low > -margin:
        return NotWorse(True, "cases like these", low, these, margin)
    on_these = these is not None and these > -margin
    return NotWorse(on_these, "these cases" if on_these else None, low, these, margin)


def _low_on_these(runs: PairedRuns) -> float:
    """Return the lower limit of the difference on these cases, from how runs of a case vary.

    The limits of both sides, squared and added (Newcombe 1998, Statistics in Medicine 17:873).
    """
    rate_a, _, high = _of_side(runs.a, runs.case_a, runs.runs_a)
    rate_b, low, _ = _of_side(runs.b, runs.case_b, runs.runs_b)
    return max(rate_b - rate_a - math.hypot(rate_b - low, high - rate_a), -1.0)


def _of_side(
    values: Numbers, cases: NDArray[np.int64], ran: NDArray[np.int64]
) -> tuple[float, float, float]:
    """Return the mean over cases of one side, and Wilson's limits for as many runs.

    For as many as would, if each had passed or failed, vary as these do within their case.
    """
    means = np.bincount(cases, values, len(ran)) / ran
    rate = min(max(math.fsum(means) / len(ran), 0.0), 1.0)
    free = len(values) - len(ran)
    squares = float(np.square(values - means[cases]).sum())
    most = rate * (1 - rate)
    share = min(squares / free / most, 1.0) if free and most > SAME else 1.0
    telling = min(np.count_nonzero(values < 1 - SAME), np.count_nonzero(values > SAME))
    n = len(ran) ** 2 / float((1 / ran).sum())
    n *= (telling + TAKEN) / (telling * share + TAKEN)
    low, high = wilson(rate * n, n, 1 - BOTH)
    return rate, min(low, rate), max(high, rate)
