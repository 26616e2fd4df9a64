"""The rules of structural checks, rubrics and eval_config."""

from pathlib import Path
from typing import Any

import pytest

from tests.bounded import bounded
from tests.families.rules_workspaces import (
    CHECK,
    DIMENSION,
    evals,
    found,
    grading,
    problems,
    rubric_case,
)

EVALS = "letters/evals/evals.json"


def in_evals(root: Path, code: str, *cases: dict[str, Any], **config: Any) -> list[str]:
    """Return the pointers of one code's problems in an evals.json of these cases."""
    value = evals(*cases, eval_config={"runs_per_eval": 1, **config})
    return [at for path, at in found(root, {EVALS: value}, code) if path == EVALS]


def test_a_good_document_has_nothing_against_it(tmp_path: Path) -> None:
    """Checks, rubric and configuration as the document describes them."""
    value = evals(rubric_case(), eval_config={"runs_per_eval": 1, "structural_gate": True})
    assert problems(tmp_path, {EVALS: value}) == []


def test_structural_ids_are_unique_within_an_eval(tmp_path: Path) -> None:
    """The second of two is named; another eval may use the id again."""
    twice = rubric_case(structural_expectations=[CHECK, CHECK])
    expected = ["/evals/0/structural_expectations/1/id"]
    assert in_evals(tmp_path, "duplicate-id", twice, rubric_case()) == expected


def test_eval_ids_are_unique(tmp_path: Path) -> None:
    """It is said once, although opening says it already."""
    assert in_evals(tmp_path, "duplicate-id", rubric_case(), rubric_case(id=0)) == ["/evals/1/id"]


def test_dimension_names_and_ids_are_unique(tmp_path: Path) -> None:
    """Scores are stored by name, so two dimensions of one name cannot be told apart."""
    same = rubric_case(quality_rubric={"dimensions": [DIMENSION, {**DIMENSION, "id": "Q2"}]})
    base = "/evals/0/quality_rubric/dimensions/1"
    assert in_evals(tmp_path, "duplicate-id", same) == [f"{base}/name"]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"type": "file_smells"}, "/type"),
        ({"match_regex": None}, ""),
        ({"pattern": None}, "/pattern"),
        ({"type": "file_count", "count": 1, "operator": "<"}, "/operator"),
        ({"type": "custom_script"}, ""),
    ],
)
def test_checks_are_of_a_known_type_with_its_fields(
    tmp_path: Path, changes: dict[str, Any], place: str
) -> None:
    """A check that no tool could run is a warning at the field, or at the check that lacks one."""
    case = rubric_case(structural_expectations=[{**CHECK, **changes}])
    base = "/evals/0/structural_expectations/0"
    assert in_evals(tmp_path, "not-as-documented", case) == [base + place]


def test_a_field_that_a_rule_on_steps_does_not_have_is_named(tmp_path: Path) -> None:
    """It is not decided for that, so it is said at the field."""
    ruled = {"id": "S1", "description": "d", "critical": False, "type": "used_tool", "tool": "Bash"}
    case = rubric_case(structural_expectations=[{**ruled, "patt/ern": "^ls"}])
    place = "/evals/0/structural_expectations/0/patt~1ern"
    assert in_evals(tmp_path / "1", "unknown-field", case) == [place]
    sound = rubric_case(structural_expectations=[{**ruled, "match": "ls", "weight": 2}])
    assert in_evals(tmp_path / "2", "unknown-field", sound) == []


def test_anchors_stand_at_one_three_and_five(tmp_path: Path) -> None:
    """Each missing anchor is named at the scoring that lacks it."""
    bare = {**DIMENSION, "scoring": {"1": "rude", "5": "kind"}}
    case = rubric_case(quality_rubric={"dimensions": [bare]})
    place = "/evals/0/quality_rubric/dimensions/0/scoring"
    assert in_evals(tmp_path, "not-as-documented", case) == [place]


@pytest.mark.parametrize("weight", [0, -1.5])
def test_weights_are_above_zero(tmp_path: Path, weight: float) -> None:
    """A dimension without weight is judged for nothing."""
    case = rubric_case(quality_rubric={"dimensions": [{**DIMENSION, "weight": weight}]})
    place = "/evals/0/quality_rubric/dimensions/0/weight"
    assert in_evals(tmp_path, "no-weight", case) == [place]


def test_a_gate_needs_a_critical_check(tmp_path: Path) -> None:
    """Only where structural_gate asks for it, and only where there are checks at all."""
    loose = rubric_case(structural_expectations=[{**CHECK, "critical": False}])
    code, place = "no-critical-check", "/evals/0/structural_expectations"
    assert in_evals(tmp_path / "1", code, loose, structural_gate=True) == [place]
    assert in_evals(tmp_path / "2", code, loose, structural_gate=False) == []
    assert in_evals(tmp_path / "3", code, rubric_case(), structural_gate=True) == []


@pytest.mark.parametrize("pattern", ["(", "a{2", "*", "(?P<x>a)(?P<x>b)", "a" * 1001, "(" * 900])
def test_a_pattern_that_cannot_be_used_is_named(tmp_path: Path, pattern: str) -> None:
    """Broken or too long patterns are warnings; a brace that is only text is not."""
    case = rubric_case(structural_expectations=[{**CHECK, "match_regex": pattern}])
    place = "/evals/0/structural_expectations/0/match_regex"
    assert in_evals(tmp_path, "invalid-regex", case) == ([] if pattern == "a{2" else [place])


def test_a_pattern_made_to_compile_slowly_does_not_hold_the_check(tmp_path: Path) -> None:
    """Ranges over all characters, in any case, many times."""
    slow = {**CHECK, "match_regex": "(?i)" + r"[\x00-\U0010ffff]" * 50}
    case = rubric_case(structural_expectations=[{**slow, "id": f"S{n}"} for n in range(50)])
    with bounded():
        assert in_evals(tmp_path, "invalid-regex", case) == []


def run_of(model: str, configuration: str = "with_skill") -> dict[str, Any]:
    """Return a grading and a benchmark that names the executor's model."""
    folder = "letters-workspace/iteration-1"
    return {
        f"{folder}/case-0/{configuration}/run-1/grading.json": grading(True),
        f"{folder}/benchmark.json": {
            "metadata": {
                "skill_name": "letters",
                "executor_model": model,
                "timestamp": "2026-01-02T03:04:05Z",
                "evals_run": [0],
                "runs_per_configuration": 1,
            },
            "run_summary": {},
        },
    }


def test_a_model_does_not_judge_its_own_output(tmp_path: Path) -> None:
    """An alias is the same model as its dated name."""
    value = evals(rubric_case(), eval_config={"runs_per_eval": 1, "judge_model": "model-x"})
    place = (EVALS, "/eval_config/judge_model")
    own = {EVALS: value, **run_of("model-x-20260101")}
    other = {EVALS: value, **run_of("model-y")}
    assert found(tmp_path / "own", own, "judge-is-executor") == [place]
    assert found(tmp_path / "other", other, "judge-is-executor") == []


def test_the_last_version_has_as_many_runs_as_asked_for(tmp_path: Path) -> None:
    """One run where eval_config asks for three."""
    files = run_of("model-y")
    three = evals(rubric_case(), eval_config={"runs_per_eval": 3})
    one = evals(rubric_case(), eval_config={"runs_per_eval": 1})
    place = (EVALS, "/eval_config/runs_per_eval")
    assert found(tmp_path / "3", {EVALS: three, **files}, "too-few-runs") == [place]
    assert found(tmp_path / "1", {EVALS: one, **files}, "too-few-runs") == []
