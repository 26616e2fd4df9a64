"""Gradings of 1 to 5: derived values are recomputed, and what is missing stays missing."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.families.improve import FAMILY
from evalcore.tables.rows import (
    CaseRow,
    ClaimRow,
    CriterionRow,
    DocumentRow,
    FeedbackRow,
    JudgmentRow,
    NoteRow,
    RunRow,
    RunScoreRow,
)
from tests.families.build import Read, write
from tests.families.improve_documents import (
    CONVENTIONS,
    Document,
    grading,
    result,
    workspace,
)


def test_a_run_has_the_mean_of_its_criteria(tmp_path: Path) -> None:
    """Score is the mean of all criteria out of 5; required_score that of the required ones."""
    run = workspace(tmp_path, grading(4, 5)).one(RunRow)
    assert (run.run_id, run.version, run.configuration, run.run) == (
        "deploy::case-01@v0/-#1",
        "v0",
        "-",
        "1",
    )
    assert (run.score, run.max_score, run.fraction, run.required_score) == (4.5, 5, 0.9, 4.0)
    assert (run.status, run.passed, run.checks_passed, run.checks_total) == (
        "completed",
        True,
        2,
        2,
    )


def test_judgments_carry_score_and_reason(tmp_path: Path) -> None:
    """Each result is a judgment of the recorded judge, with its place in the file."""
    judgment = workspace(tmp_path).one(JudgmentRow, criterion="short")
    assert (judgment.score, judgment.fraction, judgment.passed) == (5, 1.0, True)
    assert (judgment.rationale, judgment.pointer, judgment.judge) == (
        "on short",
        "/results/1",
        None,
    )


def test_conventions_are_judged_pass_or_fail(tmp_path: Path) -> None:
    """A convention's details are its rationale; it never decides about the run."""
    failed = CONVENTIONS | {"frontmatter": {"passed": False, "details": "No name"}}
    read = workspace(tmp_path, grading(convention_compliance=failed))
    judgment = read.one(JudgmentRow, criterion="frontmatter")
    assert (judgment.kind, judgment.score, judgment.max_score, judgment.rationale) == (
        "convention",
        0.0,
        1,
        "No name",
    )
    assert read.one(RunRow).passed is True


def test_only_required_criteria_decide(tmp_path: Path) -> None:
    """An optional failure is noted in the score alone; a required one fails the run."""
    assert workspace(tmp_path / "a", grading(3, 1)).one(RunRow).passed is True
    assert workspace(tmp_path / "b", grading(2, 5)).one(RunRow).passed is False


def test_a_missing_required_result_is_incomplete(tmp_path: Path) -> None:
    """A required criterion without result is not passed, unscored, and said."""
    grade = grading(
        results=[result("short", 5)], overall_score=5.0, required_score=None, overall="fail"
    )
    read = workspace(tmp_path, grade)
    run, missing = read.one(RunRow), read.one(JudgmentRow, criterion="valid")
    assert (run.passed, run.status, run.required_score) == (False, "completed", None)
    assert (missing.status, missing.score, missing.passed) == ("unscored", None, None)
    score = read.one(RunScoreRow)
    assert (score.judged, score.expected) == (1, 2)
    assert read.codes() == ["incomplete"]


@pytest.mark.parametrize("score", [None, 0, 6, "four", [], True])
def test_an_invalid_score_is_unscored(tmp_path: Path, score: Any) -> None:
    """What is no score of 1 to 5 is left out of the means and never read as 0 or as a pass."""
    grade = grading(
        results=[result("valid", 4), result("short", score, passed=True)], overall_score=4.0
    )
    read = workspace(tmp_path, grade)
    judgment = read.one(JudgmentRow, criterion="short")
    assert (judgment.status, judgment.score, judgment.passed) == ("unscored", None, None)
    assert (read.one(RunRow).score, read.one(RunRow).checks_total) == (4.0, 1)
    assert len(read.problems) == 1


def test_a_score_below_three_fails_whatever_it_rounds_to(tmp_path: Path) -> None:
    """2.96 is shown as 3.0 and fails."""
    grade = grading(
        results=[result("valid", 2.96), result("short", 5)],
        overall_score=4.0,
        required_score=3.0,
        overall="fail",
    )
    assert workspace(tmp_path, grade).one(RunRow).passed is False


@pytest.mark.parametrize(
    ("fields", "pointer", "numbers"),
    [
        ({"overall_score": 3.0}, "/overall_score", ("3.0", "4.50")),
        ({"required_score": 2.0}, "/required_score", ("2.0", "4.00")),
        ({"overall": "fail"}, "/overall", ("'fail'", "'pass'")),
        (
            {"results": [result("valid", 4), result("short", 5, passed=False)]},
            "/results/1/passed",
            ("false", "5"),
        ),
    ],
)
def test_derived_values_are_recomputed(
    tmp_path: Path, fields: Document, pointer: str, numbers: tuple[str, str]
) -> None:
    """Where a file disagrees with its own scores, one warning names both."""
    read = workspace(tmp_path, grading(4, 5, **fields))
    problem = read.problem("derived-mismatch")
    assert (problem.pointer, problem.severity) == (pointer, "warning")
    assert all(number in problem.message for number in numbers)
    assert (read.one(RunRow).score, read.one(RunRow).passed) == (4.5, True)


def test_rounding_to_one_decimal_is_no_contradiction(tmp_path: Path) -> None:
    """2.25 may be written as 2.2 or 2.3."""
    for index, stored in enumerate((2.2, 2.3)):
        scores = [result(name, score) for name, score in zip("abcd", (2, 2, 3, 2), strict=True)]
        grade = grading(
            results=[*scores], overall_score=stored, required_score=None, overall="fail"
        )
        assert "derived-mismatch" not in workspace(tmp_path / str(index), grade).codes()


def test_the_content_wins_over_the_name(tmp_path: Path) -> None:
    """A file whose name tells another run is placed by its content, with a warning."""
    read = workspace(tmp_path, grading(run=2))
    assert (read.one(RunRow).run, read.problem("name-mismatch").pointer) == ("2", "/run")


def test_the_name_helps_where_the_content_is_silent(tmp_path: Path) -> None:
    """Case, version and run missing in the file are taken from its name."""
    read = workspace(tmp_path, grading(case_id=..., version=..., run=...))
    assert read.one(RunRow).run_id == "deploy::case-01@v0/-#1"
    assert read.codes() == ["missing-identity"] * 3


def test_a_name_that_says_none_is_none_of_a_version(tmp_path: Path) -> None:
    """A tool that had no version wrote it so; the folder did not open."""
    unversioned = grading(version=..., run=2)
    read = workspace(tmp_path, **{"grading__case-01_vNone_run2": unversioned})
    assert {row.version for row in read.all(RunRow)} == {"v0", "unassigned"}


def test_a_run_graded_twice_counts_once(tmp_path: Path) -> None:
    """Of two gradings of one run the first by path is read; the other is named."""
    read = workspace(tmp_path, grading(4, 5), grading__other=grading(1, 1))
    assert (read.one(RunRow).score, read.problem("duplicate-run").path) == (
        4.5,
        "deploy-workspace/grading/other.json",
    )


def test_an_unknown_case_is_shown_and_said(tmp_path: Path) -> None:
    """A graded case that evals.json does not have gets a row; what is required of it is unknown."""
    read = workspace(tmp_path, **{"grading__case-02_v0_run1": grading(case_id="case-02")})
    run = read.one(RunRow, case_id="case-02")
    assert (run.required_score, run.score) == (None, 4.5)
    assert read.one(CaseRow, case_id="case-02").prompt is None
    assert read.codes() == ["unknown-case"]


@pytest.mark.parametrize(
    ("overall", "passed"), [("pass", True), ("fail", False), (None, None), ("maybe", None)]
)
def test_a_run_passed_as_its_grading_says_where_nobody_knows_what_is_required(
    tmp_path: Path, overall: str | None, passed: bool | None
) -> None:
    """Whoever graded knew it; without evals.json it cannot be worked out again."""
    graded = grading(1, 5, overall=overall, required_score=None)
    root = write(tmp_path, {"deploy-workspace/grading/case-01_v0_run1.json": graded})
    assert Read(FAMILY, root).one(RunRow).passed is passed


def test_an_unknown_criterion_is_kept_once_for_all(tmp_path: Path) -> None:
    """A criterion that only gradings name is a row with unknown `required`, said once."""
    extra = [result("valid", 4), result("short", 5), result("new", 3)]
    grades = {
        f"grading__case-01_v0_run{n}": grading(run=n, results=extra, overall_score=4.0)
        for n in (1, 2)
    }
    read = workspace(tmp_path, grading(), **grades)
    assert read.one(CriterionRow, criterion="new").required is None
    assert (read.codes(), {run.passed for run in read.all(RunRow)}) == (
        ["unknown-criterion"],
        {True},
    )


def test_a_criterion_after_one_without_a_label_keeps_its_place(tmp_path: Path) -> None:
    """Its pointer is that of its own result."""
    read = workspace(
        tmp_path, grading(results=[{"score": 3}, result("valid", 4), result("new", 3)])
    )
    assert read.one(CriterionRow, criterion="new").pointer == "/results/2"


def test_a_convention_that_nobody_checked_is_not_failed(tmp_path: Path) -> None:
    """Null is what evalcore itself writes where nobody looked."""
    unchecked = CONVENTIONS | {"frontmatter": {"passed": None, "details": "Not checked."}}
    judgment = workspace(tmp_path, grading(convention_compliance=unchecked)).one(
        JudgmentRow, criterion="frontmatter"
    )
    assert (judgment.status, judgment.passed, judgment.score) == ("unscored", None, None)
    assert judgment.rationale == "Not checked."


def test_an_unknown_convention_is_kept_beside_the_five(tmp_path: Path) -> None:
    """A sixth convention is shown, with a warning."""
    more = CONVENTIONS | {"tone": {"passed": True, "details": "calm"}}
    read = workspace(tmp_path, grading(convention_compliance=more))
    assert read.one(JudgmentRow, criterion="tone").rationale == "calm"
    assert read.problem("unknown-convention").pointer == "/convention_compliance/tone"


def test_a_broken_grading_hides_nothing_else(tmp_path: Path) -> None:
    """A file that is no JSON is one problem, one document without records, and a run that waits."""
    read = workspace(tmp_path, **{"grading__case-01_v0_run2": "{"})
    assert read.codes() == ["half-written"]
    broken = "deploy-workspace/grading/case-01_v0_run2.json"
    assert read.one(DocumentRow, path=broken).records == 0
    assert [(run.run, run.status) for run in read.all(RunRow)] == [
        ("1", "completed"),
        ("2", "pending"),
    ]


def test_claims_notes_and_feedback_have_rows(tmp_path: Path) -> None:
    """Texts stand as they are, with run and place."""
    claim = {"claim": "Loophole closed", "verified": False, "evidence": "No counter"}
    read = workspace(
        tmp_path, grading(claims=[claim], user_notes_summary="Unsure", eval_feedback="Too vague")
    )
    found = read.one(ClaimRow)
    assert (found.claim, found.verified, found.evidence, found.pointer) == (
        "Loophole closed",
        False,
        "No counter",
        "/claims/0",
    )
    assert (read.one(NoteRow).kind, read.one(NoteRow).text) == ("user_notes", "Unsure")
    assert (read.one(FeedbackRow).kind, read.one(FeedbackRow).text) == ("overall", "Too vague")


def test_notes_and_feedback_may_be_objects(tmp_path: Path) -> None:
    """The objects that other graders write are taken apart, and no field is lost."""
    notes = {"uncertainties": ["a"], "needs_review": ["b"], "workarounds": ["c"], "mood": "fine"}
    feedback = {"suggestions": [{"assertion": "valid", "reason": "name it"}], "overall": "good set"}
    read = workspace(tmp_path, grading(user_notes_summary=notes, eval_feedback=feedback))
    assert [(row.kind, row.target, row.text) for row in read.all(NoteRow)] == [
        ("uncertainty", None, "a"),
        ("needs_review", None, "b"),
        ("workaround", None, "c"),
        ("user_notes", "mood", "fine"),
    ]
    assert [(row.kind, row.target, row.text) for row in read.all(FeedbackRow)] == [
        ("overall", None, "good set"),
        ("suggestion", "valid", "name it"),
    ]


def test_metrics_under_known_names_become_columns(tmp_path: Path) -> None:
    """Seconds and tokens are read where they are named so; 0 means that nothing was measured."""
    metrics = {"total_duration_seconds": 12.5, "total_tokens": 0, "tool_calls": {"Read": 3}}
    run = workspace(tmp_path, grading(execution_metrics=metrics)).one(RunRow)
    assert (run.duration_s, run.tokens) == (12.5, None)
