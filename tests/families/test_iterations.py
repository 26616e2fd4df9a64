"""skill-creator's iterations: cases, runs and their pass/fail items."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

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
    SuiteRow,
    VersionRow,
)
from tests.families.build import changed
from tests.families.iterations_documents import EVAL, EVALS, grading, item, suite

GRADING = f"{EVAL}/with_skill/run-1/grading.json"


def test_a_suite_is_a_skill_with_its_workspace(tmp_path: Path) -> None:
    """`X` and `X-workspace` are one suite, named by its evals.json."""
    read = suite(tmp_path, {GRADING: grading()})
    found = read.one(SuiteRow)
    assert (found.suite, found.name, found.family, found.root, found.skill_path) == (
        "pdf",
        "pdf-forms",
        "iterations",
        "pdf-workspace",
        "pdf",
    )
    assert found.headline == "pass rate"


def test_test_cases_without_runs_are_a_suite(tmp_path: Path) -> None:
    """A skill that was never run shows its cases."""
    read = suite(tmp_path, {})
    assert [(case.case_id, case.prompt) for case in read.all(CaseRow)] == [
        ("1", "Fill the form in form.pdf with these names"),
        ("2", "Split the scan into pages"),
    ]
    assert (read.one(SuiteRow).suite, read.all(RunRow), read.codes()) == ("pdf", [], [])


def test_runs_without_test_cases_are_a_suite(tmp_path: Path) -> None:
    """Where no evals.json is, folders name the cases and gradings their criteria."""
    read = suite(tmp_path, {"iteration-1/eval-tabs/with_skill/grading.json": grading()}, None)
    assert read.one(SuiteRow).suite == "pdf"
    assert read.one(CaseRow).case_id == "tabs"
    assert [row.criterion for row in read.all(CriterionRow)] == EVALS["evals"][0]["expectations"]


def test_a_run_counts_its_items(tmp_path: Path) -> None:
    """Score is passed of total; nothing but a gate decides whether a run passed."""
    read = suite(tmp_path, {GRADING: grading(True, False)})
    run = read.one(RunRow)
    assert (run.run_id, run.version, run.configuration, run.run) == (
        "pdf::1@iteration-1/with_skill#1",
        "iteration-1",
        "with_skill",
        "1",
    )
    assert (run.score, run.max_score, run.fraction, run.passed) == (1.0, 2.0, 0.5, None)
    assert (run.checks_passed, run.checks_total, run.status, run.origin) == (
        1,
        2,
        "completed",
        "grading",
    )
    score = read.one(RunScoreRow)
    assert (score.score, score.max_score, score.judged, score.expected) == (1.0, 2.0, 2, 2)
    assert read.problems == []


def test_items_are_judgments_with_evidence(tmp_path: Path) -> None:
    """Each item is a judgment of a model, 1 or 0 of 1, with its place in the file."""
    read = suite(tmp_path, {GRADING: grading(True, False)})
    good, bad = read.all(JudgmentRow)
    assert (good.kind, good.score, good.passed, good.judge_type) == (
        "expectation",
        1.0,
        True,
        "llm",
    )
    assert (bad.score, bad.fraction, bad.passed, bad.status) == (0.0, 0.0, False, "scored")
    assert (good.evidence, good.source, good.pointer) == (
        "seen: Every field is filled",
        f"pdf-workspace/{GRADING}",
        "/expectations/0",
    )


@pytest.mark.parametrize(
    ("folder", "run_id"),
    [
        ("iteration-1/eval-1/with_skill/run-3", "pdf::1@iteration-1/with_skill#3"),
        ("iteration-1/eval-1/with_skill", "pdf::1@iteration-1/with_skill#1"),
        ("iteration-1/fill/with_skill", "pdf::1@iteration-1/with_skill#1"),
        ("iteration-1/eval-1", "pdf::1@iteration-1/-#1"),
        ("eval-1/old_skill", "pdf::1@current/old_skill#1"),
    ],
)
def test_all_standard_layouts(tmp_path: Path, folder: str, run_id: str) -> None:
    """With and without iteration, configuration and run-N; by number or by name."""
    read = suite(tmp_path, {f"{folder}/grading.json": grading()})
    assert read.one(RunRow).run_id == run_id


@pytest.mark.parametrize("key", ["assertions", "assertion_results", "results"])
def test_the_list_may_have_another_name(tmp_path: Path, key: str) -> None:
    """Tools name the list of items differently."""
    document = changed(grading(), expectations=..., **{key: grading()["expectations"]})
    read = suite(tmp_path, {GRADING: document})
    assert [row.pointer for row in read.all(JudgmentRow)] == [f"/{key}/0", f"/{key}/1"]


@pytest.mark.parametrize(
    ("fields", "passed"),
    [
        ({"passed": ..., "pass": True}, True),
        ({"passed": ..., "result": "PASS"}, True),
        ({"passed": ..., "status": "failed"}, False),
        ({"passed": "fail"}, False),
    ],
)
def test_a_verdict_may_have_another_form(
    tmp_path: Path, fields: dict[str, Any], passed: bool
) -> None:
    """Other names and words for passed are read."""
    read = suite(tmp_path, {GRADING: {"expectations": [item("Every field is filled", **fields)]}})
    assert (read.one(JudgmentRow).passed, read.codes()) == (passed, [])


@pytest.mark.parametrize("passed", [..., None, "maybe", 2, []])
def test_a_missing_verdict_is_unscored(tmp_path: Path, passed: Any) -> None:
    """An item without a verdict is shown, said, and left out of every count."""
    document = {"expectations": [item("Every field is filled", passed=passed), item("Other thing")]}
    read = suite(tmp_path, {GRADING: document})
    judgment = read.all(JudgmentRow)[0]
    assert (judgment.status, judgment.score, judgment.passed) == ("unscored", None, None)
    assert (read.one(RunRow).score, read.one(RunRow).max_score) == (1.0, 1.0)
    assert (read.one(RunScoreRow).judged, read.one(RunScoreRow).expected) == (1, 2)
    assert len(read.codes()) == 1


@pytest.mark.parametrize("key", ["expectation", "assertion", "description", "name", "id"])
def test_a_wording_may_have_another_name(tmp_path: Path, key: str) -> None:
    """The text of an item is found under the names that tools use."""
    read = suite(tmp_path, {GRADING: {"expectations": [item("x", text=..., **{key: "Is blue"})]}})
    assert read.one(JudgmentRow).criterion == "Is blue"


@pytest.mark.parametrize("key", ["reason", "reasoning", "notes"])
def test_evidence_may_have_another_name(tmp_path: Path, key: str) -> None:
    """Evidence is found under the names that tools use; an empty one is none."""
    document = {"expectations": [item("a", evidence=..., **{key: "why"}), item("b", evidence="")]}
    read = suite(tmp_path, {GRADING: document})
    assert [row.evidence for row in read.all(JudgmentRow)] == ["why", None]


def test_an_item_that_is_none_is_one_problem(tmp_path: Path) -> None:
    """A list with something else in it loses only that."""
    read = suite(tmp_path, {GRADING: {"expectations": ["text", item("Is blue"), None]}})
    assert read.one(JudgmentRow).pointer == "/expectations/1"
    assert read.codes() == ["wrong-type", "wrong-type"]


def test_a_repeated_criterion_gets_a_number(tmp_path: Path) -> None:
    """The second item with one wording is a criterion of its own."""
    read = suite(tmp_path, {GRADING: {"expectations": [item("Is blue"), item("Is blue", False)]}})
    assert [row.criterion for row in read.all(JudgmentRow)] == ["Is blue", "Is blue#2"]


def test_a_shortened_wording_is_the_defined_one(tmp_path: Path) -> None:
    """A judge that cuts or touches up the wording judges the criterion of evals.json."""
    document = {"expectations": [item("The layout of the form"), item("every field is filled")]}
    read = suite(tmp_path, {GRADING: document})
    assert [row.criterion for row in read.all(JudgmentRow)] == [
        "The layout of the form is unchanged",
        "Every field is filled",
    ]


def test_a_beginning_that_fits_two_is_neither(tmp_path: Path) -> None:
    """Where two criteria begin alike, a shortened wording stands for itself."""
    two = ["The summary names every change", "The summary names every author"]
    evals = {"evals": [{"id": 1, "prompt": "p", "expectations": two}]}
    read = suite(tmp_path, {GRADING: {"expectations": [item("The summary names every")]}}, evals)
    assert read.one(JudgmentRow).criterion == "The summary names every"


def test_criteria_may_be_objects(tmp_path: Path) -> None:
    """Assertions with id and text: a grading may name either."""
    defined = [
        {"id": "A1", "text": "The file opens in a viewer"},
        {"name": "n", "description": "d"},
    ]
    evals = {"evals": [{"id": 1, "prompt": "p", "assertions": defined}]}
    document = {"assertions": [item("x", text=..., id="A1"), item("d")]}
    read = suite(tmp_path, {GRADING: document}, evals)
    assert [row.criterion for row in read.all(JudgmentRow)] == ["The file opens in a viewer", "d"]
    assert len(read.all(CriterionRow)) == 2


@pytest.mark.parametrize("where", ["eval-1", "eval-1/with_skill"])
def test_a_run_brings_its_own_definition(tmp_path: Path, where: str) -> None:
    """eval_metadata.json in the eval's or the configuration's folder defines an unknown case."""
    meta = {"eval_id": 7, "eval_name": "merge", "prompt": "Merge both", "assertions": ["One file"]}
    files = {
        f"iteration-1/{where}/eval_metadata.json": meta,
        "iteration-1/eval-1/with_skill/grading.json": grading(),
    }
    read = suite(tmp_path, files, None)
    case = read.one(CaseRow)
    assert (case.name, case.prompt) == ("merge", "Merge both")
    assert read.all(CriterionRow)[0].criterion == "One file"
    assert read.one(DocumentRow, kind="eval_metadata").suite == "pdf"


def test_an_id_used_anew_is_another_case(tmp_path: Path) -> None:
    """An eval folder whose own prompt asks something else is not the case of that number."""
    meta = {"eval_id": 1, "prompt": "Translate this letter to Portuguese please"}
    read = suite(tmp_path, {f"{EVAL}/eval_metadata.json": meta, GRADING: grading()})
    assert read.one(RunRow).case_id not in ("1", "2")


def test_a_repeated_id_is_said(tmp_path: Path) -> None:
    """Of two evals with one id the first is kept."""
    evals = {"evals": [{"id": 1, "prompt": "a"}, {"id": 1, "prompt": "b"}]}
    read = suite(tmp_path, {}, evals)
    assert read.one(CaseRow).prompt == "a"
    assert read.problem("duplicate-id").pointer == "/evals/1/id"


def test_a_run_graded_twice_counts_once(tmp_path: Path) -> None:
    """The grading in the run's own folder is kept; the one above is named."""
    above = f"{EVAL}/with_skill/grading.json"
    read = suite(tmp_path, {GRADING: grading(True, True), above: grading(False, False)})
    assert read.one(RunRow).score == 2.0
    assert read.problem("duplicate-run").path == f"pdf-workspace/{above}"


def test_a_summary_that_lies_is_said(tmp_path: Path) -> None:
    """Counts are taken from the list; each stored number that differs is a warning."""
    lying = {"passed": 2, "failed": 0, "total": 2, "pass_rate": 1.0}
    read = suite(tmp_path, {GRADING: grading(True, False, summary=lying)})
    assert read.one(RunRow).fraction == 0.5
    assert [(p.code, p.pointer) for p in read.problems] == [
        ("derived-mismatch", "/summary/passed"),
        ("derived-mismatch", "/summary/failed"),
        ("derived-mismatch", "/summary/pass_rate"),
    ]


def test_a_rounded_summary_is_right(tmp_path: Path) -> None:
    """A pass rate with two decimals agrees with thirds."""
    items = [item(name, name != "c") for name in "abc"]
    summary = {"passed": 2, "failed": 1, "total": 3, "pass_rate": 0.67}
    read = suite(tmp_path, {GRADING: {"expectations": items, "summary": summary}})
    assert read.problems == []


@pytest.mark.parametrize("broken", ["{", "[]", '"x"', "7"])
def test_a_broken_grading_hides_no_other(tmp_path: Path, broken: str) -> None:
    """Another run is read as if it were not there."""
    other = f"{EVAL}/without_skill/run-1/grading.json"
    read = suite(tmp_path, {GRADING: broken, other: grading()})
    assert len(read.codes()) == 1
    assert "without_skill" in [run.configuration for run in read.all(RunRow)]


@pytest.mark.parametrize(
    ("timing", "seconds", "tokens", "cost"),
    [
        ({"total_duration_seconds": 12.5, "total_tokens": 900}, 12.5, 900, None),
        ({"duration_ms": 2500, "total_tokens": 0}, 2.5, None, None),
        ({"duration_seconds": 3, "total_cost_usd": 0.25}, 3, None, 0.25),
        ({"total_duration_seconds": 0, "total_tokens": None, "cost_usd": 0}, None, None, None),
    ],
)
def test_zero_was_not_measured(
    tmp_path: Path, timing: Any, seconds: float | None, tokens: float | None, cost: float | None
) -> None:
    """Time and tokens come from timing.json; 0 and null both mean that nothing was measured."""
    read = suite(tmp_path, {GRADING: grading(), f"{EVAL}/with_skill/run-1/timing.json": timing})
    run = read.one(RunRow)
    assert (run.duration_s, run.tokens, run.cost_usd) == (seconds, tokens, cost)


def test_a_gradings_own_timing_is_second(tmp_path: Path) -> None:
    """Where no timing.json is, the grading's `timing` tells, and when the run started."""
    own = {"executor_duration_seconds": 7, "executor_start": "2026-02-22T20:00:00Z"}
    read = suite(tmp_path, {GRADING: grading(timing=own)})
    run = read.one(RunRow)
    assert (run.duration_s, run.started_at) == (7, datetime(2026, 2, 22, 20, tzinfo=UTC))


def test_a_timing_of_the_configuration_counts(tmp_path: Path) -> None:
    """A timing.json above the run folders is that of its run."""
    read = suite(
        tmp_path, {GRADING: grading(), f"{EVAL}/with_skill/timing.json": {"duration_ms": 5}}
    )
    assert read.one(RunRow).duration_s == 0.005


def test_outputs_are_named_where_they_lie(tmp_path: Path) -> None:
    """A run's own `outputs`, else those of its configuration; they are not read."""
    outputs = f"{EVAL}/with_skill/outputs"
    read = suite(tmp_path, {GRADING: grading(), f"{outputs}/grading.json": "broken"})
    assert (read.one(RunRow).outputs, read.problems) == (f"pdf-workspace/{outputs}", [])


def test_claims_notes_and_feedback_have_rows(tmp_path: Path) -> None:
    """What a grading says beside its items, as objects."""
    document = grading(
        claims=[{"claim": "12 fields", "type": "factual", "verified": False, "evidence": "11"}],
        user_notes_summary={"uncertainties": ["which font"], "other": ["x"]},
        eval_feedback={"suggestions": [{"assertion": "a", "reason": "vague"}], "overall": "fine"},
    )
    read = suite(tmp_path, {GRADING: document})
    claim = read.one(ClaimRow)
    assert (claim.claim, claim.verified, claim.pointer) == ("12 fields", False, "/claims/0")
    assert [(row.kind, row.target, row.text) for row in read.all(NoteRow)] == [
        ("uncertainty", None, "which font"),
        ("user_notes", "other", "x"),
    ]
    assert [(row.kind, row.target, row.text) for row in read.all(FeedbackRow)] == [
        ("overall", None, "fine"),
        ("suggestion", "a", "vague"),
    ]


def test_notes_and_feedback_may_be_texts(tmp_path: Path) -> None:
    """The same as plain texts or lists of them, or null."""
    document = grading(
        user_notes_summary="odd", notes=["a", "b"], eval_feedback="fine", claims=None
    )
    read = suite(tmp_path, {GRADING: document})
    assert [row.text for row in read.all(NoteRow)] == ["odd", "a", "b"]
    assert (read.one(FeedbackRow).text, read.problems) == ("fine", [])


def test_iterations_are_versions_in_natural_order(tmp_path: Path) -> None:
    """iteration-10 comes after iteration-9, and iteration-5b after iteration-5."""
    names = ("iteration-10", "iteration-9", "iteration-5b", "iteration-5")
    read = suite(tmp_path, {f"{name}/eval-1/with_skill/grading.json": grading() for name in names})
    found = sorted(read.all(VersionRow), key=lambda row: row.position or 0)
    assert [row.version for row in found] == [
        "iteration-5",
        "iteration-5b",
        "iteration-9",
        "iteration-10",
    ]
    assert found[0].path == "pdf-workspace/iteration-5"


def test_history_describes_versions(tmp_path: Path) -> None:
    """Entries are joined by name, else by number, which is remarked on."""
    entries = [
        {"version": "v1", "expectation_pass_rate": 0.5, "is_current_best": False},
        {
            "version": "iteration-2",
            "parent": "v1",
            "grading_result": "won",
            "expectation_pass_rate": 0.75,
            "is_current_best": True,
        },
    ]
    files = {f"iteration-{n}/eval-1/with_skill/grading.json": grading() for n in (1, 2)}
    read = suite(tmp_path, {"history.json": {"iterations": entries}, **files})
    one, two = (read.one(VersionRow, version=f"iteration-{n}") for n in (1, 2))
    assert (one.stored_score, one.is_current) == (0.5, False)
    assert (two.stored_score, two.is_current, two.description) == (0.75, True, "won, from v1")
    assert read.problem("history-by-number").severity == "info"
    assert read.one(DocumentRow, kind="history").path == "pdf-workspace/history.json"


def test_every_document_is_listed(tmp_path: Path) -> None:
    """Also a broken one; judged items are counted."""
    timing = f"{EVAL}/with_skill/run-1/timing.json"
    read = suite(tmp_path, {GRADING: grading(), timing: "{"})
    assert {(row.kind, row.records) for row in read.all(DocumentRow)} == {
        ("grading", 2),
        ("timing", None),
        ("evals", None),
    }
