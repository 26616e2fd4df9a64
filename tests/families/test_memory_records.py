"""What is remembered beside a suite, read into rows; and what leads nowhere, as problems."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evalcore.families.remembering import MAX_PAYLOAD
from evalcore.tables.rows import (
    ApprovalRow,
    BenchmarkDefinitionRow,
    BenchmarkRunRow,
    ComparisonRow,
    MessageRow,
    RelationRow,
    TrendPointRow,
)
from evalcore.workspace.opened import Workspace, open_workspace
from tests.families.records_store import record, write
from tests.memory.remembered import NOTES, SUPPORT, rows, suite
from tests.reviewing import Reviews

RUN = f"{NOTES}::breaking-change@v1/-#1"
BENCHMARK = {
    "name": "notes",
    "testCaseIds": ["breaking-change"],
    "dimension": "quality of notes",
    "passingThreshold": 0.8,
    "ownerId": "ana-3f2a",
}


@pytest.fixture
def reviews(tmp_path: Path) -> Reviews:
    """Return the `reviews` folder of a copy of the release notes."""
    suite(tmp_path, NOTES)
    return Reviews(tmp_path, f"{NOTES}-workspace")


def opened(reviews: Reviews) -> Workspace:
    """Open the folder as it is now."""
    return open_workspace(reviews.root, cache=False)


def codes(ws: Workspace) -> list[tuple[str, str]]:
    """Return code and pointer of the problems in records."""
    return [(each.code, each.pointer) for each in ws.problems if "/reviews/" in each.path]


def a_run(of: str, **fields: Any) -> dict[str, Any]:
    """Return the fields of a benchmark run."""
    return {
        "benchmarkId": of,
        "testRunIds": [RUN],
        "overallScore": 0.7,
        "passRate": 0.5,
        "ranAt": "2026-04-01T10:00:00Z",
        "triggeredBy": "schedule:nightly",
        "notes": "",
        **fields,
    }


def test_a_benchmark_is_read_with_its_cases(reviews: Reviews) -> None:
    """And each case is related to it."""
    name = reviews.put("benchmark", BENCHMARK, description="x")
    ws = opened(reviews)
    (row,) = rows(ws, BenchmarkDefinitionRow)
    assert (row.benchmark, row.name, row.owner) == (name, "notes", "ana-3f2a")
    assert json.loads(row.cases or "") == ["breaking-change"]
    (related,) = rows(ws, RelationRow, relation="groups")
    assert (related.source_id, related.target_id, related.found) == (name, "breaking-change", True)
    assert codes(ws) == []


def test_a_benchmark_run_takes_over_what_its_benchmark_says(reviews: Reviews) -> None:
    """Its version is that of its runs; both relations stand there."""
    of = reviews.put("benchmark", BENCHMARK)
    name = reviews.put("benchmark-run", a_run(of))
    ws = opened(reviews)
    (row,) = rows(ws, BenchmarkRunRow, benchmark_run=name)
    assert (row.benchmark, row.name, row.dimension) == (of, "notes", "quality of notes")
    assert (row.version, row.configuration, row.runs) == ("v1", "-", 1)
    assert (row.overall_score, row.pass_rate, row.passing_threshold) == (0.7, 0.5, 0.8)
    related = {(each.relation, each.source_id, each.target_id) for each in rows(ws, RelationRow)}
    assert {("produces", of, name), ("aggregates", name, RUN)} <= related


def test_the_head_of_a_chain_stands_for_all_of_it(reviews: Reviews) -> None:
    """A benchmark that was replaced keeps the runs that name its old record."""
    old = reviews.put("benchmark", BENCHMARK)
    run = reviews.put("benchmark-run", a_run(old))
    new = reviews.put("benchmark", BENCHMARK | {"lastScore": 0.7}, supersedes=old)
    ws = opened(reviews)
    (row,) = rows(ws, BenchmarkDefinitionRow)
    assert (row.benchmark, row.last_score) == (new, 0.7)
    (of_run,) = rows(ws, BenchmarkRunRow, benchmark_run=run)
    assert of_run.benchmark == new
    assert codes(ws) == []


def test_two_that_replace_the_same_are_a_conflict(reviews: Reviews) -> None:
    """The newer one counts, and names its rival."""
    old = reviews.put("benchmark", BENCHMARK)
    first = reviews.put("benchmark", BENCHMARK | {"lastScore": 0.1}, supersedes=old)
    second = reviews.put("benchmark", BENCHMARK | {"lastScore": 0.2}, supersedes=old)
    ws = opened(reviews)
    (row,) = rows(ws, BenchmarkDefinitionRow)
    assert (row.benchmark, json.loads(row.rivals or "")) == (second, [first])
    assert ("conflict", "/fields/supersedes") in codes(ws) or "conflict" in dict(codes(ws))


def test_cases_and_runs_that_are_gone_are_problems(reviews: Reviews) -> None:
    """Each is named, and the rest is read."""
    of = reviews.put("benchmark", BENCHMARK | {"testCaseIds": ["breaking-change", "gone"]})
    name = reviews.put("benchmark-run", a_run(of, testRunIds=[RUN, "x::gone@v1/-#1"]))
    ws = opened(reviews)
    found = [each.message for each in ws.problems if each.code == "dangling-reference"]
    assert any("test-case 'gone'" in message for message in found)
    assert any("test-run 'x::gone@v1/-#1'" in message for message in found)
    (row,) = rows(ws, BenchmarkRunRow, benchmark_run=name)
    assert (row.version, row.runs) == ("v1", 2)
    dangling = rows(ws, RelationRow, found=False)
    assert {each.target_id for each in dangling} == {"gone", "x::gone@v1/-#1"}


def test_a_run_of_a_benchmark_that_is_gone_is_a_problem(reviews: Reviews) -> None:
    """It keeps the name that it states."""
    reviews.put("benchmark-run", a_run("nowhere"))
    ws = opened(reviews)
    assert ("dangling-reference", "/fields/benchmarkId") in codes(ws)
    assert [row.benchmark for row in rows(ws, BenchmarkRunRow, suite=NOTES)] == ["nowhere"]


def test_a_record_that_names_a_run_beside_its_own_fields_is_read(reviews: Reviews) -> None:
    """Whoever wrote it may have added any field, also one that other records have."""
    reviews.put("benchmark", {**BENCHMARK, "testRunId": RUN})
    ws = opened(reviews)
    assert len(rows(ws, BenchmarkDefinitionRow)) == 1
    assert codes(ws) == []


def test_two_benchmarks_of_one_name_are_a_problem(reviews: Reviews) -> None:
    """Both are read."""
    reviews.put("benchmark", BENCHMARK)
    reviews.put("benchmark", BENCHMARK)
    ws = opened(reviews)
    assert len(rows(ws, BenchmarkDefinitionRow)) == 2
    assert codes(ws) == [("repeated-name", "/fields/name")]


def test_runs_of_several_versions_have_none(reviews: Reviews) -> None:
    """So the benchmark run is no point of one version."""
    of = reviews.put("benchmark", BENCHMARK)
    both = [RUN, f"{NOTES}::breaking-change@v2/-#1"]
    name = reviews.put("benchmark-run", a_run(of, testRunIds=both))
    (row,) = rows(opened(reviews), BenchmarkRunRow, benchmark_run=name)
    assert row.version is None


def test_another_suite_in_the_id_of_a_run_is_no_fault(reviews: Reviews) -> None:
    """The part before `::` depends on the folder that was opened."""
    of = reviews.put("benchmark", BENCHMARK)
    reviews.put("benchmark-run", a_run(of, testRunIds=["elsewhere/notes::" + RUN.split("::")[1]]))
    assert codes(opened(reviews)) == []


def test_a_trend_is_read_point_by_point(reviews: Reviews) -> None:
    """Its points are JSON text."""
    of = reviews.put("benchmark", BENCHMARK)
    points = [{"date": "2026-04-01T10:00:00Z", "score": 0.5}, {"date": "2026-04-02", "score": 0.7}]
    trend = reviews.put(
        "eval-trend",
        {
            "benchmarkId": of,
            "dimension": "quality of notes",
            "dataPoints": json.dumps(points),
            "direction": "stable",
            "lastComputedAt": "2026-04-02T10:00:00Z",
        },
    )
    ws = opened(reviews)
    found = rows(ws, TrendPointRow, trend_id=trend)
    assert [(row.benchmark, row.score) for row in found] == [(of, 0.5), (of, 0.7)]
    (related,) = rows(ws, RelationRow, relation="tracked_by")
    assert (related.source_id, related.target_id) == (of, trend)


@pytest.mark.parametrize(
    ("named", "winner", "problem"),
    [("v1", "A", None), ("v2", "B", None), (None, "tie", None), ("v9", None, "unknown-winner")],
)
def test_a_comparison_names_its_winner(
    reviews: Reviews, named: str | None, winner: str | None, problem: str | None
) -> None:
    """One of both versions, or null for a tie."""
    of = reviews.put("benchmark", BENCHMARK)
    name = reviews.put(
        "prompt-comparison",
        {
            "benchmarkId": of,
            "promptVersionA": "v1",
            "promptVersionB": "v2",
            "scoreA": 0.5,
            "scoreB": 0.7,
            "winner": named,
            "sampleSize": 12,
            "comparedAt": "2026-04-02T10:00:00Z",
            "notes": "v2 is better.",
        },
    )
    ws = opened(reviews)
    (row,) = rows(ws, ComparisonRow, comparison_id=name)
    assert (row.winner, row.benchmark, row.sample_size) == (winner, of, 12)
    assert [code for code, _ in codes(ws)] == ([problem] if problem else [])


def test_relations_between_records_are_read(reviews: Reviews) -> None:
    """With the types of their ends; one that leads nowhere is a problem."""
    of = reviews.put("benchmark", BENCHMARK)
    run = reviews.put("benchmark-run", a_run(of))
    comparison = reviews.put(
        "prompt-comparison",
        {
            "benchmarkId": of, "promptVersionA": "v1", "promptVersionB": "v2", "scoreA": 0.5,
            "scoreB": 0.7, "winner": "v2", "sampleSize": 12, "comparedAt": "2026-04-02T10:00:00Z",
        },
    )  # fmt: skip
    ends = {"sourceId": comparison, "relation": "references"}
    reviews.put("relation", ends | {"targetId": run})
    reviews.put("relation", ends | {"targetId": "nowhere"})
    reviews.put("relation", {"sourceId": "a", "relation": "likes", "targetId": "b"})
    ws = opened(reviews)
    found = {(row.source_type, row.target_type, row.target_id, row.found)
             for row in rows(ws, RelationRow, origin="record")}  # fmt: skip
    assert found == {
        ("prompt-comparison", "benchmark-run", run, True),
        ("prompt-comparison", "benchmark-run", "nowhere", False),
        (None, None, "b", False),
    }
    assert sorted(codes(ws)) == [
        ("dangling-reference", "/fields/targetId"),
        ("unknown-relation", "/fields/relation"),
    ]


def test_messages_tasks_and_lessons_are_one_table(reviews: Reviews) -> None:
    """Each with what it is about; what is special to one is its payload."""
    about = {"aboutType": "test-run", "aboutId": RUN}
    task = {"title": "Look", "description": "Why?", "status": "done", "resolution": "Mended."}
    message = {"sender": "evalcore", "recipient": "orchestrator", "subject": "s", "text": "t"}
    more = {"payload": {"a": 1}, "expectsAnswer": True}
    reviews.put("task", task | about)
    reviews.put("message", message | more | about)
    reviews.put("memory-item", {"agentId": "a1", "lesson": "Quote it.", "tags": ["x"], **about})
    found = {row.kind: row for row in rows(opened(reviews), MessageRow)}
    assert {row.about for row in found.values()} == {RUN}
    assert (found["task"].subject, found["task"].status) == ("Look", "done")
    assert json.loads(found["task"].payload or "") == {"resolution": "Mended."}
    assert (found["message"].recipient, found["message"].expects_answer) == ("orchestrator", True)
    assert (found["memory-item"].text, found["memory-item"].recipient) == ("Quote it.", "a1")


def test_a_decision_is_read_with_its_bounds(reviews: Reviews) -> None:
    """An unknown word decides nothing, and is a problem."""
    fields = {"version": "v2", "decision": "waived", "reason": "Urgent.", "owner": "Ana",
              "expiresAt": "2026-05-01T00:00:00Z", "versionSha256": "a" * 64}  # fmt: skip
    reviews.put("approval", fields)
    reviews.put("approval", fields | {"decision": "maybe"})
    ws = opened(reviews)
    first, second = rows(ws, ApprovalRow)
    assert (first.decision, first.owner, first.version_sha256) == ("waived", "Ana", "a" * 64)
    assert second.decision is None
    assert codes(ws) == [("unknown-decision", "/fields/decision")]


def test_a_payload_is_cut_where_it_is_long(reviews: Reviews) -> None:
    """The document has the whole."""
    long = {"sender": "a", "recipient": "b", "subject": "s", "text": "t"}
    reviews.put("message", long | {"payload": {"x": "y" * 50_000}})
    (row,) = rows(opened(reviews), MessageRow)
    assert len(row.payload or "") == 20_000
    assert (row.payload or "").endswith("…")


def test_a_store_has_the_same_rows(tmp_path: Path) -> None:
    """In its own form, without a schema."""
    sent = {"sender": "x", "recipient": "y", "subject": "s", "text": "t"}
    decided = {"version": "p@2", "decision": "approved", "reason": "Better."}
    write(
        tmp_path,
        {
            "s/test-case/a.json": record("test-case", "a", {"rubricId": "r"}),
            "s/benchmark/b.json": record(
                "benchmark", "b", {"name": "n", "testCaseIds": ["a", "c"]}
            ),
            "s/message/m.json": record("message", "m", sent, createdBy="evalcore"),
            "s/message/n.json": record("message", "n", sent | {"text": "u"}, supersedes="m"),
            "s/approval/d.json": record("approval", "d", decided),
        },
    )
    ws = open_workspace(tmp_path, cache=False)
    (row,) = rows(ws, MessageRow)
    assert (row.message, row.text) == ("n", "u")
    (approval,) = rows(ws, ApprovalRow)
    assert (approval.version, approval.decision) == ("p@2", "approved")
    assert approval.created_at == datetime(2026, 2, 1, 8, tzinfo=UTC)
    (benchmark,) = rows(ws, BenchmarkDefinitionRow)
    assert json.loads(benchmark.cases or "") == ["a", "c"]


def test_a_relation_of_records_that_are_all_gone_is_a_problem(reviews: Reviews) -> None:
    """Also where the suite has no other record of their types."""
    reviews.put("relation", {"sourceId": "a", "relation": "references", "targetId": "b"})
    ws = opened(reviews)
    (row,) = rows(ws, RelationRow, origin="record")
    assert row.found is False
    assert codes(ws) == [("dangling-reference", "/fields/sourceId")]


@pytest.mark.parametrize(
    ("stated", "read", "problem"),
    [
        (0, 0.0, None),
        (1, 1.0, None),
        (1.5, 0.015, "percent-rate"),
        (100, 1.0, "percent-rate"),
        (100.5, None, "rate-out-of-range"),
        (-0.01, None, "rate-out-of-range"),
    ],
)
def test_a_pass_rate_is_a_share_or_a_percentage(
    reviews: Reviews, stated: float, read: float | None, problem: str | None
) -> None:
    """1 is all and not one percent; what is neither is not read."""
    of = reviews.put("benchmark", BENCHMARK)
    name = reviews.put("benchmark-run", a_run(of, passRate=stated))
    ws = opened(reviews)
    (row,) = rows(ws, BenchmarkRunRow, benchmark_run=name)
    assert row.pass_rate == read
    found = {code for code, _ in codes(ws)}
    assert found & {"percent-rate", "rate-out-of-range"} == ({problem} if problem else set())


def test_a_run_may_be_named_without_its_suite(reviews: Reviews) -> None:
    """The part before `::` depends on the folder that was opened, so it may be left out."""
    of = reviews.put("benchmark", BENCHMARK)
    name = reviews.put("benchmark-run", a_run(of, testRunIds=[RUN.split("::")[1]]))
    ws = opened(reviews)
    (row,) = rows(ws, BenchmarkRunRow, benchmark_run=name)
    assert (row.version, codes(ws)) == ("v1", [])


def test_a_case_of_another_suite_is_none_of_this_one(reviews: Reviews) -> None:
    """A benchmark names cases of its own suite."""
    suite(reviews.root, SUPPORT)
    reviews.put("benchmark", BENCHMARK | {"testCaseIds": ["tc-angry-delay"]})
    ws = opened(reviews)
    (row,) = rows(ws, RelationRow, suite=NOTES, relation="groups")
    assert (row.target_id, row.found) == ("tc-angry-delay", False)


def test_a_trend_may_have_no_points_yet(reviews: Reviews) -> None:
    """An empty text is a list of none; another text is a problem."""
    of = reviews.put("benchmark", BENCHMARK)
    fields = {"benchmarkId": of, "dimension": "quality of notes", "direction": "stable",
              "lastComputedAt": "2026-04-02T10:00:00Z"}  # fmt: skip
    reviews.put("eval-trend", fields | {"dataPoints": ""})
    assert codes(opened(reviews)) == []
    reviews.put("eval-trend", fields | {"dataPoints": "none"})
    assert [at for _, at in codes(opened(reviews))] == ["/fields/dataPoints"]


def test_a_payload_that_just_fits_is_whole(reviews: Reviews) -> None:
    """With its braces it has as many characters as are shown."""
    fields = {"sender": "a", "recipient": "b", "subject": "s", "text": "t"}
    payload = {"x": "y" * (MAX_PAYLOAD - len('{"x": ""}'))}
    reviews.put("message", fields | {"payload": payload})
    (row,) = rows(opened(reviews), MessageRow)
    assert json.loads(row.payload or "") == payload
