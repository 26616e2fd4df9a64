"""How often the verdict rule is wrong: `python -m benchmarks verdicts [--rounds 1000]`.

Each cell draws comparisons many times and asks the product's own rule. Each has a figure and, where
docs/statistics.md promises one, a limit; beyond it is what is above it by more than chance.
"""

import argparse
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from scipy.special import ndtri

from benchmarks import report
from benchmarks.measure import Result
from benchmarks.populations import (
    FAMILY,
    GAINS,
    HARD,
    NULLS,
    SCORES,
    THESE,
    TRUTHS,
    Numbers,
    between,
    together,
)
from evalcore.statistics.intervals import mean_interval, wilson
from evalcore.statistics.labels import labels
from evalcore.statistics.not_worse import not_worse
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.planning import LEVEL
from evalcore.statistics.planning_runs import design, more_runs
from evalcore.statistics.verdict import verdicts, words

OUT = Path(__file__).with_name("verdicts.json")
SEED = 4
FALSE, FALSE_ON_THESE, WRONG_SIGN = 0.065, 0.055, 0.025
MISSED = 0.2
OUTSIDE = 0.08
SLOW = 4
"""Pages of criteria, and plans, which ask twice, have this part of the rounds."""
GENERAL = ("better", "worse")
FAR = 1.4
"""Below so many standard errors around 0 no test over cases has p < .05."""


class Cell(NamedTuple):
    """What is asked, and what is drawn: rates by case, what a run gives, and how much of it."""

    asked: str
    truth: str
    scores: str
    cases: int
    runs: int
    criteria: int = 1
    limit: float | None = None

    @property
    def name(self) -> str:
        """What it is, in a few words."""
        page = f", page of {self.criteria} criteria" if self.criteria > 1 else ""
        return f"{self.asked}: {self.truth}, {self.scores}{page}"


def _false(rng: Generator, cell: Cell) -> bool:
    """A difference for cases like these is told, of any criterion of a page, though none is."""
    page = _page(rng, cell)
    return any(map(_near, page)) and any(word in GENERAL for word in words(page))


def _near(runs: PairedRuns) -> bool:
    """Say whether differences come near to p < .05 at all, to ask less."""
    differences = runs.differences
    return bool(abs(differences.sum()) >= FAR * np.sqrt(np.square(differences).sum()))


def _false_on_these(rng: Generator, cell: Cell) -> bool:
    return labels(_page(rng, cell)[0]).p < LEVEL


def _wrong_sign(rng: Generator, cell: Cell) -> bool:
    runs = _page(rng, cell)[0]
    return labels(runs).p < LEVEL and bool(runs.differences.mean() < 0)


def _missed(rng: Generator, cell: Cell) -> bool:
    return words(_page(rng, cell))[0] != "better"


def _missed_on_these(rng: Generator, cell: Cell) -> bool:
    runs = _page(rng, cell)[0]
    return labels(runs).p >= LEVEL or bool(runs.differences.mean() < 0)


def _naive(rng: Generator, cell: Cell) -> bool:
    """The z test of two proportions over all runs finds a difference."""
    runs = _page(rng, cell)[0]
    pooled = float((runs.a.mean() + runs.b.mean()) / 2)
    error = float(np.sqrt(2 * pooled * (1 - pooled) / runs.a.size))
    return abs(float(runs.b.mean() - runs.a.mean())) > float(ndtri(0.975)) * error


def _clusters(rng: Generator, cell: Cell) -> bool:
    runs = _page(rng, cell)[0]
    family = np.arange(cell.cases) // FAMILY
    said = PairedRuns(runs.a, runs.b, runs.case_a, runs.case_b, family)
    return _near(runs) and words([said])[0] in GENERAL


def _not_worse(rng: Generator, cell: Cell) -> bool:
    """A second side that is worse by just the margin is shown not to be."""
    runs = _page(rng, cell)[0]
    one, other = TRUTHS[cell.truth](rng, cell.cases)
    return not_worse(runs, float((one - other).mean())).shown


def _outside(rng: Generator, cell: Cell) -> bool:
    """The likely range of one side's rate leaves out the true one, of cases that differ."""
    rate = float(cell.truth.rstrip("%")) / 100
    rates = rng.beta(2 * rate, 2 * (1 - rate), cell.cases)
    low, high = mean_interval(SCORES[cell.scores](rng, rates, cell.runs).mean(axis=1)) or (0, 1)
    return not low <= rate <= high


def _plan_of_cases(rng: Generator, cell: Cell) -> bool:
    """A true difference as large as a pilot says that so many cases show is not told.

    On a page of criteria, of which only one differs.
    """
    seen = verdicts(_page(rng, cell))[0].visible or 1.0
    changed = _drawn(rng, between(0.5 - seen / 2, 0.5 + seen / 2)(rng, cell.cases), cell)
    rest = _page(rng, cell)[1:]
    return words([changed, *rest])[0] != "better"


def _plan_of_runs(rng: Generator, cell: Cell) -> bool:
    """With as many more runs as a pilot says, a true difference is not told on these cases."""
    rates = TRUTHS[cell.truth](rng, cell.cases)
    effect = float((rates[1] - rates[0]).mean())
    more = more_runs(design(_drawn(rng, rates, cell)), effect)
    if more is None:
        return True
    found = labels(_drawn(rng, rates, cell._replace(runs=cell.runs + more)))
    return found.p >= LEVEL


ASKED: dict[str, Callable[[Generator, Cell], bool]] = {
    "false verdicts": _false,
    "false on these cases": _false_on_these,
    "wrong sign on these cases": _wrong_sign,
    "gain not told": _missed,
    "gain not told on these cases": _missed_on_these,
    "runs as independent": _naive,
    "false verdicts, clusters said": _clusters,
    "worse by the margin, told it is not": _not_worse,
    "true rate outside": _outside,
    "planned cases do not tell": _plan_of_cases,
    "planned runs do not tell": _plan_of_runs,
}


def cells() -> Iterator[Cell]:
    """Yield every cell: on these cases, gains, rates and plans, then false verdicts."""
    yield from _on_these()
    yield from _gains()
    for rate, cases, runs in product(("50%", "90%", "97%", "99%"), (10, 42, 100), (3, 5)):
        yield Cell("true rate outside", rate, "pass/fail", cases, runs, limit=OUTSIDE)
    for truth, cases in product(("80 % to 70 %", "95 % to 85 %"), (2, 8, 20, 50)):
        yield Cell("worse by the margin, told it is not", truth, "pass/fail", cases, 5)
    for cases in (8, 12, 20, 42):
        yield Cell("planned cases do not tell", "50 %", "pass/fail", cases, 3)
    yield Cell("planned cases do not tell", "50 %", "pass/fail", 42, 3, 18)
    for truth, cases in product(("30 % to 90 %", "60 % to 90 %"), (1, 3, 6)):
        yield Cell("planned runs do not tell", truth, "pass/fail", cases, 2)
    for cases, asked in product((20, 50, 100), ("false verdicts", "false verdicts, clusters said")):
        limit = FALSE if "said" in asked else None
        yield Cell(asked, "families share their change", "pass/fail", cases, 3, limit=limit)
    for truth, scores, cases in product(HARD, ("pass/fail", "fine score"), (10, 20, 42)):
        yield Cell("false verdicts", truth, scores, cases, 5)
    for truth, scores, cases, runs in product(NULLS, list(SCORES)[:4], (10, 50), (1, 3, 5)):
        yield Cell("false verdicts", truth, scores, cases, runs, limit=FALSE)
    for truth in NULLS:
        yield Cell("runs as independent", truth, "pass/fail", 50, 5)
    for truth, cases, criteria in product(NULLS, (10, 50), (8, 20)):
        yield Cell("false verdicts", truth, "pass/fail", cases, 3, criteria, FALSE)


def _on_these() -> Iterator[Cell]:
    sizes = ((1, 4), (1, 5), (2, 3), (3, 3), (4, 3), (5, 2), (8, 3), (12, 3), (42, 1))
    scores = ("pass/fail", "share of 8 criteria", "fine score")
    for truth, kind, (cases, runs) in product(THESE, scores, sizes):
        yield Cell("false on these cases", truth, kind, cases, runs, limit=FALSE_ON_THESE)
    for kind, (cases, runs) in product(scores, ((2, 3), (4, 3), (8, 3), (20, 3))):
        truth = "gains and losses of 40 points"
        yield Cell("wrong sign on these cases", truth, kind, cases, runs, limit=WRONG_SIGN)


def _gains() -> Iterator[Cell]:
    for truth, scores in product(list(GAINS)[:2], ("pass/fail", "share of 5 checks")):
        yield Cell("gain not told", truth, scores, 50, 3, limit=MISSED)
    for truth, cases in product(("+20 points", "50 % to 70 %", "80 % to 100 %"), (12, 20)):
        yield Cell("gain not told", truth, "pass/fail", cases, 3)
    for cases, scores, limit in (
        (2, "share of 8 criteria, less alike", 0.1),
        (2, "share of 8 criteria", None),
        (4, "pass/fail", MISSED),
        (2, "pass/fail", None),
        (1, "share of 8 criteria", None),
    ):
        runs = 5 if cases == 1 else 3
        asked = "gain not told on these cases"
        yield Cell(asked, "30 % to 90 %", scores, cases, runs, limit=limit)


def main(arguments: list[str] | None = None) -> int:
    """Simulate every cell, print each when it is done, and keep the figures."""
    parser = argparse.ArgumentParser("python -m benchmarks verdicts", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000, help="comparisons drawn for each cell")
    parser.add_argument("--out", type=Path, default=OUT, help="where to keep the figures")
    asked = parser.parse_args(arguments)
    results: list[Result] = []
    _print(LINE.format("what is asked and true", "cases × runs", "share", "95 %", "limit", ""))
    every = list(cells())
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(simulate, every, [asked.rounds] * len(every)):
            results.append(result)
            _print(_line(result))
    report.keep(results, asked.out, {"rounds": asked.rounds, "seed": SEED})
    missed = sum(map(_beyond, results))
    _print(f"{len(results)} cells, {missed} beyond their limit.")
    return 1 if missed else 0


def simulate(cell: Cell, rounds: int) -> Result:
    """Return in how many rounds what is asked happens."""
    rng = np.random.default_rng([SEED, zlib.crc32(repr(cell).encode())])
    slow = cell.criteria > 1 or "planned" in cell.asked
    drawn = max(1, rounds // SLOW) if slow else rounds
    found = sum(ASKED[cell.asked](rng, cell) for _ in range(drawn))
    low, high = wilson(found, drawn)
    return Result(
        row=cell.asked,
        what=cell.name,
        workspace=f"{cell.cases} × {cell.runs}",
        unit="of comparisons",
        ratio=found / drawn,
        target=cell.limit,
        rounds=drawn,
        detail=f"{low:.1%} to {high:.1%}",
    )


def _page(rng: Generator, cell: Cell) -> list[PairedRuns]:
    """Draw one comparison, or one a criterion of the same runs."""
    rates = TRUTHS.get(cell.truth, between(0.5, 0.5))(rng, cell.cases)
    if cell.criteria == 1:
        return [_drawn(rng, rates, cell)]
    one, other = (together(rng, rate, cell.runs, cell.criteria) for rate in rates)
    return [PairedRuns.of_tables(a, b) for a, b in zip(one, other, strict=True)]


def _drawn(rng: Generator, rates: tuple[Numbers, Numbers], cell: Cell) -> PairedRuns:
    one, other = (SCORES[cell.scores](rng, rate, cell.runs) for rate in rates)
    return PairedRuns.of_tables(one, other)


def _beyond(result: Result) -> bool:
    """Say whether a share is above its limit by more than chance: an exact test errs in 5 %."""
    low, _ = wilson((result.ratio or 0.0) * result.rounds, result.rounds)
    return result.target is not None and low > result.target


LINE = "{:92} {:>12} {:>6} {:>16} {:>6}  {}"


def _line(result: Result) -> str:
    return LINE.format(
        result.what,
        result.workspace,
        _percent(result.ratio),
        result.detail,
        _percent(result.target),
        "" if result.target is None else "beyond" if _beyond(result) else "held",
    ).rstrip()


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
