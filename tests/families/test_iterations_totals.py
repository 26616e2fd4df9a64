"""Indexes and summaries of runs: totals beside the runs that they name, and no runs."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import BenchmarkRow, CaseRow, DocumentRow, JudgmentRow, RunRow
from tests.families.build import Read
from tests.families.iterations_documents import grading, suite

FOLDER = "iteration-1/eval-1"
GRADED = {
    f"{FOLDER}/with_skill/grading.json": grading(True, True),
    f"{FOLDER}/without_skill/grading.json": grading(True, False),
}
FULL = {"passed": 2, "failed": 0, "total": 2, "pass_rate": 1.0}
HALF = {"passed": 1, "total": 2}


def read(root: Path, document: Any, name: str = "iteration-1/grading-index.json") -> Read:
    """Two graded runs beside this document."""
    return suite(root, {**GRADED, name: document}, evals=None)


def stored(found: Read) -> list[tuple[str | None, str | None, float | None]]:
    """Case, configuration and rate of each total."""
    rows = [row for row in found.all(BenchmarkRow) if row.origin == "stored"]
    return [(row.case_id, row.configuration, row.mean) for row in rows]


@pytest.mark.parametrize(
    "document",
    [
        {"eval-1-with_skill": FULL, "eval-1-without_skill": HALF},
        {"eval-1": {"with_skill": FULL, "without_skill": HALF}},
        {"with_skill": {"eval-1": FULL}, "without_skill": {"eval-1": HALF}},
        {"runs": [{"path": "eval-1/with_skill", **FULL}, {"id": "eval-1-without_skill", **HALF}]},
        [{"eval": "eval-1", "config": "with_skill", **FULL},
         {"eval_id": 1, "configuration": "without_skill", **HALF}],
        {"gradings": [{"file": "iteration-1/eval-1/with_skill/grading.json", **FULL},
                      {"file": "./eval-1/without_skill/grading.json", **HALF}]},
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["grading-index.json", "grading_summary.json", "run_summary.json"])
def test_totals_stand_beside_the_runs_they_name(tmp_path: Path, document: Any, name: str) -> None:
    """They make no run, no case and no problem."""
    found = read(tmp_path, document, f"iteration-1/{name}")
    assert stored(found) == [("eval-1", "with_skill", 1.0), ("eval-1", "without_skill", 0.5)]
    assert [run.fraction for run in found.all(RunRow)] == [1.0, 0.5]
    assert [case.case_id for case in found.all(CaseRow)] == ["eval-1"]
    assert found.problems == []
    assert [row.kind for row in found.all(DocumentRow)] == ["grading", "grading", "totals"]


@pytest.mark.parametrize(
    "stated", [{"passed": 1, "total": 2}, {"pass_rate": 0.5}, {"passed": 2, "total": 3}]
)
def test_a_total_that_its_run_contradicts_is_a_mismatch(tmp_path: Path, stated: Any) -> None:
    """The grading counts."""
    found = read(tmp_path, {"eval-1-with_skill": stated})
    assert found.codes() == ["derived-mismatch"]
    assert found.problem("derived-mismatch").pointer == "/eval-1-with_skill"
    assert found.all(RunRow)[0].fraction == 1.0


def test_totals_of_unknown_runs_are_said_once(tmp_path: Path) -> None:
    """They are not compared with anything, and are no runs either."""
    found = read(tmp_path, {"eval-7-with_skill": HALF, "eval-8-with_skill": HALF})
    assert found.codes() == []
    assert found.problem("totals-without-run").message.startswith("2 of the totals")
    assert len(found.all(RunRow)) == 2


def test_an_index_above_the_iterations_names_them(tmp_path: Path) -> None:
    """Paths begin with the iteration there."""
    found = read(tmp_path, {"iteration-1/eval-1/with_skill": FULL}, "index.json")
    assert stored(found) == [("eval-1", "with_skill", 1.0)]
    assert found.problems == []


def test_a_summary_with_the_items_of_runs_is_a_grading(tmp_path: Path) -> None:
    """Where nothing else has them, its items are read."""
    document = {"with_skill": grading(True, True), "without_skill": grading(True, False)}
    found = suite(tmp_path, {f"{FOLDER}/grading_summary.json": document}, evals=None)
    assert len(found.all(JudgmentRow)) == 4


def test_what_a_run_sums_up_is_its_own(tmp_path: Path) -> None:
    """A summary in a run's folder, such as that of tests it wrote, is none of ours."""
    found = read(tmp_path, {"a": FULL}, f"{FOLDER}/with_skill/test-summary.json")
    assert [row.kind for row in found.all(DocumentRow)] == ["grading", "grading"]


def test_names_that_only_end_alike_are_no_indexes(tmp_path: Path) -> None:
    """`grading_reindex.json` is a grading by its name."""
    found = suite(tmp_path, {"iteration-1/grading_reindex.json": grading(True, True)}, evals=None)
    assert len(found.all(RunRow)) == 1


def test_a_total_may_name_a_run_that_only_a_benchmark_has(tmp_path: Path) -> None:
    """Such a run has no folder; its eval and configuration name it, an empty path does not."""
    run = {"eval_id": 3, "configuration": "with_skill", "result": {"passed": 2, "total": 2}}
    files = {
        "iteration-1/benchmark.json": {"runs": [run]},
        "iteration-1/grading-index.json": {
            "runs": [
                {"eval_id": 3, "configuration": "with_skill", **HALF},
                {"path": "/grading.json", **FULL},
            ]
        },
    }
    found = suite(tmp_path, files, evals=None)
    assert found.codes() == ["derived-mismatch"]
    assert found.problem("totals-without-run").message.startswith("1 of the totals")


@pytest.mark.parametrize(
    ("document", "rows"),
    [
        (
            {"with_skill": FULL, "without_skill": {"pass_rate": 0.5}},
            [(None, "with_skill", 1.0), (None, "without_skill", 0.5)],
        ),
        ({"summary": {"with_skill": FULL}}, [(None, "with_skill", 1.0)]),
        ([{"configuration": "with_skill", **FULL}], [(None, "with_skill", 1.0)]),
        ({"overall": {"passed": 3, "total": 4}}, [(None, None, 0.75)]),
    ],
)
def test_totals_of_a_side_or_of_all_stand_beside_them(
    tmp_path: Path, document: Any, rows: Any
) -> None:
    """They name no single run, and are compared with what all of them give."""
    found = read(tmp_path, document)
    assert (stored(found), found.problems) == (rows, [])


@pytest.mark.parametrize("name", ["with_skill", "overall"])
def test_a_total_of_a_side_may_be_wrong(tmp_path: Path, name: str) -> None:
    """No way of counting gives 0.2."""
    assert read(tmp_path, {name: {"pass_rate": 0.21}}).codes() == ["derived-mismatch"]
