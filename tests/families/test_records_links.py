"""Benchmarks, trends, comparisons and failures are joined; no JSON makes the reader fail."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.disk.listing import list_files
from evalcore.disk.reader import Reader
from evalcore.families.records import FAMILY
from evalcore.families.records.shapes import TYPES
from evalcore.layouts.shapes import Document
from evalcore.shapes.relations import RELATIONS
from evalcore.tables.builder import Rows
from evalcore.tables.rows import (
    BenchmarkRow,
    BenchmarkRunRow,
    ComparisonRow,
    FailureRow,
    JudgmentRow,
    RelationRow,
    RunRow,
    SuiteRow,
    TrendPointRow,
)
from tests.families.records_store import (
    Fields,
    Opened,
    a_case,
    a_run,
    basic,
    judgment,
    opened,
    record,
    write,
)

BENCH = record(
    "benchmark",
    "bench",
    {
        "name": "Replies",
        "testCaseIds": '["case"]',
        "dimension": "reply quality",
        "passingThreshold": 3,
        "status": "active",
        "lastScore": 4.4,
    },
)


def bench_run(**fields: Any) -> Fields:
    base = {
        "benchmarkId": "bench",
        "testRunIds": ["run"],
        "overallScore": 4.4,
        "passRate": 1.0,
        "ranAt": "2026-02-02T09:00:00Z",
        "triggeredBy": "human",
        "notes": "first",
    }
    return record("benchmark-run", "bench-run", {**base, **fields})


def test_a_benchmark_run_is_joined_with_its_benchmark_and_runs(tmp_path: Path) -> None:
    """It has the version of its runs, and they name it."""
    store = opened(tmp_path, bench=BENCH, br=bench_run())
    row = store.one(BenchmarkRunRow)
    assert (row.benchmark, row.name, row.dimension) == ("bench", "Replies", "reply quality")
    assert (row.version, row.pass_rate, row.runs) == ("reply@1", 1.0, 1)
    assert store.one(RunRow).benchmark_run == "bench-run"
    assert store.one(SuiteRow).name == "Replies"
    origins = {(row.metric, row.origin): row.mean for row in store.all(BenchmarkRow)}
    assert origins == {
        ("last_score", "stored"): 4.4,
        ("pass_rate", "stored"): 1.0,
        ("overall_score", "stored"): 4.4,
        ("pass_rate", "computed"): 1.0,
    }


def test_a_pass_rate_above_one_is_percent(tmp_path: Path) -> None:
    """It is read as a share and said."""
    store = opened(tmp_path, bench=BENCH, br=bench_run(passRate=100))
    assert store.one(BenchmarkRunRow).pass_rate == 1.0
    assert store.codes == {"percent-rate"}


@pytest.mark.parametrize("rate", [0.5, 0, 50])
def test_a_pass_rate_that_its_runs_do_not_give_is_said(tmp_path: Path, rate: float) -> None:
    """Stored and recomputed rate are both shown, in the unit of the file."""
    store = opened(tmp_path, bench=BENCH, br=bench_run(passRate=rate))
    (problem,) = store.problems("derived-mismatch")
    assert f"is {rate}, but its test runs give {100 if rate > 1 else 1}." in problem.message
    assert problem.pointer == "/fields/passRate"


@pytest.mark.parametrize("as_text", [True, False])
def test_data_points_are_read_as_list_and_as_text(tmp_path: Path, as_text: bool) -> None:
    """Both forms give the same points."""
    points: Any = [{"date": "2026-02-01", "score": 3.5}, {"date": "2026-03-01", "score": 4}]
    trend = record(
        "eval-trend",
        "trend",
        {
            "benchmarkId": "bench",
            "dimension": "reply quality",
            "direction": "improving",
            "dataPoints": json.dumps(points) if as_text else points,
        },
    )
    rows = opened(tmp_path, bench=BENCH, trend=trend).all(TrendPointRow)
    assert [(row.score, row.direction) for row in rows] == [(3.5, "improving"), (4, "improving")]
    assert rows[1].pointer == ("/fields/dataPoints" if as_text else "/fields/dataPoints/1")


@pytest.mark.parametrize(
    ("fields", "winner", "code"),
    [
        ({}, "B", None),
        ({"winner": "tie"}, "tie", "winner-contradicts-scores"),
        ({"winner": "reply@1"}, "A", "winner-contradicts-scores"),
        ({"winner": "reply@9"}, None, "unknown-winner"),
        ({"promptVersionB": "reply@1"}, None, "same-version"),
    ],
)
def test_the_winner_of_a_comparison_is_a_side(
    tmp_path: Path, fields: Fields, winner: str | None, code: str | None
) -> None:
    """It is found by its version; what contradicts the scores is said."""
    base = {
        "promptVersionA": "reply@1",
        "promptVersionB": "reply@2",
        "scoreA": 3,
        "scoreB": 4,
        "winner": "reply@2",
        "sampleSize": 12,
        "benchmarkId": "bench",
    }
    comparison = record("prompt-comparison", "pc", {**base, **fields})
    store = opened(tmp_path, bench=BENCH, br=bench_run(), pc=comparison)
    row = store.one(ComparisonRow)
    assert (row.winner, row.total_a, row.total_b, row.sample_size) == (winner, 3, 4, 12)
    assert store.codes == ({code} if code else set())


def test_a_failure_belongs_to_its_run_and_says_how_it_ended(tmp_path: Path) -> None:
    """A timeout or refusal is the status of the run."""
    failure = record(
        "eval-failure",
        "f",
        {
            "testRunId": "run",
            "failureType": "timeout",
            "description": "No answer",
            "affectedCriterionIds": '["tone"]',
            "severity": "major",
            "rootCause": "Slow tool",
        },
    )
    store = opened(tmp_path, f=failure)
    row, run = store.one(FailureRow), store.one(RunRow)
    assert (row.run_id, row.criteria, row.severity) == (run.run_id, '["tone"]', "major")
    assert run.status == "timeout"


def test_all_eleven_relations_come_from_fields(tmp_path: Path) -> None:
    """Each kind of relation has a row, with both ends found."""
    sides = {"promptVersionA": "reply@1", "promptVersionB": "reply@2"}
    comparison = record("prompt-comparison", "pc", {"benchmarkId": "bench", **sides})
    failure = record("eval-failure", "f", {"testRunId": "run", "failureType": "wrong-output"})
    trend = record("eval-trend", "t", {"benchmarkId": "bench", "dataPoints": "[]"})
    store = opened(tmp_path, bench=BENCH, br=bench_run(), pc=comparison, f=failure, t=trend)
    rows = store.all(RelationRow)
    stated = {(row.source_type, row.relation, row.target_type) for row in rows}
    assert stated == {each[:3] for each in RELATIONS}
    assert all(row.found and row.origin == "field" for row in rows)


@pytest.mark.parametrize("inside", [True, False])
def test_a_relation_of_its_own_joins_like_a_field(tmp_path: Path, inside: bool) -> None:
    """Without rubricId, `evaluated_by` brings the rubric to the case."""
    ends = {"sourceId": "case", "relation": "evaluated_by", "targetId": "r"}
    link = {"id": "l", "type": "relation", **({"fields": ends} if inside else ends)}
    store = opened(tmp_path, case=a_case(rubricId=None), l=link)
    assert store.one(RunRow).passed is True
    (row,) = [row for row in store.all(RelationRow) if row.origin == "record"]
    assert (row.source_type, row.target_type, row.found) == ("test-case", "rubric", True)


def test_a_dangling_reference_names_both_ends(tmp_path: Path) -> None:
    """The run is kept, and the warning points at the field."""
    store = opened(tmp_path, run=a_run(testCaseId="gone"))
    (problem,) = store.problems("dangling-reference")
    assert "'run'" in problem.message
    assert "'gone'" in problem.message
    assert (problem.severity, problem.pointer) == ("warning", "/fields/testCaseId")
    assert store.one(RunRow).case_id == "gone"
    assert [row.found for row in store.all(RelationRow) if row.relation == "produces"] == [False]


@pytest.mark.parametrize("field", ["testRunId", "criterionId"])
def test_a_judgment_that_leads_nowhere_is_kept(tmp_path: Path, field: str) -> None:
    """It has its row, which says that it counts nowhere, and the run's total misses it."""
    bad = judgment("j1", "run", "relevance", 5)
    bad["fields"] |= {field: "gone", "judgedByType": "human"}
    store = opened(tmp_path, j1=bad)
    rows = [row for row in store.all(JudgmentRow) if row.source == "eval-judgment/j1.json"]
    assert [row.status for row in rows] == ["unattached"]
    assert store.one(RunRow).score is None
    assert "dangling-reference" in store.codes


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(["case", "run", "r", "[", '["run"]', "{}", "tie"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = sorted(
    {field for value in (*basic().values(), BENCH, bench_run()) for field in value["fields"]}
    | {
        "dataPoints",
        "winner",
        "promptVersionA",
        "promptVersionB",
        "scoreA",
        "sampleSize",
        "affectedCriterionIds",
        "failureType",
        "direction",
        "supersedes",
    }
)
ENVELOPES = st.fixed_dictionaries(
    {
        "type": st.sampled_from([*TYPES, "relation", "other"]),
        "fields": st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=5) | JSON,
    },
    optional={
        "id": JSON,
        "createdAt": JSON,
        "updatedAt": JSON,
        "supersedes": JSON,
        "title": JSON,
        "status": JSON,
        "sourceId": JSON,
        "targetId": JSON,
        "relation": JSON,
        "deletedAt": JSON,
        "tags": JSON,
        "minionTypeId": JSON,
    },
)


@given(values=st.lists(ENVELOPES | JSON, max_size=6), shape=st.sampled_from(["one", "list"]))
def test_no_value_anywhere_makes_the_reader_fail(
    tmp_path_factory: pytest.TempPathFactory, values: list[Any], shape: str
) -> None:
    """Whatever JSON stands in a store, what can be read is read."""
    root = tmp_path_factory.mktemp("store")
    files: dict[str, Any] = basic()
    if shape == "list":
        files["more.json"] = json.dumps(values)
    else:
        files |= {f".minions/aa/{index}.json": json.dumps(v) for index, v in enumerate(values)}
    store = Opened(write(root, files))
    for table in store.rows.tables.values():
        table.flush()
    assert store.all(RunRow)


@given(value=JSON, field=st.sampled_from(FIELDS), kind=st.sampled_from(sorted(basic())))
def test_no_value_of_a_field_makes_the_reader_fail(
    tmp_path_factory: pytest.TempPathFactory, value: Any, field: str, kind: str
) -> None:
    """A field of any type in any record gives rows and problems, never a crash."""
    files = basic()
    files[kind]["fields"][field] = value
    root = write(tmp_path_factory.mktemp("store"), files)
    reader = Reader(list_files(root))
    rows = Rows()
    for plan in FAMILY.find(reader, {path: Document(files[path]) for path in reader.listing.paths}):
        FAMILY.read(plan, reader, rows)
    assert len(rows.tables["documents"]) == len(files)
