"""Benchmarks of shapes that tools make up, with and without gradings below them."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import (
    BenchmarkRow,
    CaseRow,
    JudgmentRow,
    NoteRow,
    RunRow,
    SuiteRow,
    VersionRow,
)
from tests.families.build import Read
from tests.families.iterations_documents import EVAL, grading, item, suite

GRADED = {
    f"{EVAL}/with_skill/grading.json": grading(True, True),
    f"{EVAL}/without_skill/grading.json": grading(True, False),
}
HALF = {"passed": 1, "total": 2, "pass_rate": 0.5}
FULL = {"passed": 2, "total": 2, "pass_rate": 1.0}
SIDES = [("with_skill", 1.0), ("without_skill", 0.5)]


def benchmark(root: Path, graded: dict[str, Any] | None = None, **fields: Any) -> Read:
    """An iteration with a benchmark of these fields, and no gradings unless they are given."""
    return suite(root, {"iteration-1/benchmark.json": fields, **(graded or {})})


def rates(read: Read) -> list[tuple[str | None, str | None, float | None]]:
    """Case, configuration and pass rate of each run."""
    return [(run.case_id, run.configuration, run.fraction) for run in read.all(RunRow)]


@pytest.mark.parametrize(
    "fields",
    [
        {"evals": [{"eval_id": 1, "with_skill": FULL, "without_skill": HALF}]},
        {"eval_results": [{"id": "1", "with_skill": FULL, "without_skill": HALF}]},
        {"per_eval": {"1": {"with_skill": FULL, "without_skill": HALF}}},
        {"per_eval": [{"id": 1, "with_skill_pass_rate": 1.0, "without_skill_pass_rate": 0.5}]},
        {"per_case": [{"id": 1, "configurations": {"with_skill": 1.0, "without_skill": "50%"}}]},
        {"by_eval": [{"eval_id": 1, "with_skill": "2/2", "without_skill": "1/2"}]},
        {
            "configurations": {
                "with_skill": {"evals": [{"id": 1, **FULL}]},
                "without_skill": {"per_eval": [{"eval_id": 1, **HALF}]},
            }
        },
        {
            "configs": {
                "with_skill": {"runs": [{"eval_id": 1, **FULL}]},
                "without_skill": {"runs": [{"eval_id": 1, **HALF}]},
            }
        },
        {
            "with_skill": {"evals": [{"eval_id": 1, "pass_count": 2, "total": 2}]},
            "without_skill": {"evals": [{"eval_id": 1, "pass_count": 1, "total": 2}]},
        },
        {
            "runs": [
                {"eval_id": 1, "config": "with_skill", "assertions_passed": 2, "failed": 0},
                {"eval_name": "fill", "variant": "without_skill", "pass_rate": 50},
            ]
        },
    ],
)
def test_every_shape_gives_the_same_runs(tmp_path: Path, fields: Any) -> None:
    """One run a side of each eval, of origin `benchmark`, joined to the defined case."""
    read = benchmark(tmp_path, **fields)
    assert rates(read) == [("1", name, rate) for name, rate in SIDES]
    assert {run.origin for run in read.all(RunRow)} == {"benchmark"}
    assert read.codes() == []


def test_a_shape_of_its_own_is_said_once(tmp_path: Path) -> None:
    """The remark tells how to write it; the standard shape has none."""
    entry = {"id": 1, "with_skill": FULL}
    read = benchmark(tmp_path / "a", evals=[entry, entry], summary={"with_skill": FULL})
    assert read.problem("home-made-benchmark").severity == "info"
    listed = {"eval_id": 1, "configuration": "with_skill", "result": FULL}
    assert benchmark(tmp_path / "b", runs=[listed]).problems == []


def test_evals_of_a_benchmark_beside_gradings_are_aggregates(tmp_path: Path) -> None:
    """The gradings are the runs; what they contradict is said, both are kept."""
    entry = {"eval_id": 1, "with_skill": {**HALF, "tokens": 7}, "without_skill": HALF}
    read = benchmark(tmp_path, GRADED, per_eval=[entry])
    assert {run.origin for run in read.all(RunRow)} == {"grading"}
    stored = [
        (row.case_id, row.configuration, row.metric, row.mean)
        for row in read.all(BenchmarkRow)
        if row.origin == "stored"
    ]
    assert stored == [
        ("1", "with_skill", "pass_rate", 0.5),
        ("1", "with_skill", "tokens", 7),
        ("1", "without_skill", "pass_rate", 0.5),
    ]
    assert read.problem("derived-mismatch").pointer == "/per_eval/0/with_skill"


def test_evals_beside_listed_runs_are_no_second_runs(tmp_path: Path) -> None:
    """A benchmark that sums its own runs up by eval has each run once."""
    listed = [
        {"eval_id": 1, "configuration": "with_skill", "run_number": n, "result": HALF}
        for n in (1, 2)
    ]
    read = benchmark(tmp_path, runs=listed, per_eval={"1": {"with_skill": HALF}})
    assert [run.run for run in read.all(RunRow)] == ["1", "2"]


def test_checks_and_scores_of_an_eval_are_judgments(tmp_path: Path) -> None:
    """Checks under another name, and scores of 1 to 5 beside them."""
    details = [
        {"assertion": "Every field is filled", "passed": True, "evidence": "seen"},
        {"assertion": "Other", "passed": False, "evidence": "gone"},
    ]
    entry = {
        "id": 1,
        "pass_rate": 0.9,
        "quality": {"accuracy": 4, "humor": 9},
        "assertion_details": details,
    }
    read = benchmark(tmp_path, per_case=[entry])
    found = [(row.kind, row.criterion, row.fraction, row.pointer) for row in read.all(JudgmentRow)]
    assert found == [
        ("expectation", "Every field is filled", 1.0, "/per_case/0/assertion_details/0"),
        ("expectation", "Other", 0.0, "/per_case/0/assertion_details/1"),
        ("rubric", "accuracy", 0.8, "/per_case/0/quality/accuracy"),
    ]
    assert read.one(RunRow).fraction == 0.5


def test_a_verdict_alone_is_one_check(tmp_path: Path) -> None:
    """It is judged as a whole; a graded run with more detail is not contradicted by it."""
    entry = {"eval_id": 1, "with_skill": "PASS", "without_skill": "FAIL", "key_finding": "slow"}
    read = benchmark(tmp_path / "a", eval_results=[entry])
    assert rates(read) == [("1", "with_skill", 1.0), ("1", "without_skill", 0.0)]
    assert [row.passed for row in read.all(JudgmentRow)] == [True, False]
    assert (read.one(NoteRow).target, read.one(NoteRow).text) == ("fill: key_finding", "slow")
    assert benchmark(tmp_path / "b", GRADED, eval_results=[entry]).codes() == []


def test_a_side_without_result_is_no_run(tmp_path: Path) -> None:
    """Nothing was run there; its remark is kept."""
    entry = {"id": 1, "with_skill": FULL, "without_skill": {"pass_rate": None, "note": "not run"}}
    read = benchmark(tmp_path, evals=[entry])
    assert rates(read) == [("1", "with_skill", 1.0)]


def test_measures_under_other_names(tmp_path: Path) -> None:
    """Milliseconds are seconds, 0 was not measured."""
    entry = {"id": 1, **HALF, "duration_ms": 1500, "total_tokens": 0, "cost_usd": 0.1}
    run = benchmark(tmp_path, evals=[entry]).one(RunRow)
    assert (run.duration_s, run.tokens, run.cost_usd) == (1.5, None, 0.1)


def test_scores_of_ones_own_keep_their_names(tmp_path: Path) -> None:
    """They are aggregates of the eval, and remarks are notes of its run."""
    listed = {
        "id": "axios",
        "eval_name": "Axios client",
        "configuration": "with_skill",
        "pass_rate": 1.0,
        "eval_score": 94.0,
        "subscores": {"tables": 10},
        "structure": "flat",
    }
    read = benchmark(tmp_path, runs=[listed], run_summary={"mean_eval_score": 94, "why": "cost"})
    found = {
        row.metric: (row.case_id, row.mean)
        for row in read.all(BenchmarkRow)
        if row.origin == "stored"
    }
    assert found == {
        "eval_score": ("axios", 94.0),
        "subscores.tables": ("axios", 10),
        "mean_eval_score": (None, 94),
    }
    assert read.one(CaseRow, case_id="axios").name == "Axios client"
    notes = {note.target: (note.run_id, note.text) for note in read.all(NoteRow)}
    assert notes == {
        "structure": (read.one(RunRow).run_id, "flat"),
        "why": (None, "cost"),
    }


@pytest.mark.parametrize(
    "fields",
    [
        {"summary": {"with_skill": {"pass_rate": 1.0, "avg_duration_ms": 2000}}},
        {"with_skill": {"pass_rate_mean": "100%", "time_mean_seconds": 2}},
        {"configurations": {"with_skill": {"mean_pass_rate": 100, "mean_duration_seconds": 2}}},
        {"aggregate": {"with_skill_pass_rate": 1, "with_skill_time_seconds": 2}},
        {"run_summary": {"with_skill": {"pass_rate": 1.0, "time_seconds": 2}}},
        {
            "run_summary": {
                "with_skill": {
                    "pass_rate": {"mean": 1.0, "stddev": 0},
                    "time_seconds": {"mean": 2, "stddev": 0},
                }
            }
        },
    ],
)
def test_aggregates_of_a_configuration(tmp_path: Path, fields: Any) -> None:
    """Whatever an average is called, it is the mean of its metric in its unit."""
    read = benchmark(tmp_path, **fields)
    found = {(row.configuration, row.metric): row.mean for row in read.all(BenchmarkRow)}
    assert found == {("with_skill", "pass_rate"): 1, ("with_skill", "time_seconds"): 2}


def test_mean_and_spread_come_together(tmp_path: Path) -> None:
    """Fields that give parts of one statistic make one row."""
    fields = {"pass_rate_mean": 0.9, "pass_rate_stddev": 0.1, "pass_rate_min": 0.8}
    found = benchmark(tmp_path, summary={"with_skill": fields}).one(BenchmarkRow)
    assert (found.mean, found.stddev, found.min) == (0.9, 0.1, 0.8)


@pytest.mark.parametrize(
    "fields",
    [
        {"delta": {"pass_rate": "+50%"}},
        {"delta": {"pass_rate_improvement": 0.5}},
        {"delta": 0.5},
        {"summary": {"pass_rate_delta": "+50pp"}},
        {"run_summary": {"delta": {"pass_rate": 50}}},
    ],
)
def test_a_difference_is_a_fraction_beside_ours(tmp_path: Path, fields: Any) -> None:
    """As a number, text, percent or points; ours is what the gradings give."""
    read = benchmark(tmp_path, GRADED, **fields)
    found = [row for row in read.all(BenchmarkRow) if row.configuration == "delta"]
    assert [(row.metric, row.mean, row.origin) for row in found] == [
        ("pass_rate", pytest.approx(0.5), "stored"),
        ("pass_rate", 0.5, "computed"),
    ]
    assert read.codes() == []


def test_a_null_difference_is_no_number(tmp_path: Path) -> None:
    """It was not measured."""
    read = benchmark(tmp_path, GRADED, run_summary={"delta": {"tokens": None}})
    stored = read.one(BenchmarkRow, configuration="delta")
    assert (stored.mean, stored.text) == (None, None)


def test_the_share_of_all_items_is_no_contradiction(tmp_path: Path) -> None:
    """A pass rate of all items pooled agrees as well as the mean over runs."""
    two = "iteration-1/eval-2/with_skill/grading.json"
    graded = {
        f"{EVAL}/with_skill/grading.json": grading(True, True),
        two: {"expectations": [item("a", False)]},
    }
    pooled = benchmark(tmp_path / "a", graded, summary={"with_skill": {"pass_rate": 0.667}})
    assert pooled.codes() == []
    wrong = benchmark(tmp_path / "b", graded, summary={"with_skill": {"pass_rate": 0.9}})
    assert wrong.codes() == ["derived-mismatch"]


def test_nothing_else_is_dropped(tmp_path: Path) -> None:
    """Numbers are aggregates under their own names, words are notes that say where they stood."""
    read = benchmark(
        tmp_path,
        verdict="better",
        threshold_passed=True,
        limitations=["few runs"],
        by_category={"io": {"pass_rate": 0.5, "evals": ["a"]}},
        gaps=[{"gap": "x", "fix": "y"}],
        analysis={"value": "order"},
        skill_version="1.0.0",
    )
    assert [(row.metric, row.mean) for row in read.all(BenchmarkRow)] == [
        ("by_category.io.pass_rate", 0.5)
    ]
    assert {(note.target, note.text) for note in read.all(NoteRow)} == {
        ("verdict", "better"),
        ("threshold_passed", "yes"),
        ("limitations", "few runs"),
        ("gaps", "gap: x\nfix: y"),
        ("analysis.value", "order"),
    }


def test_rates_in_percent_are_said_once(tmp_path: Path) -> None:
    """They are read as fractions."""
    read = benchmark(tmp_path, evals=[{"id": 1, "pass_rate": 50}, {"id": 2, "pass_rate": "100%"}])
    assert [run.fraction for run in read.all(RunRow)] == [0.5, 1.0]
    assert read.problem("rates-as-percent").severity == "info"


def test_a_benchmark_names_skill_and_time(tmp_path: Path) -> None:
    """Where no test cases name the skill; a date without a time is one too."""
    document = {"skill_name": "pdf-forms", "date": "2026-04-12", "evals": [{"id": 1, **HALF}]}
    read = suite(tmp_path, {"iteration-1/benchmark.json": document}, None)
    assert read.one(SuiteRow).name == "pdf-forms"
    made = read.one(VersionRow).created_at
    assert made is not None
    assert made.isoformat() == "2026-04-12T00:00:00+00:00"


ANY_VALUE: tuple[Any, ...] = (None, 7, "x", [], [7, "x", None], {}, {"a": 7}, {"a": {"b": []}})
KEYS = (
    "runs", "evals", "per_eval", "summary", "configurations", "with_skill", "delta", "run_summary",
    "metadata", "notes", "results",
)  # fmt: skip


def test_a_field_of_any_type_breaks_nothing(tmp_path: Path, subtests: pytest.Subtests) -> None:
    """The gradings beside it are read."""
    for number, (key, value) in enumerate(product(KEYS, ANY_VALUE)):
        with subtests.test(f"{key}: {value}"):
            read = benchmark(tmp_path / str(number), GRADED, **{key: value})
            assert len([run for run in read.all(RunRow) if run.origin == "grading"]) == 2


def test_a_nested_benchmark_is_read_to_a_depth(tmp_path: Path) -> None:
    """What lies deeper than anybody writes stays in the document."""
    value: Any = {"pass_rate": 0.5}
    for _ in range(60):
        value = {"summary": value, "configurations": {"a": {"x": 1}}}
    read = benchmark(tmp_path, GRADED, summary=value)
    assert len(read.all(RunRow)) == 2
    assert read.codes() == []


def test_a_graded_baseline_may_have_another_name_in_the_benchmark(tmp_path: Path) -> None:
    """A listed baseline of the same rate is the graded one, not a run of its own."""
    graded = {
        f"{EVAL}/with_skill/grading.json": grading(True, True),
        f"{EVAL}/old_skill/grading.json": grading(True, False),
    }
    runs = [
        {"eval_id": 1, "configuration": "with_skill", "run_number": 1, "result": FULL},
        {"eval_id": 1, "configuration": "without_skill", "run_number": 1, "result": HALF},
    ]
    read = benchmark(tmp_path / "same", graded, runs=runs)
    assert rates(read) == [("1", "old_skill", 0.5), ("1", "with_skill", 1.0)]
    assert "old_skill" in read.problem("configuration-differs").message
    other = benchmark(
        tmp_path / "other", graded, runs=[runs[0], {**runs[1], "result": {"pass_rate": 0.0}}]
    )
    assert ("1", "without_skill", 0.0) in rates(other)


def test_a_listed_run_that_its_grading_contradicts_is_said(tmp_path: Path) -> None:
    """Counts are compared with counts, as one decimal of a rate may hide the difference."""
    listed = {"passed": 1, "failed": 1, "total": 2, "pass_rate": 0.5}
    runs = [{"eval_id": 1, "configuration": "with_skill", "run_number": 1, "result": listed}]
    read = benchmark(tmp_path, GRADED, runs=runs)
    message = read.problem("derived-mismatch").message
    assert ("1 of 2" in message, "2 of 2" in message) == (True, True)


def test_prompts_in_a_benchmark_are_those_of_its_cases(tmp_path: Path) -> None:
    """An eval that nothing else defines has the prompt of the first benchmark that tells it."""
    files = {
        f"iteration-{number}/benchmark.json": {
            "results": {"E1": {"prompt": prompt, "with_skill": FULL, "without_skill": HALF}}
        }
        for number, prompt in ((1, "Make A"), (2, "Make B"))
    }
    case = suite(tmp_path, files, evals=None).one(CaseRow)
    assert (case.case_id, case.prompt) == ("E1", "Make A")
    assert (case.source, case.pointer) == (
        "pdf-workspace/iteration-1/benchmark.json", "/results/E1"
    )  # fmt: skip


def test_a_defined_prompt_is_kept(tmp_path: Path) -> None:
    """What evals.json asks goes before what a benchmark says was asked."""
    entry = {"eval_id": 1, "prompt": "Another", "with_skill": FULL}
    read = benchmark(tmp_path, evals=[entry])
    assert read.one(CaseRow, case_id="1").prompt == "Fill the form in form.pdf with these names"


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"title": "x", "rows": [{"a": 1}]}, "unread-benchmark"),
        ([{"a": 1}], "wrong-type"),
        ("{", "half-written"),
    ],
)
def test_a_version_of_an_unknown_shape_is_listed(tmp_path: Path, document: Any, code: str) -> None:
    """It stands among the versions without runs, and its benchmark is named as unread."""
    files = {"iteration-1/benchmark.json": {"evals": [{"id": 1, **FULL}]}}
    read = suite(tmp_path, {**files, "iteration-2/benchmark.json": document})
    assert [row.version for row in read.all(VersionRow)] == ["iteration-1", "iteration-2"]
    assert read.codes() == [code]


def test_an_empty_benchmark_lists_no_version(tmp_path: Path) -> None:
    """`{}` says nothing, so there is nothing unread."""
    read = suite(tmp_path, {"iteration-1/benchmark.json": {}})
    assert (read.all(VersionRow), read.codes()) == ([], [])
