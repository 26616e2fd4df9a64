"""How far from 0 a sum of independent numbers comes by chance: exactly where that is feasible."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]

GRID: Final = 1_000_000_000
"""Steps of 1 in which values are counted that share no coarser unit."""
CELLS: Final = 1 << 25
"""How many numbers the transforms of one exact sum may have."""
TERMS: Final = 1 << 18
"""How many sums either half of the terms may have for an exact sum without a lattice."""
DRAWS: Final = 9_999
SEED: Final = 19_351
DIGITS: Final = 15
"""Decimals of p: one of 0.05 is 0.05, and no less for how floats add."""
SMALLEST: Final = 1e-10
"""No p is told to be smaller: beyond it a transform computes noise."""
BEYOND: Final = 16.5
"""2 exp(-2 · BEYOND) is 1e-14: Hoeffding's bound of what lies outside the computed sums."""


class Terms(NamedTuple):
    """Kinds of terms of a sum: each row of `values` has the probabilities of the same row.

    Values are whole numbers of some unit, of mean 0; `times` says how many terms of each kind the
    sum has. `weights` has one row where all kinds share it.
    """

    values: Whole
    weights: Numbers
    times: Whole


class Tail(NamedTuple):
    """The probability that a sum is as far from 0 as the one seen, and the least it can be.

    `mid` counts sums that are exactly as far by half (mid-p).
    """

    p: float
    mid: float
    least: float
    exact: bool


def tail(terms: Sequence[Terms], seen: int, slack: int) -> Tail:
    """Return the probability that the sum of all terms is at least `seen` away from 0.

    Sums within `slack` of it count as equal. Exact by a transform over the lattice of all values,
    else by counting every pair of sums of two halves of the terms; where neither is feasible,
    (1 + hits) / (1 + draws) of 9,999 draws that are the same every time.
    """
    least = _least(terms, slack)
    if abs(seen) <= slack:
        return Tail(1.0, 1.0, least, True)
    ends = abs(seen) - slack, abs(seen) + slack + 1
    exact = _on_lattice(terms, *ends) or _by_halves(terms, *ends)
    reached, exceeded = exact or _drawn(terms, *ends)
    return Tail(_shown(reached), _shown((reached + exceeded) / 2), least, exact is not None)


def _shown(p: float) -> float:
    return min(max(round(p, DIGITS), SMALLEST), 1.0)


def _least(terms: Sequence[Terms], slack: int) -> float:
    """Return the probability of the sum that is furthest from 0."""
    ends = []
    for sign in (1, -1):
        far, log = 0, 0.0
        for values, weights, count in terms:
            furthest = (sign * values).max(axis=1, keepdims=True)
            chance = np.where(sign * values == furthest, weights, 0.0).sum(axis=1)
            far += int((furthest[:, 0] * count).sum())
            log += float((np.log(chance) * count).sum())
        ends.append((far, log))
    (up, chance_up), (down, chance_down) = ends
    if max(up, down) <= slack:
        return 1.0
    found = math.exp(chance_up) if up + slack >= down else 0.0
    found += math.exp(chance_down) if down + slack >= up else 0.0
    return _shown(found)


def _on_lattice(terms: Sequence[Terms], *ends: int) -> tuple[float, float] | None:
    """Return the probabilities from the product of transforms, None where the lattice is too fine.

    Where the lattice has more points than sums that are likely at all, sums are counted modulo
    that many: what folds back is less likely than the smallest p that is told.
    """
    starts = [values.min(axis=1, keepdims=True) for values, _, _ in terms]
    apart = [values - start for (values, _, _), start in zip(terms, starts, strict=True)]
    step = int(np.gcd.reduce([int(np.gcd.reduce(each, axis=None)) for each in apart])) or 1
    ranges = [each.max(axis=1) // step for each in apart]
    span = sum(int((r * t.times).sum()) for r, t in zip(ranges, terms, strict=True))
    squares = sum(
        float((r.astype(float) ** 2 * t.times).sum()) for r, t in zip(ranges, terms, strict=True)
    )
    radius = math.ceil(math.sqrt(BEYOND * squares))
    points = 1 << (min(span, 2 * radius) + 2).bit_length()
    if points * sum(len(each) for each in apart) > CELLS:
        return None
    if ends[0] > radius * step:
        return 0.0, 0.0
    chances = _transformed([each // step for each in apart], terms, points)
    start = sum(int((s[:, 0] * t.times).sum()) for s, t in zip(starts, terms, strict=True))
    first = 0 if span < points else -((radius * step + start) // step)
    counted = first + np.arange(points)
    far = np.abs(start + step * counted)
    reached, exceeded = (float(chances[counted[far >= end] % points].sum()) for end in ends)
    return reached, exceeded


def _transformed(steps: Sequence[Whole], terms: Sequence[Terms], points: int) -> Numbers:
    """Return the probabilities of all sums, counted in steps modulo `points`."""
    product = np.ones(points // 2 + 1, np.complex128)
    for each, (_, weights, count) in zip(steps, terms, strict=True):
        rows = max(1, (1 << 21) // points)
        for at in range(0, len(each), rows):
            part = each[at : at + rows] % points
            here = np.broadcast_to(weights, each.shape)[at : at + rows]
            flat = (part + points * np.arange(len(part))[:, None]).ravel()
            dense = np.bincount(flat, here.ravel(), points * len(part))
            product *= _powers(np.fft.rfft(dense.reshape(-1, points)), count[at : at + rows])
    return np.fft.irfft(product, points)


def _powers(transforms: NDArray[np.complex128], count: Whole) -> NDArray[np.complex128]:
    """Return the product of rows, each to the power of its count, by squaring."""
    product = np.ones(transforms.shape[1], np.complex128)
    left = count.copy()
    while left.any():
        odd = left % 2 == 1
        if odd.any():
            product *= transforms[odd].prod(axis=0)
        left //= 2
        transforms, left = transforms[left > 0] ** 2, left[left > 0]
    return product


def _by_halves(terms: Sequence[Terms], *ends: int) -> tuple[float, float] | None:
    """Return the probabilities by counting every pair of sums of two halves of the terms."""
    if sum(int(each.times.sum()) for each in terms) > 2 * TERMS.bit_length():
        return None
    singles = [
        merged(row, chances)
        for values, weights, times in terms
        for at, (row, chances) in enumerate(
            zip(values, np.broadcast_to(weights, values.shape), strict=True)
        )
        for _ in range(int(times[at]))
    ]
    sides: tuple[list[int], list[int]] = ([], [])
    sizes = [1, 1]
    for at in sorted(range(len(singles)), key=lambda at: -singles[at][0].size):
        smaller = int(sizes[1] < sizes[0])
        sides[smaller].append(at)
        sizes[smaller] *= singles[at][0].size
    if max(sizes) > TERMS:
        return None
    one, other = (_summed([singles[at] for at in side]) for side in sides)
    reached, exceeded = (_beyond(*one, *other, end) for end in ends)
    return reached, exceeded


def _summed(terms: Sequence[tuple[Whole, Numbers]]) -> tuple[Whole, Numbers]:
    """Return all sums of one value of each term, ascending, and their probabilities."""
    sums, chances = np.zeros(1, np.int64), np.ones(1)
    for values, weights in terms:
        sums = (sums[:, None] + values).ravel()
        chances = (chances[:, None] * weights).ravel()
    order = np.argsort(sums, kind="stable")
    return sums[order], chances[order]


def _beyond(sums: Whole, chances: Numbers, others: Whole, rest: Numbers, end: int) -> float:
    """Return the probability that a sum plus another is `end` or more away from 0."""
    below = np.concatenate([[0.0], np.cumsum(rest)])
    low = below[np.searchsorted(others, -end - sums, side="right")]
    high = below[np.searchsorted(others, end - sums, side="left")]
    return float((chances * (low + below[-1] - high)).sum())


def merged(values: Whole, weights: Numbers) -> tuple[Whole, Numbers]:
    """Return each different value once, with the sum of its weights."""
    unique, at = np.unique(values, return_inverse=True)
    return unique, np.bincount(at.ravel(), weights.ravel()).astype(np.float64)


def _drawn(terms: Sequence[Terms], *ends: int) -> tuple[float, float]:
    """Return the shares of draws, the one that was seen among them."""
    rng = np.random.default_rng(SEED)
    sums = np.zeros(DRAWS, np.int64)
    for values, weights, count in terms:
        every = np.cumsum(np.broadcast_to(weights, values.shape), axis=1)
        even = len(weights) == 1 and np.ptp(weights) == 0
        for row, bounds, times in zip(values, every, count.tolist(), strict=True):
            for _ in range(times):
                if even:
                    sums += row[rng.integers(row.size, size=DRAWS)]
                else:
                    drawn = np.searchsorted(bounds, rng.random(DRAWS) * bounds[-1], side="right")
                    sums += row[drawn]
    far = np.abs(sums)
    reached, exceeded = (int(np.count_nonzero(far >= end)) for end in ends)
    return (1 + reached) / (1 + DRAWS), exceeded / (1 + DRAWS)
