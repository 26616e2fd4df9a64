"""Folders that tempt to a wrong verdict, written as the tools of the field write them."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

CASES: Final = 14
CRITERIA: Final = ("Names the release", "Lists every fix with its number")
Run = Mapping[str, Any]
"""`passed` for each criterion, with what else a run has: `outputs`, `timing`, `criteria`, …"""

GOOD: Final[Run] = {"passed": (True, True)}
BAD: Final[Run] = {"passed": (False, False)}
HALF: Final[Run] = {"passed": (True, False)}


def names(count: int = CASES) -> list[str]:
    """Return the names of cases."""
    return [f"case-{number:02}" for number in range(1, count + 1)]


def every(*runs: Run, cases: int = CASES) -> dict[str, list[Run]]:
    """Return these runs for each case."""
    return {name: list(runs) for name in names(cases)}


def write(root: Path, a: Mapping[str, Sequence[Run]], b: Mapping[str, Sequence[Run]]) -> Path:
    """Write both sides as two iterations of one skill; return the workspace."""
    for iteration, side in ((1, a), (2, b)):
        for case, runs in side.items():
            for number, run in enumerate(runs, 1):
                _run(root, iteration, case, run.get("number", number), run)
    return root


def place(root: Path, iteration: int, case: str, number: int) -> Path:
    """Return the folder of a run."""
    return root / f"iteration-{iteration}" / case / "with_skill" / f"run-{number}"


def _run(root: Path, iteration: int, case: str, number: int, run: Run) -> None:
    home = place(root, iteration, case, number)
    (home / "outputs").mkdir(parents=True)
    criteria = run.get("criteria", CRITERIA)
    asked = {
        "eval_id": int(case[-2:]),
        "eval_name": case,
        "prompt": run.get("prompt", f"Write the notes of {case}."),
        "assertions": list(criteria),
    }
    _json(home.parents[1] / "eval_metadata.json", asked)
    text = run.get("outputs", f"Output of {case} in iteration {iteration}, run {number}.")
    (home / "outputs" / "answer.md").write_text(text, "utf-8")
    spent = {"total_tokens": 900 + 7 * number + iteration, "total_duration_seconds": 3.5}
    _json(home / "timing.json", run.get("timing", spent))
    if run.get("passed") is None:
        return  # executed, and not graded yet
    items = [
        {"text": text, "passed": passed, "evidence": f"line {at} of run {number}"}
        for at, (text, passed) in enumerate(zip(criteria, run["passed"], strict=True), 1)
    ]
    _json(home / "grading.json", {"expectations": items, **run.get("fields", {})})


def copy(root: Path, iteration: int, case: str, number: int, to: int) -> None:
    """Copy a run folder within its case, byte for byte."""
    shutil.copytree(place(root, iteration, case, number), place(root, iteration, case, to))


def benchmark(root: Path, iteration: int, **metadata: Any) -> None:
    """Write a benchmark that states the plan of an iteration."""
    _json(root / f"iteration-{iteration}/benchmark.json", {"metadata": metadata, "runs": []})


def rubric(
    root: Path,
    checks: Callable[[int, int], Sequence[tuple[str, bool, bool]]],
    scores: Sequence[int],
) -> Path:
    """Write two iterations of a suite with a gate: checks (id, passed, critical) of each run.

    `checks(iteration, number)` gives those of a run, `scores` the score of each iteration.
    """
    dimensions = [{"name": "accuracy", "weight": 1.0, "description": "Right values"}]
    evals = [
        {
            "id": number,
            "prompt": f"Fill form {number}",
            "structural_expectations": [
                {"id": "S1", "type": "file_exists", "path": "out.pdf", "description": "A file",
                 "critical": True},
            ],
            "quality_rubric": {"dimensions": dimensions},
        }
        for number in range(1, CASES + 1)
    ]  # fmt: skip
    config = {"runs_per_eval": 1, "structural_gate": True}
    _json(
        root / "pdf/evals/evals.json", {"skill_name": "pdf", "eval_config": config, "evals": evals}
    )
    for iteration in (1, 2):
        for number in range(1, CASES + 1):
            home = root / f"pdf-workspace/iteration-{iteration}/eval-{number}/with_skill/run-1"
            found = [
                {"id": name, "text": f"about {name}", "passed": passed, "critical": critical,
                 "evidence": "seen"}
                for name, passed, critical in checks(iteration, number)
            ]  # fmt: skip
            gate = all(passed or not critical for _, passed, critical in checks(iteration, number))
            _json(home / "structural.json", {"expectations": found, "gate_passed": gate})
            score = {"accuracy": {"score": scores[iteration - 1], "evidence": "seen"}}
            graded = {"expectations": [], **({"rubric_scores": score} if gate else {})}
            _json(home / "grading.json", graded)
    return root


def _json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")
