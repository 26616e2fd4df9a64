"""A definition outranks what a run says of itself, in every family and field."""

import copy
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from evalcore import open_workspace
from tests.families import descriptions_documents as descriptions
from tests.families import improve_documents as improve
from tests.families import iterations_documents as iterations
from tests.families import records_store as records
from tests.families.build import write

RUN: Final = "pdf-workspace/iteration-1/eval-1/with_skill/run-1"
ITEMS: Final = {
    "skill_name": "pdf",
    "evals": [
        {
            "id": 1,
            "prompt": "Fill it",
            "expectations": [{"text": "Filled", "critical": True, "required": True, "weight": 2}],
        }
    ],
}
CHECKS: Final = iterations.structural(("S1", False, True), ("S2", True, False), gate_passed=False)
FOLDERS: Final[dict[str, dict[str, Any]]] = {
    "improve": {
        "deploy/evals/evals.json": improve.EVALS,
        "deploy-workspace/history.json": improve.history(None),
        "deploy-workspace/grading/case-01_v0_run1.json": improve.grading(),
    },
    "descriptions": {
        "notes/eval/eval_metadata.json": descriptions.METADATA,
        "notes/eval/runs/r1/grading/merged.json": descriptions.grading(),
        "notes/eval/runs/r1/grading/nothing.json": descriptions.grading("nothing"),
        "notes/eval/benchmark.json": descriptions.benchmark(descriptions.entry()),
    },
    "iterations": {
        "pdf/evals/evals.json": ITEMS,
        f"{RUN}/grading.json": {"expectations": [iterations.item("Filled", False)]},
    },
    "rubric": {
        "pdf/evals/evals.json": iterations.RUBRIC_EVALS,
        f"{RUN}/structural.json": CHECKS,
        f"{RUN}/grading.json": iterations.scores(accuracy=5, clarity=2),
        f"{RUN.replace('run-1', 'run-2')}/structural.json": iterations.structural(
            ("S1", True, True), ("S2", False, False)
        ),
        f"{RUN.replace('run-1', 'run-2')}/grading.json": iterations.scores(accuracy=5, clarity=2),
    },
    "records": records.basic(),
}


class Said(NamedTuple):
    """What a result says of its criterion or case: where, and what the definition says."""

    family: str
    path: str
    at: tuple[str | int, ...]
    name: str
    stated: object
    defined: str


RUN_2: Final = RUN.replace("run-1", "run-2")
GRADED: Final = "deploy-workspace/grading/case-01_v0_run1.json"
TABLE: Final = (
    Said("improve", GRADED, ("results", 0), "required", False, "true"),
    Said("improve", GRADED, ("results", 1), "required", True, "false"),
    Said("improve", GRADED, ("results", 0), "max_score", 10, "5"),
    Said("improve", GRADED, ("results", 0), "min_score", 0, "1"),
    Said("improve", GRADED, ("results", 0), "pass_at", 5, "3"),
    Said("descriptions", "notes/eval/runs/r1/grading/merged.json", (), "weight", 1, "3"),
    Said(
        "descriptions", "notes/eval/benchmark.json", ("entries", 0, "per_test_case", 0), "weight",
        1, "3",
    ),
    Said(
        "descriptions", "notes/eval/runs/r1/grading/merged.json", ("assertions", 0), "max_score",
        5, "1",
    ),
    Said("iterations", f"{RUN}/grading.json", ("expectations", 0), "critical", False, "true"),
    Said("iterations", f"{RUN}/grading.json", ("expectations", 0), "required", False, "true"),
    Said("iterations", f"{RUN}/grading.json", ("expectations", 0), "weight", 9, "2"),
    Said("rubric", f"{RUN}/structural.json", ("expectations", 0), "critical", False, "true"),
    Said("rubric", f"{RUN_2}/structural.json", ("expectations", 1), "critical", True, "false"),
    Said("rubric", f"{RUN_2}/grading.json", ("rubric_scores", "clarity"), "weight", 9, "0.3"),
    Said("rubric", f"{RUN_2}/grading.json", ("rubric_scores", "clarity"), "max_score", 4, "5"),
    Said("records", "eval-judgment/j1.json", ("fields",), "maxScore", 10, "5"),
    Said("records", "eval-judgment/j1.json", ("fields",), "minScore", 0, "1"),
    Said("records", "eval-judgment/j1.json", ("fields",), "weight", 1, "0.6"),
)  # fmt: skip


@pytest.mark.parametrize("said", TABLE, ids=[f"{s.family}-{s.path}-{s.name}" for s in TABLE])
def test_the_definition_counts_and_both_are_named(tmp_path: Path, said: Said) -> None:
    """Whatever a result repeats of its definition: runs, judgments and criteria stay the same."""
    files = FOLDERS[said.family]
    changed = copy.deepcopy(files)
    place: Any = changed[said.path]
    for key in said.at:
        place = place[key]
    place[said.name] = said.stated
    was, now = (
        open_workspace(write(tmp_path / name, of), cache=False)
        for name, of in (("was", files), ("now", changed))
    )
    (problem,) = [each for each in now.problems if each.code == "definition-differs"]
    assert problem.path == said.path and problem.severity == "warning"
    stated = str(said.stated).lower()
    assert problem.message.startswith(f"{said.name} is {stated} here and {said.defined} in the ")
    assert not [each for each in was.problems if each.code == "definition-differs"]
    for name in ("runs", "judgments", "run_scores", "criteria", "cases"):
        before, after = (getattr(ws.tables, name) for ws in (was, now))
        assert len(after), name
        assert before.equals(after), before.compare(after)


def test_a_critical_check_that_failed_closes_the_gate_whatever_the_run_says(tmp_path: Path) -> None:
    """Neither `critical: false` nor `gate_passed: true` opens it; behind it no score counts."""
    files = copy.deepcopy(FOLDERS["rubric"])
    said = iterations.structural(("S1", False, False), ("S2", True, False), gate_passed=True)
    files[f"{RUN}/structural.json"] = said
    ws = open_workspace(write(tmp_path, files), cache=False)
    run = ws.tables.runs.iloc[0]
    assert (run["status"], run["gate_passed"], run["passed"]) == ("gate_failed", False, False)
    assert run.isna()["score"]
    codes = {each.code for each in ws.problems if each.path.startswith(RUN)}
    assert codes == {"definition-differs", "derived-mismatch", "judged-behind-gate"}


@pytest.mark.parametrize("critical", [True, False])
def test_a_check_without_result_is_unscored_and_leaves_the_gate_unknown(
    tmp_path: Path, critical: bool
) -> None:
    """A critical one only: without it nobody knows whether the gate is open."""
    files = copy.deepcopy(FOLDERS["rubric"])
    left = ("S2", True, False) if critical else ("S1", True, True)
    files[f"{RUN}/structural.json"] = iterations.structural(left)
    ws = open_workspace(write(tmp_path, files), cache=False)
    assert ws.tables.runs.isna()["gate_passed"].iloc[0] == critical
    (problem,) = [each for each in ws.problems if each.code == "incomplete"]
    assert ("S1" if critical else "S2") in problem.message
    open_ = ws.tables.judgments[ws.tables.judgments["status"] == "unscored"]
    assert open_["criterion"].tolist() == ["S1" if critical else "S2"]


def test_a_dimension_without_score_is_unscored(tmp_path: Path) -> None:
    """The mean of the others stands, and the missing one is shown and counted."""
    files = copy.deepcopy(FOLDERS["rubric"])
    files[f"{RUN_2}/grading.json"] = iterations.scores(accuracy=4)
    ws = open_workspace(write(tmp_path, files), cache=False)
    assert ws.tables.runs["score"].iloc[1] == 4
    open_ = ws.tables.judgments[ws.tables.judgments["status"] == "unscored"]
    assert open_["criterion"].tolist() == ["clarity"]
    assert [each.path for each in ws.problems if each.code == "incomplete"] == [
        f"{RUN_2}/grading.json"
    ]
