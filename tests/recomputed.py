"""Figures of charts, computed from the JSON files alone: nothing of evalcore is used here.

Each function returns what one chart shows, by (version, configuration) and what else it needs.
"""

import json
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

Figures = dict[tuple[str, ...], float]
Values = list[tuple[tuple[str, ...], str, float]]
"""(version, configuration and what else), case, value: one for each run."""


def load(path: Path) -> Any:
    """Return a file's JSON; None for one that is broken or missing."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, FileNotFoundError):
        return None


def mean_of_cases(values: Values) -> Figures:
    """Return the mean over cases of each case's mean over its runs, from (key, case, value)."""
    by: dict[tuple[str, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for key, case, value in values:
        by[key][case].append(value)
    return {key: fmean(map(fmean, cases.values())) for key, cases in by.items()}


def improve(root: Path, skill: str) -> dict[str, Figures]:
    """Return share of runs passed, mean score, each criterion's score and the failed runs (000)."""
    evals = load(root / skill / "evals/evals.json")
    required = {
        case["id"]: {item["criterion"] for item in case["expectations"] if item["required"]}
        for case in evals["cases"]
    }
    passed: Values = []
    score: Values = []
    criteria: Values = []
    failed: Figures = defaultdict(float)
    for path in sorted((root / f"{skill}-workspace/grading").glob("*.json")):
        if (document := load(path)) is None:
            continue
        key, case = (f"v{document['version']}", "-"), document["case_id"]
        scores = {item["criterion"]: item["score"] for item in document["results"]}
        ok = all(scores.get(name, 0) >= 3 for name in required[case])
        passed.append((key, case, float(ok)))
        score.append((key, case, fmean(scores.values())))
        criteria += [((*key, name), case, float(value)) for name, value in scores.items()]
        failed[key] += not ok
    return {
        "headline": mean_of_cases(passed),
        "score": mean_of_cases(score),
        "criteria": mean_of_cases(criteria),
        "failures": dict(failed),
    }


def iterations(root: Path) -> dict[str, Figures]:
    """Return pass rate, tokens, seconds, criteria and failed runs of folders of gradings."""
    rate: Values = []
    tokens: Values = []
    seconds: Values = []
    criteria: Values = []
    failed: Figures = defaultdict(float)
    for path in sorted(root.glob("iteration-*/eval-*/*/**/grading.json")):
        version, case, configuration = path.relative_to(root).parts[:3]
        key = (version, configuration)
        items = load(path)["expectations"]
        passed = [bool(item["passed"]) for item in items]
        rate.append((key, case, sum(passed) / len(passed)))
        criteria += [((*key, item["text"]), case, float(item["passed"])) for item in items]
        failed[key] += not all(passed)
        timing = load(path.with_name("timing.json"))
        if timing and timing.get("total_tokens"):
            tokens.append((key, case, float(timing["total_tokens"])))
        if timing and timing.get("total_duration_seconds"):
            seconds.append((key, case, float(timing["total_duration_seconds"])))
    return {
        "headline": mean_of_cases(rate),
        "tokens": mean_of_cases(tokens),
        "time": mean_of_cases(seconds),
        "criteria": mean_of_cases(criteria),
        "failures": dict(failed),
    }


def rubric(root: Path, skill: str) -> dict[str, Figures]:
    """Return overall efficiency, mean of each dimension and counts of its scores (002)."""
    weights = {
        str(case["id"]): {
            item["name"]: item["weight"] for item in case["quality_rubric"]["dimensions"]
        }
        for case in load(root / skill / "evals/evals.json")["evals"]
    }
    headline: Values = []
    dimensions: Values = []
    anchors: Figures = defaultdict(float)
    for path in sorted((root / f"{skill}-workspace").glob("iteration-*/eval-*/*/run-*")):
        version, case, configuration = path.parts[-4:-1]
        key = (version, configuration)
        structural, grading = load(path / "structural.json"), load(path / "grading.json")
        if not grading or "rubric_scores" not in grading:
            continue
        given = {name: item["score"] for name, item in grading["rubric_scores"].items()}
        of = weights[case.removeprefix("eval-")]
        weighted = sum(score * of[name] for name, score in given.items()) / sum(
            of[name] for name in given
        )
        checks = [bool(item["passed"]) for item in structural["expectations"]]
        headline.append((key, case, (sum(checks) / len(checks) + weighted / 5) / 2))
        for name, score in given.items():
            dimensions.append(((*key, name), case, float(score)))
            anchors[*key, name, str(score)] += 1
    return {
        "headline": mean_of_cases(headline),
        "criteria": mean_of_cases(dimensions),
        "anchors": dict(anchors),
    }


def records(root: Path) -> dict[str, Figures]:
    """Return share of runs passed, criteria and failed runs of a store of records (001)."""
    of_type: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in sorted(root.rglob("*.json")):
        if isinstance(document := load(path), dict) and "fields" in document:
            kind = str(document.get("type") or document.get("minionTypeId"))
            of_type[kind].append({"id": document["id"], **document["fields"]})
    cases = {case["id"]: case for case in of_type["test-case"]}
    counted = {key for key, case in cases.items() if case.get("status") == "active"}
    passed: Values = []
    failed: Figures = defaultdict(float)
    for run in of_type["test-run"]:
        if run["testCaseId"] in counted:
            key = (run["promptVersionRef"], "-")
            passed.append((key, run["testCaseId"], float(run["passed"])))
            failed[key] += not run["passed"]
    return {"headline": mean_of_cases(passed), "failures": dict(failed)}


def benchmarks(root: Path) -> dict[str, Figures]:
    """Return the pass rate of benchmark.json files without gradings (shoji9x9)."""
    rate: Values = []
    for path in sorted(root.glob("iteration-*/benchmark.json")):
        for run in load(path)["runs"]:
            items = run["expectations"]
            share = sum(bool(item["passed"]) for item in items) / len(items)
            rate.append(((path.parent.name, run["configuration"]), str(run["eval_id"]), share))
    return {"headline": mean_of_cases(rate)}


def per_case(root: Path) -> dict[str, Figures]:
    """Return the pass rate of benchmark.json files with a list of cases (AfterRealm)."""
    rate: Values = []
    for path in sorted(root.glob("iteration-*/benchmark.json")):
        for case in load(path)["per_case"]:
            share = case["assertions_passed"] / case["assertions_total"]
            rate.append(((path.parent.name, "-"), str(case["id"]), share))
    return {"headline": mean_of_cases(rate)}
