"""What a set of cases and runs can show, and what more of either would: never "observed power".

Planned for 80 % of repeats, from how much cases and runs vary. Only `more_runs` and
`needed_as_seen` plan for a difference as large as the one that was seen, as the next experiment
would be planned; a power computed from it for this experiment would only say its p again.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from evalcore.statistics.general import General
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.planning_cases import (
    FEWEST,
    LEVEL,
    MOST,
    POWER,
    TARGET,
    Spread,
    fewest,
    least,
    spread_of,
    visible_in,
)
from evalcore.statistics.planning_runs import Design, design, more_runs, power, visible_on_these

__all__ = ["FEWEST", "LEVEL", "STEP_CASES", "STEP_RUNS", "TARGET", "before", "plan", "step"]

SHARED = 1 / 3
"""How much of what varies between runs their checks have in common, before any run is there."""
STEP_RUNS: Final = 3
"""So many more runs of each case are a realistic next step."""
STEP_CASES: Final = 10
"""So many more cases are one."""


@dataclass(frozen=True)
class Plan:
    """What these cases and runs show, and how many would show more; see `verdict.Verdict`."""

    visible: float | None = None
    needed: int | None = None
    needed_as_seen: int | None = None
    more_runs: int | None = None


def plan(runs: PairedRuns, over: General, level: float = LEVEL, these_level: float = LEVEL) -> Plan:
    """Return what these runs can show at the levels that the two tests are held to."""
    if not runs.cases:
        return Plan()
    now = design(runs)
    more = more_runs(now, over.mean, these_level)
    of = spread_of(over.differences, scores=over.scores)
    if of is None:
        return Plan(more_runs=more)
    return Plan(
        _visible(now, over.units, of, (level, these_level)),
        _needed(now.of(1 / over.units), of, TARGET, (level, these_level)),
        _needed(now.of(1 / over.units), of, abs(over.mean), (level, these_level)),
        more,
    )


@dataclass(frozen=True)
class Step:
    """The difference that a realistic step shows in 80 % of repeats; None where nothing says.

    `runs`: with `STEP_RUNS` more runs of each case, on these cases; `cases`: with `STEP_CASES` more
    cases (or clusters) as spread as these, for others like them.
    """

    runs: float | None = None
    cases: float | None = None


def step(runs: PairedRuns, over: General) -> Step:
    """Return what a realistic step would show."""
    if not runs.cases:
        return Step()
    now = design(runs)
    of = spread_of(over.differences, scores=over.scores)
    more = (over.units + STEP_CASES) / max(over.units, 1)
    return Step(
        visible_on_these(now, more=STEP_RUNS),
        None if of is None else _visible(now.of(more), over.units + STEP_CASES, of, (LEVEL, LEVEL)),
    )


def _visible(now: Design, units: int, of: Spread, levels: tuple[float, float]) -> float | None:
    """Return the difference that so many cases, or clusters, show for others like them."""
    level, these_level = levels
    these = visible_on_these(now, these_level)
    return None if these is None else max(these, visible_in(units, of, level))


def _needed(of_one: Design, of: Spread, target: float, levels: tuple[float, float]) -> int | None:
    """Return how many cases, or clusters, as spread as these show a difference of `target`."""
    level, these = levels

    def enough(units: int) -> bool:
        if visible_in(units, of, level) > target:
            return False
        return power(of_one.of(units), target, these) >= POWER

    return fewest(enough, FEWEST, MOST) if target > 0 else None


@dataclass(frozen=True)
class Before:
    """The difference that so many cases and runs will show in 80 % of repeats; None where none.

    `fewest` is how many runs of each case it takes to show any on these cases.
    """

    cases: int
    runs: int
    on_these: float | None
    like_these: float | None
    fewest: int


def before(cases: int, runs: int, rate: float = 0.5, checks: int = 1) -> Before:
    """Return what `cases` with `runs` a side will show, before any of them ran.

    `rate` is the expected share that passes, of runs, or of `checks` a run, which are taken to
    share a third of what makes them vary. The difference is taken to be the same on every case;
    where it is not, more cases are needed for others like these. A difference is None exactly where
    the verdict could not tell even one of 100 points.

    Raises:
        ValueError: there are no cases, runs or checks, or the rate is not between 0 and 1.
    """
    if min(cases, runs, checks) < 1 or not 0 < rate < 1:
        raise ValueError("Plan with a case, a run and a check or more, and a rate between 0 and 1.")

    def design_of(effect: float) -> Design:
        return _expected(cases, runs, _rates(rate, effect), checks)

    def on_these(effect: float) -> bool:
        return power(design_of(effect), effect) >= POWER

    def like_these(effect: float) -> bool:
        if cases < FEWEST or not on_these(effect):
            return False
        # So large that as many cases change as will.
        size = effect / _changing(runs * checks, *_rates(rate, effect))
        of = Spread(math.sqrt(2 * design_of(effect).noise / runs), size, scores=checks > 1)
        return visible_in(cases, of) <= effect

    enough = fewest(lambda ran: power(_expected(cases, ran, (0, 1), checks), 1) >= POWER, 1, MOST)
    return Before(cases, runs, least(on_these), least(like_these), enough or MOST)


def _rates(rate: float, effect: float) -> tuple[float, float]:
    """Return the rates of both sides: the expected one, which gives way where `effect` is large."""
    towards = 1 if rate <= 0.5 else -1
    other = min(max(rate + towards * effect, 0.0), 1.0)
    return other - towards * effect, other


def _changing(trials: int, rate: float, other: float) -> float:
    """Return the chance that a case does not come out the same on both sides."""
    from scipy.stats import binom

    passed = np.arange(trials + 1)
    same = binom.pmf(passed, trials, rate) * binom.pmf(passed, trials, other)
    return 1 - float(same.sum())


def _expected(cases: int, runs: int, rates: tuple[float, float], checks: int) -> Design:
    """Return the design of runs at these rates on the two sides."""
    of_one = sum(rate * (1 - rate) for rate in rates) / 2
    noise = of_one * (SHARED + (1 - SHARED) / checks)
    ran = np.array([float(runs)])
    return Design(ran, ran, np.array([float(cases)]), noise, 1 / checks)
