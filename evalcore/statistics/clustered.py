"""The interval of a coefficient of units that lie in cases, over resamples of whole cases."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics.intervals import CONFIDENCE, SAME, wilson

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]
Statistic = Callable[[Numbers], Numbers]
"""A coefficient of weighted cases, one row of weights a coefficient; NaN where undefined."""

RESAMPLES: Final = 1_999
FEWEST_RESAMPLES: Final = 499
DRAWN: Final = 2_000_000
"""How many cases a bootstrap draws at most, so that 10,000 cases take little longer than 1,000."""
SEED: Final = 19_601
FEWEST: Final = 6
"""Below so many cases there is no range: a few cases can be drawn again in a few ways only."""
UNDEFINED: Final = 0.05
"""Above this share of resamples without a coefficient, those that have one tell no range."""
MOST_LEFT_OUT: Final = 500
"""Above so many cases BCa would cost the square of them, and the percentiles say the same."""
ROWS: Final = 500


class Coefficient(NamedTuple):
    """A coefficient of agreement, and the range it is likely in.

    `value` is None where there is none, and `why` then says so: "too few" for fewer than two
    units, "all agree" where everybody gave one and the same score throughout, so that chance would
    agree as well. `low` and `high` are None below `FEWEST` cases, and where more than one resample
    in 20 has no coefficient. `units` were scored by two judges or more, in so many `cases`.
    """

    value: float | None
    low: float | None
    high: float | None
    units: int
    cases: int
    why: Literal["", "too few", "all agree"] = ""


def coefficient(statistic: Statistic, units: int, cases: Codes, expected: float) -> Coefficient:
    """Return a coefficient with its 95 % interval over resamples of cases.

    The widest of the BCa and the percentile interval of up to `RESAMPLES` draws of as many cases,
    the same draws every time. In simulated sets of 10 and 30 cases with scores from 1 to 5, the
    percentiles alone held the true alpha in as few as 88 % of sets, BCa alone in as few as 89 %,
    the widest of both in no less than 92 %, and it is hardly wider. Resamples in which all scores
    are the same have no coefficient and are left out; where they are more than `UNDEFINED` of all,
    there is no interval.

    Where no two scores of a unit differ, resamples cannot either. What may have been missed is
    then Wilson's limit of a share of cases of which none disagrees, taken to be as far apart as
    scores that differ by chance are: `expected` is the share of pairs that differ by chance.
    """
    n = int(cases.max()) + 1 if len(cases) else 0
    if units < 2:
        return Coefficient(None, None, None, units, n, "too few")
    value = float(statistic(np.ones((1, n)))[0])
    if np.isnan(value):
        return Coefficient(None, None, None, units, n, "all agree")
    if n < FEWEST:
        return Coefficient(min(value, 1.0), None, None, units, n)
    if value >= 1 - SAME:
        low = 1 - (1 - wilson(n, n)[0]) / expected
        return Coefficient(1.0, max(low, -1.0), 1.0, units, n)
    return Coefficient(value, *_bounds(statistic, value, n), units, n)


def _bounds(statistic: Statistic, value: float, cases: int) -> tuple[float | None, float | None]:
    """Return the widest of the BCa and the percentile interval."""
    drawn = _of_weights(statistic, _weights(cases))
    known = drawn[~np.isnan(drawn)]
    if len(known) < (1 - UNDEFINED) * len(drawn):
        return None, None
    tails = np.array([(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    shifted = _shifted(statistic, value, known, cases, tails)
    found = np.quantile(known, tails if shifted is None else np.concatenate([tails, shifted]))
    return float(found.min()), float(found.max())


def _shifted(
    statistic: Statistic, value: float, drawn: Numbers, cases: int, tails: Numbers
) -> Numbers | None:
    """Return which quantiles of resamples are BCa's limits (Efron 1987); None where none are."""
    from scipy.special import ndtr, ndtri

    below = float((drawn < value).mean() + (drawn == value).mean() / 2)
    if cases > MOST_LEFT_OUT or not 0 < below < 1:
        return None
    left_out = _of_weights(statistic, 1 - np.eye(cases, dtype=np.uint8))
    if np.isnan(left_out).any():
        return None
    apart = left_out.mean() - left_out
    spread = float((apart**2).sum())
    skew = float((apart**3).sum()) / (6 * spread**1.5) if spread > SAME**2 else 0.0
    bias = ndtri(below)
    reach = bias + ndtri(tails)
    found: Numbers = ndtr(bias + reach / (1 - skew * reach))
    return found


def _of_weights(statistic: Statistic, weights: NDArray[np.integer[Any]]) -> Numbers:
    """Return a coefficient for each row of weights, some rows at a time to keep memory small."""
    parts = np.array_split(weights, len(weights) // ROWS + 1)
    return np.concatenate([statistic(part.astype(np.float64)) for part in parts])


@lru_cache(maxsize=8)
def _weights(cases: int) -> NDArray[np.uint16]:
    """Return how often each resample draws each case."""
    draws = int(np.clip(DRAWN // cases, FEWEST_RESAMPLES, RESAMPLES))
    rng = np.random.default_rng(SEED)
    found = np.zeros((draws, cases), np.uint16)
    for draw in range(draws):
        found[draw] = np.bincount(rng.integers(cases, size=cases), minlength=cases)
    return found


def by_case(values: Numbers, cases: Codes) -> Numbers:
    """Return the sums of rows by case, cases counted from 0 without a gap."""
    order = np.argsort(cases, kind="stable")
    starts = np.flatnonzero(np.diff(cases[order], prepend=-1))
    rows = values[order].astype(np.float64)
    found: Numbers = np.add.reduceat(rows, starts, axis=0) if len(rows) else rows
    return found


def renumbered(cases: Codes) -> Codes:
    """Return cases counted from 0 without a gap."""
    found: Codes = np.unique(cases, return_inverse=True)[1].astype(np.int64)
    return found
