"""Faults of hand-written workspaces: each is planted alone into a valid one, and named."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from evalcore import open_workspace
from evalcore.lint import check
from tests.families.improve_documents import CONVENTIONS
from tests.families.rules_workspaces import write
from tests.workspace.trees import SEEDS

GONE: Final = object()
"""The planted fault is that this is not there."""


def result(name: str, score: int) -> dict[str, Any]:
    return {"criterion": name, "score": score, "passed": score >= 3, "reasoning": f"on {name}"}


def graded(case: str, run: int) -> dict[str, Any]:
    return {
        "case_id": case,
        "version": 0,
        "run": run,
        "overall_score": 4.0,
        "required_score": 4.0,
        "results": [result("greets", 4)],
        "overall": "pass",
        "convention_compliance": CONVENTIONS,
        "claims": [],
        "user_notes_summary": "",
        "eval_feedback": "",
        "execution_metrics": {},
    }


def version(number: int, average: float | None) -> dict[str, Any]:
    return {
        "version": number,
        "timestamp": f"2026-02-2{number}T20:00:00Z",
        "description": f"step {number}",
        "git_hash": None,
        "path": f"v{number}/skill",
        "average_score": average,
    }


LETTERS: Final = {
    "letters/SKILL.md": "---\nname: letters\ndescription: Use when writing letters\n---\n",
    "letters/evals/evals.json": {
        "version": "1.0",
        "skill": "/elsewhere/letters",
        "cases": [
            {
                "id": case,
                "prompt": f"Write the letter {case}",
                "files": ["address.txt"],
                "expectations": [
                    {"criterion": "greets", "description": "Starts with Dear", "required": True}
                ],
            }
            for case in ("one", "two", "six")
        ],
    },
    "letters-workspace/address.txt": "Ada, Bath",
    "letters-workspace/history.json": {
        "versions": [version(0, 4.0), version(1, None)],
        "current_version": 1,
    },
    **{
        f"letters-workspace/grading/{case}_v0_run{run}.json": graded(case, run)
        for case in ("one", "two", "six")
        for run in (1, 2)
    },
    "letters-workspace/v0/skill/SKILL.md": "# Letters\n\nWrite letters.\n",
    "letters-workspace/v1/skill/SKILL.md": "# Letters\n\nWrite short letters.\n",
    "letters-workspace/comparison.json": {
        "eval_prompt": "Write the letter one",
        "winner": "B",
        "reasoning": "The second is shorter",
        "scores": {"content_value": {"A": 7, "B": 8}, "token_efficiency": {"A": 7, "B": 7}},
    },
    "letters-workspace/analysis.json": {
        "winner_version": "v1",
        "loser_version": "v0",
        "strengths": ["Shorter"],
        "weaknesses": [],
        "suggestions": [
            {"area": "body", "before": "Write short", "after": "Write brief", "reasoning": "r"}
        ],
    },
}


def dimension(number: int, name: str) -> dict[str, Any]:
    return {
        "id": f"Q{number}",
        "name": name,
        "description": "How it sounds to a customer.",
        "weight": 1.0,
        "scoring": {"1": "rude", "3": "neutral", "5": "kind"},
    }


def look(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"S{number}",
        "type": "file_contains",
        "description": f"The letter has part {number}",
        "pattern": "*.md",
        "match": f"part {number}",
        "critical": number == 1,
        **fields,
    }


def checked(*passed: bool) -> dict[str, Any]:
    items = [
        {
            "id": f"S{number}",
            "text": f"The letter has part {number}",
            "type": "file_contains",
            "passed": each,
            "evidence": "letter.md",
            "critical": number == 1,
        }
        for number, each in enumerate(passed, 1)
    ]
    met, count = sum(passed), len(passed)
    summary = {"passed": met, "failed": count - met, "total": count, "pass_rate": met / count}
    return {"expectations": items, "summary": summary, "gate_passed": passed[0]}


def scored(tone: int, form: int) -> dict[str, Any]:
    mean = (tone + form) / 2
    return {
        "expectations": [],
        "summary": {"passed": 0, "failed": 0, "total": 0, "pass_rate": None},
        "rubric_scores": {
            "tone": {"score": tone, "evidence": "kind"},
            "form": {"score": form, "evidence": "neat"},
        },
        "rubric_summary": {"weighted_mean": mean, "max_possible": 5.0, "normalized": mean / 5},
        "claims": [],
        "eval_feedback": {"suggestions": [], "overall": ""},
    }


ITERATION: Final = "notes-workspace/iteration-1"
RUN: Final = f"{ITERATION}/eval-1/with_skill/run-1"
NOTES: Final = {
    "notes/SKILL.md": "---\nname: notes\ndescription: Use when writing notes\n---\n",
    "notes/evals/evals.json": {
        "skill_name": "notes",
        "eval_config": {
            "runs_per_eval": 2,
            "structural_gate": True,
            "judge_model": "judge-1",
            "baseline_comparison": False,
        },
        "evals": [
            {
                "id": 1,
                "name": "Short note",
                "prompt": "Write a note",
                "expected_output": "A note",
                "files": ["evals/files/facts.txt"],
                "structural_expectations": [look(1), look(2)],
                "quality_rubric": {"dimensions": [dimension(1, "tone"), dimension(2, "form")]},
            }
        ],
    },
    "notes/evals/files/facts.txt": "facts",
    **{
        f"{ITERATION}/eval-1/with_skill/run-{run}/{name}": value
        for run, checks, scores in (
            (1, checked(True, True), scored(4, 5)),
            (2, checked(True, False), scored(2, 3)),
        )
        for name, value in (
            ("structural.json", checks),
            ("grading.json", scores),
            (
                "timing.json",
                {
                    "total_tokens": 100,
                    "duration_ms": 2000,
                    "total_duration_seconds": 2.0,
                    "executor_start": "2026-02-20T20:00:00Z",
                    "executor_end": "2026-02-20T20:00:02Z",
                },
            ),
            ("outputs/letter.md", f"part 1{', part 2' * (run == 1)} of run {run}"),
        )
    },
    f"{ITERATION}/benchmark.json": {
        "metadata": {
            "skill_name": "notes",
            "timestamp": "2026-02-20T20:00:00Z",
            "evals_run": [1],
            "runs_per_configuration": 2,
        },
        "runs": [],
        "run_summary": {
            "with_skill": {
                "pass_rate": {"mean": 0.75, "stddev": 0.35, "min": 0.5, "max": 1.0},
                "rubric_normalized": {"mean": 0.7, "stddev": 0.28, "min": 0.5, "max": 0.9},
                "overall_efficiency": {"mean": 0.725, "stddev": 0.32, "min": 0.5, "max": 0.95},
                "consistency": 0.56,
                "time_seconds": {"mean": 2.0, "stddev": 0.0, "min": 2.0, "max": 2.0},
                "tokens": {"mean": 100, "stddev": 0, "min": 100, "max": 100},
                "rubric_dimensions": {
                    "tone": {"mean": 3.0, "stddev": 1.4, "min": 2, "max": 4},
                    "form": {"mean": 4.0, "stddev": 1.4, "min": 3, "max": 5},
                },
            }
        },
        "notes": [],
    },
    f"{ITERATION}/eval_feedback_aggregate.json": {
        "skill_name": "notes",
        "iteration": 1,
        "total_runs": 2,
        "suggestions": [
            {"frequency": 1, "assertion": "S2", "reason": "Too weak", "action": "Look closer"}
        ],
    },
}

STORES: Final[dict[str, dict[str, Any]]] = {"letters": LETTERS, "notes": NOTES}
"""The workspaces that are written out here; the others are the examples of their family."""


def put(value: Any, pointer: str, change: object) -> Any:
    """Return a document with another value at a pointer, or without it."""
    *steps, last = pointer.split("/")[1:]
    holder = value = json.loads(json.dumps(value))
    for step in steps:
        holder = holder[int(step) if isinstance(holder, list) else step]
    if change is GONE:
        del holder[int(last) if isinstance(holder, list) else last]
    else:
        holder[int(last) if isinstance(holder, list) else last] = change
    return value


def built(root: Path, base: str) -> Path:
    """Write a workspace without faults."""
    if base in STORES:
        return write(root, STORES[base])
    shutil.copytree(SEEDS / base, root, dirs_exist_ok=True)
    return root


def said(root: Path) -> set[tuple[str, str]]:
    """Return code and pointer of all that the check says."""
    return {(each.code, each.path) for each in check(open_workspace(root, cache=False))}


CASES, HISTORY, GRADED = (
    "letters/evals/evals.json",
    "letters-workspace/history.json",
    "letters-workspace/grading/six_v0_run2.json",
)
COMPARED, ANALYSED = "letters-workspace/comparison.json", "letters-workspace/analysis.json"
EVALS, STRUCTURAL, SCORED = (
    "notes/evals/evals.json",
    f"{RUN}/structural.json",
    f"{RUN}/grading.json",
)
BENCHMARK, FEEDBACK = f"{ITERATION}/benchmark.json", f"{ITERATION}/eval_feedback_aggregate.json"
SIDE = "/run_summary/with_skill"
ENTRIES, METADATA = "skill/eval/benchmark.json", "skill/eval/eval_metadata.json"
TESTED = "skill/eval/runs/8b02d7e4/grading/merged-changes.json"
BESIDE = "skill/eval/comparisons/d1-d2-merged-changes.json"
OTHER = "0" * 63 + "1"
FIRST = "09ce7624e8f3052d5a3bb16f4085af23b3bdec4193a4b1dcd71c2295313f1580"
"""The hash of the first entry of that benchmark."""
RAN, TREND = "benchmark-run/bench-run-2.json", "eval-trend/trend-proposal.json"
POINTS = [
    {"date": f"2026-04-0{day}T08:00:00Z", "score": score}
    for day, score in ((1, 0.2), (2, 0.4), (3, 0.6))
]
FALLING = [
    {**one, "score": other["score"]} for one, other in zip(POINTS, POINTS[::-1], strict=True)
]
NEWER_PROMPT = "prompt-comparison/compare-1-2.json"

PLANTED: Final[list[tuple[str, str, str, Any, str]]] = [
    ("letters", CASES, "/cases/0/files", ["gone.txt"], "file-missing"),
    ("letters", CASES, "/version", "9.7", "unknown-schema"),
    ("letters", HISTORY, "/versions/1/version", 2, "version-gap"),
    ("letters", HISTORY, "/versions/0/timestamp", "2026-02-20T20:00:00", "not-utc"),
    ("letters", HISTORY, "/versions/0/timestamp", "2026-02-20T20:00:00+02:00", "not-utc"),
    ("letters", HISTORY, "/versions/1/timestamp", "2026-01-01T20:00:00Z", "dates-out-of-order"),
    ("letters", HISTORY, "/versions/0/git_hash", "main", "hash-form"),
    ("letters", HISTORY, "/versions/0/average_score", None, "average-missing"),
    ("letters", HISTORY, "/current_version", 0, "current-not-newest"),
    ("letters", GRADED, "/convention_compliance/type_alignment", GONE, "missing-convention"),
    ("letters", GRADED, "/overall_score", 3.9, "derived-mismatch"),
    ("letters", HISTORY, "/versions/0/average_score", 3.9, "derived-mismatch"),
    ("letters", GRADED, "", GONE, "uneven-runs in six_v0_run1.json"),
    ("letters", COMPARED, "/reasoning", "", "no-reasoning"),
    ("letters", COMPARED, "/reasoning", "B is v1, which is shorter", "names-version"),
    ("letters", ANALYSED, "/loser_version", "v1", "same-version"),
    ("letters", ANALYSED, "/suggestions/0/before", "Nowhere", "before-not-in-skill"),
    ("notes", EVALS, "/evals/0/files", ["evals/files/gone.txt"], "file-missing"),
    ("notes", EVALS, "/skill_name", "letters", "name-differs"),
    ("notes", EVALS, "/eval_config", GONE, "no-config"),
    ("notes", EVALS, "/evals/0/structural_expectations/1/match_any", ["x"], "several-matches"),
    (
        "notes",
        EVALS,
        "/evals/0/structural_expectations/0",
        {"id": "S1", "description": "d", "critical": False, "type": "used_skill", "skil": "x"},
        "unknown-field",
    ),
    ("notes", EVALS, "/evals/0/quality_rubric/dimensions/0/name", "the tone", "not-an-identifier"),
    ("notes", SCORED, "/rubric_scores/form", GONE, "incomplete"),
    ("notes", SCORED, "/rubric_scores", GONE, "not-judged"),
    ("notes", SCORED, "/rubric_summary/max_possible", 10, "derived-mismatch"),
    (
        "notes",
        STRUCTURAL,
        "/expectations/0/passed",
        False,
        "judged-behind-gate in run-1/grading.json",
    ),
    ("notes", STRUCTURAL, "/expectations/1", GONE, "incomplete"),
    ("notes", STRUCTURAL, "/expectations/1/id", "S9", "unknown-criterion"),
    ("notes", STRUCTURAL, "/expectations/1/passed", False, "decided-otherwise"),
    ("notes", STRUCTURAL, "/expectations/1/text", "It is signed", "definition-differs"),
    ("notes", BENCHMARK, f"{SIDE}/consistency", 0.5, "derived-mismatch"),
    ("notes", BENCHMARK, f"{SIDE}/pass_rate/stddev", 0.1, "derived-mismatch"),
    ("notes", BENCHMARK, f"{SIDE}/overall_efficiency/min", 0.4, "derived-mismatch"),
    ("notes", BENCHMARK, f"{SIDE}/rubric_normalized/max", 1.0, "derived-mismatch"),
    ("notes", BENCHMARK, f"{SIDE}/rubric_dimensions/tone/stddev", 0.2, "derived-mismatch"),
    ("notes", BENCHMARK, f"{SIDE}/rubric_dimensions/wit", {"mean": 4}, "unknown-dimension"),
    ("notes", FEEDBACK, "/total_runs", 9, "derived-mismatch"),
    ("notes", FEEDBACK, "/suggestions/0/frequency", 3, "derived-mismatch"),
    ("notes", FEEDBACK, "/suggestions/0/assertion", "S99", "unknown-criterion"),
    ("notes", FEEDBACK, "/iteration", 4, "name-mismatch"),
    ("notes", FEEDBACK, "/skill_name", "letters", "name-differs"),
    ("notes", f"{RUN}/timing.json", "/duration_ms", 99000, "derived-mismatch"),
    ("notes", f"{RUN}/timing.json", "/executor_end", "2026-01-01T00:00:00Z", "dates-out-of-order"),
    ("descriptions", METADATA, "/test_cases/0/weight", 0, "no-weight"),
    ("descriptions", ENTRIES, "/entries/1/description_hash", FIRST, "same-hash"),
    ("descriptions", ENTRIES, "/description_version", 9, "no-such-version"),
    ("descriptions", ENTRIES, "/entries/1/description_hash", OTHER, "hash-differs"),
    ("descriptions", ENTRIES, "/entries/1/timestamp", "2026-01-01T00:00:00Z", "dates-out-of-order"),
    ("descriptions", ENTRIES, "/entries/0/description_version", 3, "versions-out-of-order"),
    ("descriptions", ENTRIES, "/entries/0/per_test_case/0/test_case_id", "x", "unknown-case"),
    ("descriptions", ENTRIES, "/entries/0/scores/max", 0.9, "derived-mismatch"),
    ("descriptions", BESIDE, "/version_a", 2, "same-version"),
    ("descriptions", BESIDE, "/criteria_scores/0/justification_a", "", "no-justification"),
    ("descriptions", TESTED, "/timestamp", "2026-03-07T00:00:00Z", "judged-before-run"),
    ("records", RAN, "/fields/testRunIds", ["run-shop-2"], "case-not-run"),
    ("records", "benchmark/bench-proposal.json", "/fields/lastScore", 3.6, "last-run-differs"),
    (
        "records",
        "benchmark/bench-proposal.json",
        "/fields/lastRunAt",
        "2026-04-02T08:00:00Z",
        "last-run-differs",
    ),
    ("records", RAN, "/fields/overallScore", 4.0, "derived-mismatch"),
    ("records", NEWER_PROMPT, "/fields/promptVersionA", "proposal@0", "no-benchmark-run"),
    ("records", NEWER_PROMPT, "/fields/scoreA", 3.0, "derived-mismatch"),
    ("records", NEWER_PROMPT, "/fields/sampleSize", 0, "derived-mismatch"),
    (
        "records",
        "benchmark/bench-proposal.json",
        "/fields/testCaseIds",
        ["case-logo"],
        "case-outside-benchmark in bench-run-2.json",
    ),
    ("records", TREND, "/fields/dataPoints", json.dumps(POINTS[::-1]), "dates-out-of-order"),
    ("records", TREND, "/fields/dataPoints", json.dumps(FALLING), "derived-mismatch"),
    ("records", TREND, "/fields/dataPoints", POINTS, "list-not-text"),
    ("records", TREND, "/fields/dimension", "speed", "dimension-differs"),
    (
        "records",
        "eval-failure/failure-logo.json",
        "/fields/testRunId",
        "run-shop-2",
        "failure-of-passed",
    ),
    (
        "records",
        "eval-failure/failure-logo.json",
        "/fields/resolvedAt",
        "2026-01-01T00:00:00Z",
        "dates-out-of-order",
    ),
    (
        "records",
        "eval-judgment/run-logo-1-accuracy.json",
        "/fields/judgedAt",
        "2026-01-01T00:00:00Z",
        "judged-before-run",
    ),
    ("records", "test-case/case-shop.json", "/fields/agentId", GONE, "field-missing"),
    (
        "records",
        "rubric-criterion/crit-accuracy.json",
        "/fields/weight",
        0.6,
        "weights-above-one in rubric-proposal.json",
    ),
]


@pytest.mark.parametrize("base", ["letters", "notes", "descriptions", "records"])
def test_the_workspaces_have_nothing_against_them(tmp_path: Path, base: str) -> None:
    """What is planted below is then the only fault."""
    codes = {code for code, _ in said(built(tmp_path, base))}
    assert codes - {"not-followed", "folder-missing"} == set()


@pytest.mark.parametrize(("base", "path", "pointer", "change", "code"), PLANTED)
def test_a_planted_fault_is_named(
    tmp_path: Path, base: str, path: str, pointer: str, change: object, code: str
) -> None:
    """The document that has it, or another one, is named with the code of its kind."""
    file = built(tmp_path, base) / path
    if pointer:
        file.write_text(json.dumps(put(json.loads(file.read_text()), pointer, change)))
    else:
        file.unlink()
    kind, _, elsewhere = code.partition(" in ")
    assert any(
        found == kind and where.endswith(elsewhere or path) for found, where in said(tmp_path)
    )


def _reply(run: Path) -> None:
    (run / "outputs/letter.md").rename(run / "outputs/reply.md")


def _nothing(run: Path) -> None:
    shutil.rmtree(run / "outputs")


def _elsewhere(run: Path) -> None:
    outside = run.parents[5] / "outside"
    (run / "outputs").rename(outside)
    (run / "outputs").symlink_to(outside)


@pytest.mark.parametrize("change", [_reply, _nothing, _elsewhere])
def test_a_verdict_is_doubted_only_by_files_that_a_run_produced(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    """Not by an answer that was kept as a file, and nothing is followed out of the folder."""
    root = built(tmp_path / "root", "notes")
    file = root / STRUCTURAL
    file.write_text(json.dumps(put(json.loads(file.read_text()), "/expectations/0/passed", False)))
    assert "decided-otherwise" in {code for code, _ in said(root)}
    change(root / RUN)
    assert "decided-otherwise" not in {code for code, _ in said(root)}


def test_a_regular_expression_of_a_folder_is_not_run_by_the_check(tmp_path: Path) -> None:
    """It could take seconds on each of many runs."""
    root = built(tmp_path, "notes")
    for path, pointer, value in (
        (STRUCTURAL, "/expectations/0/passed", False),
        (EVALS, "/evals/0/structural_expectations/0/match_regex", "part"),
        (EVALS, "/evals/0/structural_expectations/0/match", GONE),
    ):
        file = root / path
        file.write_text(json.dumps(put(json.loads(file.read_text()), pointer, value)))
    assert "decided-otherwise" not in {code for code, _ in said(root)}
