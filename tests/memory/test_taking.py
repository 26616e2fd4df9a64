"""Finished test runs are taken as a run of a benchmark, or refused with each next step."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from evalcore.benchmarks.definitions import benchmark_named
from evalcore.counting.outcomes import Column
from evalcore.errors import CannotBenchmark, UnknownName
from evalcore.families.reviews.models import BenchmarkRunFields
from evalcore.memory import store
from evalcore.memory.benchmarking import run_finished
from evalcore.memory.defining import Definition, create, retire
from evalcore.memory.taking import Asked, take, to_take
from evalcore.tables.rows import BenchmarkRunRow
from evalcore.workspace.opened import Workspace
from tests.memory.benchmarked import CASES, NAME, SUITE, benchmark, grade, ran, written
from tests.memory.remembered import RUN, SUPPORT, again, rows, suite

V0 = Column("v0", "-")
NIGHTLY = Asked(V0, "schedule:nightly")


def runs(ws: Workspace) -> list[BenchmarkRunRow]:
    """Return the benchmark runs, oldest first."""
    found = rows(again(ws), BenchmarkRunRow)
    return sorted(found, key=lambda each: each.ran_at.timestamp() if each.ran_at else 0)


def test_the_finished_runs_of_a_version_are_taken(tmp_path: Path) -> None:
    """Only those of the benchmark's cases; a case that ran twice counts once."""
    ws = written(tmp_path, "ppffpppp", "pppp")
    grade(tmp_path / "notes-workspace", "case-0", 0, "f", run=2)
    benchmark(again(ws))
    done = ran(ws, "v0")
    (found,) = runs(ws)
    assert (found.benchmark_run, found.version, found.runs) == (done.benchmark_run, "v0", 5)
    assert (found.pass_rate, found.triggered_by) == (0.375, "schedule:nightly")
    assert found.overall_score == pytest.approx((0.6 + 1 + 0.2 + 0.2) / 4)
    assert found.name == NAME


@pytest.mark.parametrize(
    ("marks", "why"),
    [
        ("ppp ", "case case-3 has no finished run of v0 to take; start one"),
        ("pp  ", "cases case-2, case-3 have no finished run of v0 to take"),
        ("pppu", "1 run of case case-3 still without a score; judge first"),
        ("pp u", "case case-2 has no .*; 1 run of case case-3 still without a score"),
    ],
)
def test_what_is_missing_is_named_with_its_next_step(tmp_path: Path, marks: str, why: str) -> None:
    """Nothing is written then."""
    ws = written(tmp_path, marks)
    benchmark(ws)
    with pytest.raises(CannotBenchmark, match=why):
        ran(ws, "v0")
    assert runs(ws) == []


def test_an_unknown_version_is_told(tmp_path: Path) -> None:
    """With the nearest one."""
    ws = written(tmp_path, "pppp")
    benchmark(ws)
    with pytest.raises(UnknownName, match="v0"):
        ran(ws, "v7")


def test_a_case_that_is_gone_is_told(tmp_path: Path) -> None:
    """No file mentions it any more."""
    ws = written(tmp_path, "pppp")
    benchmark(ws)
    path = tmp_path / "notes/evals/evals.json"
    value = json.loads(path.read_text())
    value["cases"] = value["cases"][1:]
    path.write_text(json.dumps(value))
    (tmp_path / "notes-workspace/grading/case-0_v0_run1.json").unlink()
    with pytest.raises(CannotBenchmark, match="has case case-0, which the suite no longer has"):
        ran(ws, "v0")


def test_a_retired_benchmark_is_not_run(tmp_path: Path) -> None:
    """Its history stays."""
    ws = written(tmp_path, "pppp")
    retire(again(ws), benchmark(ws), "ana")
    with pytest.raises(CannotBenchmark, match="is retired"):
        ran(ws, "v0")


def test_the_same_runs_are_taken_again_only_when_asked(tmp_path: Path) -> None:
    """The message names the benchmark run that has them; new runs are taken alone."""
    ws = written(tmp_path, "pppp")
    benchmark(ws)
    first = ran(ws, "v0").benchmark_run
    with pytest.raises(CannotBenchmark, match=f"used already, for the benchmark run {first}"):
        ran(ws, "v0")
    second = ran(ws, "v0", again=True).benchmark_run
    assert second != first
    assert [each.runs for each in runs(ws)] == [4, 4]
    for case in CASES[:4]:
        grade(tmp_path / "notes-workspace", case, 0, "f", run=2)
    ran(ws, "v0")
    assert [(each.runs, each.pass_rate) for each in runs(ws)] == [(4, 1.0), (4, 1.0), (4, 0.0)]


def test_two_who_take_the_same_runs_at_once_write_one_benchmark_run(tmp_path: Path) -> None:
    """The second gets the receipt of the first, also who opens the folder when that is done."""
    ws = written(tmp_path, "pppp")
    found, since = benchmark(ws), datetime.now(UTC)
    one, two = again(ws), again(ws)
    first = take(one, found, NIGHTLY, "ana")
    assert take(two, found, NIGHTLY, "ben") == first._replace(new=False)
    for once_more in (False, True):
        late = NIGHTLY._replace(again=once_more, since=since)
        assert take(again(ws), found, late, "ben") == first._replace(new=False)
    assert len(runs(ws)) == 1
    assert take(again(ws), found, NIGHTLY._replace(again=True), "ben").new


def test_a_clock_that_jumps_back_does_not_turn_the_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written later is dated later."""
    ws = written(tmp_path, "pppp", "ffff")
    benchmark(ws)
    ran(ws, "v0")

    class Yesterday(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            del tz
            return datetime(2020, 1, 1, tzinfo=UTC)

    monkeypatch.setattr(store, "datetime", Yesterday)
    done = ran(ws, "v1")
    first, second = runs(ws)
    assert (first.version, second.version) == ("v0", "v1")
    assert first.ran_at is not None
    assert second.ran_at == first.ran_at + timedelta(milliseconds=1)
    assert done.following.regression is not None


def test_another_judge_is_said_and_not_refused(tmp_path: Path) -> None:
    """The drop is 001's and fires; whether it is chance cannot be told."""
    ws = written(tmp_path, "pppp", judge="small")
    benchmark(ws)
    ran(ws, "v0")
    written(tmp_path, "pppp", judge="small")
    for case in CASES[:4]:
        grade(tmp_path / "notes-workspace", case, 0, "f", run=2, judge="large")
    done = ran(ws, "v0")
    assert done.stop is not None
    assert done.stop.what == "judge"
    assert done.step.drop.level == "critical"


def test_runs_that_count_in_no_rate_are_left_out_and_said(tmp_path: Path) -> None:
    """A person excluded one of two runs of a case."""
    ws = suite(tmp_path, SUPPORT)
    cases = ("tc-refund-window", "tc-descale-error")
    create(ws, SUPPORT, Definition(NAME, cases, "quality", 0.8, "ana"), "ana")
    exclusion = {
        "id": "e1", "type": "exclusion", "schema": 1, "createdAt": "2026-04-01T10:00:00Z",
        "createdBy": "ana-3f2a",
        "fields": {"testRunId": "support-agent::tc-refund-window@support-reply%401.1.0/-#"
                   "run-2026-02-09-refund-window", "reason": "broken"},
    }  # fmt: skip
    path = tmp_path / SUPPORT / "reviews/exclusion/e1.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(exclusion))
    ws = again(ws)
    found = benchmark_named(ws, SUPPORT, NAME)
    taken = to_take(ws, found, Column("support-reply@1.1.0", "-"))
    assert taken.left_out == ("Skipped, as they do not count: 1 test runs.",)
    assert len(taken.runs) == 3


def test_in_a_store_runs_are_named_by_their_records(tmp_path: Path) -> None:
    """And the benchmark is changed in place, with its unknown fields."""
    ws = suite(tmp_path, SUPPORT)
    path = tmp_path / SUPPORT / "records/benchmark/bm-reply-quality.json"
    value = json.loads(path.read_text())
    value["fields"]["team"] = "north"
    path.write_text(json.dumps(value))
    ws = again(ws)
    found = benchmark_named(ws, SUPPORT, "bm-reply-quality")
    asked = Asked(Column("support-reply@1.1.0", "-"), "ana", again=True)
    done = run_finished(ws, found, asked, "ana")
    record = json.loads(
        (tmp_path / SUPPORT / f"records/benchmark-run/{done.benchmark_run}.json").read_text()
    )
    assert "run-2026-02-16-refund-window" in record["fields"]["testRunIds"]
    fields = json.loads(path.read_text())["fields"]
    assert (fields["team"], fields["lastScore"]) == ("north", 0.692)
    assert fields["lastRunAt"] == record["fields"]["ranAt"]


def test_a_benchmark_that_ran_at_the_last_moment_there_is_runs_again(tmp_path: Path) -> None:
    """A document may state such a time; it stops neither reading nor the next run."""
    ws = written(tmp_path, "pppp", "pppp")
    benchmark(ws)
    ran(ws, "v0")
    last = "9999-12-31T23:59:59.999999Z"
    edited(tmp_path, "benchmark", lastRunAt=last)
    edited(tmp_path, "benchmark-run", ranAt=last)
    ran(ws, "v1")
    assert [each.version for each in runs(ws) if each.version == "v1"] == ["v1"]


def edited(root: Path, kind: str, **fields: object) -> None:
    """Write other fields into all records of a type; None takes one away."""
    for path in (root / f"notes-workspace/reviews/{kind}").glob("*.json"):
        value = json.loads(path.read_text())
        held = value["fields"] | fields
        value["fields"] = {key: each for key, each in held.items() if each is not None}
        path.write_text(json.dumps(value))


@pytest.mark.parametrize("kind", ["benchmark", "benchmark-run"])
def test_a_run_is_dated_after_what_the_benchmark_states_and_after_its_runs(
    tmp_path: Path, kind: str
) -> None:
    """Each of both may be the later one."""
    ws = written(tmp_path, "pppp", "pppp", "pppp")
    benchmark(ws)
    ran(ws, "v0")
    ran(ws, "v1")
    edited(tmp_path, "benchmark", lastRunAt="2099-02-01T00:00:00Z" if kind == "benchmark" else None)
    if kind == "benchmark-run":
        edited(tmp_path, kind, ranAt="2099-01-01T00:00:00Z")
        newest = sorted((tmp_path / f"notes-workspace/reviews/{kind}").glob("*.json"))[0]
        value = json.loads(newest.read_text())
        value["fields"]["ranAt"] = "2099-02-01T00:00:00Z"
        newest.write_text(json.dumps(value))
    ran(ws, "v2")
    (last,) = [each.ran_at for each in runs(ws) if each.version == "v2"]
    assert last == datetime(2099, 2, 1, tzinfo=UTC) + timedelta(milliseconds=1)


def test_again_takes_only_the_runs_of_the_version_that_was_asked_for(tmp_path: Path) -> None:
    """Another tool took those of two versions as one run."""
    ws = written(tmp_path, "pppp", "ffff")
    found = benchmark(ws)
    of = BenchmarkRunFields(
        benchmark_id=found.id,
        test_run_ids=[f"notes::{case}@v{at}/-#1" for at in (0, 1) for case in CASES[:4]],
        overall_score=0.6,
        pass_rate=0.5,
        ran_at="2026-04-01T10:00:00Z",
        triggered_by="another tool",
    )
    store.remember(again(ws), SUITE, [store.New("benchmark-run", RUN, of)])
    taken = to_take(again(ws), found, V0, again=True)
    versions = again(ws).tables.runs["version"].iloc[list(taken.runs)]
    assert (len(taken.runs), set(versions)) == (4, {"v0"})


def test_what_is_hidden_from_a_judge_is_not_taken(tmp_path: Path) -> None:
    """The figures would tell."""
    ws = written(tmp_path, "pppp")
    found = benchmark(ws)
    hiding = again(ws).hiding({"notes::case-0@v0/-#1"}, "ana-0001")
    with pytest.raises(CannotBenchmark, match="hidden from you"):
        to_take(hiding, found, V0)
