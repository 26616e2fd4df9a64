"""What a set of cases and runs can show, and what more of either would: never "observed power".

Planned for 80 % of repeats, from how much cases and runs vary. Only `more_runs` and
`needed_as_seen` plan for a difference as large as the one that was seen, as the next experiment
would be planned; a power computed from it for this experiment would only say its p again.
"""

import math
from dataclasses import dataclass

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

__all__ = ["FEWEST", "LEVEL", "TARGET", "Before", "Plan", "before", "plan"]

SHARED = 1 / 3
"""How much of what varies between runs their checks have in common, before any run is there."""


@dataclass(frozen=True)
class Plan:
    """What these cases and runs show, and how many would show more; see `verdict.Verdict`."""

    visible: float | None
    needed: int | None
    needed_as_seen: int | None
    more_runs: int | None


def plan(runs: PairedRuns, over: General, level: float = LEVEL, these_level: float = LEVEL) -> Plan:
    """Return what these runs can show at the levels that the two tests are held to."""
    if not runs.cases:
        return Plan(None, None, None, None)
    now = design(runs)
    more = more_runs(now, over.mean, these_level)
    of = spread_of(over.differences, scores=over.scores)
    if of is None:
        return Plan(None, None, None, more)
    these = visible_on_these(now, these_level)
    return Plan(
        None if these is None else max(these, visible_in(over.units, of, level)),
        _needed(now.of(1 / over.units), of, TARGET, (level, these_level)),
        _needed(now.of(1 / over.units), of, abs(over.mean), (level, these_level)),
        more,
    )


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
    """The difference that so many cases and runs will show in 80 % of repeats; None where none."""

    cases: int
    runs: int
    on_these: float | None
    like_these: float | None


def before(cases: int, runs: int, rate: float = 0.5, checks: int = 1) -> Before:
    """Return what `cases` with `runs` a side will show, before any of them ran.

    `rate` is the expected share that passes, of runs, or of `checks` a run, which are taken to
    share a third of what makes them vary. The difference is taken to be the same on every case;
    where it is not, more cases are needed for others like these.

    Raises:
        ValueError: there are no cases, runs or checks, or the rate is not between 0 and 1.
    """
    if min(cases, runs, checks) < 1 or not 0 < rate < 1:
        raise ValueError("Plan with a case, a run and a check or more, and a rate between 0 and 1.")

    def on_these(effect: float) -> bool:
        return power(_expected(cases, runs, rate, checks, effect), effect) >= POWER

    def like_these(effect: float) -> bool:
        if cases < FEWEST or not on_these(effect):
            return False
        noise = _expected(cases, runs, rate, checks, effect).noise
        # So large that as many cases change as will.
        size = effect / _changing(runs * checks, rate, _other(rate, effect))
        of = Spread(math.sqrt(2 * noise / runs), size, scores=checks > 1)
        return visible_in(cases, of) <= effect

    most = max(rate, 1 - rate)
    return Before(cases, runs, least(on_these, most), least(like_these, most))


def _other(rate: float, effect: float) -> float:
    """Return the rate of the other side, towards the end of the scale that is further away."""
    return rate + effect if rate <= 0.5 else rate - effect


def _changing(trials: int, rate: float, other: float) -> float:
    """Return the chance that a case does not come out the same on both sides."""
    from scipy.stats import binom

    passed = np.arange(trials + 1)
    same = binom.pmf(passed, trials, rate) * binom.pmf(passed, trials, other)
    return 1 - float(same.sum())


def _expected(cases: int, runs: int, rate: float, checks: int, effect: float) -> Design:
    """Return the design of runs at `rate` on one side and `effect` away from it on the other."""
    other = _other(rate, effect)
    of_one = (rate * (1 - rate) + other * (1 - other)) / 2
    noise = of_one * (SHARED + (1 - SHARED) / checks)
    ran = np.array([float(runs)])
    return Design(ran, ran, np.array([float(cases)]), noise, 1 / checks)
