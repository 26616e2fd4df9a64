"""How many runs decide for these cases: what was simulated, and what no number of runs decides."""

import numpy as np
import pytest

from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.planning_runs import (
    Design,
    design,
    more_runs,
    noise,
    power,
    visible_on_these,
)
from tests.statistics.runs import from_runs


def planned(cases: int, runs: int, rates: tuple[float, float], step: float = 1) -> Design:
    """Return runs that pass or fail at these rates on the two sides."""
    ran = np.array([float(runs)])
    variance = sum(rate * (1 - rate) for rate in rates) / 2
    return Design(ran, ran, np.array([float(cases)]), variance, step)


@pytest.mark.parametrize(
    ("cases", "runs", "rates", "simulated"),
    [
        (1, 5, (0.3, 0.9), 0.21),
        (2, 3, (0.3, 0.9), 0.31),
        (3, 3, (0.3, 0.9), 0.62),
        (4, 2, (0.3, 0.9), 0.52),
        (4, 3, (0.3, 0.9), 0.82),
        (5, 3, (0.3, 0.9), 0.90),
        (8, 3, (0.3, 0.9), 0.99),
        (4, 3, (0.6, 0.9), 0.21),
        (8, 3, (0.6, 0.9), 0.57),
    ],
)
def test_the_power_is_close_to_what_was_simulated(
    cases: int, runs: int, rates: tuple[float, float], simulated: float
) -> None:
    """Independently simulated: 2,000 rounds of 499 permutations each."""
    found = power(planned(cases, runs, rates), rates[1] - rates[0])
    assert found == pytest.approx(simulated, abs=0.06)


@pytest.mark.parametrize(("cases", "runs"), [(1, 3), (2, 2), (3, 1), (5, 1)])
def test_too_few_labelings_never_decide(cases: int, runs: int) -> None:
    """2 of 20, of 6 · 6, of 2³ and of 2⁵ ways are .05 or more."""
    assert power(planned(cases, runs, (0.01, 0.99)), 0.98) == 0


@pytest.mark.parametrize(("cases", "runs"), [(1, 4), (2, 3), (3, 2), (6, 1)])
def test_the_fewest_runs_that_can_decide_do_where_all_is_clear(cases: int, runs: int) -> None:
    """A fails always and B passes always, nearly: nothing is left to more runs."""
    assert power(planned(cases, runs, (0.01, 0.99)), 0.98) > 0.85


def test_three_cases_that_ran_once_need_one_more_run_if_all_improved() -> None:
    """Each from fail to pass: 3 cases of two runs are 6³ ways."""
    runs = from_runs(*[([0.0], [1.0])] * 3)
    assert more_runs(design(runs), 1.0) == 1
    one = design(from_runs(([0.0], [1.0])))
    assert (more_runs(one, 1.0) or 0) >= 3


def test_what_was_seen_is_planned_for_but_no_less_than_ten_points() -> None:
    """A smaller difference needs more runs; none at all is planned for as one of ten points."""
    plan = planned(40, 3, (0.5, 0.7))
    assert (more_runs(plan, 0.2), more_runs(plan, -0.2)) == (1, 1)
    assert more_runs(plan, 0.1) == more_runs(plan, 0.0) == 7
    assert more_runs(planned(2, 1, (0.5, 0.6)), 0.1) is None


def test_a_stricter_level_needs_more_runs() -> None:
    """One of 18 criteria is held to a level of .05 / 18."""
    plan = planned(4, 3, (0.3, 0.9))
    assert (more_runs(plan, 0.6), more_runs(plan, 0.6, 0.05 / 18)) == (1, 3)


def test_noise_is_that_of_repeats_beside_what_it_can_be_at_most() -> None:
    """Two runs of 0 and 1 in each of 50 cases: 0.5 of repeats, with two of 102 degrees for 0.25."""
    repeated = from_runs(*[([0, 1], [0, 1])] * 50)
    assert noise(repeated) == pytest.approx((50 + 2 * 0.25) / 102, rel=0.01)


def test_runs_that_always_agreed_may_yet_vary() -> None:
    """Never 0: four equal runs tell less of noise than forty."""
    few, many = (from_runs(([1.0] * n, [1.0] * n)) for n in (2, 20))
    assert noise(few) > noise(many) > 0


def test_single_runs_bound_noise_by_their_spread() -> None:
    """Shares that lie close together vary little, whatever the cases; p (1 - p) for pass/fail."""
    close = PairedRuns.of_means([0.8, 0.82, 0.81, 0.79] * 5, [0.8, 0.8, 0.81, 0.83] * 5)
    assert noise(close) < 0.02
    even = PairedRuns.of_means([0, 1] * 50, [1, 0] * 50)
    assert noise(even) == pytest.approx(0.25, rel=0.02)


def test_what_these_runs_show_is_what_has_the_power() -> None:
    """The least that is shown in 80 % of repeats; nothing where labels cannot decide."""
    plan = planned(4, 3, (0.3, 0.9))
    seen = visible_on_these(plan)
    assert seen is not None
    assert power(plan, seen) == pytest.approx(0.8, abs=1e-3)
    assert visible_on_these(planned(1, 3, (0.3, 0.9))) is None
