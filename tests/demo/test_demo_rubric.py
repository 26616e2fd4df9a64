"""Invoices: structural checks, gate, rubric, benchmarks."""

from pathlib import Path
from statistics import mean, stdev

import pytest

from tests.demo.faults import INVOICES
from tests.demo.reading import WORKSPACE, close, files, load


def rubric_runs(iteration: int) -> dict[tuple[int, str, int], Path]:
    """Run folders by eval, configuration and run."""
    found = {}
    for path in files(f"{INVOICES}/iteration-{iteration}/eval-*/*/run-*/structural.json"):
        _, number, configuration, run, _ = path.relative_to(WORKSPACE / INVOICES).parts
        found[int(number[5:]), configuration, int(run[4:])] = path.parent
    return found


def efficiency(folder: Path) -> tuple[float, float | None]:
    """Structural pass rate, and the normalized rubric score where one was judged."""
    checks = load(folder / "structural.json")["expectations"]
    rate = mean(c["passed"] for c in checks)
    grading = folder / "grading.json"
    scores = load(grading).get("rubric_scores") if grading.exists() else None
    if scores is None:
        return rate, None
    weights = {
        d["name"]: d["weight"]
        for e in load("invoice-extractor/evals/evals.json")["evals"]
        for d in e["quality_rubric"]["dimensions"]
    }
    total = sum(weights[n] for n in scores)
    return rate, sum(s["score"] * weights[n] for n, s in scores.items()) / total / 5


@pytest.mark.parametrize("iteration", [1, 2, 3])
def test_rubric_runs_follow_from_their_parts(iteration: int) -> None:
    """Summaries, gate and weighted mean are derived; a closed gate has no rubric."""
    for folder in rubric_runs(iteration).values():
        s = load(folder / "structural.json")
        passed = sum(c["passed"] for c in s["expectations"])
        assert (s["summary"]["passed"], s["summary"]["total"]) == (passed, len(s["expectations"]))
        assert close(s["summary"]["pass_rate"], passed / len(s["expectations"]), 2)
        assert s["gate_passed"] == all(c["passed"] for c in s["expectations"] if c["critical"])
        _, normalized = efficiency(folder)
        assert s["gate_passed"] == (normalized is not None)
        if normalized is not None:
            summary = load(folder / "grading.json")["rubric_summary"]
            assert close(summary["normalized"], normalized, 3)
            assert close(summary["weighted_mean"], normalized * 5, 2)


@pytest.mark.parametrize("iteration", [1, 2, 3])
def test_rubric_benchmarks_follow_from_their_runs(iteration: int) -> None:
    """The means and the consistency in benchmark.json are those of the run folders."""
    benchmark = load(f"{INVOICES}/iteration-{iteration}/benchmark.json")
    runs = rubric_runs(iteration)
    assert len(benchmark["runs"]) == len(runs)
    for configuration in ("with_skill", "without_skill"):
        values = [efficiency(f) for (_, c, _), f in runs.items() if c == configuration]
        both = [(rate + rubric) / 2 for rate, rubric in values if rubric is not None]
        stored = benchmark["run_summary"][configuration]
        assert close(stored["pass_rate"]["mean"], mean(rate for rate, _ in values), 4)
        assert close(stored["overall_efficiency"]["mean"], mean(both), 4)
        assert close(stored["overall_efficiency"]["stddev"], stdev(both), 4)
        assert close(stored["consistency"], 1 - stdev(both) / mean(both), 4)


def test_rubric_has_gate_failures_and_all_six_checks() -> None:
    """Five runs stop at the gate, two of them with the skill; every kind of check is used."""
    closed = [
        (i, *key)
        for i in (1, 2, 3)
        for key, folder in rubric_runs(i).items()
        if not load(folder / "structural.json")["gate_passed"]
    ]
    assert len(closed) == 5
    assert [k for k in closed if k[2] == "with_skill"] == [
        (2, 4, "with_skill", 1),
        (2, 4, "with_skill", 2),
    ]
    checks = [
        c
        for e in load("invoice-extractor/evals/evals.json")["evals"]
        for c in e["structural_expectations"]
    ]
    assert {c["type"] for c in checks} == {
        "file_exists",
        "file_contains",
        "file_not_contains",
        "no_errors",
        "file_count",
        "custom_script",
    }
    assert {"match", "match_any", "match_regex", "except_context", "operator"} <= {
        key for c in checks for key in c
    }
