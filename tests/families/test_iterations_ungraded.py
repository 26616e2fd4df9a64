"""Runs that have a folder of their own and no grading."""

from pathlib import Path
from typing import Any

from evalcore.tables.rows import RunRow
from tests.families.iterations_documents import grading, suite

SIDE = "iteration-1/eval-1/with_skill"
TIMING = {"total_tokens": 1200, "duration_ms": 4000, "total_duration_seconds": 4.0}


def runs(root: Path, files: dict[str, Any]) -> dict[str, RunRow]:
    """Return the runs of a suite by their number."""
    return {str(row.run): row for row in suite(root, files, None).all(RunRow)}


def test_a_timed_run_beside_a_graded_one_is_not_finished(tmp_path: Path) -> None:
    """It is a run without a score, with what its timing says."""
    files = {
        f"{SIDE}/run-1/grading.json": grading(True, False),
        f"{SIDE}/run-1/timing.json": TIMING,
        f"{SIDE}/run-2/timing.json": TIMING,
    }
    found = runs(tmp_path, files)
    assert {number: row.status for number, row in found.items()} == {
        "1": "completed",
        "2": "pending",
    }
    second = found["2"]
    assert (second.fraction, second.passed, second.tokens) == (None, None, 1200)
    assert second.source == f"pdf-workspace/{SIDE}/run-2/timing.json"


def test_a_timing_alone_makes_no_run(tmp_path: Path) -> None:
    """Where no run of the case was graded in such a folder, nothing says that there were any."""
    files = {
        f"{SIDE}/run-1/timing.json": TIMING,
        f"{SIDE}/run-2/timing.json": TIMING,
        "iteration-1/eval-2/with_skill/run-1/grading.json": grading(True, False),
    }
    assert set(runs(tmp_path, files)) == {"1"}


def test_the_timing_of_a_configuration_is_no_run_of_it(tmp_path: Path) -> None:
    """One file for all of its runs stands beside their folders."""
    files = {f"{SIDE}/run-1/grading.json": grading(True, False), f"{SIDE}/timing.json": TIMING}
    assert set(runs(tmp_path, files)) == {"1"}


def test_a_graded_run_of_the_other_side_says_nothing_of_this_one(tmp_path: Path) -> None:
    """Runs beside each other are those of one case and configuration."""
    files = {
        "iteration-1/eval-1/without_skill/run-1/grading.json": grading(True, False),
        f"{SIDE}/run-1/timing.json": TIMING,
        f"{SIDE}/run-2/timing.json": TIMING,
    }
    assert set(runs(tmp_path, files)) == {"1"}
