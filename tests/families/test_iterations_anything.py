"""Whatever stands in a document beside the gradings, the gradings are read."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.tables.rows import RunRow
from tests.families.iterations_documents import EVAL, grading, suite

KEYS = (
    "runs", "evals", "per_eval", "cases", "summary", "configurations", "with_skill", "delta",
    "run_summary", "metadata", "notes", "results", "eval_id", "id", "name", "pass_rate", "passed",
    "total", "verdict", "expectations", "reviews", "status", "run_id", "feedback", "iterations",
    "version", "winner", "output_A_eval", "expectations_met", "findings", "assertions", "prompt",
    "expected_output", "files", "timing", "duration_ms", "start_time", "quality", "text", "mean",
    "with_skill_pass_rate", "result", "timestamp", "/", "~",
)  # fmt: skip
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "PASS", "50%", "3/3", "0/0", "+1", "A", "eval-1", "<gap>", "2026-01-01"])
    | st.text(max_size=4).filter(str.isprintable)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=12,
)
PLACES = (
    "iteration-1/benchmark.json",
    "iteration-1/feedback.json",
    "history.json",
    "iteration-1/comparison.json",
    "iteration-1/analysis.json",
    f"{EVAL}/eval_metadata.json",
    f"{EVAL}/with_skill/timing.json",
)


@pytest.mark.parametrize("place", PLACES)
@settings(max_examples=30)
@given(value=st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6) | VALUES)
def test_any_value_in_a_document_beside_the_runs(
    tmp_path_factory: pytest.TempPathFactory, place: str, value: Any
) -> None:
    """Nothing raises, and the graded run is there."""
    root = tmp_path_factory.mktemp("any")
    value = f'"{value}"' if isinstance(value, str) else value
    read = suite(root, {place: value, f"{EVAL}/with_skill/grading.json": grading()})
    assert [run.origin for run in read.all(RunRow)].count("grading") == 1


@settings(max_examples=30)
@given(value=st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6) | VALUES)
def test_any_value_in_the_test_cases(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    """Nothing raises, and the graded run is there."""
    root = tmp_path_factory.mktemp("any")
    evals = {"skill_name": "x", "evals": [{"id": 1, "prompt": "p"}, value]}
    read = suite(root, {f"{EVAL}/with_skill/grading.json": grading()}, evals)
    assert [run.origin for run in read.all(RunRow)].count("grading") == 1
