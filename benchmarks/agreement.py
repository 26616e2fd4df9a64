"""How often the range of alpha holds the true one: `python -m benchmarks agreement [--rounds 200]`.

Each cell draws three judges' scores of cases many times and asks the product's own range. The true
alpha is that of 60,000 units of the same kind.
"""

import argparse
import sys
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.random import Generator

from evalcore.statistics.agreement import Level, Ratings, alpha

SEED: Final = 4
JUDGES: Final = 3
MANY: Final = 60_000
FIVE: Final = (-1.2, -0.4, 0.4, 1.2)
"""Where a number that judges see with some noise becomes the next of five scores."""


class Cell(NamedTuple):
    """So many cases with `units` criteria each; how noisy judges are, and how skewed the scores."""

    cases: int
    units: int
    cuts: tuple[float, ...]
    noise: float
    skew: float

    @property
    def level(self) -> Level:
        """How the scores are read."""
        return "nominal" if len(self.cuts) == 1 else "ordinal"


class Covered(NamedTuple):
    """In how many of the sets that have a range it holds the true alpha, and its mean width."""

    true: float
    held: int
    ranges: int
    width: float


CELLS: Final = tuple(
    Cell(cases, units, cuts, noise, skew)
    for (cases, units), cuts, noise, skew in product(
        ((30, 1), (30, 3), (10, 1)), (FIVE, (0.0,)), (0.3, 0.7, 1.5), (0.0, 1.0)
    )
)


def drawn(rng: Generator, cell: Cell, cases: int) -> Ratings:
    """Draw scores; criteria of one case have half of what makes them good or bad in common."""
    total = cases * cell.units
    common = np.repeat(rng.normal(0, 1, cases), cell.units)
    if cell.units > 1:
        common = (common + rng.normal(0, 1, total)) / np.sqrt(2)
    seen = cell.skew + common + rng.normal(0, cell.noise, (JUDGES, total))
    scores = np.searchsorted(cell.cuts, seen)
    unit = np.tile(np.arange(total), JUDGES)
    scale = np.arange(len(cell.cuts) + 1.0)
    return Ratings(unit, scores.ravel(), np.arange(total) // cell.units, scale)


def covered(cell: Cell, rounds: int, seed: int = SEED) -> Covered:
    """Draw a cell many times and count how often the range holds the true alpha."""
    rng = np.random.default_rng([seed, CELLS.index(cell)])
    whole = drawn(rng, cell, MANY // cell.units)
    true = alpha(whole._replace(case=np.zeros_like(whole.case)), cell.level).value
    assert true is not None
    found = [alpha(drawn(rng, cell, cell.cases), cell.level) for _ in range(rounds)]
    ranges = [(one.low, one.high) for one in found if one.low is not None and one.high is not None]
    held = sum(low <= true <= high for low, high in ranges)
    return Covered(true, held, len(ranges), sum(high - low for low, high in ranges) / len(ranges))


def main(arguments: list[str] | None = None) -> int:
    """Print one line a cell."""
    parser = argparse.ArgumentParser("python -m benchmarks agreement", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args(arguments).rounds
    for cell in CELLS:
        found = covered(cell, rounds)
        kind = "pass/fail" if cell.level == "nominal" else "1 to 5"
        sys.stdout.write(
            f"{cell.cases} cases of {cell.units}, {kind}, noise {cell.noise}, skew {cell.skew}: "
            f"alpha {found.true:.2f}, held in {found.held} of {found.ranges} ranges "
            f"({found.held / found.ranges:.1%}), {rounds - found.ranges} sets without a range, "
            f"mean width {found.width:.2f}\n"
        )
        sys.stdout.flush()
    return 0
