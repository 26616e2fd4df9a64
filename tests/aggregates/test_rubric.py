"""What seed 002 adds to a benchmark, and the suggestions of all gradings together."""

import json
from pathlib import Path
from statistics import stdev
from typing import Any

import pytest

from evalcore.families.iterations.rubric_documents import BENCHMARK
from evalcore.shapes.faults import faults
from tests.aggregates.layout import ITERATION, aggregated, dump, load, mismatches, run

PATH = f"{ITERATION}/benchmark.json"
FEEDBACK = f"{ITERATION}/eval_feedback_aggregate.json"
DIMENSIONS = [
    {"id": "Q1", "name": "faithful", "description": "d", "weight": 2.0, "scoring": {}},
    {"id": "Q2", "name": "brief", "description": "d", "weight": 1.0, "scoring": {}},
]


def judged(root: Path, place: str, checks: list[bool], scores: dict[str, int], **more: Any) -> None:
    """Write a run with structural checks and, where there are scores, what the judge said."""
    items = [
        {
            "id": f"S{n}",
            "text": f"Check {n}",
            "type": "file_exists",
            "passed": good,
            "evidence": "",
            "critical": n == 0,
        }
        for n, good in enumerate(checks)
    ]
    dump(root, f"{ITERATION}/{place}/structural.json", {"expectations": items})
    if scores:
        found = {name: {"score": score, "evidence": "e"} for name, score in scores.items()}
        run(root, place, [True, False], rubric_scores=found, **more)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return one eval with three runs; the gate of the last failed, so it has no scores."""
    rubric = {"dimensions": DIMENSIONS}
    evals = [
        {
            "id": 1,
            "name": "one",
            "prompt": "p",
            "expected_output": "e",
            "files": [],
            "structural_expectations": [],
            "quality_rubric": rubric,
        }
    ]
    dump(tmp_path, "pdf/evals/evals.json", {"skill_name": "pdf", "evals": evals})
    says = [
        {"assertion": "S1: Checks a name", "reason": "Only the name is checked."},
        {"reason": "Nothing checks the total"},
    ]
    judged(
        tmp_path,
        "eval-1/with_skill/run-1",
        [True, True, True, False],
        {"faithful": 5, "brief": 2},
        eval_feedback={"suggestions": says},
    )
    again = [{"assertion": "S1: Checks a name", "reason": "only the name  is checked"}] * 2
    judged(
        tmp_path,
        "eval-1/with_skill/run-2",
        [True, True, True, True],
        {"faithful": 4, "brief": 4},
        eval_feedback={"suggestions": again},
    )
    judged(tmp_path, "eval-1/with_skill/run-3", [False, True, True, True], {})
    return tmp_path


def test_a_rubric_is_summed_up_by_dimension_and_as_a_whole(root: Path) -> None:
    """Efficiency is the mean of checks and rubric; a closed gate has no rubric, which is not 0."""
    aggregated(root)
    summary = load(root, PATH)["run_summary"]["with_skill"]
    assert summary["pass_rate"]["mean"] == round((0.75 + 1 + 0.75) / 3, 4)
    efficiency = [(0.75 + 0.8) / 2, (1 + 0.8) / 2]  # both have a weighted mean of 4 of 5
    assert summary["rubric_normalized"] == {
        "mean": 0.8,
        "stddev": 0,
        "min": 0.8,
        "max": 0.8,
        "n": 2,
    }
    assert summary["overall_efficiency"]["mean"] == round(sum(efficiency) / 2, 4)
    steady = 1 - stdev(efficiency) / (sum(efficiency) / 2)
    assert summary["consistency"] == round(steady, 4)
    assert summary["rubric_dimensions"] == {
        "faithful": {"mean": 4.5, "stddev": 0.7071, "min": 4, "max": 5, "n": 2},
        "brief": {"mean": 3.0, "stddev": 1.4142, "min": 2, "max": 4, "n": 2},
    }


def test_a_run_is_listed_with_its_structural_checks(root: Path) -> None:
    """They are what the summary's pass rate is made of, of a run without a judge too."""
    aggregated(root)
    runs = load(root, PATH)["runs"]
    assert [each["result"]["passed"] for each in runs] == [3, 4, 3]
    assert runs[2]["expectations"][0] == {"text": "Check 0", "passed": False, "evidence": ""}
    assert faults(BENCHMARK, load(root, PATH)) == []
    assert mismatches(root, PATH) == []


def test_one_run_has_no_consistency(root: Path) -> None:
    """A single run is not steady; how steady it is cannot be told."""
    for n in (2, 3):
        for file in (root / ITERATION / f"eval-1/with_skill/run-{n}").iterdir():
            file.unlink()
    aggregated(root)
    assert load(root, PATH)["run_summary"]["with_skill"]["consistency"] is None


def test_suggestions_are_counted_by_the_runs_that_make_them(root: Path) -> None:
    """Case, spaces and a full stop make no other reason; nobody's action is invented."""
    aggregated(root)
    assert load(root, FEEDBACK) == {
        "skill_name": "pdf",
        "iteration": 1,
        "total_runs": 3,
        "suggestions": [
            {
                "frequency": 2,
                "assertion": "S1",
                "reason": "Only the name is checked.",
                "action": "",
            },
            {
                "frequency": 1,
                "assertion": None,
                "reason": "Nothing checks the total",
                "action": "",
            },
        ],
    }


def test_a_persons_action_stays(root: Path) -> None:
    """So do suggestions that no grading makes any more, and unknown fields."""
    aggregated(root)
    document = load(root, FEEDBACK)
    document["suggestions"][0] |= {"action": "Check the value", "frequency": 9}
    document["suggestions"].append({"frequency": 1, "assertion": None, "reason": "Old", "by": "me"})
    dump(root, FEEDBACK, document)
    found = aggregated(root)[FEEDBACK]
    document["suggestions"][0]["frequency"] = 2
    assert load(root, FEEDBACK) == document
    assert found.messages == ("Kept: 1 suggestion that no grading contains in these words.",)


def test_a_summary_in_words_of_its_own_is_left_alone(root: Path) -> None:
    """Somebody put the suggestions together; with `replace` those of the gradings follow."""
    own = {"suggestions": [{"frequency": 2, "assertion": "S1", "reason": "Names!", "action": "x"}]}
    before = dump(root, FEEDBACK, own).read_text()
    assert aggregated(root)[FEEDBACK].state == "left"
    assert (root / FEEDBACK).read_text() == before
    aggregated(root, replace=True)
    reasons = [each["reason"] for each in load(root, FEEDBACK)["suggestions"]]
    assert reasons == ["Names!", "Only the name is checked.", "Nothing checks the total"]


def test_without_suggestions_there_is_no_document(tmp_path: Path) -> None:
    """Nobody has said anything of the evals."""
    judged(tmp_path, "eval-1/with_skill/run-1", [True], {"faithful": 5})
    assert FEEDBACK not in aggregated(tmp_path)
    assert json.loads((tmp_path / PATH).read_text())["runs"]
