"""Calibration of a stated confidence: published values, and what is too few to say."""

import numpy as np
import pytest

from evalcore.statistics.confidence import FOR_ECE, bins, brier, calibration, expected_error


def test_brier_is_scikit_learns_example() -> None:
    """.0375, from its documentation."""
    confidence, right = np.array([0.1, 0.9, 0.8, 0.3]), np.array([0.0, 1, 1, 0])
    assert brier(confidence, right) == pytest.approx(0.0375)


def test_expected_error_is_the_published_one_of_nine() -> None:
    """.23778 in three bins (Pavlovic 2023)."""
    confidence = np.array([0.22, 0.64, 0.92, 0.42, 0.51, 0.15, 0.70, 0.37, 0.83])
    label = np.array([0, 1, 0, 0, 0, 1, 1, 0, 1])
    right = ((confidence > 0.5) == label).astype(float)
    found = bins(confidence, right, np.arange(9), 3)
    assert expected_error(found) == pytest.approx(0.23778, abs=5e-6)


def test_expected_error_is_the_published_one_of_ten() -> None:
    """.1640 in five bins: 1 of 1 at .55, 2 of 4 at .6675 and 5 of 5 at .896."""
    confidence = np.array([0.55, *[0.6675] * 4, *[0.896] * 5])
    right = np.array([1.0, 1, 1, 0, 0, 1, 1, 1, 1, 1])
    found = bins(confidence, right, np.arange(10), 5)
    assert [(each.n, each.right.value) for each in found] == [(1, 1), (4, 0.5), (5, 1)]
    assert expected_error(found) == pytest.approx(0.1640, abs=5e-5)


def test_the_ends_belong_to_a_bin() -> None:
    """0 to the first, 1 to the last, and a limit to the bin below it; empty bins are left out."""
    confidence = np.array([0.0, 0.2, 0.21, 1.0])
    found = bins(confidence, np.ones(4), np.arange(4), 5)
    assert [(each.low, each.n) for each in found] == [(0.0, 2), (0.2, 1), (0.8, 1)]


def test_no_expected_error_of_few() -> None:
    """It is above 0 for a perfect judge: 100 results are the least."""
    confidence = np.full(FOR_ECE, 0.9)
    right = np.tile([1.0] * 9 + [0.0], FOR_ECE // 10)
    few = calibration(confidence[1:], right[1:], np.arange(FOR_ECE - 1))
    assert few.ece is None
    assert sum(each.n for each in few.bins) == few.n == FOR_ECE - 1
    assert calibration(confidence, right, np.arange(FOR_ECE)).ece == pytest.approx(0)


def test_results_of_one_case_do_not_make_a_bin_sure() -> None:
    """Forty results of four cases say less than forty of forty."""
    confidence, right = np.full(40, 0.9), np.repeat([1.0, 1, 1, 0], 10)
    alone = bins(confidence, right, np.arange(40))[0].right
    together = bins(confidence, right, np.repeat(np.arange(4), 10))[0].right
    assert together.low < alone.low - 0.2
