"""Benchmarks are created, replaced and retired; what is not valid is refused with the next step."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.benchmarks.definitions import benchmark_named, benchmarks
from evalcore.counting.outcomes import Column
from evalcore.errors import CannotBenchmark, UnknownName
from evalcore.memory.benchmarking import run_finished
from evalcore.memory.defining import Definition, create, retire
from evalcore.memory.taking import Asked
from tests.memory.benchmarked import CASES, NAME, SUITE, benchmark, ran, written
from tests.memory.remembered import again

ASKED = Definition(NAME, CASES[:2], "quality", 0.8, "ana")


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
    """Two people made them at the same moment; of one that is retired the other is meant."""
    ws = written(tmp_path, "pppp")
    create(ws, SUITE, ASKED, "ana")
    create(ws, SUITE, ASKED, "ben")
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
    create(ws, SUITE, ASKED, "ana")
    (first,) = benchmarks(again(ws), SUITE)
    run_finished(again(ws), first, Asked(Column("v0", "-"), "ana"), "ana")
    create(ws, SUITE, ASKED, "ben")
    create(again(ws), SUITE, ASKED._replace(cases=CASES[:3]), "ana", replace=True)
    (found,) = benchmarks(again(ws), SUITE)
    assert (found.cases, found.last_score) == (CASES[:3], 1.0)


def test_one_that_was_replaced_twice_is_settled_by_the_next(tmp_path: Path) -> None:
    """Two people replaced it at the same moment: the new one replaces what both wrote."""
    ws = written(tmp_path, "pppp")
    create(ws, SUITE, ASKED, "ana")
    both = again(ws)
    for name in ("ana", "ben"):
        create(both, SUITE, ASKED, name, replace=True)
    assert [len(each.rivals) for each in benchmarks(again(ws), SUITE)] == [1]
    create(again(ws), SUITE, ASKED, "ana", replace=True)
    assert [each.rivals for each in benchmarks(again(ws), SUITE)] == [()]
