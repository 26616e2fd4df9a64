"""A small store of records, written as files."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import evalcore
from evalcore.chains.find import Chain, Link
from evalcore.chains.joins import words_of
from evalcore.chains.records import Records, SuiteRecords
from evalcore.workspace.opened import Workspace

SUITE = "store"
WHEN = "2026-03-0{}T08:00:00Z"

Fields = Mapping[str, Any]


def record(kind: str, name: str, /, **fields: Any) -> dict[str, Any]:
    """Return a record as a document."""
    return {"id": name, "type": kind, "fields": fields, "createdAt": WHEN.format(1)}


def written(root: Path, *records: dict[str, Any]) -> Workspace:
    """Write each record to a file of its own, and open the folder."""
    for each in records:
        path = root / SUITE / "records" / each["type"] / f"{each['id']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(each))
    return evalcore.open_workspace(root, cache=False)


def small_store() -> list[dict[str, Any]]:
    """Return a benchmark of two cases that ran twice; a run of the second time failed."""
    runs = [
        record(
            "test-run", f"run-{case}{time}", testCaseId=f"case-{case}",
            promptVersionRef=f"p@{time}", passed=(case, time) != (1, 2), totalScore=1,
            maxPossibleScore=2, ranAt=WHEN.format(time), judgeType="llm",
            actualOutput={"text": "x"},
        )
        for case in (1, 2) for time in (1, 2)
    ]  # fmt: skip
    judgments = [
        record("eval-judgment", f"j-{run['id']}", testRunId=run["id"], criterionId="tone",
               score=1, maxScore=2, rationale="Said so.", judgedBy="m", judgedByType="llm")
        for run in runs
    ]  # fmt: skip
    benchmark_runs = [
        record("benchmark-run", f"b-{time}", benchmarkId="bm", passRate=1.0 / time,
               testRunIds=[f"run-1{time}", f"run-2{time}"], ranAt=WHEN.format(time))
        for time in (1, 2)
    ]  # fmt: skip
    points = json.dumps([{"date": WHEN.format(1), "score": 1.0}])
    return [
        record("rubric", "rubric", name="Rubric", criteriaIds=["tone"], passingThreshold=1),
        record("rubric-criterion", "tone", rubricId="rubric", name="Tone", weight=1, minScore=0,
               maxScore=2),
        *(record("test-case", f"case-{at}", name=f"Case {at}", rubricId="rubric") for at in (1, 2)),
        *runs,
        *judgments,
        record("benchmark", "bm", name="Weekly", testCaseIds=["case-1", "case-2"]),
        *benchmark_runs,
        record("eval-trend", "trend", benchmarkId="bm", dimension="tone", dataPoints=points,
               direction="stable"),
        record("eval-failure", "fail", testRunId="run-12", failureType="wrong-output",
               description="Wrong.", severity="critical"),
        record("prompt-comparison", "cmp", benchmarkId="bm", promptVersionA="p@1",
               promptVersionB="p@2", scoreA=1, scoreB=0.5, winner="p@1"),
    ]  # fmt: skip


def sent() -> list[dict[str, Any]]:
    """Return what followed from the second benchmark run: a task, messages, a lesson, a decision.

    Two of the messages answer each other.
    """
    to = {"sender": "evalcore", "recipient": "orchestrator", "text": "Look."}
    return [
        record("task", "do", title="Investigate benchmark regression", description="",
               status="open", aboutType="benchmark-run", aboutId="b-2"),
        record("message", "say", **to, subject="benchmark-regression", aboutType="benchmark-run",
               aboutId="b-2", inReplyTo="reply"),
        record("message", "reply", **to, subject="answer", inReplyTo="say"),
        record("memory-item", "learn", lesson="Quote the policy first.", aboutType="eval-failure",
               aboutId="fail"),
        record("approval", "ok", version="p@2", baseline="p@1", decision="refused", reason="Worse.",
               benchmarkId="bm", comparisonId="cmp", benchmarkRunIds=["b-1", "b-2"]),
    ]  # fmt: skip


def ids(of: SuiteRecords, records: Records) -> list[str]:
    """Return the ids of records, those that are not here with a question mark."""
    column = of.ids(records.type)
    rows = [] if column is None else [words_of(of.ws, column, records.rows)]
    names = [name for found in rows for name in found]
    if records.type == "eval-judgment":
        names = [name.rpartition("/")[2] for name in names]
    return sorted([*names, *records.names, *(f"{name}?" for name in records.missing)])


def told(ws: Workspace, found: Chain) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return what a record came from and led to, as ids by type; a second step is indented."""
    of = SuiteRecords(ws, found.suite)

    def side(links: tuple[Link, ...], indent: str = "") -> Iterator[tuple[str, list[str]]]:
        for link in links:
            name = f"{indent}{link.relation.words} {link.records.type}"
            yield name, ids(of, link.records)
            yield from side(link.further, f"{indent}  ")

    return dict(side(found.came_from)), dict(side(found.led_to))
