"""The runs of cases on two sides: what they are, and what they cannot be."""

import numpy as np
import pytest

from evalcore.statistics.paired_runs import PairedRuns
from tests.statistics.runs import from_runs


def test_the_difference_of_a_case_is_that_of_its_means() -> None:
    """B minus A, however many runs each has."""
    runs = from_runs(([0, 1], [1, 1, 0, 1]), ([1.0], [0.5]))
    assert runs.differences == pytest.approx([0.25, -0.5])
    assert (runs.cases, runs.runs_a.tolist(), runs.runs_b.tolist()) == (2, [2, 1], [4, 1])
    assert runs.exchanged.differences == pytest.approx([-0.25, 0.5])


def test_one_run_a_side_that_passes_or_fails_is_single() -> None:
    """A second run of one case, or half a point, makes it another test."""
    assert from_runs(([0], [1]), ([1], [1])).single
    assert not from_runs(([0], [1]), ([1], [1, 1])).single
    assert not from_runs(([0], [1]), ([1], [0.5])).single
    assert not from_runs(([0], [1]), ([1], [1, 1])).ran_once


def test_means_are_cases_that_ran_once() -> None:
    """One value a case and side."""
    assert PairedRuns.of_means([0.2, 0.4], [0.3, 0.4]).differences == pytest.approx([0.1, 0])


def test_a_table_is_cases_with_as_many_runs_each() -> None:
    """A row a case; the sides may have unlike numbers of runs."""
    runs = PairedRuns.of_tables([[0, 1], [1, 1]], [[1, 1, 1], [0, 0, 1]])
    assert runs.differences == pytest.approx([0.5, 1 / 3 - 1])


@pytest.mark.parametrize("wrong", [float("nan"), 1.5, -60])
def test_numbers_off_the_scale_are_a_fault_of_the_caller(wrong: float) -> None:
    """Scores are scaled before; what is no number is left out before."""
    with pytest.raises(ValueError, match="scale the scores"):
        PairedRuns.of_means([0.2, wrong], [0.1, 0.3])
    with pytest.raises(ValueError, match="scale the scores"):
        PairedRuns.of_means([0.1, 0.3], [0.2, wrong])


def test_every_case_has_a_run_on_each_side() -> None:
    """What only one side has is left out before."""
    one, two = np.array([0.5]), np.array([0.5, 0.5])
    with pytest.raises(ValueError, match="on each side"):
        PairedRuns(two, one, np.array([0, 1]), np.array([0]))
    with pytest.raises(ValueError, match="on each side"):
        PairedRuns(two, two, np.array([0, 2]), np.array([0, 2]))


def test_values_cases_and_clusters_are_as_many() -> None:
    """A list that is too short would pair wrong runs."""
    with pytest.raises(ValueError, match="as many cases as values"):
        PairedRuns(np.array([0.5, 1]), np.array([0.5]), np.array([0]), np.array([0]))
    with pytest.raises(ValueError, match="as many clusters as cases"):
        PairedRuns.of_means([0, 1], [1, 1], np.array([0]))
