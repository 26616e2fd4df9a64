"""Structure and rubric: what the `rubric` family adds to the iterations."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import (
    BenchmarkRow,
    CaseRow,
    CriterionRow,
    FeedbackRow,
    JudgmentRow,
    RunRow,
    RunScoreRow,
    SuiteRow,
)
from tests.families.build import Read
from tests.families.iterations_documents import (
    EVAL,
    RUBRIC_EVALS,
    grading,
    scores,
    structural,
    suite,
)

RUN = f"{EVAL}/with_skill/run-1"
PASSED = structural(("S1", True, True), ("S2", True, False))


def read_run(
    root: Path, grade: Any = None, checks: Any = PASSED, evals: Any = RUBRIC_EVALS
) -> Read:
    """One run with its structural checks and its grading; None leaves a document out."""
    files = {f"{RUN}/structural.json": checks, f"{RUN}/grading.json": grade}
    return suite(root, {path: value for path, value in files.items() if value is not None}, evals)


def test_the_family_is_told_by_the_documents(tmp_path: Path) -> None:
    """Rubrics in the evals, or structural checks or rubric scores in a run, make it `rubric`."""
    assert read_run(tmp_path / "a", None, None).one(SuiteRow).family == "rubric"
    assert read_run(tmp_path / "b", grading(), PASSED, None).one(SuiteRow).family == "rubric"
    assert read_run(tmp_path / "c", scores(a=5), None, None).one(SuiteRow).family == "rubric"
    assert read_run(tmp_path / "d", grading(), None, None).one(SuiteRow).family == "iterations"


def test_the_configuration_is_on_the_suite(tmp_path: Path) -> None:
    """Runs per eval and the judge's model come from eval_config."""
    read = read_run(tmp_path, scores(accuracy=5))
    found = read.one(SuiteRow)
    assert (found.runs_per_case, found.judge_model, found.headline) == (
        3,
        "judge-1",
        "overall efficiency",
    )
    assert read.one(RunRow).judge == "judge-1"


def test_definitions_keep_their_rules_and_anchors(tmp_path: Path) -> None:
    """Structural rules and score anchors stand in `guide`; weights and criticality have columns."""
    read = read_run(tmp_path)
    check = read.one(CriterionRow, criterion="S1")
    assert (check.kind, check.critical, check.description) == ("structural", True, "A file")
    assert json.loads(check.guide or "") == {"type": "file_exists", "path": "out.pdf"}
    dimension = read.one(CriterionRow, criterion="accuracy")
    assert (dimension.kind, dimension.weight, dimension.min_score, dimension.max_score) == (
        "rubric",
        0.7,
        1.0,
        5.0,
    )
    assert json.loads(dimension.guide or "") == {"1": "wrong", "5": "right"}
    assert [row.position for row in read.all(CriterionRow)] == [0, 1, 2, 3]


def test_the_score_is_the_weighted_mean(tmp_path: Path) -> None:
    """0.7 · 5 + 0.3 · 1 of 5."""
    run = read_run(tmp_path, scores(accuracy=5, clarity=1)).one(RunRow)
    assert run.score == pytest.approx(3.8)
    assert (run.max_score, run.passed, run.gate_passed) == (5.0, None, True)
    assert run.fraction == pytest.approx(0.76)
    assert (run.checks_passed, run.checks_total) == (2, 2)


def test_rubric_judgments_keep_their_evidence(tmp_path: Path) -> None:
    """One judgment a dimension by the judge; structural ones are rules, not judges."""
    read = read_run(tmp_path, scores(accuracy=4))
    judged = read.one(JudgmentRow, criterion="accuracy")
    assert (judged.score, judged.fraction, judged.passed, judged.evidence) == (
        4.0,
        0.8,
        None,
        "on accuracy",
    )
    assert (judged.judge, judged.pointer) == ("judge-1", "/rubric_scores/accuracy")
    rule = read.one(JudgmentRow, criterion="S1")
    assert (rule.judge, rule.judge_type, rule.evidence) == (None, "heuristic", "on S1")


def test_bare_scores_are_read(tmp_path: Path) -> None:
    """A dimension may hold its number alone."""
    read = read_run(tmp_path, {"rubric_scores": {"accuracy": 3}})
    assert read.one(JudgmentRow, criterion="accuracy").score == 3.0


def test_a_failed_critical_check_closes_the_gate(tmp_path: Path) -> None:
    """The run did not pass and is a gate failure; nothing was judged, so nothing is invented."""
    checks = structural(("S1", False, True), ("S2", True, False), gate_passed=False)
    read = read_run(tmp_path, None, checks)
    run = read.one(RunRow)
    assert (run.status, run.passed, run.gate_passed, run.score) == (
        "gate_failed",
        False,
        False,
        None,
    )
    assert (run.checks_passed, run.checks_total, run.source) == (
        1,
        2,
        f"pdf-workspace/{RUN}/structural.json",
    )
    score = read.one(RunScoreRow)
    assert (score.judged, score.expected) == (2, 4)


def test_a_failed_check_that_is_not_critical_leaves_it_open(tmp_path: Path) -> None:
    """Only critical checks make the gate."""
    checks = structural(("S1", True, True), ("S2", False, False))
    run = read_run(tmp_path, scores(accuracy=5), checks).one(RunRow)
    assert (run.gate_passed, run.passed, run.status) == (True, None, "completed")


def test_criticality_comes_from_the_evals_where_the_run_is_silent(tmp_path: Path) -> None:
    """A check that does not say whether it is critical is what its definition says."""
    checks = {"expectations": [{"id": "S1", "text": "x", "passed": False}]}
    assert read_run(tmp_path, None, checks).one(RunRow).status == "gate_failed"


def test_a_check_that_was_not_run_is_unscored(tmp_path: Path) -> None:
    """A critical one makes the whole run `not_run`; another one is only left out."""
    blocked = structural(("S1", None, True), ("S2", True, False))
    read = read_run(tmp_path / "a", None, blocked)
    assert (read.one(RunRow).status, read.one(RunRow).gate_passed) == ("not_run", None)
    judged = read.one(JudgmentRow, criterion="S1")
    assert (judged.status, judged.passed, judged.score) == ("unscored", None, None)
    other = structural(("S1", True, True), ("S2", None, False))
    run = read_run(tmp_path / "b", scores(accuracy=5), other).one(RunRow)
    assert (run.status, run.gate_passed, run.checks_total) == ("completed", True, 1)


def test_a_gate_that_disagrees_is_said(tmp_path: Path) -> None:
    """gate_passed is recomputed from the critical checks."""
    checks = structural(("S1", False, True), gate_passed=True)
    read = read_run(tmp_path, None, checks)
    assert read.one(RunRow).gate_passed is False
    assert read.problem("derived-mismatch").pointer == "/gate_passed"


def test_an_unknown_dimension_weighs_one(tmp_path: Path) -> None:
    """It is shown, counted with weight 1, and said."""
    read = read_run(tmp_path, scores(accuracy=5, style=1))
    assert read.one(RunRow).score == pytest.approx((0.7 * 5 + 1) / 1.7)
    assert read.problem("unknown-dimension").pointer == "/rubric_scores/style"
    assert read.one(CriterionRow, criterion="style").kind == "rubric"


@pytest.mark.parametrize("value", [5, "5", True, [], [5]])
def test_scores_that_are_no_object_are_a_problem_and_no_crash(tmp_path: Path, value: Any) -> None:
    """Each dimension is then one without a score."""
    read = read_run(tmp_path, {"rubric_scores": value})
    assert read.problem("wrong-type").pointer == "/rubric_scores"
    found = [row for row in read.all(JudgmentRow) if row.kind == "rubric"]
    assert [row.status for row in found] == ["unscored"] * len(found) != []


@pytest.mark.parametrize("score", [0, 5.5, -1, "4", True, [], float("1e300")])
def test_a_score_out_of_scale_is_unscored(tmp_path: Path, score: Any) -> None:
    """It is left out of the mean and said; nothing is clipped."""
    read = read_run(tmp_path, scores(accuracy=4, clarity=score))
    assert read.one(RunRow).score == 4.0
    judged = read.one(JudgmentRow, criterion="clarity")
    assert (judged.status, judged.score) == ("unscored", None)
    assert read.problem("out-of-scale").pointer == "/rubric_scores/clarity"


def test_a_missing_score_is_unscored_without_a_word(tmp_path: Path) -> None:
    """null is a judge that gave none."""
    read = read_run(tmp_path, scores(accuracy=4, clarity=None))
    assert (read.one(JudgmentRow, criterion="clarity").status, read.codes()) == ("unscored", [])


def test_stored_means_are_held_against_the_scores(tmp_path: Path) -> None:
    """weighted_mean and normalized that the scores do not give are warnings."""
    right = scores(accuracy=5, clarity=1) | {
        "rubric_summary": {"weighted_mean": 3.8, "normalized": 0.76}
    }
    assert read_run(tmp_path / "a", right).problems == []
    wrong = scores(accuracy=5, clarity=1) | {
        "rubric_summary": {"weighted_mean": 4.2, "normalized": 0.9}
    }
    read = read_run(tmp_path / "b", wrong)
    assert [problem.pointer for problem in read.problems] == [
        "/rubric_summary/weighted_mean",
        "/rubric_summary/normalized",
    ]


def test_efficiency_is_the_mean_of_structure_and_rubric(tmp_path: Path) -> None:
    """Half the structural pass rate, half the normalized rubric mean; missing if either is."""
    checks = structural(("S1", True, True), ("S2", False, False))
    read = read_run(tmp_path / "a", scores(accuracy=5, clarity=1), checks)
    found = read.one(BenchmarkRow, metric="overall_efficiency")
    assert found.mean == pytest.approx((0.5 + 0.76) / 2)
    assert (found.n, found.origin) == (1, "computed")
    only = read_run(tmp_path / "b", None, checks)
    assert [row for row in only.all(BenchmarkRow) if row.metric == "overall_efficiency"] == []


def test_consistency_needs_two_runs(tmp_path: Path) -> None:
    """1 - stddev / mean over the runs of a version and configuration; one run has none."""
    files = {
        f"{EVAL}/with_skill/run-{n}/{name}": value
        for n, grade in ((1, 5), (2, 3))
        for name, value in (("structural.json", PASSED), ("grading.json", scores(accuracy=grade)))
    }
    read = suite(tmp_path / "a", files, RUBRIC_EVALS)
    found = read.one(BenchmarkRow, metric="consistency")
    assert found.mean == pytest.approx(1 - (0.2 / 2**0.5) / 0.9)
    one = read_run(tmp_path / "b", scores(accuracy=5))
    assert [row for row in one.all(BenchmarkRow) if row.metric == "consistency"] == []


def test_dimensions_are_aggregated_one_by_one(tmp_path: Path) -> None:
    """Each dimension has its own mean."""
    read = read_run(tmp_path, scores(accuracy=5, clarity=1))
    assert read.one(BenchmarkRow, metric="rubric_dimensions.clarity").mean == 1.0


def test_collected_suggestions_are_feedback(tmp_path: Path) -> None:
    """eval_feedback_aggregate.json: assertion, reason, action and frequency."""
    one = {"assertion": "S2", "reason": "too weak", "action": "sharpen", "frequency": 2}
    files = {
        f"{RUN}/grading.json": scores(accuracy=5),
        "iteration-1/eval_feedback_aggregate.json": {"iteration": 1, "suggestions": [one]},
    }
    read = suite(tmp_path, files, RUBRIC_EVALS)
    found = read.one(FeedbackRow)
    assert (found.kind, found.version, found.target, found.text, found.action, found.frequency) == (
        "aggregate",
        "iteration-1",
        "S2",
        "too weak",
        "sharpen",
        2,
    )


def test_a_dimension_without_a_name_is_said(tmp_path: Path) -> None:
    """It cannot be scored, and the others stay."""
    evals = copy.deepcopy(RUBRIC_EVALS)
    evals["evals"][0]["quality_rubric"]["dimensions"].append({"weight": 1})
    read = read_run(tmp_path, evals=evals)
    assert read.problem("no-name").pointer == "/evals/0/quality_rubric/dimensions/2"
    assert read.one(CaseRow).case_id == "1"
