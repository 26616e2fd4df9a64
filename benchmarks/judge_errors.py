"""How often corrected rates hold the true one: `python -m benchmarks judges [--rounds 2000]`.

Each cell draws what people would say of all results, what a judge says, and a random sample of runs
that are labelled, many times, and asks the product's own corrections.
"""

import argparse
import sys
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from evalcore.statistics.judge_error import (
    Corrected,
    Labels,
    Numbers,
    Results,
    powered_difference,
    prediction_powered,
    rogan_gladen,
)

SEED: Final = 21
LEAST: Final = 0.1
"""A cell that offers a rate in fewer rounds than this says little of its coverage."""


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


class Covered(NamedTuple):
    """In how many rounds a rate is offered, in how many of these it holds the truth, its width."""

    offered: int
    held: int
    width: float


PLANS: Final = tuple(
    Plan(truth, *judge, *sizes, alike)
    for truth, judge, sizes, alike in product(
        (0.5, 0.7, 0.9),
        ((0.95, 0.9), (0.9, 0.7), (0.8, 0.6)),
        ((12, 3, 4, 12), (30, 1, 4, 20), (30, 3, 3, 30), (100, 2, 3, 50)),
        (0.0, 0.15, 0.3),
    )
)
GAINED: Final = 0.3
"""Of what the first of two versions misses, the second has so much."""
METHODS: Final = {"own sample": prediction_powered, "all samples": rogan_gladen}


def draw(rng: np.random.Generator, plan: Plan) -> Drawn:
    """Return a round: cases are drawn, then what people say, then what the judge says of it."""
    return Drawn(*_side(rng, plan, _chances(rng, plan)), plan.truth)


def drawn_pair(
    rng: np.random.Generator, plan: Plan, gained: float
) -> tuple[tuple[Results, Labels], tuple[Results, Labels], float, int]:
    """Return two versions on the same cases, the difference, and the fewest cases with labels.

    The second has `gained` of what the first misses in each case.
    """
    chance = _chances(rng, plan)
    a, b = _side(rng, plan, chance), _side(rng, plan, chance + gained * (1 - chance))
    cases = min(len(np.unique(labels.case)) for _, labels in (a, b))
    return a, b, gained * (1 - plan.truth), cases


def _chances(rng: np.random.Generator, plan: Plan) -> Numbers:
    if not plan.alike:
        return np.full(plan.cases, plan.truth)
    spread = (1 - plan.alike) / plan.alike
    return rng.beta(plan.truth * spread, (1 - plan.truth) * spread, plan.cases)


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


def covered(plan: Plan, rounds: int, seed: int = SEED) -> dict[str, Covered]:
    """Draw a plan many times and count how often each corrected rate holds the truth."""
    rng = np.random.default_rng([seed, PLANS.index(plan)])
    drawn = [draw(rng, plan) for _ in range(rounds)]
    return {
        name: _counted([method(one.every, one.labels) for one in drawn], plan.truth)
        for name, method in METHODS.items()
    }


def covered_differences(rounds: int, seed: int = SEED) -> Covered:
    """Draw two versions many times, each plan in turn, and count as `covered`, for the difference.

    Cases and labelled runs are as many in all of them, so that the plans differ by the judge.
    """
    rng = np.random.default_rng([seed, rounds])
    held, widths = 0, list[float]()
    for at in range(rounds):
        plan = PLANS[at % len(PLANS)]._replace(cases=30, runs=2, criteria=1, labelled=20)
        a, b, moved, cases = drawn_pair(rng, plan, GAINED)
        rate = powered_difference(a, b, cases)
        if rate is not None:
            held += rate.low <= moved <= rate.high
            widths.append(rate.high - rate.low)
    return Covered(len(widths), held, sum(widths) / len(widths))


def _counted(found: list[Corrected], truth: float) -> Covered:
    rates = [one.rate for one in found if one.rate is not None]
    held = sum(rate.low <= truth <= rate.high for rate in rates)
    width = sum(rate.high - rate.low for rate in rates) / len(rates) if rates else 0.0
    return Covered(len(rates), held, width)


def main(arguments: list[str] | None = None) -> int:
    """Print one line a plan, and all together."""
    parser = argparse.ArgumentParser("python -m benchmarks judges", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2_000)
    rounds = parser.parse_args(arguments).rounds
    totals = {name: [0, 0] for name in METHODS}
    for plan in PLANS:
        words = []
        for name, found in covered(plan, rounds).items():
            totals[name][0] += found.offered
            totals[name][1] += found.held
            words.append(f"{name} {_words(found, rounds)}")
        sys.stdout.write(f"{plan[:3]} {plan[3:7]} alike {plan.alike}: {'; '.join(words)}\n")
    for name, (offered, held) in totals.items():
        sys.stdout.write(f"{name}: {held / offered:.1%} of {offered:,} offered\n")
    sys.stdout.write(f"differences: {_words(covered_differences(rounds), rounds)}\n")
    return 0


def _words(found: Covered, rounds: int) -> str:
    if found.offered < LEAST * rounds:
        return f"offered in {found.offered:,}"
    share = found.held / found.offered
    return f"{share:.1%} of {found.offered:,}, {found.width:.2f} wide"
