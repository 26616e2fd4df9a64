"""A suite of skill-creator's form with benchmark runs of it: versions whose cases pass or fail."""

import json
from pathlib import Path

from evalcore.benchmarks.definitions import Benchmark, benchmark_named
from evalcore.counting.outcomes import Column
from evalcore.memory.benchmarking import Done, run_finished
from evalcore.memory.defining import Definition, create
from evalcore.memory.taking import Asked
from evalcore.workspace.opened import Workspace, open_workspace

SUITE, NAME = "notes", "Weekly"
CASES = tuple(f"case-{number}" for number in range(8))


def written(root: Path, *versions: str, judge: str | None = None) -> Workspace:
    """Write versions whose cases pass (`p`), fail (`f`), are not judged (`u`) or did not run."""
    cases = [
        {
            "id": case,
            "prompt": f"Write {case}.",
            "expectations": [
                {"criterion": "title", "description": "Has a title", "required": True}
            ],
        }
        for case in CASES
    ]
    _put(root / "notes/evals/evals.json", {"skill_name": "notes", "cases": cases})
    (root / "notes/SKILL.md").write_text("---\nname: notes\ndescription: Use for notes\n---\nDo.\n")
    home = root / "notes-workspace"
    for at, marks in enumerate(versions):
        (home / f"v{at}/skill").mkdir(parents=True, exist_ok=True)
        (home / f"v{at}/skill/SKILL.md").write_text(f"Do it {at}.\n")
        for case, mark in zip(CASES, marks, strict=False):
            if mark != " ":
                grade(home, case, at, mark, judge=judge)
    entries = [{"version": at, "average_score": None} for at in range(len(versions))]
    _put(home / "history.json", {"current_version": len(versions) - 1, "versions": entries})
    return open_workspace(root, cache=False)


def benchmark(ws: Workspace, cases: tuple[str, ...] = CASES[:4]) -> Benchmark:
    """Create a benchmark, and return it as it is read back."""
    create(ws, SUITE, Definition(NAME, cases, "quality", 0.8, "ana-3f2a"), "ana-3f2a")
    return benchmark_named(open_workspace(ws.root, cache=False), SUITE, NAME)


def ran(ws: Workspace, version: str, *, again: bool = False) -> Done:
    """Take the finished runs of a version as a run of the benchmark."""
    found = open_workspace(ws.root, cache=False)
    asked = Asked(Column(version, "-"), "schedule:nightly", again=again)
    return run_finished(found, benchmark_named(found, SUITE, NAME), asked, "ana-3f2a")


def grade(
    home: Path, case: str, version: int, mark: str, run: int = 1, judge: str | None = None
) -> None:
    """Write the grading of a run."""
    if mark == "u":
        _put(home / f"v{version}/runs/{case}/run-{run}/notes.json", {"title": "New"})
        return
    score = {"p": 5, "f": 1}[mark]
    result = {
        "criterion": "title",
        "score": score,
        "passed": score >= 3,
        "reasoning": "It has one." if score == 5 else "It has none.",
    }
    value = {"case_id": case, "version": version, "run": run, "results": [result],
             "overall_score": score, **({"judge": judge} if judge else {})}  # fmt: skip
    _put(home / f"grading/{case}_v{version}_run{run}.json", value)


def _put(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
