"""A store with a benchmark that ran for three versions."""

from pathlib import Path
from typing import Any

from evalcore.benchmarks.definitions import Benchmark, benchmark_named
from evalcore.workspace.opened import Workspace
from tests.chains.store import SUITE, WHEN, record, written

CASES = 8
"""Enough for a verdict where all of them change."""


def run(version: str, case: int, passed: bool) -> dict[str, Any]:
    """Return a test run with one judgment's worth of score: full or none."""
    return record(
        "test-run", f"run-{version}-{case}", testCaseId=f"case-{case}",
        promptVersionRef=f"p@{version}", passed=passed, totalScore=2.0 * passed,
        maxPossibleScore=2, ranAt=WHEN.format(1), judgeType="llm", actualOutput={"text": version},
    )  # fmt: skip


def judgment(of: dict[str, Any]) -> dict[str, Any]:
    """Return the judgment behind a run's score."""
    score = of["fields"]["totalScore"]
    return record("eval-judgment", f"j-{of['id']}", testRunId=of["id"], criterionId="tone",
                  score=score, maxScore=2, rationale="Said so.", judgedBy="m",
                  judgedByType="llm")  # fmt: skip


def benchmark_run(name: str, runs: list[dict[str, Any]], day: int = 1) -> dict[str, Any]:
    """Return a benchmark run of some test runs."""
    rate = sum(each["fields"]["passed"] for each in runs) / len(runs)
    return record("benchmark-run", name, benchmarkId="bm", overallScore=rate, passRate=rate,
                  testRunIds=[each["id"] for each in runs], ranAt=WHEN.format(day),
                  triggeredBy="ana", notes="")  # fmt: skip


def store(passing: dict[str, int]) -> list[dict[str, Any]]:
    """Return a store where so many cases of each version pass, and a benchmark run of each."""
    runs = {
        version: [run(version, case, case < n) for case in range(CASES)]
        for version, n in passing.items()
    }
    every = [each for of in runs.values() for each in of]
    return [
        record("rubric", "rubric", name="R", criteriaIds=["tone"], passingThreshold=1,
               isActive=True, version=1, description=""),
        record("rubric-criterion", "tone", rubricId="rubric", name="Tone", weight=1, minScore=0,
               maxScore=2, description="Kind.", scoringGuide="0 or 2."),
        *(record("test-case", f"case-{at}", name=f"Case {at}", rubricId="rubric", status="active")
          for at in range(CASES)),
        *every,
        *map(judgment, every),
        record("benchmark", "bm", name="Weekly", testCaseIds=[f"case-{at}" for at in range(CASES)],
               dimension="tone", passingThreshold=0.5, ownerId="ana", status="active",
               description=""),
        *(benchmark_run(f"b-{version}", of) for version, of in runs.items()),
    ]  # fmt: skip


def weekly(ws: Workspace) -> Benchmark:
    """Return the benchmark."""
    return benchmark_named(ws, SUITE, "Weekly")


def opened(root: Path, passing: dict[str, int], *more: dict[str, Any]) -> Workspace:
    """Write a store and open it."""
    return written(root, *store(passing), *more)


def instruction(name: str = "ask", **payload: Any) -> dict[str, Any]:
    """Return an instruction to compare the versions 1 and 2."""
    asked = {"benchmarkId": "bm", "promptVersionA": "p@1", "promptVersionB": "p@2", **payload}
    return record("message", name, sender="orchestrator", recipient="eval-agent",
                  subject="compare-prompts", text="Which one?", payload=asked,
                  expectsAnswer=True)  # fmt: skip
