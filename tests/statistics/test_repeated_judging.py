"""How much of the change from run to run is the judge's own."""

import numpy as np
import pytest

from evalcore.statistics.repeated_judging import flicker

CASES, RUNS, TIMES = 40, 4, 3
CASE = np.repeat(np.arange(CASES), RUNS * TIMES)
OUTPUT = np.repeat(np.arange(CASES * RUNS), TIMES)


def test_by_hand() -> None:
    """Two runs judged twice: 1 of 2 pairs of one output differ, 2 of 4 pairs of two runs."""
    value = np.array([1.0, 1, 0, 1])
    output, criterion = np.array([0, 0, 1, 1]), np.zeros(4, int)
    found = flicker(value, output, criterion, criterion)
    assert (found.same_output, found.other_run) == (0.5, 0.5)
    assert (found.outputs, found.pairs, found.runs) == (2, 2, 4)
    assert found.share is not None
    assert found.share.value == 1
    assert found.share.low is None or found.share.cases >= 6


def test_a_steady_judge_has_no_part_in_it() -> None:
    """Each output is judged alike, runs differ: 0 %."""
    rng = np.random.default_rng(1)
    value = np.repeat((rng.random(CASES * RUNS) < 0.5).astype(float), TIMES)
    found = flicker(value, OUTPUT, CASE, CASE)
    assert found.same_output == 0
    assert found.other_run == pytest.approx(0.5, abs=0.06)
    assert found.share is not None
    assert found.share.value == 0


def test_a_judge_that_draws_lots_is_all_of_it() -> None:
    """Judgments of one output differ as often as those of two."""
    rng = np.random.default_rng(2)
    found = flicker((rng.random(len(CASE)) < 0.5).astype(float), OUTPUT, CASE, CASE)
    assert found.share is not None
    assert found.share.value is not None
    assert found.share.value > 0.9
    assert found.share.high == 1


def test_a_known_part_lies_in_the_interval() -> None:
    """Outputs pass with .9 or .2: .25 of .4998, so 51 % is the judge's."""
    rng = np.random.default_rng(3)
    chance = np.where(rng.random(CASES * RUNS) < 0.5, 0.9, 0.2)
    found = flicker((rng.random(len(CASE)) < chance[OUTPUT]).astype(float), OUTPUT, CASE, CASE)
    truth = (0.18 + 0.32) / 2 / (2 * 0.55 * 0.45)
    assert found.share is not None
    assert found.share.low is not None
    assert found.share.high is not None
    assert found.share.low < truth < found.share.high


def test_judged_once_says_nothing_of_the_judge() -> None:
    """The runs still differ, and how much of it is the judge's is not known."""
    value = np.array([1.0, 0, 1, 1])
    found = flicker(value, np.arange(4), np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]))
    assert (found.same_output, found.share, found.outputs) == (None, None, 0)
    assert found.other_run == 0.5


def test_one_run_a_case_has_nothing_to_compare_with() -> None:
    """The judge's own flicker is still told."""
    value = np.array([1.0, 0, 1, 1])
    found = flicker(value, np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]))
    assert found.same_output == 0.5
    assert (found.other_run, found.share) == (None, None)
