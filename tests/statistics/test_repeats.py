"""What several runs of the same case tell."""

import math

import numpy as np
import pytest

from evalcore.numbers import consistency
from evalcore.statistics.repeats import agreeing, noise, pass_all_k, pass_at_k

# How many of 50 airline tasks passed in 0, 1, 2, 3, 4 of 4 trials: the only counts with which the
# four figures of tau-bench's README (gpt-4o: .420 .273 .220 .200) come out.
TAU = [0] * 14 + [1] * 12 + [2] * 10 + [3] * 4 + [4] * 10


def test_all_k_of_tau_bench() -> None:
    """pass^1 to pass^4 as published, to three digits."""
    found = [pass_all_k(TAU, [4] * 50, k) or 0 for k in (1, 2, 3, 4)]
    assert found == pytest.approx([0.420, 0.273, 0.220, 0.200], abs=5e-4)


def test_any_of_k_of_the_same_trials() -> None:
    """pass@1 to pass@4."""
    found = [pass_at_k(TAU, [4] * 50, k) or 0 for k in (1, 2, 3, 4)]
    assert found == pytest.approx([0.42, 0.5667, 0.66, 0.72], abs=5e-5)


def test_half_of_six_samples_is_the_example_of_human_eval() -> None:
    """Its README: six samples, three correct, pass@1 = 0.4999999999999999."""
    assert pass_at_k([3], [6], 1) == pytest.approx(0.4999999999999999)


def test_plain_powers_would_be_biased() -> None:
    """2 of 4 runs: 1 - C(2,2) / C(4,2) = 5/6, not 1 - (1/2)² = 3/4."""
    assert pass_at_k([2], [4], 2) == pytest.approx(5 / 6)
    assert pass_all_k([2], [4], 2) == pytest.approx(1 / 6)


def test_cases_count_the_same_however_often_they_ran() -> None:
    """3 of 3 and 0 of 1: a half, where the pooled runs would say three quarters."""
    assert pass_at_k([3, 0], [3, 1], 1) == pass_all_k([3, 0], [3, 1], 1) == 0.5


def test_a_case_with_too_few_runs_leaves_it_undefined() -> None:
    """It needs k runs of every case."""
    assert pass_at_k([3, 1], [3, 2], 3) is None
    assert pass_all_k([3, 1], [3, 2], 3) is None
    assert pass_at_k([], [], 1) is None


def test_counts_of_a_table_will_do() -> None:
    """Numpy's integers do not overflow in large binomial coefficients."""
    passed, runs = np.array([50], dtype=np.int64), np.array([100], dtype=np.int64)
    assert pass_at_k(passed, runs, 50) == pytest.approx(1 - 1 / math.comb(100, 50))


@pytest.mark.parametrize(("passed", "runs", "k"), [([3], [2], 1), ([-1], [2], 1), ([1], [2], 0)])
def test_impossible_counts_are_a_fault_of_the_caller(
    passed: list[int], runs: list[int], k: int
) -> None:
    """More passed than ran, fewer than none, and no run at all."""
    with pytest.raises(ValueError, match="0 to all of them"):
        pass_at_k(passed, runs, k)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([0.80, 0.85, 0.90], 1 - 0.05 / 0.85), ([0.80, 0.84, 0.88], 1 - 0.04 / 0.84)],
)
def test_consistency_takes_the_deviation_of_a_sample(values: list[float], expected: float) -> None:
    """.05 and .04 as the seed's examples have them, not .0408 and .0327."""
    assert consistency(values) == pytest.approx(expected)


def test_consistency_that_would_comfort_falsely_is_missing() -> None:
    """One run always agrees with itself, and a mean of 0 has no share."""
    assert consistency([0.9]) is None
    assert consistency([0, 0, 0]) is None


def test_pooled_runs_look_flaky_though_every_case_repeats() -> None:
    """[1, 1, 1] and [0, 0, 0]: consistency is -.095, and both cases agree."""
    assert consistency([1, 1, 1, 0, 0, 0]) == pytest.approx(-0.095, abs=5e-4)
    assert agreeing([[1, 1, 1], [0, 0, 0]]) == 2


def test_only_repeated_cases_can_agree() -> None:
    """One run is left out, runs that differ do not agree, float noise is no difference."""
    assert agreeing([[1], [0, 1], [0.3, 0.1 + 0.2], []]) == 1


def test_chance_moves_a_difference_by_the_interval_of_its_noise() -> None:
    """Ten cases with two runs apart by 0.2: variances of 0.02, t of 10 degrees · √(0.2) / 10."""
    assert noise([[0.4, 0.6]] * 10) == pytest.approx(2.2281 * math.sqrt(0.2) / 10, abs=1e-5)


def test_more_runs_move_it_less() -> None:
    """Four runs instead of two, as far apart."""
    two, four = noise([[0, 1]] * 20) or 0, noise([[0, 1, 0, 1]] * 20) or 0
    assert four == pytest.approx(two / math.sqrt(3), rel=0.05)


@pytest.mark.parametrize(("cases", "runs"), [(20, 2), (20, 3), (50, 5), (12, 4)])
def test_two_equal_versions_differ_by_no_more_in_19_of_20(cases: int, runs: int) -> None:
    """Simulated: the floor of one holds the difference to another that ran as often."""
    rng = np.random.default_rng(cases + runs)
    held, floors, apart = 0, [], []
    for _ in range(400):
        rates = rng.beta(2, 2, (cases, 1))
        one, other = (rng.random((2, cases, runs)) < rates).astype(float)
        apart.append(abs(one.mean() - other.mean()))
        floors.append(noise(list(one)) or 0)
        held += apart[-1] <= floors[-1]
    assert 0.92 <= held / 400 <= 0.985
    assert np.mean(floors) == pytest.approx(1.96 * np.sqrt(np.mean(np.square(apart))), rel=0.2)


def test_runs_that_agree_are_not_free_of_noise() -> None:
    """Twenty cases whose runs did not differ leave 16 points open; so does one whose did."""
    assert noise([[1, 1]] * 20) == pytest.approx(0.16113, abs=1e-5)
    assert noise([[1.0, 0.9]] + [[1.0, 1.0]] * 19) == noise([[1, 1]] * 20)


def test_five_repeated_cases_have_no_noise_floor() -> None:
    """So few would reach over most of the scale; single runs do not count, nor does none."""
    assert noise([[0, 1]] * 5 + [[1]] * 20) is None
    assert noise([]) is None
