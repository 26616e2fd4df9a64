"""Comparisons of many cases in one document, and analyses of other shapes."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.tables.rows import AnalysisRow, ComparisonRow, ComparisonScoreRow, NoteRow
from tests.families.build import Read
from tests.families.iterations_documents import EVAL, grading, suite

GRADED = {f"{EVAL}/with_skill/grading.json": grading()}


def compared(root: Path, *cases: Any, **fields: Any) -> Read:
    """An iteration with a comparison of these cases."""
    document = {"skill": "pdf", "judged_blind": True, "cases": list(cases), **fields}
    return suite(root, {"iteration-1/comparison.json": document, **GRADED})


def test_each_case_is_a_comparison(tmp_path: Path) -> None:
    """Winner, confidence, what both met, and why."""
    told = {
        "id": 1,
        "winner": "A",
        "confidence": "high",
        "a_expectations_met": 3,
        "b_expectations_met": 1,
        "rationale": "B counts twice",
    }
    read = compared(tmp_path, told, {"id": "TC-2", "winner": "tie"})
    one, two = read.all(ComparisonRow)
    assert (one.case_id, one.winner, one.total_a, one.total_b, one.max_total) == (
        "1",
        "A",
        3,
        1,
        None,
    )
    assert (one.confidence_level, one.blinded, one.summary) == ("high", True, "B counts twice")
    assert (two.case_id, two.winner, two.total_a, two.pointer) == ("TC-2", "tie", None, "/cases/1")
    assert one.comparison_id != two.comparison_id
    score = read.one(ComparisonScoreRow)
    assert (score.criterion, score.score_a, score.score_b) == ("expectations met", 3, 1)
    assert read.codes() == []


@pytest.mark.parametrize(
    ("word", "level"),
    [
        ("alta", "high"),
        ("média", "medium"),
        ("baixa — B was cut off", "low"),
        ("certain", "certain"),
        (0.5, None),
        (None, None),
    ],
)
def test_words_of_confidence(tmp_path: Path, word: Any, level: str | None) -> None:
    """In English or Portuguese, also where a reason follows."""
    read = compared(tmp_path, {"id": 1, "winner": "A", "confidence": word})
    assert read.one(ComparisonRow).confidence_level == level


def test_sides_that_were_named_after_the_verdict(tmp_path: Path) -> None:
    """Lists of what was met, evidence by side, and who A and B were."""
    sides = {
        "output_A_eval": {"expectations_met": [False, "unclear"], "evidence": "wrong rate"},
        "output_B_eval": {"expectations_met": [True, True], "evidence": "right rate"},
    }
    read = compared(
        tmp_path,
        {"id": 1, "verdict": "B", "winner_by_skill": "variant", **sides},
        {"id": 2, "verdict": "B", "winner_by_skill": "baseline"},
    )
    one, two = read.all(ComparisonRow)
    assert (one.version_a, one.version_b, one.versions_from) == ("baseline", "variant", "document")
    assert (two.version_a, two.version_b) == ("variant", "baseline")
    score = read.one(ComparisonScoreRow)
    assert (score.score_a, score.score_b, score.max_score) == (0, 2, 2)
    assert (score.justification_a, score.justification_b) == ("wrong rate", "right rate")


@pytest.mark.parametrize("odd", [["variant"], {"a": 1}, 5])
def test_a_winner_that_is_no_name_hides_no_comparison(tmp_path: Path, odd: Any) -> None:
    """Who A and B were is then not said."""
    read = compared(tmp_path, {"id": 1, "verdict": "B", "winner_by_skill": odd})
    row = read.one(ComparisonRow)
    assert (row.winner, row.version_a, row.version_b) == ("B", None, None)


def test_what_else_a_comparison_says_is_a_note(tmp_path: Path) -> None:
    """Caveats of the whole and of a case say where they stood."""
    case = {"id": "TC-1", "winner": "A", "advice": "run again"}
    read = compared(tmp_path, case, method="blind", aggregate_raw={"ties": 0})
    assert {(note.kind, note.target, note.text) for note in read.all(NoteRow)} == {
        ("comparison", "TC-1: advice", "run again"),
        ("comparison", "method", "blind"),
        ("comparison", "aggregate_raw.ties", "0"),
    }


def test_a_case_without_a_winner_hides_no_other(tmp_path: Path) -> None:
    """It is one problem."""
    read = compared(tmp_path, {"id": 1, "winner": "C"}, {"id": 2, "winner": "B"})
    assert [row.case_id for row in read.all(ComparisonRow)] == ["2"]
    assert read.problem("no-winner").pointer == "/cases/0/winner"


def test_a_case_that_is_no_object_is_one_problem(tmp_path: Path) -> None:
    """It hides no other, and is said once."""
    read = compared(tmp_path, 5, {"id": 2, "winner": "B"})
    assert [row.case_id for row in read.all(ComparisonRow)] == ["2"]
    assert read.problem("wrong-type").pointer == "/cases/0"


def test_an_analysis_of_its_own_shape(tmp_path: Path) -> None:
    """Causes and findings are findings, the rest are notes."""
    document = {
        "change_causes": [{"class": "variance", "evidence": "flips between runs"}],
        "findings": [{"kind": "regression", "case": "TC-2", "detail": "rate is gone"}, {"x": 1}],
        "script_verdict": {"delta": 0.1, "ci95": [-0.1, 0.3]},
        "recommendation": "keep",
    }
    read = suite(tmp_path, {"iteration-1/analysis.json": document, **GRADED})
    assert [(row.kind, row.area, row.reasoning) for row in read.all(AnalysisRow)] == [
        ("finding", "regression", "rate is gone"),
        ("finding", None, "x: 1"),
        ("finding", "variance", "flips between runs"),
    ]
    assert {(note.target, note.text) for note in read.all(NoteRow)} == {
        ("script_verdict.delta", "0.1"),
        ("script_verdict.ci95", "-0.1"),
        ("script_verdict.ci95", "0.3"),
        ("recommendation", "keep"),
    }
