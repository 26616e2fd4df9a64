"""Benchmarks are created, replaced and retired; what is not valid is refused with the next step."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.benchmarks.definitions import benchmark_named, benchmarks
from evalcore.counting.outcomes import Column
from evalcore.errors import CannotBenchmark, UnknownName
from evalcore.judging.model import Receipt
from evalcore.memory.benchmarking import run_finished
from evalcore.memory.defining import Definition, create, retire
from evalcore.memory.taking import Asked
from evalcore.workspace.opened import Workspace
from tests.memory.benchmarked import CASES, NAME, SUITE, benchmark, ran, written
from tests.memory.remembered import again

ASKED = Definition(NAME, CASES[:2], "quality", 0.8, "ana")
OTHER = "55555555-0000-4000-8000-000000000001"


def also(ws: Workspace, receipt: Receipt) -> None:
    """Write the same record under another id, as another tool may."""
    path = ws.root / receipt.path
    path.with_name(f"{OTHER}.json").write_text(path.read_text().replace(receipt.id, OTHER))


@pytest.mark.parametrize("replace", [False, True])
def test_of_two_who_create_one_at_once_the_second_is_refused_unless_it_is_the_same(
    tmp_path: Path, replace: bool
) -> None:
    """There is one; what the message says to do can be done."""
    ws = written(tmp_path, "pppp")
    if replace:
        create(ws, SUITE, ASKED, "ana")
    both = again(ws)
    first = create(both, SUITE, ASKED, "ana", replace=replace)
    assert create(both, SUITE, ASKED, "ana", replace=replace) == first._replace(new=False)
    with pytest.raises(CannotBenchmark, match=r"has a benchmark 'Weekly' already .*\(--replace\)"):
        create(both, SUITE, ASKED._replace(threshold=0.5), "ben", replace=replace)
    (found,) = benchmarks(again(ws), SUITE)
    assert (found.id, found.rivals) == (first.id, ())
    create(again(ws), SUITE, ASKED._replace(threshold=0.5), "ben", replace=True)


def test_a_benchmark_is_created_and_read_back(tmp_path: Path) -> None:
    """With its cases in the given order, each once."""
    ws = written(tmp_path, "p")
    create(ws, SUITE, ASKED._replace(cases=("case-1", "case-0", "case-1")), "ana")
    (found,) = benchmarks(again(ws), SUITE)
    assert (found.name, found.cases, found.threshold) == (NAME, ("case-1", "case-0"), 0.8)
    assert (found.owner, found.status, found.last_run_at) == ("ana", "active", None)
    assert benchmark_named(again(ws), SUITE, found.id) == found


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"name": " "}, "needs a name"),
        ({"dimension": ""}, "needs a dimension"),
        ({"owner": ""}, "needs an owner"),
        ({"cases": ()}, "at least one case"),
        ({"cases": ("gone",)}, "no case 'gone'. Its cases are case-0, case-1"),
        ({"threshold": 1.01}, "from 0 to 1"),
        ({"threshold": -0.01}, "from 0 to 1"),
        ({"threshold": float("nan")}, "from 0 to 1"),
    ],
)
def test_what_is_not_valid_is_refused(tmp_path: Path, changed: dict[str, Any], why: str) -> None:
    """The message says what is valid."""
    with pytest.raises(CannotBenchmark, match=why):
        create(written(tmp_path, "p"), SUITE, ASKED._replace(**changed), "ana")


def test_both_ends_of_the_threshold_are_valid(tmp_path: Path) -> None:
    """0 and 1 are shares too."""
    ws = written(tmp_path, "p")
    for name, threshold in (("none", 0), ("all", 1)):
        create(ws, SUITE, ASKED._replace(name=name, threshold=threshold), "ana")
    assert [each.threshold for each in benchmarks(again(ws), SUITE)] == [1, 0]


def test_a_name_is_given_once_and_can_be_replaced(tmp_path: Path) -> None:
    """The new one keeps the history: its last run is that of the old one."""
    ws = written(tmp_path, "pppp")
    benchmark(ws)
    ran(ws, "v0")
    ws = again(ws)
    with pytest.raises(CannotBenchmark, match="has a benchmark 'Weekly' already"):
        create(ws, SUITE, ASKED, "ana")
    create(ws, SUITE, ASKED, "ana", replace=True)
    (found,) = benchmarks(again(ws), SUITE)
    assert (found.cases, found.last_score) == (CASES[:2], 1.0)


def test_a_retired_benchmark_stays(tmp_path: Path) -> None:
    """It is not retired twice."""
    ws = written(tmp_path, "pppp")
    retire(again(ws), benchmark(ws), "ana")
    (found,) = benchmarks(again(ws), SUITE)
    assert found.status == "retired"
    with pytest.raises(CannotBenchmark, match="retired already"):
        retire(again(ws), found, "ana")


def test_two_of_one_name_are_told_apart_by_id(tmp_path: Path) -> None:
    """Another tool wrote one; of one that is retired the other is meant."""
    ws = written(tmp_path, "pppp")
    also(ws, create(ws, SUITE, ASKED, "ana"))
    first, second = benchmarks(again(ws), SUITE)
    with pytest.raises(CannotBenchmark, match=f"by its id: {first.id}, {second.id}"):
        benchmark_named(again(ws), SUITE, NAME)
    assert benchmark_named(again(ws), SUITE, second.id) == second
    retire(again(ws), first, "ana")
    assert benchmark_named(again(ws), SUITE, NAME).id == second.id


def test_an_unknown_name_is_told(tmp_path: Path) -> None:
    """With the nearest one."""
    ws = written(tmp_path, "pppp")
    benchmark(ws)
    with pytest.raises(UnknownName, match="Weekly"):
        benchmark_named(again(ws), SUITE, "Weakly")
    with pytest.raises(UnknownName):
        benchmarks(ws, "no suite")


def test_of_several_of_one_name_the_last_run_is_kept(tmp_path: Path) -> None:
    """Only one of them ever ran; both are replaced."""
    ws = written(tmp_path, "pppp")
    receipt = create(ws, SUITE, ASKED, "ana")
    (first,) = benchmarks(again(ws), SUITE)
    run_finished(again(ws), first, Asked(Column("v0", "-"), "ana"), "ana")
    also(ws, receipt)
    create(again(ws), SUITE, ASKED._replace(cases=CASES[:3]), "ana", replace=True)
    (found,) = benchmarks(again(ws), SUITE)
    assert (found.cases, found.last_score) == (CASES[:3], 1.0)


def test_one_that_was_replaced_twice_is_settled_by_the_next(tmp_path: Path) -> None:
    """Another tool replaced it too: the new one replaces what both wrote."""
    ws = written(tmp_path, "pppp")
    create(ws, SUITE, ASKED, "ana")
    also(ws, create(again(ws), SUITE, ASKED, "ana", replace=True))
    assert [len(each.rivals) for each in benchmarks(again(ws), SUITE)] == [1]
    create(again(ws), SUITE, ASKED, "ana", replace=True)
    assert [each.rivals for each in benchmarks(again(ws), SUITE)] == [()]
