"""Records become cases, runs and judgments; totals are recomputed, and what disagrees is said."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import (
    CaseRow,
    CriterionRow,
    JudgmentRow,
    RunRow,
    RunScoreRow,
    VersionRow,
)
from tests.families.records_store import (
    Fields,
    a_case,
    a_rubric,
    a_run,
    criterion,
    judgment,
    opened,
    write,
)


def test_a_case_shows_what_is_asked_and_what_is_expected(tmp_path: Path) -> None:
    """Prompt and expected answer are taken out of their objects; tags are a JSON list."""
    row = opened(tmp_path).one(CaseRow)
    assert (row.case_id, row.name, row.prompt, row.expected) == (
        "case",
        "Refund",
        "Where is my refund?",
        "Within 14 days",
    )
    assert (row.tags, row.files, row.status) == ('["money"]', "[]", "active")


def test_inputs_without_a_prompt_are_shown_as_json(tmp_path: Path) -> None:
    """Fields beside a prompt, or in its place, stay visible."""
    beside = a_case(inputs={"message": "Hi", "tier": "gold"}, expectedOutputs={"route": "billing"})
    row = opened(tmp_path, case=beside).one(CaseRow)
    assert row.prompt == 'Hi\n\n{\n  "tier": "gold"\n}'
    assert row.expected == '{\n  "route": "billing"\n}'


def test_the_criteria_of_a_case_are_those_of_its_rubric_in_order(tmp_path: Path) -> None:
    """Each has its name and description, weight, scale, guide and place in criteriaIds."""
    rows = opened(tmp_path, r=a_rubric(criteriaIds='["tone", "relevance"]')).all(CriterionRow)
    assert [(row.criterion, row.position, row.weight) for row in rows] == [
        ("tone", 0, 0.4),
        ("relevance", 1, 0.6),
    ]
    first = rows[0]
    assert first.description == "Tone: What good looks like"
    assert (first.kind, first.min_score, first.max_score) == ("rubric", 1, 5)
    assert json.loads(first.guide or "") == "5 when flawless"


def test_a_run_has_the_weighted_total_of_its_judgments(tmp_path: Path) -> None:
    """Σ weight·score against the threshold; the output in the record is the evidence."""
    store = opened(tmp_path)
    run = store.one(RunRow)
    assert run.run_id == ".::case@reply%401/-#run"
    assert run.score == pytest.approx(4.4)
    assert (run.max_score, run.passed) == (5, True)
    assert run.fraction == pytest.approx(0.88)
    assert (run.origin, run.status, run.configuration) == ("record", "completed", "-")
    assert (run.duration_s, run.judge, run.judge_type) == (1.5, "judge", "llm")
    assert (run.outputs, run.pointer) == ("test-run/run.json", "")
    score = store.one(RunScoreRow)
    assert (score.score, score.judged, score.expected) == (run.score, 2, 2)
    assert store.reader.problems == []


def test_judgments_keep_rationale_judge_and_confidence(tmp_path: Path) -> None:
    """Every field of a judgment that a page shows is a column."""
    row = opened(tmp_path).all(JudgmentRow)[0]
    assert (row.criterion, row.score, row.max_score, row.fraction) == ("relevance", 5, 5, 1.0)
    assert (row.judge, row.judge_type, row.confidence) == ("judge", "llm", 0.8)
    assert (row.rationale, row.status, row.source) == (
        "Names the date",
        "scored",
        "eval-judgment/j1.json",
    )


def test_a_total_on_the_threshold_passes(tmp_path: Path) -> None:
    """0.1·3 + 0.6·3 + 0.3·3 reaches 3, which the sum of floats does not."""
    names = ["a", "b", "c"]
    extra: dict[str, Any] = {
        name: criterion(name, weight) for name, weight in zip(names, (0.1, 0.6, 0.3), strict=True)
    }
    extra |= {f"j-{name}": judgment(f"j-{name}", "run", name, 3) for name in names}
    store = opened(
        tmp_path,
        r=a_rubric(criteriaIds=names),
        relevance=None,
        tone=None,
        j1=None,
        j2=None,
        run=a_run(totalScore=3, passed=True),
        **extra,
    )
    assert store.one(RunRow).passed is True
    assert "derived-mismatch" not in store.codes


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("totalScore", 3.1, ("3.1", "4.4")),
        ("totalScore", 5, ("5", "4.4")),
        ("maxPossibleScore", 10, ("10", "5")),
        ("passed", False, ("false", "true")),
    ],
)
def test_a_stored_value_that_disagrees_is_shown_beside_ours(
    tmp_path: Path, field: str, value: Any, shown: tuple[str, str]
) -> None:
    """The warning points at the field and names both values; ours counts."""
    store = opened(tmp_path, run=a_run(**{field: value}))
    (problem,) = store.problems("derived-mismatch")
    assert problem.pointer == f"/fields/{field}"
    assert all(text in problem.message for text in shown)
    assert store.one(RunRow).passed is True


def test_without_judgments_the_stored_score_counts_and_is_said(tmp_path: Path) -> None:
    """A total that cannot be recomputed is not thrown away."""
    store = opened(tmp_path, j1=None, j2=None)
    run = store.one(RunRow)
    assert (run.score, run.max_score, run.passed) == (4.4, 5, True)
    assert store.codes == {"not-recomputed"}


def test_a_missing_judgment_leaves_the_total_open(tmp_path: Path) -> None:
    """The criterion is listed as unscored, and nothing becomes 0."""
    store = opened(tmp_path, j2=None)
    run = store.one(RunRow)
    assert (run.score, run.passed, run.max_score) == (None, None, 5)
    assert {row.criterion: row.status for row in store.all(JudgmentRow)} == {
        "relevance": "scored",
        "tone": "unscored",
    }
    assert store.one(RunScoreRow)[3:] == (None, 5, None, 1, 2, None)
    assert "missing-judgment" in store.codes


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"rationale": " "}, "no-rationale"),
        ({"rationale": None}, "no-rationale"),
        ({"score": 6}, "score-out-of-range"),
        ({"score": 0}, "score-out-of-range"),
        ({"score": "5"}, "wrong-type"),
    ],
)
def test_an_invalid_judgment_is_unscored(tmp_path: Path, fields: Fields, code: str) -> None:
    """It stays visible with its problem, and counts nowhere."""
    bad = judgment("j1", "run", "relevance", 5)
    store = opened(tmp_path, j1={**bad, "fields": {**bad["fields"], **fields}})
    row = store.all(JudgmentRow)[0]
    assert (row.status, row.score, row.fraction) == ("unscored", None, None)
    assert store.one(RunRow).score is None
    assert code in store.codes


def test_the_recorded_judge_is_of_the_type_the_run_names(tmp_path: Path) -> None:
    """A person's scores are shown beside the recorded ones and do not change the run."""
    human = {"judgedBy": "ana", "judgedByType": "human"}
    store = opened(
        tmp_path,
        h1=judgment("h1", "run", "relevance", 1, **human),
        h2=judgment("h2", "run", "tone", 1, **human),
    )
    assert store.one(RunRow).score == pytest.approx(4.4)
    scores = {(row.judge, row.judge_type): row.passed for row in store.all(RunScoreRow)}
    assert scores == {("judge", "llm"): True, ("ana", "human"): False}


def test_two_judges_of_the_same_type_complete_each_other(tmp_path: Path) -> None:
    """Where each judged a part, the run's total takes both and names neither."""
    store = opened(tmp_path, j2=judgment("j2", "run", "tone", 3.5, judgedBy="second"))
    run = store.one(RunRow)
    assert run.score == pytest.approx(4.4)
    assert (run.judge, run.judge_type) == (None, "llm")
    assert len(store.all(RunScoreRow)) == 3


def test_a_judgment_that_is_superseded_does_not_count(tmp_path: Path) -> None:
    """The head of a chain counts; the others are kept and marked."""
    newer = judgment("j3", "run", "relevance", 2) | {"supersedes": "j1"}
    store = opened(tmp_path, j3=newer, run=a_run(totalScore=2.6, passed=False))
    assert {row.source: row.status for row in store.all(JudgmentRow)} == {
        "eval-judgment/j1.json": "superseded",
        "eval-judgment/j2.json": "scored",
        "eval-judgment/j3.json": "scored",
    }
    assert store.one(RunRow).score == pytest.approx(2.6)
    assert store.codes == set()


def test_two_heads_are_a_conflict(tmp_path: Path) -> None:
    """The newest counts until a person decides."""
    first = judgment("j3", "run", "relevance", 2) | {"supersedes": "j1"}
    second = judgment("j4", "run", "relevance", 4, judgedAt="2026-03-01T08:00:00Z")
    second |= {"supersedes": "j1", "updatedAt": "2026-03-01T08:00:00Z"}
    store = opened(tmp_path, j3=first, j4=second)
    assert [p.path for p in store.problems("conflict")] == ["eval-judgment/j4.json"]
    assert store.one(RunRow).score == pytest.approx(0.6 * 4 + 0.4 * 3.5)


def test_records_that_replace_each_other_in_a_ring_are_read(tmp_path: Path) -> None:
    """No chain without a head makes the reader stop or lose the criterion."""
    ring = {
        "j1": judgment("j1", "run", "relevance", 5) | {"supersedes": "j3"},
        "j3": judgment("j3", "run", "relevance", 5) | {"supersedes": "j1"},
    }
    store = opened(tmp_path, **ring)
    assert "conflict" in store.codes
    assert store.one(RunRow).score == pytest.approx(4.4)


def test_a_reference_to_a_replaced_record_means_its_head(tmp_path: Path) -> None:
    """A corrected run keeps the judgments that name the run it corrects."""
    store = opened(tmp_path, fixed=a_run("fixed", durationMs=1400) | {"supersedes": "run"})
    run = store.one(RunRow)
    assert run.run == "fixed"
    assert run.score == pytest.approx(4.4)


def test_the_newest_of_several_records_with_one_id_counts(tmp_path: Path) -> None:
    """The older one is named in a warning."""
    older = a_case(status="draft") | {"updatedAt": "2026-01-01T00:00:00Z"}
    write(tmp_path, {"archive/case.json": older})
    store = opened(tmp_path)
    assert store.one(CaseRow).status == "active"
    assert [p.path for p in store.problems("duplicate-id")] == ["archive/case.json"]


def test_the_version_of_a_run_falls_back_to_its_case_and_to_current(tmp_path: Path) -> None:
    """A run without a prompt version has its case's, or none."""
    plain = a_run("plain", promptVersionRef=None, testCaseId="bare", ranAt="2026-02-05T00:00:00Z")
    store = opened(
        tmp_path,
        run=a_run(promptVersionRef=None),
        bare=a_case("bare", promptVersionRef=None),
        plain=plain,
    )
    assert {row.run: row.version for row in store.all(RunRow)} == {
        "run": "reply@1",
        "plain": "current",
    }


def test_versions_stand_in_the_order_of_their_first_runs(tmp_path: Path) -> None:
    """The date decides, not the name."""
    store = opened(
        tmp_path, early=a_run("early", promptVersionRef="z", ranAt="2026-01-01T00:00:00Z")
    )
    rows = sorted(store.all(VersionRow), key=lambda row: row.position or 0)
    assert [row.version for row in rows] == ["z", "reply@1"]
    assert rows[1].pointer == "/fields/promptVersionRef"
