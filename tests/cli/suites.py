"""Suites of two iterations as files, in which the second is truly worse, or nothing can be told."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

CHECKS = 4


def suite(folder: Path, values: Mapping[str, Sequence[int]], name: str = "pdf") -> Path:
    """Write a workspace: for each case how many of four checks pass in each iteration."""
    root = folder / f"{name}-workspace"
    for case, passed in values.items():
        for number, good in enumerate(passed, start=1):
            run = root / f"iteration-{number}" / case / "with_skill"
            run.mkdir(parents=True)
            (run / "grading.json").write_text(json.dumps(_grading(good)), "utf-8")
            timing = {"total_duration_seconds": 10.0 * number, "total_tokens": 1000}
            (run / "timing.json").write_text(json.dumps(timing), "utf-8")
    return root


def worse(folder: Path, cases: int = 14, name: str = "pdf") -> Path:
    """Write a workspace whose second iteration fails checks in every case."""
    return suite(folder, {f"eval-{n:02}": (4, n % 3) for n in range(cases)}, name)


def repeated(
    folder: Path, cases: int, first: Sequence[int], second: Sequence[int], tag: str | None = None
) -> Path:
    """Write cases with the same runs: how many of four checks pass in each, by iteration.

    With `tag`, the skill's own file defines the cases and gives it to all of them.
    """
    root = folder / "pdf-workspace"
    for case in range(cases):
        for number, runs in enumerate((first, second), start=1):
            for at, good in enumerate(runs, start=1):
                run = root / f"iteration-{number}" / f"eval-{case + 1}" / "with_skill" / f"run-{at}"
                run.mkdir(parents=True)
                (run / "grading.json").write_text(json.dumps(_grading(good)), "utf-8")
    if tag is not None:
        evals = [
            {"id": case + 1, "prompt": f"Do task {'abc'[case % 3] * 9}.", "tags": [tag]}
            for case in range(cases)
        ]
        home = folder / "pdf" / "evals"
        home.mkdir(parents=True)
        (home / "evals.json").write_text(json.dumps({"skill_name": "pdf", "evals": evals}), "utf-8")
    return folder


def gated(folder: Path, cases: int, first: Sequence[bool], second: Sequence[bool]) -> Path:
    """Write cases with the same runs: which of them pass the gate in each iteration.

    Those that pass are scored, in the second iteration higher.
    """
    root = folder / "pdf-workspace"
    for case in range(cases):
        for number, runs in enumerate((first, second), start=1):
            for at, passed in enumerate(runs, start=1):
                run = root / f"iteration-{number}" / f"eval-{case + 1}" / "with_skill" / f"run-{at}"
                run.mkdir(parents=True)
                (run / "structural.json").write_text(json.dumps(_structural(passed)), "utf-8")
                if passed:
                    (run / "grading.json").write_text(json.dumps(_rubric(2 + number)), "utf-8")
    return root


def _structural(passed: bool) -> object:
    check = {"id": "S1", "text": "It parses", "passed": passed, "evidence": "-", "critical": True}
    summary = {"passed": int(passed), "failed": 1 - passed, "total": 1, "pass_rate": float(passed)}
    return {"expectations": [check], "summary": summary, "gate_passed": passed}


def _rubric(score: int) -> object:
    return {
        "expectations": [],
        "rubric_scores": {"clarity": {"score": score, "evidence": "As said."}},
        "rubric_summary": {
            "weighted_mean": float(score),
            "max_possible": 5.0,
            "normalized": score / 5,
        },
    }


def _grading(passed: int) -> object:
    checks = [
        {"text": f"check {n}", "passed": n < passed, "evidence": "seen"} for n in range(CHECKS)
    ]
    summary = {
        "passed": passed,
        "failed": CHECKS - passed,
        "total": CHECKS,
        "pass_rate": passed / CHECKS,
    }
    return {"expectations": checks, "summary": summary}
