"""How much of what changes from run to run is the judge's: the same output judged again."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics.clustered import Coefficient, by_case, coefficient, renumbered
from evalcore.statistics.intervals import SAME

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]


class Flicker(NamedTuple):
    """How often two judgments differ: of the same output, and of two runs of the same case.

    Each is a mean square difference, which for passed and failed is the share of pairs that differ;
    `outputs` were judged more than once, `pairs` counts pairs of their judgments, `runs` those of
    judgments of different runs. `share` is the first part of the second, 1 at most, with its
    interval over cases; None where either has no pairs or no two runs differ.
    """

    same_output: float | None
    other_run: float | None
    share: Coefficient | None
    outputs: int
    pairs: int
    runs: int


def flicker(value: Numbers, output: Codes, criterion: Codes, case: Codes) -> Flicker:
    """Return the flicker of judgments: each with a value from 0 to 1, and what it is about.

    `output` numbers one criterion of one run, `criterion` one criterion of one case.
    """
    again = _spread(value, output)
    together = _spread(value, criterion)
    n = np.bincount(output)[np.unique(output)]
    first = np.unique(output, return_index=True)[1]
    of_criterion = _per(again, first, criterion)
    # Pairs of judgments of one criterion, less those of the same output, are of different runs.
    between = _Spread(together.apart - of_criterion.apart, together.pairs - of_criterion.pairs)
    pairs, runs = float(again.pairs.sum()), float(between.pairs.sum())
    same = float(again.apart.sum()) / pairs if pairs else None
    other = float(between.apart.sum()) / runs if runs else None
    share = None
    if same is not None and other is not None and other > SAME:
        case_of = renumbered(case[np.unique(criterion, return_index=True)[1]])
        share = _share(of_criterion, between, case_of)
    return Flicker(same, other, share, int((n > 1).sum()), int(pairs), int(runs))


class _Spread(NamedTuple):
    """By group: the sum of squared differences of all pairs of values, and how many there are."""

    apart: Numbers
    pairs: Numbers


def _spread(value: Numbers, group: Codes) -> _Spread:
    place = renumbered(group)
    n, total, squares = (
        np.bincount(place, of).astype(np.float64) for of in (value**0, value, value**2)
    )
    return _Spread(np.maximum(n * squares - total**2, 0.0), n * (n - 1) / 2)


def _per(of: _Spread, first: Codes, criterion: Codes) -> _Spread:
    """Return the spread of outputs summed by criterion."""
    place = renumbered(criterion)[first]
    total = int(place.max()) + 1
    apart, pairs = (np.bincount(place, each, total).astype(np.float64) for each in of)
    return _Spread(apart, pairs)


def _share(same: _Spread, other: _Spread, case: Codes) -> Coefficient:
    sums = by_case(np.column_stack([*same, *other]), case)

    def found(weights: Numbers) -> Numbers:
        apart, pairs, between, runs = (weights @ sums).T
        below = between * pairs
        ratio: Numbers = np.where(
            below > SAME, apart * runs / np.where(below > SAME, below, 1.0), np.nan
        )
        return np.minimum(ratio, 1.0)

    return coefficient(found, int(same.pairs.sum()), case, 1.0)
