"""Gradings read by column give the same rows as gradings read with tolerance."""

import copy
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import generate
from evalcore.families.improve.gradings import COMPLIANCE, RESULTS
from evalcore.shapes.judged import documented
from tests.families.both import assert_equal, both
from tests.families.build import write
from tests.families.improve_documents import CONVENTIONS, EVALS, Document, grading, history, result

MANY = 8
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, 6, -1, 3.5, 4.0, "4", "", [], {}, "\ud800", "x" * 40, 10**30, [{}], {"a": 1}]
)
FIELDS = st.sampled_from([*grading(), "judge", "judge_type", "extra"])


def workspace(root: Path, grades: list[Any]) -> Path:
    """Many standard gradings with these among them, as JSON or as text."""
    files: dict[str, Any] = {
        "deploy/evals/evals.json": EVALS,
        "deploy-workspace/history.json": history(None),
    }
    for run in range(1, MANY + 1):
        files[_name(run)] = grading(1 + run % 5, 5, run=run)
    for number, grade in enumerate(grades):
        run = 2 + 2 * number
        files[_name(run)] = grade if isinstance(grade, str) else {**grade, "run": run}
    return write(root, files)


def _name(run: int) -> str:
    return f"deploy-workspace/grading/case-01_v0_run{run}.json"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of the benchmarks' generator."""
    root = tmp_path_factory.mktemp("generated")
    generate.main(["improve", "60", str(root)])
    return root


def test_documented_results_are_read_by_column() -> None:
    """Fields of no meaning are passed over; a value that needs a second look is refused."""
    columns = documented(RESULTS, COMPLIANCE)
    for item, is_usual in (
        (result("valid", 4), True),
        (result("valid", 4, extra=1), True),
        (result("valid", 7), False),
        (result("valid", 4.0), False),
        (result("valid", 4, passed="yes"), False),
        (result("valid", 4, weight=2), False),
        ({"criterion": "valid", "score": 4}, False),
        ("valid", False),
        ([4], False),
    ):
        found = columns(grading(results=[result("short", 5), item]))
        assert (found is not None) is is_usual, item
    refused: tuple[Any, ...] = (
        grading(results=[]),
        grading(convention_compliance=None),
        grading(judge=["a", "b"]),
        grading(judge_type="human"),
        [],
    )
    for odd in refused:
        assert columns(odd) is None, odd
    found = columns(grading(judge="model-a"))
    assert found is not None
    assert found[0] == {
        "criterion": ("valid", "short"),
        "score": (4, 5),
        "passed": (True, True),
        "reasoning": ("on valid", "on short"),
    }
    assert [*found[1]] == [*CONVENTIONS]
    assert all(each.passed for each in found[1].values())
    assert found[2].name == "model-a"


def test_a_generated_workspace_reads_the_same(generated: Path) -> None:
    """Claims, notes, feedback and all scores of many cases and versions."""
    one, two = both(generated)
    assert len(one.tables.runs) == 60
    assert_equal(one, two)


@pytest.mark.parametrize(
    "odd",
    [
        grading(overall_score=1.0),
        grading(overall="fail"),
        grading(execution_metrics={"total_tokens": 5, "duration_ms": 20}),
        grading(claims=[{"claim": "c", "verified": True, "evidence": ""}], eval_feedback="f"),
        grading(results=[result("short", 5), result("valid", 4)]),
        grading(results=[result("valid", 4), result("valid", 4)]),
        grading(results=[]),
        grading(extra=1, eval_id=3),
        grading(claims=["bare", {"claim": "c", "type": "t", "verified": None}, 3]),
        grading(user_notes_summary={"workarounds": ["w", {"a": 1}], "other": "o"}),
        grading(eval_feedback={"suggestions": [{"criterion": "c"}, "s"], "overall": "o", "x": 1}),
        grading(results=[result("valid", 4, reasoning="\0 \u2028 🙂"), result("short", 5)]),
        grading(results=[result("valid", 4, passed=False), result("short", 5)]),
        grading(convention_compliance=dict(reversed(CONVENTIONS.items()))),
        grading(case_id="case-02"),
        grading(version=-1),
        '{"case_id": "case-01"',
        '{"case_id": "case-01", "case_id": "case-01"}',
    ],
)
def test_an_odd_grading_among_many(tmp_path: Path, odd: Any) -> None:
    """It is read by the tolerant reader, in its place among the others."""
    assert_equal(*both(workspace(tmp_path, [odd])))


@settings(max_examples=25)
@given(st.lists(st.tuples(FIELDS, ODD, st.integers(0, 2)), min_size=1, max_size=4))
def test_any_gradings_read_the_same(changes: list[tuple[str, Any, int]]) -> None:
    """Any value in any field, or in an item of it, gives the same rows on both ways."""
    grades: list[Document] = []
    for name, value, depth in changes:
        document = copy.deepcopy(grading())
        inner = document.get(name)
        if depth and isinstance(inner, list) and inner:
            inner[0][list(inner[0])[depth]] = value
        elif depth and isinstance(inner, dict) and inner:
            inner[next(iter(inner))] = value
        else:
            document[name] = value
        grades.append(document)
    with tempfile.TemporaryDirectory() as folder:
        root = workspace(Path(folder), [json.dumps(grade) for grade in grades])
        assert_equal(*both(root))
