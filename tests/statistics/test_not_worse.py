"""Not worse than a margin: for cases like these, for these only, or not shown."""

import numpy as np
import pytest

from evalcore.statistics.not_worse import not_worse
from evalcore.statistics.paired_runs import PairedRuns
from tests.statistics.runs import from_differences, from_runs


def test_many_cases_without_a_change_are_not_worse_for_others_either() -> None:
    """50 unchanged cases leave z² / (n + z²) = 5.1 points open at 90 %."""
    found = not_worse(from_differences([0.0] * 50), 0.06)
    assert (found.shown, found.on) == (True, "cases like these")
    assert found.low == pytest.approx(-0.0513, abs=1e-4)
    assert not not_worse(from_differences([0.0] * 50), 0.05).shown


def test_the_limit_is_that_of_90_percent_and_not_of_95() -> None:
    """Two one-sided tests at .05: of 0/20 changes ± 11.9 points, where 95 % has 16.1."""
    assert not_worse(from_differences([0.0] * 20), 0.13).shown


def test_runs_of_few_cases_show_it_for_these_cases() -> None:
    """Three cases of 30 runs that all passed but one: nothing is known of others."""
    runs = from_runs(*[([1.0] * 30, [1.0] * 30)] * 2, ([1.0] * 30, [1.0] * 29 + [0.0]))
    found = not_worse(runs, 0.1)
    assert (found.shown, found.on, found.low) == (True, "these cases", None)
    assert found.these_low is not None
    assert -0.1 < found.these_low < -1 / 90
    assert not not_worse(runs, 0.01).shown


def test_single_runs_of_few_cases_show_nothing() -> None:
    """Five cases that ran once: neither others nor their own noise is known."""
    found = not_worse(from_differences([0.0] * 5), 0.9)
    assert (found.shown, found.on, found.low, found.these_low) == (False, None, None, None)


def test_runs_that_all_passed_are_not_taken_as_certain() -> None:
    """Three of three on each side of two cases: B may yet fail one run in three."""
    found = not_worse(from_runs(*[([1.0] * 3, [1.0] * 3)] * 2), 0.2)
    assert not found.shown
    assert (found.these_low or 0) < -0.25


def test_a_better_version_is_not_worse() -> None:
    """Every case improved by half."""
    assert not_worse(from_differences([0.5] * 10), 0.01).shown


@pytest.mark.parametrize(("cases", "runs"), [(4, 5), (20, 3)])
def test_a_version_worse_by_the_margin_is_seldom_shown(cases: int, runs: int) -> None:
    """Simulated at 70 against 80 %: about 5 % of 300 sets, on these cases or on others."""
    rng = np.random.default_rng(cases)
    shown = 0
    for _ in range(300):
        a, b = rng.random((2, cases, runs)) < np.array([0.8, 0.7])[:, None, None]
        shown += not_worse(PairedRuns.of_tables(a.astype(float), b.astype(float)), 0.1).shown
    assert shown <= 0.1 * 300


@pytest.mark.parametrize("wrong", [0, -0.1, 1.5, 60])
def test_a_margin_is_a_part_of_the_scale(wrong: float) -> None:
    """Points are divided before."""
    with pytest.raises(ValueError, match="margin"):
        not_worse(from_differences([0.0] * 10), wrong)
