"""Support agent: ten record types, what they refer to, what follows from them."""

import json
from collections import defaultdict
from statistics import mean

from tests.demo.faults import FAULTS
from tests.demo.reading import close, files, listed, of_type, records

POINTERS = {
    "rubricId": "rubric",
    "testCaseId": "test-case",
    "testRunId": "test-run",
    "criterionId": "rubric-criterion",
    "benchmarkId": "benchmark",
}
LISTS = {
    "criteriaIds": "rubric-criterion",
    "testCaseIds": "test-case",
    "testRunIds": "test-run",
    "affectedCriterionIds": "rubric-criterion",
}


def test_records_hold_all_ten_types() -> None:
    """Ten types, the prompts of the versions and relations; most in plain folders, some sharded."""
    counts: dict[str, int] = defaultdict(int)
    for record in records().values():
        counts[record["type"]] += 1
    ten = {"test-case", "rubric", "rubric-criterion", "test-run", "eval-judgment", "benchmark"}
    ten |= {"benchmark-run", "eval-trend", "prompt-comparison", "eval-failure"}
    assert set(counts) == ten | {"relation", "prompt-version"}
    for path in files("support-agent/.minions/**/*.json"):
        assert path.parent.name == path.stem[2:4] and path.parent.parent.name == path.stem[:2]


def test_records_point_to_records() -> None:
    """Every reference leads to a record of the right type, but for the listed one."""
    found, dangling = records(), set()
    for record in found.values():
        fields = record.get("fields", {})
        links = [(fields[f], kind) for f, kind in POINTERS.items() if f in fields]
        links += [(i, kind) for f, kind in LISTS.items() for i in listed(fields.get(f, []))]
        dangling |= {i for i, kind in links if found.get(i, {}).get("type") != kind}
        if record["type"] == "relation":
            assert record["sourceId"] in found and record["targetId"] in found
    assert dangling == {detail for code, _, detail in FAULTS if code == "dangling"}


def test_every_prompt_version_that_is_named_has_its_text() -> None:
    """By cases and test runs, which name it by prompt and number."""
    known = {record["fields"]["ref"] for record in of_type("prompt-version")}
    named = {record.get("fields", {}).get("promptVersionRef") for record in records().values()}
    assert named - {None} <= known


def test_test_runs_follow_from_their_judgments() -> None:
    """totalScore is the weighted sum of the run's own judge; passed compares it."""
    found = records()
    judged: dict[tuple[str, str], float] = defaultdict(float)
    for j in of_type("eval-judgment"):
        f = j["fields"]
        weight = found[f["criterionId"]]["fields"]["weight"]
        judged[f["testRunId"], f["judgedByType"]] += weight * f["score"]
    for run in of_type("test-run"):
        f = run["fields"]
        assert close(f["totalScore"], judged[run["id"], f["judgeType"]], 4)
        rubric = found[found[f["testCaseId"]]["fields"]["rubricId"]]["fields"]
        assert f["passed"] == (f["totalScore"] >= rubric["passingThreshold"])


def test_every_failed_run_has_a_failure() -> None:
    """No run fails without a record that says why; some are resolved, some open."""
    failures = of_type("eval-failure")
    named = {f["fields"]["testRunId"] for f in failures}
    assert {r["id"] for r in of_type("test-run") if not r["fields"]["passed"]} <= named
    assert {f["fields"]["severity"] for f in failures} == {"critical", "major", "minor"}
    assert len({f["fields"]["resolvedAt"] is None for f in failures}) == 2


def test_benchmark_runs_trend_and_comparisons_agree() -> None:
    """Scores and pass rates follow from the runs; trend points and comparisons repeat them."""
    found = records()
    scores: dict[str, list[float]] = defaultdict(list)
    for b in sorted(of_type("benchmark-run"), key=lambda r: str(r["fields"]["ranAt"])):
        runs = [found[i]["fields"] for i in listed(b["fields"]["testRunIds"])]
        share = mean(r["totalScore"] / r["maxPossibleScore"] for r in runs)
        assert close(b["fields"]["overallScore"], share, 3)
        assert close(b["fields"]["passRate"], mean(r["passed"] for r in runs), 2)
        scores[b["fields"]["benchmarkId"]].append(b["fields"]["overallScore"])
    for trend in of_type("eval-trend"):
        points = [p["score"] for p in json.loads(trend["fields"]["dataPoints"])]
        assert points == scores[trend["fields"]["benchmarkId"]]
        assert sorted(points[-5:]) == points[-5:] and trend["fields"]["direction"] == "improving"
    for c in of_type("prompt-comparison"):
        f = c["fields"]
        assert {f["scoreA"], f["scoreB"]} <= set(scores[f["benchmarkId"]])
        better = f["promptVersionA"] if f["scoreA"] > f["scoreB"] else f["promptVersionB"]
        assert f["winner"] == better
