"""Simulated rounds: what people would say, what a judge says, and a random sample of labels."""

from typing import NamedTuple

import numpy as np

from evalcore.statistics.judge_error import Labels, Numbers, Results


class Plan(NamedTuple):
    """A suite: the true rate, the judge, its size, how many runs are labelled, how alike cases are.

    `alike` is the correlation of two results of one case.
    """

    truth: float
    sensitivity: float
    specificity: float
    cases: int
    runs: int
    criteria: int
    labelled: int
    alike: float


class Drawn(NamedTuple):
    """One round."""

    every: Results
    labels: Labels
    truth: float


def draw(rng: np.random.Generator, plan: Plan) -> Drawn:
    """Return a round: cases are drawn, then what people say, then what the judge says of it."""
    chance = _chances(rng, plan, plan.truth)
    return Drawn(*_side(rng, plan, chance), plan.truth)


def drawn_pair(
    rng: np.random.Generator, plan: Plan, gained: float
) -> tuple[tuple[Results, Labels], tuple[Results, Labels], float, int]:
    """Return two versions on the same cases, the difference, and the fewest cases with labels.

    The second has `gained` of what the first misses in each case.
    """
    chance = _chances(rng, plan, plan.truth)
    a, b = _side(rng, plan, chance), _side(rng, plan, chance + gained * (1 - chance))
    cases = min(len(np.unique(labels.case)) for _, labels in (a, b))
    return a, b, gained * (1 - plan.truth), cases


def _chances(rng: np.random.Generator, plan: Plan, truth: float) -> Numbers:
    if not plan.alike:
        return np.full(plan.cases, truth)
    spread = (1 - plan.alike) / plan.alike
    return rng.beta(truth * spread, (1 - truth) * spread, plan.cases)


def _side(rng: np.random.Generator, plan: Plan, chance: Numbers) -> tuple[Results, Labels]:
    n, runs = plan.cases * plan.runs * plan.criteria, plan.cases * plan.runs
    case = np.repeat(np.arange(plan.cases), plan.runs * plan.criteria)
    run = np.repeat(np.arange(runs), plan.criteria)
    people = rng.random(n) < chance[case]
    right = np.where(people, plan.sensitivity, plan.specificity)
    judge = (people == (rng.random(n) < right)).astype(float)
    mine = np.isin(run, rng.permutation(runs)[: plan.labelled])
    weight = np.ones(n)
    labels = Labels(judge[mine], people[mine].astype(float), case[mine], weight[mine])
    return Results(judge, case, weight), labels
