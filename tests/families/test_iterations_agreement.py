"""A stored mean is a mismatch only when no way of counting and no rounding explains it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from evalcore.families.iterations.agreement import is_explained
from evalcore.families.iterations.runs import Facts
from tests.families.iterations_documents import suite


def run(
    rate: float | None, passed: int | None = None, total: int | None = None, unscored: int = 0
) -> Facts:
    """The numbers of one run."""
    return Facts(
        "v", "c", "case", "id", rate, None, None, None, None, {}, passed, total, "", unscored
    )


def rates(*runs: Facts) -> tuple[Sequence[Facts], Sequence[float | None]]:
    """Runs with their pass rates."""
    return runs, [each.pass_rate for each in runs]


FOUR = rates(run(1.0, 2, 2), run(0.5, 4, 8), run(0.75, 3, 4), run(0.0, 0, 2))


@pytest.mark.parametrize(
    ("stored", "why"),
    [
        (0.5625, "the mean of the rates"),
        (0.56, "rounded"),
        (9 / 16, "all items together"),
        (0.25, "the share of runs that passed whole"),
    ],
)
def test_a_way_of_counting_explains_a_rate(stored: float, why: str) -> None:
    """Means of rates, shares of items and shares of passed evals are all in use."""
    assert is_explained(stored, "pass_rate", *FOUR), why


@pytest.mark.parametrize("stored", [0.07, 0.37, 0.44, 0.57, 0.63, 0.93])
def test_another_rate_is_a_mismatch(stored: float) -> None:
    """Nothing between the ways explains it."""
    assert not is_explained(stored, "pass_rate", *FOUR)


@pytest.mark.parametrize(
    ("stored", "explained"), [(0.25, True), (0.5, True), (0.75, True), (0.23, False), (0.77, False)]
)
def test_unscored_runs_bound_a_mean(stored: float, explained: bool) -> None:
    """One run of 1, one of 0 and two without score: from 0.25 to 0.75."""
    runs = rates(run(1.0), run(0.0), run(None), run(None))
    assert is_explained(stored, "pass_rate", *runs) == explained


@pytest.mark.parametrize(
    ("stored", "explained"), [(0.5, True), (0.625, True), (0.75, True), (0.4321, False)]
)
def test_unscored_items_bound_a_rate(stored: float, explained: bool) -> None:
    """Two of three items passed and one has no verdict: from 2/4 to 3/4, or 2/3."""
    assert is_explained(stored, "pass_rate", *rates(run(2 / 3, 2, 3, 1))) == explained


@pytest.mark.parametrize("metric", ["time_seconds", "tokens"])
@pytest.mark.parametrize(
    ("stored", "explained"),
    [
        (100.0, True),
        (101.0, True),
        (98.9, False),
        (101.2, False),
        (66.67, True),
        (66.1, True),
        (65.9, False),
    ],
)
def test_measures_may_be_off_by_a_hundredth(metric: str, stored: float, explained: bool) -> None:
    """Two of three runs took 100: a mean of 100, or of 66.7 where the third counts as 0."""
    values = [99.0, 101.0, None]
    assert is_explained(stored, metric, [run(None)] * 3, values) == explained


def test_without_values_nothing_is_explained() -> None:
    """Where no run has a value there is no way of counting."""
    assert not is_explained(0.5, "pass_rate", [run(None)], [None])


def test_a_benchmark_that_counts_in_its_own_way_is_not_blamed(tmp_path: Path) -> None:
    """Evals passed of all, 89.967 s against 90 and an unmeasured run as 0 are no mismatch."""
    results = [(1.0, 4, 90.0, 1000), (0.5, 2, 90.0, 2000), (0.75, 3, 90.0, 0)]
    runs = [
        {
            "eval_id": number,
            "configuration": "with_skill",
            "result": {
                "pass_rate": rate, "passed": passed, "total": 4,
                "time_seconds": seconds, "tokens": tokens,
            },
        }
        for number, (rate, passed, seconds, tokens) in enumerate(results)
    ]  # fmt: skip
    means = {"pass_rate": 0.333, "time_seconds": 89.967, "tokens": 1000.0}
    summary = {"with_skill": {name: {"mean": value} for name, value in means.items()}}
    files = {"iteration-1/benchmark.json": {"runs": runs, "run_summary": summary}}
    assert suite(tmp_path, files, evals=None).codes() == []
