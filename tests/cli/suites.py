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
