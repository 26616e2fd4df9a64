"""Who graded a run, as its own grading says."""

from pathlib import Path

import pytest

from evalcore.shapes.judge import MAX_JUDGE
from evalcore.tables.rows import RunRow
from tests.families.iterations_documents import grading, suite

RUN = "iteration-1/eval-1/with_skill/grading.json"


@pytest.mark.parametrize(
    "name", ["judge", "grader", "judge_model", "grader_model", "judged_by", "graded_by"]
)
def test_a_grading_names_its_judge(tmp_path: Path, name: str) -> None:
    """Under any of the names that tools use."""
    (run,) = suite(tmp_path, {RUN: grading(True, False, **{name: " model-a "})}, None).all(RunRow)
    assert run.judge == "model-a"


@pytest.mark.parametrize("name", [None, "", " ", 5, {"model": "model-a"}, "x" * (MAX_JUDGE + 1)])
def test_what_is_no_name_is_no_judge(tmp_path: Path, name: object) -> None:
    """A text longer than a name is something else."""
    (run,) = suite(tmp_path, {RUN: grading(True, False, judge=name)}, None).all(RunRow)
    assert run.judge is None


def test_a_name_of_the_longest_length_is_one(tmp_path: Path) -> None:
    """The limit itself is a name."""
    (run,) = suite(tmp_path, {RUN: grading(True, False, judge="x" * MAX_JUDGE)}, None).all(RunRow)
    assert run.judge == "x" * MAX_JUDGE
