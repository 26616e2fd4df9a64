"""Benchmark runs of two versions of a demo suite, for decisions on them."""

from pathlib import Path

from evalcore.approvals.standing import Decision, standing
from evalcore.families.reviews.models import BenchmarkRunFields
from evalcore.ids import derived_id
from evalcore.judging.model import Judge
from evalcore.memory.store import New, remember
from evalcore.workspace.opened import Workspace
from tests.memory import remembered
from tests.memory.remembered import BENCHMARK, NOTES, again

ANA = Judge("ana-3f2a", "Ana")
OVERALL = {"v0": 0.31, "v1": 0.74, "v2": 0.7, "v3": 0.92}


def measured(root: Path, *versions: str, day: int = 1) -> Workspace:
    """Return a copy of the release notes with a benchmark, run for some versions."""
    ws = remembered.suite(root, NOTES)
    cases = sorted(set(ws.tables.runs["case_id"]))
    new = [remembered.benchmark(cases, name="notes")]
    new += [benchmark_run(ws, version, day) for version in versions]
    remember(ws, NOTES, new, ANA.id)
    return again(ws)


def benchmark_run(ws: Workspace, version: str, day: int, **fields: float) -> New:
    """Return the benchmark run of a version with all its runs."""
    runs = ws.tables.runs
    mine = runs[(runs["version"] == version) & (runs["suite"] == NOTES)]
    at = f"2026-04-{day:02}T{versions_hour(version):02}:00:00Z"
    of = BenchmarkRunFields(
        benchmark_id=BENCHMARK,
        test_run_ids=list(mine["run_id"]),
        overall_score=fields.get("overall_score", OVERALL[version]),
        pass_rate=fields.get("pass_rate", 0.5),
        ran_at=at,
        triggered_by="schedule:nightly",
    )
    name = derived_id(BENCHMARK, f"{version} {day} {sorted(fields.items())}")
    return New("benchmark-run", name, of, about="notes", at=at)


def versions_hour(version: str) -> int:
    """Return an hour for a version, so that a later version ran later."""
    return 8 + int(version.removeprefix("v"))


def decision_on(ws: Workspace, suite: str, version: str, baseline: str) -> Decision | None:
    """Return the decision that stands for a version in place of a baseline."""
    pair = version, baseline
    every = standing(ws, suite)
    return next((each for each in every if (each.row.version, each.row.baseline) == pair), None)
