"""What simulated comparisons are drawn from: rates of cases on both sides, and runs of a case."""

import math
from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import ndtr

Numbers = NDArray[np.float64]
Rates = tuple[Numbers, Numbers]
Truth = Callable[[Generator, int], Rates]
RATE = 0.85
SHARED, LESS_SHARED = 0.5, 0.3
"""How much of what makes a run pass a criterion is common to all criteria of the run."""


def _beta(rng: Generator, mean: float, surety: float, size: int | tuple[int, int]) -> Numbers:
    return rng.beta(mean * surety, (1 - mean) * surety, size)


def _same(rng: Generator, cases: int) -> Rates:
    """Each case has one rate, whichever side."""
    rates = _beta(rng, RATE, 4, cases)
    return rates, rates


def _same_even(rng: Generator, cases: int) -> Rates:
    """As above, of rates spread evenly over the scale."""
    rates = rng.random(cases)
    return rates, rates


def _symmetric(rng: Generator, cases: int) -> Rates:
    """Each case has a rate of its own on each side, from the same population."""
    one, other = _beta(rng, RATE, 4, (2, cases))
    return one, other


def _much(rng: Generator, cases: int) -> Rates:
    """As above, of a population where most cases either nearly always pass or nearly never."""
    one, other = rng.beta(0.5, 0.5, (2, cases))
    return one, other


def _skewed(rng: Generator, cases: int) -> Rates:
    """The second side is a little better on most cases and far worse on some, 0 on the whole."""
    return _beta(rng, RATE, 100, cases), _beta(rng, RATE, 2, cases)


def rare_gains(share: float) -> Truth:
    """Return a second side that gains 80 points on a few cases and loses a little on the others."""

    def drawn(rng: Generator, cases: int) -> Rates:
        rare = rng.random(cases) < share
        lost = 0.9 - share * 0.8 / (1 - share)
        return np.where(rare, 0.1, 0.9), np.where(rare, 0.9, lost)

    return drawn


def between(one: float, other: float) -> Truth:
    """Return the same two rates on every case."""
    return lambda _, cases: (np.full(cases, one), np.full(cases, other))


def _better(rng: Generator, cases: int) -> Rates:
    """The second side passes 20 points more often, on every case."""
    rates = 0.8 * rng.beta(2, 2, cases)
    return rates, rates + 0.2


def _better_on_half(rng: Generator, cases: int) -> Rates:
    """The second side passes 40 points more often on half of the cases, and not on the others."""
    rates = 0.6 * rng.beta(2, 2, cases)
    return rates, rates + 0.4 * (np.arange(cases) < cases // 2)


def _apart(_: Generator, cases: int) -> Rates:
    """Half of the cases gain 42 points, half lose 40: a gain of one point on these cases."""
    gain = np.where(np.arange(cases) % 2 == 0, 0.42, -0.40)
    return 0.5 - gain / 2, 0.5 + gain / 2


def _families(rng: Generator, cases: int) -> Rates:
    """Five cases of a family share a gain or loss of 30 points; as many of either on the whole."""
    gain = np.repeat(rng.choice([-0.3, 0.3], -(-cases // FAMILY)), FAMILY)[:cases]
    return 0.5 - gain / 2, 0.5 + gain / 2


FAMILY = 5
NULLS: dict[str, Truth] = {
    "same rate on every case": _same,
    "cases differ, evenly": _symmetric,
    "cases differ much, evenly": _much,
    "cases differ, skewed": _skewed,
}
HARD: dict[str, Truth] = {
    "rare gains, 10 % of cases": rare_gains(0.1),
    "rare gains, 5 % of cases": rare_gains(0.05),
}
THESE: dict[str, Truth] = {
    "same rate on every case": _same,
    "same rate, spread evenly": _same_even,
}
GAINS: dict[str, Truth] = {
    "+20 points": _better,
    "+40 on half": _better_on_half,
    "50 % to 70 %": between(0.5, 0.7),
    "80 % to 100 %": between(0.8, 1.0),
    "30 % to 90 %": between(0.3, 0.9),
    "60 % to 90 %": between(0.6, 0.9),
}
TRUTHS: dict[str, Truth] = {
    **NULLS, **HARD, **THESE, **GAINS,
    "gains and losses of 40 points": _apart,
    "families share their change": _families,
    "80 % to 70 %": between(0.8, 0.7),
    "95 % to 85 %": between(0.95, 0.85),
}  # fmt: skip


def _pass_fail(rng: Generator, rates: Numbers, runs: int) -> Numbers:
    return (rng.random((rates.size, runs)) < rates[:, None]).astype(np.float64)


def _of(steps: int) -> Callable[[Generator, Numbers, int], Numbers]:
    def drawn(rng: Generator, rates: Numbers, runs: int) -> Numbers:
        passed: Numbers = rng.binomial(steps, rates[:, None], (rates.size, runs)) / steps
        return passed

    return drawn


def _fine(rng: Generator, rates: Numbers, runs: int) -> Numbers:
    """Return scores without steps that crowd at 1."""
    near = np.clip(rates, 1e-3, 1 - 1e-3)[:, None]
    found: Numbers = rng.beta(6 * near, 6 * (1 - near), (rates.size, runs))
    return found


def _eight(rng: Generator, rates: Numbers, runs: int) -> Numbers:
    """Return shares of eight criteria that a good run passes together."""
    found: Numbers = together(rng, rates, runs, 8).mean(axis=0)
    return found


def _eight_less_alike(rng: Generator, rates: Numbers, runs: int) -> Numbers:
    found: Numbers = together(rng, rates, runs, 8, LESS_SHARED).mean(axis=0)
    return found


def together(
    rng: Generator, rates: Numbers, runs: int, criteria: int, shared: float = SHARED
) -> Numbers:
    """Return for each criterion, case and run whether it passes: luck is partly that of the run."""
    common = rng.standard_normal((1, rates.size, runs))
    own = rng.standard_normal((criteria, rates.size, runs))
    luck = ndtr(math.sqrt(shared) * common + math.sqrt(1 - shared) * own)
    passed: Numbers = (luck < rates[:, None]).astype(np.float64)
    return passed


SCORES: dict[str, Callable[[Generator, Numbers, int], Numbers]] = {
    "pass/fail": _pass_fail, "share of 5 checks": _of(5), "score 1-5": _of(4),
    "fine score": _fine, "share of 8 criteria": _eight,
    "share of 8 criteria, less alike": _eight_less_alike,
}  # fmt: skip
