"""The test on these cases: every labeling of the runs counted, as by hand and as scipy does."""

from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom, permutation_test

from evalcore.statistics import sums
from evalcore.statistics.labels import labels
from evalcore.statistics.paired_runs import PairedRuns
from tests.statistics.runs import from_differences, from_runs

Case = tuple[list[float], list[float]]


def cases_of(values: list[float]) -> st.SearchStrategy[list[Case]]:
    """Return up to three cases of one to three runs a side with such values."""
    runs = st.lists(st.sampled_from(values), min_size=1, max_size=3)
    return st.lists(st.tuples(runs, runs), min_size=1, max_size=3)


def counted(cases: list[Case]) -> float:
    """Return p by listing every labeling of all cases."""
    every = np.zeros(1)
    for a, b in cases:
        both = [*a, *b]
        chosen = (sum(one) for one in combinations(both, len(a)))
        steps = [(sum(both) - one) / len(b) - one / len(a) for one in chosen]
        every = (every[:, None] + np.array(steps)).ravel()
    seen = sum(sum(b) / len(b) - sum(a) / len(a) for a, b in cases)
    return float(np.mean(np.abs(every) >= abs(seen) - 1e-9))


@pytest.mark.parametrize(
    ("runs", "p"), [(1, 1.0), (2, 1 / 3), (3, 0.1), (4, 2 / 70), (5, 2 / 252), (20, 1e-10)]
)
def test_one_case_is_decided_by_four_runs_and_not_by_three(runs: int, p: float) -> None:
    """A failed in all its runs and B passed in all: 2 ways of C(2n, n)."""
    found = labels(from_runs(([0.0] * runs, [1.0] * runs)))
    assert found.exact
    assert found.p == pytest.approx(p, abs=1e-10)
    assert found.least == found.p


def test_two_cases_are_decided_by_three_runs_and_not_by_two() -> None:
    """2 of 20 · 20 ways are 0.005, 2 of 6 · 6 ways 0.056."""
    assert labels(from_runs(*[([0, 0, 0], [1, 1, 1])] * 2)).p == pytest.approx(0.005)
    assert labels(from_runs(*[([0, 0], [1, 1])] * 2)).p == pytest.approx(2 / 36)


def test_a_p_of_a_twentieth_is_not_below_it() -> None:
    """One run against 19: the one way of 20 is 0.05 and not a little less for how floats add."""
    assert labels(from_runs(([0.0], [1.0] * 19))).p == 0.05


@settings(max_examples=60, deadline=None)
@given(st.one_of(cases_of([0, 1]), cases_of([0, 1 / 8, 0.5, 1]), cases_of([0, 1 / 3, 2 / 3, 1])))
def test_every_labeling_is_counted(cases: list[Case]) -> None:
    """Pass and fail, eighths, and thirds that floats cannot store; unequal numbers of runs."""
    found = labels(from_runs(*cases))
    assert found.exact
    assert found.p == pytest.approx(counted(cases))
    assert found.least <= found.p + 1e-9


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_numbers_without_steps_are_counted_too(seed: int) -> None:
    """Two or three cases of numbers with all their decimals."""
    rng = np.random.default_rng(seed)
    cases = [(list(rng.random(3)), list(rng.random(rng.integers(1, 4)))) for _ in range(3)]
    found = labels(from_runs(*cases))
    assert found.exact
    assert found.p == pytest.approx(counted(cases))


def test_one_case_is_the_permutation_test_of_scipy() -> None:
    """Fisher's exact permutation test of two independent samples."""
    a, b = [0.1, 0.5, 0.2, 0.4, 0.3], [0.9, 0.6, 0.8, 0.3, 0.7]
    found = permutation_test(
        (a, b), lambda x, y, axis: np.mean(y, axis) - np.mean(x, axis), n_resamples=10**6
    )
    assert labels(from_runs((a, b))).p == pytest.approx(float(found.pvalue))


def test_one_run_that_passes_or_fails_is_mcnemar() -> None:
    """The off-diagonal counts 70 and 59 of vassarstats: 0.378688."""
    found = labels(from_differences([1.0] * 70 + [-1.0] * 59 + [0.0] * 134))
    assert found.p == pytest.approx(0.378688, abs=5e-7)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 9, 10**6]), st.randoms(use_true_random=False))
def test_neither_side_nor_order_counts(seed: int, steps: int, random: Random) -> None:
    """To the last bit, exact or drawn: A and B exchanged, cases and runs shuffled."""
    rng = np.random.default_rng(seed)
    cases = [
        tuple(list(rng.integers(0, steps, rng.integers(1, 5)) / (steps - 1)) for _ in "ab")
        for _ in range(12)
    ]
    found = labels(from_runs(*[(a, b) for a, b in cases]))
    shuffled = [(random.sample(b, len(b)), random.sample(a, len(a))) for a, b in cases]
    random.shuffle(shuffled)
    assert labels(from_runs(*shuffled)) == found


def test_drawn_labels_come_close_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where neither a lattice nor two halves are feasible, 9,999 draws; never a p of 0."""
    rng = np.random.default_rng(5)
    a, b = rng.random((7, 3)), rng.random((7, 3)) + np.linspace(0, 0.3, 7)[:, None]
    runs = PairedRuns.of_tables(a, np.minimum(b, 1))
    exact = labels(runs)
    assert exact.exact
    monkeypatch.setattr(sums, "TERMS", 0)
    drawn = labels(runs)
    assert not drawn.exact
    assert drawn.p == pytest.approx(exact.p, abs=3 * np.sqrt(exact.p / 10_000))
    clear = labels(PairedRuns.of_tables(np.zeros((40, 3)), 0.5 + rng.random((40, 3)) / 2))
    assert (clear.p, clear.exact) == (1 / 10_000, False)


def test_many_runs_of_one_case_are_counted_or_drawn() -> None:
    """20 against 20 runs: sums of passes are counted; of numbers without steps labels are drawn."""
    passed = labels(from_runs(([0.0] * 14 + [1.0] * 6, [0.0] * 7 + [1.0] * 13)))
    assert passed.exact
    assert passed.p == pytest.approx(2 * hypergeom.cdf(6, 40, 19, 20))
    rng = np.random.default_rng(2)
    drawn = labels(from_runs((list(rng.random(20) / 2), list(rng.random(20) / 2 + 0.5))))
    assert (drawn.p < 0.001, drawn.exact) == (True, False)


def test_two_thousand_cases_are_counted_exactly() -> None:
    """1,100 of 2,000 changes of one run one way: 2 · P(X ≤ 900) of as many coins."""
    found = labels(from_differences([1.0] * 1_100 + [-1.0] * 900))
    assert found.exact
    assert found.p == pytest.approx(2 * binom.cdf(900, 2_000, 0.5), rel=1e-4)
