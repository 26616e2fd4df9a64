"""What follows from a benchmark run: written at once, once, and from runs of other tools too."""

import json
import shutil
from pathlib import Path

import pytest

from evalcore.benchmarks.definitions import benchmark_named
from evalcore.benchmarks.drops import newest_steps
from evalcore.counting.failure_rows import current_failures
from evalcore.errors import CannotWrite, UnknownName
from evalcore.ids import derived_id
from evalcore.lint import check
from evalcore.memory.benchmarking import Done, follow
from evalcore.memory.version_runs import runs_taken
from evalcore.tables.rows import FailureRow, MessageRow, TrendPointRow
from evalcore.trends.alerts import alerts, regressions
from evalcore.trends.metrics import rate_metric
from evalcore.workspace.opened import Workspace, open_workspace
from tests.memory.benchmarked import CASES, NAME, SUITE, benchmark, ran, written
from tests.memory.remembered import SUPPORT, again, rows, suite


def regressed(root: Path) -> tuple[Workspace, Done]:
    """Return a benchmark that fell from 100 % to 50 %, and the run at which it did."""
    ws = written(root, "pppp", "ppff")
    benchmark(ws)
    ran(ws, "v0")
    return ws, ran(ws, "v1")


def failures(ws: Workspace) -> list[FailureRow]:
    """Return the failures that count."""
    found = again(ws)
    keep = current_failures(found)
    return [row for at, row in enumerate(rows(found, FailureRow)) if at in keep]


def files(root: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {str(path): path.read_bytes() for path in root.rglob("*.json")}


def test_each_newly_failing_run_gets_a_critical_failure(tmp_path: Path) -> None:
    """Which names the benchmark run and the drop, with the type that the rules guess."""
    ws, done = regressed(tmp_path)
    found = failures(ws)
    assert {row.run_id for row in found} == {f"notes::{case}@v1/-#1" for case in CASES[2:4]}
    assert {row.severity for row in found} == {"critical"}
    assert {row.failure_type for row in found} == {"wrong-output"}
    assert found[0].description is not None
    start = f"Newly failing in the benchmark run {done.benchmark_run} of Weekly, which fell by 50"
    assert found[0].description.startswith(start)
    assert found[0].criteria == '["expectation:title"]'
    assert found[0].author == "evalcore"


def test_a_failed_run_that_is_not_new_gets_a_failure_too(tmp_path: Path) -> None:
    """As severe as the rules say; whoever has one keeps it."""
    ws = written(tmp_path, "ppff", "ppff")
    benchmark(ws)
    ran(ws, "v0")
    first = failures(ws)
    assert len(first) == 2
    assert {row.description.startswith("Newly") for row in first if row.description} == {False}
    ran(ws, "v1")
    assert len(failures(ws)) == 4
    assert [row for row in failures(ws) if row in first] == first


def test_what_a_person_said_of_a_run_is_replaced_by_the_critical_failure(tmp_path: Path) -> None:
    """Its type and root cause are taken over."""
    ws = written(tmp_path, "pppp", "pppf")
    said = {
        "id": "f1", "type": "eval-failure", "schema": 1, "createdAt": "2026-04-01T10:00:00Z",
        "createdBy": "ana-3f2a",
        "fields": {"testRunId": "notes::case-3@v1/-#1", "failureType": "refusal",
                   "description": "It would not.", "affectedCriterionIds": [], "severity": "minor",
                   "rootCause": "The word poison."},
    }  # fmt: skip
    path = tmp_path / "notes-workspace/reviews/eval-failure/f1.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(said))
    benchmark(again(ws))
    ran(ws, "v0")
    ran(ws, "v1")
    (found,) = failures(ws)
    assert (found.severity, found.failure_type) == ("critical", "refusal")
    assert found.root_cause == "The word poison."
    assert found.supersedes == '["f1"]'


def test_a_task_and_a_message_tell_of_the_drop(tmp_path: Path) -> None:
    """Both figures, the word of the comparison, and what newly fails."""
    ws, done = regressed(tmp_path)
    found = {row.kind: row for row in rows(again(ws), MessageRow)}
    task, message = found["task"], found["message"]
    assert (task.subject, task.status) == ("Investigate benchmark regression", "open")
    assert (message.recipient, message.subject) == ("orchestrator", "benchmark-regression")
    assert {row.about for row in found.values()} == {done.benchmark_run}
    assert message.text is not None
    assert "fell from 100.0 % to 50.0 % (50 points, 50 % of what it was)" in message.text
    assert message.text.endswith("By these runs it could be chance.")
    payload = json.loads(message.payload or "{}")
    assert (payload["points"], payload["relative"], payload["certainty"]) == (
        0.5,
        0.5,
        "could be noise",
    )
    assert payload["newlyFailing"] == [f"notes::{case}@v1/-#1" for case in CASES[2:4]]


def test_without_a_critical_drop_nobody_is_told(tmp_path: Path) -> None:
    """Neither of the first run nor of a better one."""
    ws = written(tmp_path, "ppff", "pppf")
    benchmark(ws)
    ran(ws, "v0")
    ran(ws, "v1")
    assert rows(again(ws), MessageRow) == []


def test_an_older_version_that_runs_later_is_no_regression(tmp_path: Path) -> None:
    """Nothing fell: no alarm, task, message or critical failure.

    The next version is compared with the newest one before it, and its fall is told.
    """
    ws = written(tmp_path, "ppff", "pppp", "pfff")
    benchmark(ws)
    ran(ws, "v1")
    late = ran(ws, "v0")
    assert late.following.regression is None
    assert late.step.drop.why == "v0 is earlier than v1, so this is no regression"
    assert (late.step.previous, late.step.newly_failing, late.stop) == (None, (), None)
    assert not rows(again(ws), MessageRow)
    assert not [row for row in failures(ws) if "Newly failing" in (row.description or "")]
    assert len(rows(again(ws), TrendPointRow)) == 2
    now = again(ws)
    (newest,) = newest_steps(now, SUITE)
    assert now.tables.benchmark_runs["version"].iloc[newest.row] == "v1"
    assert not alerts(now, SUITE, rate_metric(now, SUITE), "benchmark-runs")
    assert "regression-not-surfaced" not in {problem.code for problem in check(now)}
    fell = ran(ws, "v2")
    assert fell.following.regression is not None
    assert (fell.step.before, fell.step.now) == (1.0, 0.25)
    (alert,) = alerts(fell.workspace, SUITE, rate_metric(fell.workspace, SUITE), "benchmark-runs")
    assert (alert.before.value, alert.after.value, alert.current) == (1.0, 0.25, True)


@pytest.mark.parametrize("versions", [("v0", "v1"), ("v1", "v0")])
def test_the_versions_that_are_taken_run_in_their_order(
    tmp_path: Path, versions: tuple[str, str]
) -> None:
    """However they are named: the older one first, so that a fall is a fall of the newer one."""
    ws = written(tmp_path, "pppp", "ppff")
    now, _ = runs_taken(again(ws), benchmark(ws), versions, "evalcore")
    (fell,) = regressions(now, SUITE)
    assert (fell.before.version, fell.now.version) == ("v0", "v1")


def test_the_benchmark_says_when_it_was_last_run(tmp_path: Path) -> None:
    """And with which score; following up an older run changes neither."""
    ws, done = regressed(tmp_path)
    found = benchmark_named(again(ws), SUITE, NAME)
    assert found.last_score == pytest.approx(0.6)
    older = next(row for row in again(ws).tables.benchmark_runs["benchmark_run"]
                 if row != done.benchmark_run)  # fmt: skip
    follow(again(ws), SUITE, str(older))
    assert benchmark_named(again(ws), SUITE, NAME) == found


def test_each_run_is_a_point_of_the_trend(tmp_path: Path) -> None:
    """The direction is stable where the record has no word for it."""
    ws = written(tmp_path, "ffff", "pfff", "ppff")
    benchmark(ws)
    for version in ("v0", "v1", "v2"):
        ran(ws, version)
    found = rows(again(ws), TrendPointRow)
    assert [row.score for row in found] == pytest.approx([0.2, 0.4, 0.6])
    assert {row.direction for row in found} == {"improving"}
    assert {row.dimension for row in found} == {"quality"}
    ran(ws, "v0", again=True)
    assert {row.direction for row in rows(again(ws), TrendPointRow)} == {"stable"}


def test_the_third_degrading_direction_in_a_row_escalates(tmp_path: Path) -> None:
    """Seven falling runs: the orchestrator gets all points of the trend, once."""
    marks = ["p" * (8 - at) + "f" * at for at in range(7)]
    ws = written(tmp_path, *marks)
    benchmark(ws, CASES)
    for at in range(6):
        ran(ws, f"v{at}")
    assert [row.subject for row in rows(again(ws), MessageRow, subject="trend-degrading")] == []
    done = ran(ws, "v6")
    follow(again(ws), SUITE, done.benchmark_run)
    (found,) = rows(again(ws), MessageRow, subject="trend-degrading")
    payload = json.loads(found.payload or "{}")
    assert [point["score"] for point in payload["dataPoints"]] == pytest.approx(
        [1 - at * 0.1 for at in range(7)]
    )
    assert (found.recipient, found.about_type) == ("orchestrator", "benchmark")


def test_following_up_twice_writes_nothing_twice(tmp_path: Path) -> None:
    """Also from a snapshot that does not know of the first time."""
    ws, done = regressed(tmp_path)
    before = files(tmp_path)
    assert follow(again(ws), SUITE, done.benchmark_run).following.receipts == ()
    assert files(tmp_path) == before
    for path in (tmp_path / "notes-workspace/reviews/task").glob("*"):
        path.unlink()
    stale = again(ws)
    first = follow(stale, SUITE, done.benchmark_run).following.receipts
    second = follow(stale, SUITE, done.benchmark_run).following.receipts
    assert ([each.id for each in first], second) == ([derived_id(done.benchmark_run, "task")], ())
    assert files(tmp_path).keys() == before.keys()


def test_a_benchmark_run_of_another_tool_is_followed_up(tmp_path: Path) -> None:
    """In a store: in its own form, and its own failures are replaced."""
    ws = suite(tmp_path, SUPPORT)
    done = follow(ws, SUPPORT, "bench-2026-02-09")
    assert done.step.drop.level == "critical"
    found = [row for row in failures(ws) if row.run_id and "2026-02-09" in row.run_id]
    assert [row.severity for row in found] == ["critical"] * 3
    assert follow(again(ws), SUPPORT, "bench-2026-02-09").following.receipts == ()


def test_everything_written_opens_clean(tmp_path: Path) -> None:
    """No new problem, in a store nor beside a suite."""
    ws, _ = regressed(tmp_path / "a")
    assert [each for each in check(again(ws)) if "/reviews/" in each.path] == []
    store = suite(tmp_path / "b", SUPPORT)
    before = {(each.code, each.path, each.pointer) for each in check(store)}
    follow(store, SUPPORT, "bench-2026-02-09")
    after = {(each.code, each.path, each.pointer) for each in check(again(store))}
    assert after <= before


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """Following up once more completes it."""
    ws, done = regressed(tmp_path)
    home = tmp_path / "notes-workspace/reviews"
    for path in (home / "task").glob("*"):
        path.unlink()
    (home / "task").rmdir()
    (home / "task").write_text("in the way")
    with pytest.raises(CannotWrite):
        follow(again(ws), SUITE, done.benchmark_run)
    (home / "task").unlink()
    assert len(follow(again(ws), SUITE, done.benchmark_run).following.receipts) == 1


def test_an_unknown_benchmark_run_is_told(tmp_path: Path) -> None:
    """With the nearest one."""
    ws, done = regressed(tmp_path)
    with pytest.raises(UnknownName, match=done.benchmark_run):
        follow(again(ws), SUITE, done.benchmark_run[:-1])


@pytest.mark.parametrize("changed", ["ranAt", "overallScore"])
def test_a_run_that_another_tool_changes_afterwards_is_not_followed_up_twice(
    tmp_path: Path, changed: str
) -> None:
    """What was written of it before stays as it was then."""
    ws, done = regressed(tmp_path)
    path = tmp_path / f"notes-workspace/reviews/benchmark-run/{done.benchmark_run}.json"
    value = json.loads(path.read_text())
    value["fields"][changed] = {"ranAt": "2099-03-01T08:00:00Z", "overallScore": 0.25}[changed]
    path.write_text(json.dumps(value))
    before = files(tmp_path)
    assert follow(again(ws), SUITE, done.benchmark_run).following.receipts == ()
    assert files(tmp_path) == before


def test_a_time_finer_than_records_state_is_one_point_of_the_trend(tmp_path: Path) -> None:
    """Another tool's run has microseconds; following it up again changes no file."""
    ws = suite(tmp_path, SUPPORT)
    path = tmp_path / SUPPORT / "records/benchmark-run/bench-2026-02-09.json"
    value = json.loads(path.read_text())
    value["fields"]["ranAt"] = "2026-06-01T08:00:00.123456Z"
    path.write_text(json.dumps(value))
    follow(again(ws), SUPPORT, "bench-2026-02-09")
    before = files(tmp_path)
    follow(again(ws), SUPPORT, "bench-2026-02-09")
    assert files(tmp_path) == before
    points = rows(again(ws), TrendPointRow, suite=SUPPORT)
    assert len([row for row in points if row.date and row.date.month == 6]) == 1


OF = "bm-reply-quality"
BENCHMARK = f"{SUPPORT}/records/benchmark/{OF}.json"


def dated(root: Path, name: str, ran_at: str | None) -> Workspace:
    """Return the demo store, one of whose benchmark runs has another date, or none."""
    ws = suite(root, SUPPORT)
    path = root / SUPPORT / f"records/benchmark-run/{name}.json"
    value = json.loads(path.read_text())
    value["fields"] |= {"ranAt": ran_at}
    if ran_at is None:
        del value["fields"]["ranAt"]
    path.write_text(json.dumps(value))
    return again(ws)


@pytest.mark.parametrize("ran_at", ["2026-01-01T08:00:00Z", None])
def test_an_older_run_or_one_without_a_date_leaves_the_benchmark_as_it_is(
    tmp_path: Path, ran_at: str | None
) -> None:
    """Not even when it was changed is written."""
    ws = dated(tmp_path, "bench-2026-02-09", ran_at)
    before = (tmp_path / BENCHMARK).read_bytes()
    follow(ws, SUPPORT, "bench-2026-02-09")
    assert (tmp_path / BENCHMARK).read_bytes() == before


def test_what_follows_is_dated_after_the_run(tmp_path: Path) -> None:
    """Also after one that is dated in the future."""
    ws = written(tmp_path, "pppp", "ppff")
    benchmark(ws)
    ran(ws, "v0")
    (path,) = tmp_path.rglob("reviews/benchmark-run/*.json")
    value = json.loads(path.read_text())
    value["fields"]["ranAt"] = "2099-03-01T08:00:00Z"
    path.write_text(json.dumps(value))
    receipts = ran(ws, "v1").following.receipts
    created = {json.loads((tmp_path / each.path).read_text())["createdAt"] for each in receipts}
    assert created == {"2099-03-01T08:00:00.002Z"}


def points(root: Path, trend: str) -> list[dict[str, object]]:
    """Return the points of a trend of the demo store."""
    value = json.loads((root / SUPPORT / f"records/eval-trend/{trend}.json").read_text())
    found = value["fields"]["dataPoints"]
    return list(json.loads(found) if isinstance(found, str) else found)


def test_a_point_that_others_added_meanwhile_is_not_added_again(tmp_path: Path) -> None:
    """The snapshot does not know of it, the record does."""
    stale = dated(tmp_path, "bench-2026-02-09", "2026-06-01T08:00:00Z")
    (trend,) = {row.trend_id or "" for row in rows(stale, TrendPointRow, benchmark=OF)}
    before = len(points(tmp_path, trend))
    follow(stale, SUPPORT, "bench-2026-02-09")
    follow(stale, SUPPORT, "bench-2026-02-09")
    assert len(points(tmp_path, trend)) == before + 1


def test_a_trend_beside_other_records_of_one_file_gets_its_point_there(tmp_path: Path) -> None:
    """What stands before it in the file stays as it is."""
    dated(tmp_path, "bench-2026-02-09", "2026-06-01T08:00:00Z")
    (home,) = (tmp_path / SUPPORT).rglob("eval-trend")
    stored = [json.loads(path.read_text()) for path in sorted(home.iterdir())]
    shutil.rmtree(home)
    (other,) = ({**each, "id": "other", "fields": {**each["fields"], "benchmarkId": "other"}}
                for each in stored[:1])  # fmt: skip
    home.with_suffix(".json").write_text(json.dumps([other, *stored]))
    ws = open_workspace(tmp_path, cache=False)
    before = len(rows(ws, TrendPointRow, benchmark=OF))
    follow(ws, SUPPORT, "bench-2026-02-09")
    now = json.loads(home.with_suffix(".json").read_text())
    assert (now[0], len(now)) == (other, len(stored) + 1)
    assert len(rows(again(ws), TrendPointRow, benchmark=OF)) == before + 1
    assert not list(tmp_path.rglob("reviews/eval-trend/*"))


def test_a_run_without_a_score_is_no_point_of_the_trend(tmp_path: Path) -> None:
    """Missing is not zero."""
    dated(tmp_path, "bench-2026-02-09", "2026-06-01T08:00:00Z")
    path = tmp_path / SUPPORT / "records/benchmark-run/bench-2026-02-09.json"
    value = json.loads(path.read_text())
    del value["fields"]["overallScore"]
    path.write_text(json.dumps(value))
    ws = open_workspace(tmp_path, cache=False)
    before = rows(ws, TrendPointRow, suite=SUPPORT)
    follow(ws, SUPPORT, "bench-2026-02-09")
    assert rows(again(ws), TrendPointRow, suite=SUPPORT) == before


def test_of_several_trends_that_of_the_benchmarks_dimension_goes_on(tmp_path: Path) -> None:
    """Though another one was computed later."""
    ws = dated(tmp_path, "bench-2026-02-09", "2026-06-01T08:00:00Z")
    (trend,) = {row.trend_id or "" for row in rows(ws, TrendPointRow, benchmark=OF)}
    path = tmp_path / SUPPORT / f"records/eval-trend/{trend}.json"
    other = json.loads(path.read_text())
    other["id"] = "other"
    other["fields"] |= {"dimension": "speed", "lastComputedAt": "2026-05-01T08:00:00Z"}
    path.with_name("other.json").write_text(json.dumps(other))
    before = len(points(tmp_path, trend)), len(points(tmp_path, "other"))
    follow(again(ws), SUPPORT, "bench-2026-02-09")
    assert (len(points(tmp_path, trend)), len(points(tmp_path, "other"))) == (
        before[0] + 1,
        before[1],
    )
