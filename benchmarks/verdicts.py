"""How often the verdict rule is wrong: `python -m benchmarks.verdicts [--rounds 1000]`.

Each cell draws two sides of a comparison many times and asks the product's own rule. Without a
true difference every "better" or "worse" is false; of a page of criteria, one makes it so. Beside
it, of passing and failing: the z test of two proportions that takes all runs as independent.
"""

import argparse
import math
import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from benchmarks import report
from benchmarks.measure import Result
from evalcore.statistics.intervals import wilson
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.verdict import words

OUT = Path(__file__).with_name("verdicts.json")
SEED = 4
FALSE = 0.065
MISSED = 0.2
RATE = 0.85
FEW = 8
"""With so few cases the figures are told, but held to no limit."""
SHARED = 0.5
"""How much of what makes a run pass a criterion is common to all criteria of the run."""

Numbers = NDArray[np.float64]
Effect = Callable[[Generator, int], tuple[Numbers, Numbers]]


def _same(rng: Generator, cases: int) -> tuple[Numbers, Numbers]:
    """Each case has one rate, whichever side."""
    rates = rng.beta(RATE * 4, (1 - RATE) * 4, cases)
    return rates, rates


def _symmetric(rng: Generator, cases: int) -> tuple[Numbers, Numbers]:
    """Each case has a rate of its own on each side, from the same population."""
    one, other = rng.beta(RATE * 4, (1 - RATE) * 4, (2, cases))
    return one, other


def _much(rng: Generator, cases: int) -> tuple[Numbers, Numbers]:
    """As above, of a population where most cases either nearly always pass or nearly never."""
    one, other = rng.beta(0.5, 0.5, (2, cases))
    return one, other


def _skewed(rng: Generator, cases: int) -> tuple[Numbers, Numbers]:
    """The second side is a little better on most cases and far worse on some, 0 on the whole."""
    return rng.beta(RATE * 100, (1 - RATE) * 100, cases), rng.beta(RATE * 2, (1 - RATE) * 2, cases)


def _better(rng: Generator, cases: int) -> tuple[Numbers, Numbers]:
    """The second side passes 20 points more often, on every case."""
    rates = 0.8 * rng.beta(2, 2, cases)
    return rates, rates + 0.2


def _better_on_half(rng: Generator, cases: int) -> tuple[Numbers, Numbers]:
    """The second side passes 40 points more often on half of the cases, and not on the others."""
    rates = 0.6 * rng.beta(2, 2, cases)
    return rates, rates + 0.4 * (np.arange(cases) < cases // 2)


NULLS: dict[str, Effect] = {
    "same rate on every case": _same,
    "cases differ, evenly": _symmetric,
    "cases differ much, evenly": _much,
    "cases differ, skewed": _skewed,
}
GAINS: dict[str, Effect] = {"+20 points": _better, "+40 on half": _better_on_half}


def _pass_fail(rng: Generator, rates: Numbers, runs: int) -> Numbers:
    return rng.binomial(runs, rates) / runs


def _checks(rng: Generator, rates: Numbers, runs: int) -> Numbers:
    return rng.binomial(5 * runs, rates) / (5 * runs)


def _one_to_five(rng: Generator, rates: Numbers, runs: int) -> Numbers:
    return rng.binomial(4 * runs, rates) / (4 * runs)


def _fine(rng: Generator, rates: Numbers, runs: int) -> Numbers:
    """Return means of scores without steps that crowd at 1."""
    near = np.clip(rates, 1e-3, 1 - 1e-3)
    means: Numbers = rng.beta(6 * near, 6 * (1 - near), (runs, rates.size)).mean(axis=0)
    return means


SCORES = {
    "pass/fail": _pass_fail, "share of 5 checks": _checks, "score 1-5": _one_to_five,
    "fine score": _fine,
}  # fmt: skip


class Cell(NamedTuple):
    """What is drawn: both sides' rates by case, what a run gives, and how much there is of it."""

    truth: str
    scores: str
    cases: int
    runs: int
    criteria: int = 1

    @property
    def name(self) -> str:
        """What it is, in a few words."""
        page = f", page of {self.criteria} criteria" if self.criteria > 1 else ""
        return f"{self.truth}, {self.scores}{page}"


def cells() -> Iterator[Cell]:
    """Yield every cell: one headline under each null, pages of criteria, then true gains."""
    for truth, scores, cases, runs in product(NULLS, SCORES, (10, 50), (1, 3, 6)):
        yield Cell(truth, scores, cases, runs)
    for truth, cases, runs, criteria in product(NULLS, (10, 50), (1, 3, 6), (8, 20)):
        yield Cell(truth, "pass/fail", cases, runs, criteria)
    for scores, runs in product(("share of 5 checks", "fine score"), (3, 6)):
        yield Cell("cases differ, skewed", scores, FEW, runs)
    for truth, scores in product(GAINS, ("pass/fail", "share of 5 checks")):
        yield Cell(truth, scores, 50, 3)


def main(arguments: list[str] | None = None) -> int:
    """Simulate every cell, print each when it is done, and keep the figures."""
    parser = argparse.ArgumentParser("python -m benchmarks.verdicts", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000, help="comparisons drawn for each cell")
    parser.add_argument("--out", type=Path, default=OUT, help="where to keep the figures")
    asked = parser.parse_args(arguments)
    results = []
    _print(LINE.format("what is true", "cases × runs", "told", "95 %", "limit", "naive", ""))
    for cell in cells():
        results.append(simulate(cell, asked.rounds))
        _print(_line(results[-1]))
        report.keep(results, asked.out, {"rounds": asked.rounds, "seed": SEED})
    missed = sum(result.verdict.startswith("missed") for result in results)
    _print(f"{len(results)} cells, {missed} beyond their limit.")
    return 1 if missed else 0


def simulate(cell: Cell, rounds: int) -> Result:
    """Return in how many rounds the rule is wrong: false verdicts, or gains it does not tell."""
    rng = np.random.default_rng([SEED, zlib.crc32(repr(cell).encode())])
    drawn = [_page(rng, cell) if cell.criteria > 1 else _single(rng, cell) for _ in range(rounds)]
    gain = cell.truth in GAINS
    wrong = sum(_wrong(sides, gain) for sides in drawn)
    low, high = wilson(wrong, rounds)
    naive = ""
    if cell.scores == "pass/fail" and cell.criteria == 1 and not gain:
        false = sum(_naive(*sides[0], cell.runs) for sides in drawn) / rounds
        naive = f"{false:.1%}"
    return Result(
        row="gain not told" if gain else "false verdicts",
        what=cell.name,
        workspace=f"{cell.cases} × {cell.runs}",
        unit="of comparisons",
        ratio=wrong / rounds,
        target=None if cell.cases == FEW else MISSED if gain else FALSE,
        rounds=rounds,
        detail=f"{low:.1%} to {high:.1%}" + (f"; runs as independent {naive}" if naive else ""),
    )


Sides = list[tuple[Numbers, Numbers]]


def _single(rng: Generator, cell: Cell) -> Sides:
    rates = {**NULLS, **GAINS}[cell.truth](rng, cell.cases)
    one, other = (SCORES[cell.scores](rng, rate, cell.runs) for rate in rates)
    return [(one, other)]


def _page(rng: Generator, cell: Cell) -> Sides:
    """Draw criteria that a good run passes together: rates of the case, and luck of the run."""
    rates = NULLS[cell.truth](rng, cell.cases)
    one, other = (_together(rng, cell, rate) for rate in rates)
    return list(zip(one, other, strict=True))


def _together(rng: Generator, cell: Cell, rates: Numbers) -> Numbers:
    """Return the case means of each criterion; every one passes at the case's rate."""
    common = rng.standard_normal((1, cell.runs, cell.cases))
    own = rng.standard_normal((cell.criteria, cell.runs, cell.cases))
    luck = ndtr(math.sqrt(SHARED) * common + math.sqrt(1 - SHARED) * own)
    means: Numbers = (luck < rates).mean(axis=1)
    return means


def _wrong(sides: Sides, gain: bool) -> bool:
    told = words([PairedRuns.of_means(one, other) for one, other in sides])
    if gain:
        return told[0] != "better"
    return any(word in ("better", "worse") for word in told)


def _naive(one: Numbers, other: Numbers, runs: int) -> bool:
    """Say whether the z test of two proportions over all runs finds a difference."""
    n = one.size * runs
    pooled = float((one.mean() + other.mean()) / 2)
    error = math.sqrt(2 * pooled * (1 - pooled) / n)
    return abs(float(other.mean() - one.mean())) > float(ndtri(0.975)) * error


LINE = "{:58} {:>12} {:>6} {:>16} {:>6} {:>7}  {}"


def _line(result: Result) -> str:
    interval, _, naive = result.detail.partition("; runs as independent ")
    return LINE.format(
        result.what,
        result.workspace,
        _percent(result.ratio),
        interval,
        _percent(result.target),
        naive or "–",
        result.verdict,
    ).rstrip()


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
