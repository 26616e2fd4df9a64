"""What more runs of the same cases would show on these cases, planned from how much runs vary.

The permutation test of labels has no closed power. What is used here is the normal approximation to
both its distributions, with the coarseness of few runs; `benchmarks/verdicts.py` holds it against
simulations.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.statistics.labels import denominator, least_p
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.planning_cases import LEVEL, POWER, TARGET, fewest, least

Numbers = NDArray[np.float64]

MOST_RUNS: Final = 100
PRIOR: Final = 2.0
"""How many degrees of freedom the largest possible noise counts beside what repeats show."""
COARSE: Final = 0.75
"""By how many of half a step the test asks for more than the normal approximation."""


class Design(NamedTuple):
    """How often cases run: `cases` cases have `a` runs of A and `b` of B, a row for each such pair.

    `noise` is the variance of a run within its case, `step` what one run can change of a mean.
    """

    a: Numbers
    b: Numbers
    cases: Numbers
    noise: float
    step: float

    def of(self, times: float) -> "Design":
        """Return the same with so many times as many cases."""
        return self._replace(cases=self.cases * times)


def design(runs: PairedRuns) -> Design:
    """Return how often the cases ran, and how much their runs vary."""
    pairs, cases = np.unique(np.stack([runs.runs_a, runs.runs_b]), axis=1, return_counts=True)
    steps = denominator(np.unique(np.concatenate([runs.a, runs.b])))
    a, b = pairs.astype(np.float64)
    return Design(a, b, cases.astype(np.float64), noise(runs), 1 / steps if steps else 0.0)


def noise(runs: PairedRuns) -> float:
    """Return the variance of runs within their case and side, never 0.

    That of repeats, pooled, beside two degrees of freedom of the most it can be: the variance of
    all runs of a side, of which it is a part, itself pulled by two degrees of freedom towards what
    the mean allows (p (1 - p) where runs pass or fail, half of it where they have shares).
    """
    sides = ((runs.a, runs.case_a, runs.runs_a), (runs.b, runs.case_b, runs.runs_b))
    squares, free, bound = 0.0, 0, 0.0
    for values, cases, ran in sides:
        means = np.bincount(cases, values, len(ran)) / ran
        squares += float(np.square(values - means[cases]).sum())
        free += len(values) - len(ran)
        bound += _bound(values, pass_fail=runs.pass_fail) / 2
    return (squares + PRIOR * bound) / (free + PRIOR)


def _bound(values: Numbers, *, pass_fail: bool) -> float:
    rate = (values.sum() + 0.5) / (len(values) + 1)
    most = rate * (1 - rate) * (1.0 if pass_fail else 0.5)
    return float((len(values) * np.var(values) + PRIOR * most) / (len(values) - 1 + PRIOR))


def power(plan: Design, effect: float, level: float = LEVEL, *, more: int = 0) -> float:
    """Return the chance that labels show `effect`, the same on every case, with `more` runs each.

    0 where no labeling of so few runs reaches the level.
    """
    from scipy.special import ndtr, ndtri

    a, b, cases = plan.a + more, plan.b + more, plan.cases
    if least_p(a, b, cases) >= level:
        return 0.0
    total, each = float(cases.sum()), 1 / a + 1 / b
    # Labels are permuted among runs of both sides, which the effect sets apart.
    pooled = plan.noise + effect**2 * a * b / (a + b) / (a + b - 1)
    reach = -float(ndtri(level / 2)) * math.sqrt(float((cases * pooled * each).sum())) / total
    half = float(each.min()) * plan.step / total / 2
    threshold = min(reach + COARSE * half, 1 - half / 2)
    spread = math.sqrt(plan.noise * float((cases * each).sum())) / total
    return float(ndtr((effect - threshold) / spread)) if spread else float(effect > threshold)


def more_runs(plan: Design, difference: float, level: float = LEVEL) -> int | None:
    """Return how many more runs of each case on both sides would decide in 80 % of repeats.

    For a true difference as large as the one that was seen, 10 points at least: this plans the next
    experiment on the assumption that what was seen is there, and says nothing of whether it is.
    None where 100 would not do.
    """
    effect = max(abs(difference), TARGET)
    return fewest(lambda more: power(plan, effect, level, more=more) >= POWER, 1, MOST_RUNS)


def visible_on_these(plan: Design, level: float = LEVEL, *, more: int = 0) -> float | None:
    """Return the smallest true difference that these runs show on these cases in 80 % of repeats.

    With `more` runs of each case on both sides. None where even one of 100 points is not shown,
    which is where `labels` could not tell it either.
    """

    def enough(effect: float) -> bool:
        # The further two sides are apart, the less is left for their runs to vary.
        noise = min(plan.noise, (1 - effect**2) / 4)
        return power(plan._replace(noise=noise), effect, level, more=more) >= POWER

    return least(enough)
