"""Spread, ends and distribution of a criterion in one version."""

from pathlib import Path
from statistics import stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.rubrics.spread import BINS, STEPS, Spread, distribution, spreads
from evalcore.statistics.intervals import mean_interval
from tests import made
from tests.rubrics.rated import judged, rated


def one(tmp_path: Path, cases: dict[str, list[float]], **scale: float) -> Spread:
    """Return the spread of the only criterion."""
    (found,) = spreads(rated(tmp_path, {"v0": cases}, **scale), made.SUITE, 0)  # type: ignore[arg-type]
    return found


def test_it_is_on_the_criterions_own_scale(tmp_path: Path) -> None:
    """Mean over cases; deviation, ends and counts over judgments."""
    found = one(tmp_path, {"a": [3, 5], "b": [2], "c": [2]})
    assert found.mean == pytest.approx((4 + 2 + 2) / 3)
    assert found.stddev == pytest.approx(stdev([3, 5, 2, 2]))
    assert found.within == pytest.approx(stdev([3, 5]))
    assert (found.lowest, found.highest, found.cases, found.judged) == (2, 5, 3, 4)
    assert list(found.scores) == [(1, 0), (2, 2), (3, 1), (4, 0), (5, 1)]
    low, high = mean_interval([0.75, 0.25, 0.25]) or (0, 0)
    assert found.low == pytest.approx(1 + 4 * low)
    assert found.high == pytest.approx(1 + 4 * high)
    assert found.share == pytest.approx((found.mean - 1) / 4)


def test_one_judgment_has_no_spread_and_no_interval(tmp_path: Path) -> None:
    """Unknown is None, never 0."""
    found = one(tmp_path, {"a": [4]})
    assert (found.stddev, found.within, found.low, found.high) == (None, None, None, None)
    assert not found.varies
    assert not found.unstable


def test_two_runs_of_one_case_tell_how_repeatable_it_is(tmp_path: Path) -> None:
    """Equal ones have a spread of 0, which is known; two cases that ran once have none within."""
    assert one(tmp_path, {"a": [4, 4]}).within == 0
    assert one(tmp_path, {"a": [4], "b": [2]}).within is None


@pytest.mark.parametrize(("scores", "varies"), [([3, 3, 4.999], False), ([2, 3, 4], True)])
def test_a_spread_of_a_quarter_of_the_scale_is_high(
    tmp_path: Path, scores: list[float], varies: bool
) -> None:
    """One step of a scale from 1 to 5: a deviation of exactly 1 is."""
    found = one(tmp_path, {"a": scores[:1], "b": scores[1:2], "c": scores[2:]})
    if varies:
        assert found.stddev == pytest.approx(1.0)
    assert found.varies is (found.stddev is not None and found.stddev >= 1)


def test_difficulty_is_not_flakiness(tmp_path: Path) -> None:
    """Cases that always score 1 and always 5 vary much, but their runs agree."""
    found = one(tmp_path, {"a": [1, 1, 1], "b": [5, 5, 5]})
    assert found.varies
    assert not found.unstable
    assert one(tmp_path, {"a": [1, 5], "b": [5, 1]}).unstable


def test_the_weakest_comes_first_on_its_own_scale(tmp_path: Path) -> None:
    """3 of 1 to 5 is half of its scale, 4 of 0 to 10 less."""
    ws = rated(tmp_path, {"v0": {"a": [3]}}, judged("v0-a-0", "other", 4, 0, 10))
    assert [found.criterion.name for found in spreads(ws, made.SUITE, 0)] == ["other", "tone"]
    assert [found.share for found in spreads(ws, made.SUITE, 0)] == [0.4, 0.5]


def test_passed_or_failed_is_counted_so(tmp_path: Path) -> None:
    """Without a scale of scores there are two of them."""
    found = one(tmp_path, {"a": [1, 0], "b": [1]}, least=0, top=1)
    assert list(found.scores) == [(0, 1), (1, 2)]
    assert not found.rated


@pytest.mark.parametrize(("different", "stepped"), [(BINS, False), (BINS + 1, True)])
def test_many_different_scores_are_counted_in_tenths(different: int, stepped: bool) -> None:
    """Twelve are shown one by one, thirteen in steps of the scale."""
    counted, found = distribution(np.linspace(0.0, 1.0, different), 0.0, 1.0)
    assert found is stepped
    assert len(counted) == (STEPS if stepped else different)
    assert sum(n for _, n in counted) == different


@given(st.lists(st.floats(1, 5), min_size=1, max_size=60))
def test_no_score_is_lost_in_a_distribution(scores: list[float]) -> None:
    """Its counts add up, and stand in order."""
    counted, _ = distribution(np.array(scores), 1.0, 5.0)
    assert sum(n for _, n in counted) == len(scores)
    assert [at for at, _ in counted] == sorted(at for at, _ in counted)
