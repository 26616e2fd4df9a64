"""Documents beside the runs: benchmarks, reviews, comparisons, analyses."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import (
    AnalysisRow,
    BenchmarkRow,
    BenchmarkRunRow,
    ComparisonRow,
    ComparisonScoreRow,
    DocumentRow,
    FeedbackRow,
    JudgmentRow,
    NoteRow,
    RunRow,
    VersionRow,
)
from tests.families.build import Read
from tests.families.iterations_documents import EVAL, grading, item, suite

BENCHMARK = "iteration-1/benchmark.json"
WITH, WITHOUT = f"{EVAL}/with_skill/grading.json", f"{EVAL}/without_skill/grading.json"
GRADED = {WITH: grading(True, True), WITHOUT: grading(True, False)}


def benchmark(root: Path, graded: dict[str, Any] | None = None, **fields: Any) -> Read:
    """An iteration with a benchmark beside its gradings."""
    return suite(root, {BENCHMARK: fields, **(GRADED if graded is None else graded)})


def listed(configuration: str = "with_skill", **fields: Any) -> dict[str, Any]:
    """One run as a benchmark lists it."""
    result = {"passed": 1, "total": 2, "pass_rate": 0.5, "time_seconds": 12.0, "tokens": 0}
    return {
        "eval_id": 1,
        "configuration": configuration,
        "run_number": 1,
        "result": result,
        **fields,
    }


def test_runs_that_only_a_benchmark_has_are_runs(tmp_path: Path) -> None:
    """Their origin is `benchmark`; numbers come from the list, and 0 tokens were not measured."""
    read = benchmark(tmp_path, {}, runs=[listed(), listed("without_skill", run_number=2)])
    one, two = read.all(RunRow)
    assert (one.run_id, one.origin, one.score, one.max_score, one.fraction) == (
        "pdf::1@iteration-1/with_skill#1",
        "benchmark",
        1.0,
        2.0,
        0.5,
    )
    assert (one.duration_s, one.tokens, one.pointer) == (12.0, None, "/runs/0")
    assert two.run_id == "pdf::1@iteration-1/without_skill#2"


def test_listed_expectations_are_judgments(tmp_path: Path) -> None:
    """A run's items in a benchmark are read like a grading's, and outrank its numbers."""
    items = [item("Every field is filled"), item("Other", False), item("Third")]
    read = benchmark(tmp_path, {}, runs=[listed(expectations=items, notes=["slow"])])
    assert [row.pointer for row in read.all(JudgmentRow)] == [
        f"/runs/0/expectations/{n}" for n in range(3)
    ]
    assert (read.one(RunRow).score, read.one(RunRow).max_score) == (2.0, 3.0)
    assert read.one(NoteRow).text == "slow"


def test_graded_runs_are_not_listed_twice(tmp_path: Path) -> None:
    """A run with a grading is read from it; the benchmark only adds the others."""
    read = benchmark(tmp_path, {WITH: grading()}, runs=[listed(), listed("without_skill")])
    assert [(run.configuration, run.origin) for run in read.all(RunRow)] == [
        ("with_skill", "grading"),
        ("without_skill", "benchmark"),
    ]


def test_listed_runs_with_one_number_stay_apart(tmp_path: Path) -> None:
    """Runs that repeat a number have ids of their own."""
    read = benchmark(tmp_path, {}, runs=[listed(), listed(), listed()])
    assert len({run.run_id for run in read.all(RunRow)}) == 3


def test_stored_aggregates_stand_beside_computed_ones(tmp_path: Path) -> None:
    """Mean, spread and range as stored; n is known of computed ones only."""
    stats = {"mean": 1.0, "stddev": 0.0, "min": 1.0, "max": 1.0}
    read = benchmark(tmp_path, run_summary={"with_skill": {"pass_rate": stats, "verdict": "good"}})
    stored = read.one(BenchmarkRow, origin="stored", metric="pass_rate")
    assert (stored.mean, stored.min, stored.n, stored.pointer) == (
        1.0,
        1.0,
        None,
        "/run_summary/with_skill/pass_rate",
    )
    computed = read.one(
        BenchmarkRow, origin="computed", metric="pass_rate", configuration="with_skill"
    )
    assert (computed.mean, computed.n, computed.stddev) == (1.0, 1, None)
    assert read.one(BenchmarkRow, metric="verdict").text == "good"
    assert read.problems == []


def test_a_stored_mean_that_the_runs_contradict_is_said(tmp_path: Path) -> None:
    """Both are shown, and the warning names both."""
    read = benchmark(tmp_path, run_summary={"with_skill": {"pass_rate": {"mean": 0.6}}})
    problem = read.problem("derived-mismatch")
    assert problem.pointer == "/run_summary/with_skill/pass_rate"
    assert "0.6" in problem.message
    assert "1" in problem.message


def test_one_benchmark_run_a_version_and_configuration(tmp_path: Path) -> None:
    """The runs made together are counted, with their mean pass rate."""
    read = benchmark(tmp_path)
    assert [(row.benchmark_run, row.pass_rate, row.runs) for row in read.all(BenchmarkRunRow)] == [
        ("iteration-1/with_skill", 1.0, 1),
        ("iteration-1/without_skill", 0.5, 1),
    ]


@pytest.mark.parametrize(
    ("delta", "code"), [("-0.50", ["delta-inverted"]), ("+0.50", []), (0.5, [])]
)
def test_an_inverted_delta_is_said(tmp_path: Path, delta: Any, code: list[str]) -> None:
    """A difference is with minus without the skill, stored as a number or a text."""
    read = benchmark(tmp_path, run_summary={"delta": {"pass_rate": delta, "tokens": "+7"}})
    assert read.codes() == code
    stored = read.one(BenchmarkRow, metric="pass_rate", configuration="delta", origin="stored")
    assert (stored.mean, stored.text) == (
        float(delta),
        delta if isinstance(delta, str) else None,
    )
    ours = read.one(BenchmarkRow, metric="pass_rate", configuration="delta", origin="computed")
    assert ours.mean == 0.5


def test_a_delta_without_a_baseline_is_said(tmp_path: Path) -> None:
    """A difference to something that was never run."""
    graded = {WITH: grading(True, True)}
    read = benchmark(tmp_path, graded, run_summary={"delta": {"pass_rate": 0.5}})
    assert read.problem("delta-without-baseline").pointer == "/run_summary/delta/pass_rate"


def test_metadata_is_taken_unless_it_is_a_placeholder(tmp_path: Path) -> None:
    """Model and time of a version come from its benchmark; unfilled gaps are remarked on."""
    meta = {
        "executor_model": "model-1",
        "timestamp": "2026-02-22T20:00:00Z",
        "skill_path": "<path/to/skill>",
        "runs_per_configuration": 3,
    }
    read = benchmark(tmp_path, metadata=meta)
    assert {run.model for run in read.all(RunRow)} == {"model-1"}
    assert read.one(VersionRow).created_at == datetime(2026, 2, 22, 20, tzinfo=UTC)
    assert read.problem("placeholder").pointer == "/metadata/skill_path"
    miscounted = read.problem("runs-miscounted")
    assert miscounted.pointer == "/metadata/runs_per_configuration"
    assert miscounted.message.endswith("is 3, but a case has up to 1 run in a configuration.")
    other = benchmark(tmp_path / "b", metadata={"executor_model": "<model>", "timestamp": "<now>"})
    assert {run.model for run in other.all(RunRow)} == {None}
    assert other.one(VersionRow).created_at is None


@pytest.mark.parametrize("key", ["notes", "analyst_notes", "analyst_observations"])
@pytest.mark.parametrize("notes", ["flaky", ["flaky"]])
def test_notes_of_a_benchmark(tmp_path: Path, key: str, notes: Any) -> None:
    """A text or a list of texts under the names that tools use."""
    found = benchmark(tmp_path, **{key: notes}).one(NoteRow)
    assert (found.kind, found.version, found.text) == ("benchmark", "iteration-1", "flaky")


@pytest.mark.parametrize("value", [[], "x", 7])
def test_a_benchmark_that_is_no_object_is_one_problem(tmp_path: Path, value: Any) -> None:
    """The gradings beside it are read."""
    read = suite(tmp_path, {BENCHMARK: value if value != "x" else '"x"', **GRADED})
    assert (read.codes(), len(read.all(RunRow))) == (["wrong-type"], 2)


def test_reviews_find_their_run(tmp_path: Path) -> None:
    """A viewer's id is the run's path with `-`; one that may mean several is their case's."""
    reviews = [
        {"run_id": "eval-1-with_skill", "feedback": "good", "timestamp": "2026-02-22T20:00:00Z"},
        {"run_id": "eval-1", "feedback": "both fine"},
        {"run_id": "nobody", "feedback": "?"},
        {"run_id": "eval-1-without_skill", "feedback": " "},
    ]
    document = {"reviews": reviews, "status": "complete"}
    read = suite(tmp_path, {"iteration-1/feedback.json": document, **GRADED})
    found = read.all(FeedbackRow)
    assert [(row.run_id, row.target, row.text) for row in found] == [
        ("pdf::1@iteration-1/with_skill#1", "eval-1-with_skill", "good"),
        (None, "eval-1", "both fine"),
        (None, "nobody", "?"),
        ("pdf::1@iteration-1/without_skill#1", "eval-1-without_skill", None),
    ]
    assert found[1].case_id == "1"
    assert [p.code for p in read.problems] == ["review-of-several", "review-without-run"]
    assert found[0].created_at == datetime(2026, 2, 22, 20, tzinfo=UTC)
    assert {row.kind for row in found} == {"review"}


def test_reviews_may_be_a_map(tmp_path: Path) -> None:
    """Eval to text, without a list."""
    document = {"eval-1-with_skill": "good", "status": "done", "count": 3}
    read = suite(tmp_path, {"iteration-1/feedback.json": document, **GRADED})
    found = read.one(FeedbackRow)
    assert (found.run_id, found.text) == ("pdf::1@iteration-1/with_skill#1", "good")


@pytest.mark.parametrize(("winner", "word"), [("A", "A"), ("b", "B"), ("TIE", "tie")])
def test_a_blind_comparison(tmp_path: Path, winner: str, word: str) -> None:
    """Totals and scores of both sides; who A and B were is not in the file."""
    rubric = {
        side: {"content": {"correct": n}, "structure": {"clear": 5}, "overall_score": n}
        for side, n in (("A", 3), ("B", 4))
    }
    document = {"winner": winner, "reasoning": "why", "rubric": rubric}
    read = suite(tmp_path, {f"{EVAL}/comparison-1.json": document, **GRADED})
    found = read.one(ComparisonRow)
    assert (found.winner, found.total_a, found.total_b, found.max_total, found.blinded) == (
        word,
        3,
        4,
        10.0,
        True,
    )
    assert (found.version_a, found.version_b, found.summary) == (None, None, "why")
    assert [(row.criterion, row.score_a, row.score_b) for row in read.all(ComparisonScoreRow)] == [
        ("correct", 3, 4),
        ("clear", 5, 5),
    ]


@pytest.mark.parametrize("document", [{}, {"winner": "C"}, [], {"winner": None}])
def test_a_comparison_without_a_winner_is_said(tmp_path: Path, document: Any) -> None:
    """It is a problem and no row."""
    read = suite(tmp_path, {f"{EVAL}/comparison.json": document, **GRADED})
    assert (read.all(ComparisonRow), read.codes()) == ([], ["no-winner"])
    assert read.one(DocumentRow, kind="comparison").suite == "pdf"


def test_an_analysis_may_be_notes(tmp_path: Path) -> None:
    """A list of texts are notes on the benchmark."""
    read = suite(tmp_path, {"iteration-1/analysis.json": ["a", 7, "b"], **GRADED})
    assert [(row.text, row.version) for row in read.all(NoteRow)] == [
        ("a", "iteration-1"),
        ("b", "iteration-1"),
    ]


def test_an_analysis_may_be_findings(tmp_path: Path) -> None:
    """Strengths, weaknesses and suggestions with before and after."""
    document = {
        "winner_strengths": ["clear"],
        "loser_weaknesses": ["vague"],
        "improvement_suggestions": [
            {"category": "tools", "suggestion": "say which", "expected_impact": "fewer errors"},
            {"area": "text", "before": "x", "after": "y", "reasoning": "z"},
        ],
    }
    read = suite(tmp_path, {f"{EVAL}/analysis.json": document, **GRADED})
    found = read.all(AnalysisRow)
    assert [(row.kind, row.area, row.before, row.after, row.reasoning) for row in found] == [
        ("strength", None, None, None, "clear"),
        ("weakness", None, None, None, "vague"),
        ("suggestion", "tools", None, "say which", "fewer errors"),
        ("suggestion", "text", "x", "y", "z"),
    ]
