"""The rules of the seeds that a type can say, each broken once in a golden document."""

import json
from typing import Any

import pytest

from evalcore.shapes.faults import faults
from tests.shapes.golden import SEEDS, goldens

GOLDENS = {golden.path: golden for golden in goldens()}
GONE = object()

IMPROVE = "improve/skill-workspace/"
RUBRIC = "rubric/skill-workspace/iteration-1/eval-1/with_skill/run-1/"
DESCRIPTIONS = "descriptions/skill/eval/"
ITERATION = "iterations/skill-workspace/iteration-1/"
CHECK = "/evals/0/structural_expectations/0"
ANCHORS = "/evals/0/quality_rubric/dimensions/0/scoring"
JUDGMENT = "records/eval-judgment/run-logo-1-relevance.json"


def _with(path: str, pointer: str, value: Any) -> Any:
    document = json.loads((SEEDS / path).read_text(encoding="utf-8"))
    *above, last = pointer.split("/")[1:]
    parent = document
    for key in above:
        parent = parent[int(key)] if isinstance(parent, list) else parent[key]
    if value is GONE:
        del parent[last]
    else:
        parent[last] = value
    return document


@pytest.mark.parametrize(
    ("path", "pointer", "value"),
    [
        ("improve/skill/evals/evals.json", "/cases/0/id", "Case 01"),
        ("improve/skill/evals/evals.json", "/cases/0/expectations/0/required", "yes"),
        (IMPROVE + "history.json", "/versions/0/version", -1),
        (IMPROVE + "history.json", "/versions/0/timestamp", "22.02.2026"),
        (IMPROVE + "history.json", "/versions/0/average_score", 5.5),
        (IMPROVE + "history.json", "/current_version", 0.5),
        (IMPROVE + "grading/case-01_v0_run1.json", "/run", 0),
        (IMPROVE + "grading/case-01_v0_run1.json", "/overall_score", 0.5),
        (IMPROVE + "grading/case-01_v0_run1.json", "/results/0/score", 6),
        (IMPROVE + "grading/case-01_v0_run1.json", "/results/0/score", 4.0),
        (IMPROVE + "grading/case-01_v0_run1.json", "/results/0/passed", "true"),
        (IMPROVE + "grading/case-01_v0_run1.json", "/overall", "passed"),
        (IMPROVE + "grading/case-01_v0_run1.json", "/eval_feedback", {"overall": ""}),
        (IMPROVE + "comparison.json", "/winner", "tie"),
        (IMPROVE + "comparison.json", "/scores/content_value/A", 0),
        ("records/test-case/case-logo.json", "/fields/status", "retired"),
        ("records/test-case/case-logo.json", "/fields/inputs", "text"),
        ("records/rubric-criterion/crit-accuracy.json", "/fields/weight", 1.5),
        ("records/test-run/run-logo-1.json", "/fields/judgeType", "robot"),
        ("records/test-run/run-logo-1.json", "/fields/durationMs", -1),
        (JUDGMENT, "/fields/rationale", " "),
        (JUDGMENT, "/fields/confidence", 2),
        (JUDGMENT, "/fields/judgedByType", "agent"),
        ("records/benchmark/bench-proposal.json", "/fields/status", "draft"),
        ("records/benchmark-run/bench-run-1.json", "/fields/passRate", 101),
        ("records/eval-trend/trend-proposal.json", "/fields/direction", "up"),
        ("records/eval-trend/trend-proposal.json", "/fields/dataPoints", "[{}]"),
        ("records/eval-trend/trend-proposal.json", "/fields/dataPoints", "[" * 5000),
        ("records/eval-trend/trend-proposal.json", "/fields/dataPoints", {}),
        ("records/prompt-comparison/compare-1-2.json", "/fields/sampleSize", -2),
        ("records/eval-failure/failure-logo.json", "/fields/failureType", "crash"),
        ("records/eval-failure/failure-logo.json", "/fields/severity", "blocker"),
        ("records/relation/relation-01.json", "/relation", "loves"),
        ("rubric/skill/evals/evals.json", "/eval_config/runs_per_eval", 0),
        ("rubric/skill/evals/evals.json", "/evals/0/id", "1"),
        ("rubric/skill/evals/evals.json", CHECK + "/type", "file_is_nice"),
        ("rubric/skill/evals/evals.json", CHECK + "/critical", None),
        (RUBRIC + "structural.json", "/gate_passed", "yes"),
        (RUBRIC + "structural.json", "/summary/pass_rate", 1.2),
        (RUBRIC + "grading.json", "/rubric_scores/tdd_philosophy/score", 0),
        (RUBRIC + "grading.json", "/rubric_summary/normalized", 1.1),
        (RUBRIC + "grading.json", "/user_notes_summary", 3),
        (RUBRIC + "timing.json", "/total_tokens", -1),
        (DESCRIPTIONS + "eval_metadata.json", "/version", "1"),
        (DESCRIPTIONS + "runs/3f9a1c20/grading/merged-changes.json", "/overall_score", 50),
        (DESCRIPTIONS + "runs/3f9a1c20/grading/merged-changes.json", "/assertions/0/result", True),
        (
            DESCRIPTIONS + "runs/3f9a1c20/grading/merged-changes.json",
            "/assertions/0/confidence",
            0.9,
        ),
        (DESCRIPTIONS + "benchmark.json", "/entries/0/description_hash", "not a digest"),
        (DESCRIPTIONS + "comparisons/d1-d2-merged-changes.json", "/criteria_scores/0/score_a", 9),
        (DESCRIPTIONS + "comparisons/d1-d2-merged-changes.json", "/winner", "TIE"),
        (ITERATION + "benchmark.json", "/run_summary/with_skill/pass_rate", 0.5),
        (ITERATION + "benchmark.json", "/run_summary/delta/pass_rate", False),
        (ITERATION + "feedback.json", "/status", "done"),
        (ITERATION + "eval-1/comparison-1.json", "/winner", "tie"),
        ("iterations/skill-workspace/history.json", "/iterations/0/grading_result", "first"),
    ],
)
def test_a_value_against_a_rule_is_a_fault_at_its_place(
    path: str, pointer: str, value: Any
) -> None:
    """A value that the seed does not allow is one fault, and its pointer names the value."""
    (fault,) = faults(GOLDENS[path].described, _with(path, pointer, value))
    assert fault.pointer == pointer


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        (IMPROVE + "grading/case-01_v0_run1.json", "/convention_compliance/frontmatter/passed"),
        (IMPROVE + "grading/case-01_v0_run1.json", "/execution_metrics"),
        (IMPROVE + "analysis.json", "/suggestions/0/before"),
        (IMPROVE + "analysis.json", "/suggestions/0/after"),
        (JUDGMENT, "/fields/rationale"),
        ("rubric/skill/evals/evals.json", CHECK + "/type"),
        ("rubric/skill/evals/evals.json", ANCHORS + "/3"),
        (RUBRIC + "structural.json", "/expectations/0/evidence"),
        (DESCRIPTIONS + "benchmark.json", "/entries/0/scores/median"),
    ],
)
def test_a_missing_field_is_a_fault_of_its_object(path: str, pointer: str) -> None:
    """A field that is not there is named, and the pointer leads to the object without it."""
    above, _, name = pointer.rpartition("/")
    (fault,) = faults(GOLDENS[path].described, _with(path, pointer, GONE))
    assert fault == (above, f'"{name}" is missing.')


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        (RUBRIC + "grading.json", "/rubric_scores"),
        (RUBRIC + "grading.json", "/eval_feedback"),
        ("rubric/skill/evals/evals.json", "/eval_config/runs_per_eval"),
        ("rubric/skill/evals/evals.json", "/evals/0/files"),
        (DESCRIPTIONS + "eval_metadata.json", "/test_cases/0/weight"),
        (DESCRIPTIONS + "eval_metadata.json", "/test_cases/0/tags"),
        (
            DESCRIPTIONS + "runs/3f9a1c20/grading/merged-changes.json",
            "/assertions/1/notes",
        ),
        (ITERATION + "eval-1/comparison-1.json", "/expectation_results"),
        ("records/eval-failure/failure-logo.json", "/fields/resolvedAt"),
    ],
)
def test_an_optional_field_may_be_absent(path: str, pointer: str) -> None:
    """What the seed calls optional, or what can be unknown when it is written, may be absent."""
    assert faults(GOLDENS[path].described, _with(path, pointer, GONE)) == []


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        (IMPROVE + "history.json", "/versions/0/git_hash"),
        (IMPROVE + "history.json", "/versions/0/average_score"),
        (IMPROVE + "grading/case-01_v0_run1.json", "/required_score"),
        (RUBRIC + "timing.json", "/duration_ms"),
        (DESCRIPTIONS + "benchmark.json", "/entries/0/scores/std_dev"),
    ],
)
def test_what_is_not_known_is_null(path: str, pointer: str) -> None:
    """A number that was not measured is null, and never 0."""
    assert faults(GOLDENS[path].described, _with(path, pointer, None)) == []


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ({"type": "file_exists", "pattern": "*.ts"}, None),
        ({"type": "file_contains", "pattern": "*.ts", "match": "it("}, None),
        ({"type": "file_contains", "pattern": "*.ts", "match_any": ["it(", "test("]}, None),
        ({"type": "file_not_contains", "pattern": "*", "match_regex": "vi.fn"}, None),
        (
            {
                "type": "file_not_contains",
                "pattern": "*",
                "match": "vi.fn()",
                "except_context": ["onSubmit"],
            },
            None,
        ),
        ({"type": "no_errors"}, None),
        ({"type": "file_count", "pattern": "*.ts", "count": 2, "operator": ">="}, None),
        ({"type": "custom_script", "script": "true"}, None),
        ({"type": "file_exists"}, '"pattern" is missing.'),
        (
            {"type": "file_contains", "pattern": "*"},
            "Item 0 must have match, match_any or match_regex.",
        ),
        ({"type": "file_count", "pattern": "*", "operator": "=="}, '"count" is missing.'),
        (
            {"type": "file_count", "pattern": "*", "count": 1, "operator": "<"},
            "\"operator\" must be '==', '>=' or '<=', but is \"<\".",
        ),
        ({"type": "custom_script"}, '"script" is missing.'),
    ],
)
def test_each_structural_check_has_its_own_fields(
    check: dict[str, Any], message: str | None
) -> None:
    """A structural check has the fields of its type, and only a wrong one is a fault."""
    path = "rubric/skill/evals/evals.json"
    expectation = {"id": "S1", "description": "d", "critical": True, **check}
    document = _with(path, "/evals/0/structural_expectations", [expectation])
    found = [fault.message for fault in faults(GOLDENS[path].described, document)]
    assert found == ([] if message is None else [message])


@pytest.mark.parametrize("value", ["text", {"uncertainties": ["one"]}, {}, None])
def test_notes_are_text_or_an_object(value: Any) -> None:
    """The executor's notes come as text, as lists by kind, or not at all."""
    document = _with(RUBRIC + "grading.json", "/user_notes_summary", value)
    assert faults(GOLDENS[RUBRIC + "grading.json"].described, document) == []


def test_a_record_says_its_type_in_one_of_two_ways() -> None:
    """A record without `type` and without `minionTypeId` is a fault."""
    path = "records/rubric/rubric-proposal.json"
    (fault,) = faults(GOLDENS[path].described, _with(path, "/type", GONE))
    assert fault == ("", "The document must have type or minionTypeId.")


def test_a_record_of_evalcore_has_schema_author_and_origin() -> None:
    """The envelope that evalcore writes is a record too."""
    path = JUDGMENT
    record = json.loads((SEEDS / path).read_text(encoding="utf-8"))
    del record["updatedAt"]
    record |= {"schema": 1, "createdBy": "ana-3f2a", "supersedes": "x", "evalcore": {"study": "s"}}
    assert faults(GOLDENS[path].described, record) == []
    (fault,) = faults(GOLDENS[path].described, record | {"schema": 2})
    assert fault.pointer == "/schema"


@pytest.mark.parametrize("points", [[], [{"date": "2026-01-01", "score": 1}]])
def test_data_points_are_a_list_or_serialized(points: list[Any]) -> None:
    """The points of a trend are a list, or the same list as text."""
    path = "records/eval-trend/trend-proposal.json"
    for form in (points, json.dumps(points)):
        assert faults(GOLDENS[path].described, _with(path, "/fields/dataPoints", form)) == []
