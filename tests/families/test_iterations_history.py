"""What a history says of the versions, in the shapes that tools write."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import DocumentRow, VersionRow
from tests.families.build import Read
from tests.families.iterations_documents import EVAL, grading, suite

GRADED = {f"{EVAL}/with_skill/grading.json": grading()}


def told(root: Path, history: Any) -> Read:
    """One iteration with this history.json."""
    return suite(root, {"history.json": history, **GRADED})


@pytest.mark.parametrize(
    "history",
    [
        {"iterations": [{"version": "iteration-1", "expectation_pass_rate": 0.53}]},
        {"iterations": [{"iteration": 1, "pass_rate": "53%"}]},
        {"versions": [{"version": "v1", "pass_rate": 53}]},
        {"iteration-1": {"with_skill_pass_rate": {"mean": 0.53}}},
        [{"iteration": 1, "pass_rate": "53/100"}],
    ],
)
def test_the_score_of_a_version(tmp_path: Path, history: Any) -> None:
    """By its name or its number, as a fraction, as percent or as parts."""
    read = told(tmp_path, history)
    assert read.one(VersionRow).stored_score == pytest.approx(0.53)
    assert read.codes() == []


def test_what_an_entry_says_is_the_description(tmp_path: Path) -> None:
    """Its differences stay as they are written; its time is the version's."""
    entry = {
        "version": "iteration-1",
        "parent": "v0",
        "type": "comparator",
        "delta": "+2.25",
        "delta_vs_baseline": "53%",
        "notes": ["a", "b"],
        "timestamp": "2026-08-11T00:00:00Z",
        "is_current_best": True,
    }
    found = told(tmp_path, {"iterations": [entry]}).one(VersionRow)
    assert found.description == "a; b, comparator, delta +2.25, delta vs baseline 53%, from v0"
    assert (found.created_at, found.is_current) == (datetime(2026, 8, 11, tzinfo=UTC), True)


def test_the_best_version_is_named_above_the_list(tmp_path: Path) -> None:
    """`current_best` decides where the entries are silent."""
    history = {"current_best": "v1", "iterations": [{"version": "v0"}, {"version": "v1"}]}
    found = told(tmp_path, history).all(VersionRow)
    assert [(row.version, row.is_current) for row in found] == [("iteration-1", True)]


@pytest.mark.parametrize(
    "history",
    [
        [{"step": 1, "candidate_gate_score": 0.5, "best_score": 0.6, "action": "accept"}],
        {"case-a": [{"epoch": 1, "passRate": 0.5, "ts": 1780000000}], "_runs": {}},
    ],
)
def test_a_history_of_something_else_is_said_once(tmp_path: Path, history: Any) -> None:
    """It is recognised, and read into no version."""
    read = told(tmp_path, history)
    assert read.problem("other-history").severity == "info"
    assert read.one(VersionRow).stored_score is None
    assert read.one(DocumentRow, kind="history").suite == "pdf"


@pytest.mark.parametrize("history", [{}, [], {"iterations": []}])
def test_an_empty_history_says_nothing(tmp_path: Path, history: Any) -> None:
    """It is no problem."""
    assert told(tmp_path, history).problems == []


def test_a_baseline_branch_is_the_oldest_version(tmp_path: Path) -> None:
    """It was measured to compare with, whenever that was."""
    names = ("iteration-1", "iteration-10", "iteration-master")
    files = {f"{name}/eval-1/with_skill/grading.json": grading() for name in names}
    found = suite(tmp_path, files).all(VersionRow)
    assert [row.version for row in found] == ["iteration-master", "iteration-1", "iteration-10"]


def test_the_purpose_of_a_benchmark_describes_its_version(tmp_path: Path) -> None:
    """Where history.json does not; a baseline by purpose is the oldest."""
    files: dict[str, Any] = {
        "iteration-1/eval-1/with_skill/grading.json": grading(),
        "iteration-2/eval-1/with_skill/grading.json": grading(),
        "iteration-2/benchmark.json": {"metadata": {"purpose": "Baseline of the old prompt"}},
    }
    first, second = suite(tmp_path, files).all(VersionRow)
    assert (first.version, first.description) == ("iteration-2", "Baseline of the old prompt")
    assert (second.version, second.description) == ("iteration-1", None)
