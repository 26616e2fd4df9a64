"""Benchmark runs as sides: exactly their own runs, and nothing else of their version."""

from pathlib import Path

import numpy as np

from evalcore.benchmarks.members import row_of
from evalcore.comparing.benchmark_marks import benchmark_marks
from evalcore.comparing.benchmark_sides import side_of_benchmark_run
from evalcore.comparing.compare import compare
from evalcore.comparing.model import Side
from evalcore.tables.rows import Row
from evalcore.workspace.opened import Workspace
from tests import made
from tests.trends.followed import benchmark_run


def of(root: Path, *rows: Row) -> Workspace:
    """Return a version with two benchmark runs of one case, and one more run of it."""
    return made.workspace(
        root,
        made.suite(),
        made.version("v0", 0),
        made.run(run_id="a", run="1", benchmark_run="one", fraction=1.0),
        made.run(run_id="b", run="2", benchmark_run="two", fraction=0.25),
        made.run(run_id="c", run="3", fraction=0.5),
        *(made.judgment("Is short", run_id=name, rationale=f"of {name}") for name in "abc"),
        benchmark_run("one", 1),
        benchmark_run("two", 2),
        *rows,
    )


def side(ws: Workspace, name: str) -> Side:
    """Return a benchmark run as a side."""
    row = row_of(ws, made.SUITE, name)
    assert row is not None
    found = side_of_benchmark_run(ws, row)
    assert found is not None
    return found


def test_two_benchmark_runs_of_one_version_are_compared(tmp_path: Path) -> None:
    """The third run of the version is in neither, and both have the workspace's name."""
    ws = of(tmp_path)
    found = compare(side(ws, "one"), side(ws, "two"))
    assert [(pair.a, pair.b, pair.runs_a, pair.runs_b) for pair in found.pairs] == [
        (1.0, 0.25, 1, 1)
    ]
    assert (found.a.workspace, found.b.workspace) == ("", "")


def test_a_side_has_what_is_said_of_its_own_runs(tmp_path: Path) -> None:
    """Judgments with their texts; what is said of no run stays."""
    ws = side(of(tmp_path, made.judgment("Is long", run_id=None)), "two").ws
    assert ws.tables.runs["run_id"].tolist() == ["b"]
    assert ws.tables.judgments["criterion"].tolist() == ["Is short", "Is long"]
    assert ws.tables.text("judgments")["rationale"].tolist() == ["of b", None]


def test_the_same_side_is_made_once(tmp_path: Path) -> None:
    """So that comparisons of it are kept."""
    ws = of(tmp_path)
    assert side(ws, "one").ws is side(ws, "one").ws


def test_a_benchmark_run_of_several_versions_is_no_side(tmp_path: Path) -> None:
    """Nor is one without test runs here."""
    ws = of(
        tmp_path,
        made.run(run_id="d", version="v1", benchmark_run="two", fraction=1.0),
        benchmark_run("three", 3),
    )
    rows = [row_of(ws, made.SUITE, name) or 0 for name in ("two", "three")]
    assert [side_of_benchmark_run(ws, row) for row in rows] == [None, None]


def test_a_side_hides_what_is_hidden_from_a_judge(tmp_path: Path) -> None:
    """It is made of the tables that the judge may see."""
    ws = of(tmp_path).hiding({"b"}, "judge-1")
    found = side(ws, "two").ws
    assert found.tables.runs["fraction"].isna().all()
    assert found.hidden is ws.hidden


def test_marks_are_the_same_where_cases_makers_judges_and_criteria_are(tmp_path: Path) -> None:
    """However often a case ran."""
    again: list[Row] = []
    for name in ("", "d", "e"):
        if name:
            run = made.run(run_id=name, run=name, benchmark_run="two", fraction=1.0)
            again += [run, made.judgment("Is short", run_id=name)]
        marks = benchmark_marks(of(tmp_path, *again))
        assert marks[0] == marks[1] != 0
    for row in (
        made.judgment("Is long", run_id="b"),
        made.run(run_id="d", run="4", benchmark_run="two", model="big"),
        made.run(run_id="d", case_id="case-2", benchmark_run="two"),
        made.judgment("Is short", run_id="b", judge="another"),
    ):
        marks = benchmark_marks(of(tmp_path, row))
        assert marks[0] != marks[1]


def test_without_benchmark_runs_there_are_no_marks(tmp_path: Path) -> None:
    """Nor without a run."""
    assert benchmark_marks(made.workspace(tmp_path, made.suite())).tolist() == []
    ws = made.workspace(tmp_path, made.suite(), benchmark_run("one", 1))
    assert np.array_equal(benchmark_marks(ws), [0])
