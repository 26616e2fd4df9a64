"""The test runs of benchmark runs: by their own column, and by relations."""

from pathlib import Path

from evalcore.benchmarks.members import members, row_of
from evalcore.tables.rows import RelationRow, Row
from evalcore.workspace.opened import Workspace
from tests import made
from tests.trends.followed import benchmark_run


def aggregates(benchmark_run: str, run: str, **given: object) -> RelationRow:
    """Return the relation by which a benchmark run has a test run."""
    base: dict[str, object] = {
        "suite": made.SUITE,
        "source_type": "benchmark-run",
        "source_id": benchmark_run,
        "relation": "aggregates",
        "target_type": "test-run",
        "target_id": run,
        "origin": "field",
        "found": True,
    }
    return made.row(RelationRow, **{**base, **given})


def of(ws: Workspace, name: str) -> list[str]:
    """Return the run ids of a benchmark run."""
    row = row_of(ws, made.SUITE, name)
    assert row is not None
    return [str(ws.tables.runs["run_id"].iloc[at]) for at in members(ws).of(row).tolist()]


def workspace(root: Path, *rows: Row, family: str = "improve") -> Workspace:
    """Return a workspace with two benchmark runs, of which `a` names the first."""
    return made.workspace(
        root,
        made.suite(family),
        made.version("v0", 0),
        made.run(run_id="a", run="1", benchmark_run="first"),
        made.run(run_id="b", run="2"),
        benchmark_run("first", 1),
        benchmark_run("second", 2),
        *rows,
    )


def test_a_run_is_in_the_benchmark_run_that_it_names_and_in_those_that_aggregate_it(
    tmp_path: Path,
) -> None:
    """One that is said twice counts once."""
    ws = workspace(
        tmp_path, aggregates("first", "a"), aggregates("second", "a"), aggregates("second", "b")
    )
    assert of(ws, "first") == ["a"]
    assert of(ws, "second") == ["a", "b"]


def test_in_a_store_alone_a_run_is_named_by_its_record(tmp_path: Path) -> None:
    """Elsewhere `2` is the number of many runs."""
    assert of(workspace(tmp_path, aggregates("second", "2"), family="records"), "second") == ["b"]
    assert of(workspace(tmp_path, aggregates("second", "2")), "second") == []


def test_what_is_not_here_or_of_another_suite_or_kind_is_no_member(tmp_path: Path) -> None:
    """A relation may dangle."""
    ws = workspace(
        tmp_path,
        aggregates("second", "gone"),
        aggregates("gone", "b"),
        aggregates("second", "b", suite="other"),
        aggregates("second", "b", relation="references"),
        aggregates("second", "b", source_type="benchmark"),
        made.suite(name="other"),
        benchmark_run("second", 3, suite="other"),
        made.run(run_id="c", suite="other", benchmark_run="second"),
    )
    assert of(ws, "second") == []
    other = row_of(ws, "other", "second")
    assert other is not None
    assert members(ws).of(other).tolist() == [2]
    assert row_of(ws, made.SUITE, "gone") is None


def test_without_benchmark_runs_there_are_no_members(tmp_path: Path) -> None:
    """Nor in a workspace without a run."""
    assert members(made.workspace(tmp_path, made.suite())).run.tolist() == []
    ws = made.workspace(tmp_path, made.suite(), made.run(benchmark_run="x"))
    assert members(ws).run.tolist() == []


def test_a_run_that_names_none_is_in_no_benchmark_run_without_an_id(tmp_path: Path) -> None:
    """What is missing in both is not the same, in another suite neither."""
    ws = made.workspace(
        tmp_path,
        made.suite(name="a"),
        made.suite(name="b"),
        benchmark_run("x", 1, suite="a", benchmark_run=None),
        benchmark_run("x", 1, suite="b"),
        made.run(run_id="r", suite="b"),
    )
    assert members(ws).run.tolist() == []
