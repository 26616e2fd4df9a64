"""Improvement of one benchmark run over another: one value higher, neither lower."""

from pathlib import Path

import pytest

from evalcore.benchmarks.members import Improvement, improvement, values_of
from tests import made
from tests.trends.followed import benchmark_run


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ((0.5, 0.5), (0.5, 0.5), "same"),
        ((0.5, 0.5), (0.6, 0.5), "better"),
        ((0.5, 0.5), (0.5, 0.6), "better"),
        ((0.5, 0.5), (0.9, 0.4), "worse"),
        ((0.5, 0.5), (0.4, 0.9), "worse"),
        ((0.5, None), (0.6, 0.1), "better"),
        ((0.5, None), (None, 0.9), "unknown"),
        ((None, None), (0.6, 0.6), "unknown"),
    ],
)
def test_values_that_both_have_are_compared(
    tmp_path: Path,
    before: tuple[float | None, float | None],
    now: tuple[float | None, float | None],
    expected: Improvement,
) -> None:
    """What one of them lacks says nothing, and is never taken for 0."""
    ws = made.workspace(
        tmp_path,
        made.suite(),
        benchmark_run("one", 1, pass_rate=before[0], overall_score=before[1]),
        benchmark_run("two", 2, pass_rate=now[0], overall_score=now[1]),
    )

    assert values_of(ws, 0) == before
    assert improvement(ws, 0, 1) == expected


def test_the_order_of_adding_up_scores_is_no_difference(tmp_path: Path) -> None:
    """The same scores, of other cases: as floats their means differ in the last digit."""
    one, other = (0.1 + 0.1 + 0.4) / 3, (0.4 + 0.1 + 0.1) / 3
    assert one > other
    ws = made.workspace(
        tmp_path,
        made.suite(),
        benchmark_run("one", 1, pass_rate=one, overall_score=0.5),
        benchmark_run("two", 2, pass_rate=other, overall_score=0.5),
    )
    assert (improvement(ws, 0, 1), improvement(ws, 1, 0)) == ("same", "same")
