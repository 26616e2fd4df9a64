"""`python -m benchmarks verdicts`: how often the verdict rule is wrong, on a small scale."""

import json
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import verdicts
from benchmarks.verdicts import FALSE, GAINS, NULLS, Cell, cells, simulate

ROUNDS = 100
ALLOWED = 0.13
"""A true share of 6.5 % shows 13 % or more in one of a hundred times a hundred rounds."""


@pytest.mark.parametrize(
    "cell",
    [
        Cell("same rate on every case", "pass/fail", 50, 1),
        Cell("cases differ much, evenly", "pass/fail", 50, 6),
        Cell("cases differ, skewed", "fine score", 10, 3),
        Cell("cases differ, skewed", "pass/fail", 10, 3, criteria=8),
    ],
)
def test_without_a_difference_few_are_told(cell: Cell) -> None:
    """A hundred rounds of a cell of each sort."""
    result = simulate(cell, ROUNDS)
    assert result.ratio is not None
    assert result.ratio < ALLOWED
    assert (result.target, result.rounds) == (FALSE, ROUNDS)


@pytest.mark.parametrize("truth", GAINS)
def test_twenty_points_on_fifty_cases_are_told(truth: str) -> None:
    """Three runs each: "better" in 80 % or more of the rounds."""
    result = simulate(Cell(truth, "pass/fail", 50, 3), ROUNDS)
    assert result.ratio is not None
    assert result.ratio <= 0.2
    assert result.row == "gain not told"


def test_taking_runs_as_independent_is_wrong_often() -> None:
    """Six runs of fifty cases that differ: the plain test of two proportions, beside the rule's."""
    detail = simulate(Cell("cases differ much, evenly", "pass/fail", 50, 6), ROUNDS).detail
    assert float(detail.rpartition(" ")[2].rstrip("%")) > 15


def test_a_seed_gives_the_same_figures() -> None:
    """The cell alone decides what is drawn."""
    cell = Cell("cases differ, evenly", "score 1-5", 10, 3)
    assert simulate(cell, 30) == simulate(cell, 30)


def test_every_asked_cell_is_there() -> None:
    """Each null with 1, 3 and 6 runs of 10 and 50 cases, pass/fail and scores, and whole pages."""
    every = list(cells())
    assert len(set(every)) == len(every)
    for truth in NULLS:
        mine = [cell for cell in every if cell.truth == truth and cell.cases in (10, 50)]
        assert {(cell.cases, cell.runs) for cell in mine} == {
            (cases, runs) for cases in (10, 50) for runs in (1, 3, 6)
        }
        assert {cell.criteria for cell in mine} == {1, 8, 20}
        assert len({cell.scores for cell in mine}) == 4


def test_figures_are_printed_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line and an entry for each cell; a limit that does not hold makes it fail."""
    few = [
        Cell("same rate on every case", "pass/fail", 10, 1),
        Cell("+20 points", "pass/fail", 5, 1),
    ]
    monkeypatch.setattr(verdicts, "cells", lambda: iter(few))
    out = tmp_path / "verdicts.json"
    assert command.main(["verdicts", "--rounds", "20", "--out", str(out)]) == 1
    kept = json.loads(out.read_text("utf-8"))
    assert [result["what"] for result in kept["results"]] == [cell.name for cell in few]
    assert [result["ratio"] for result in kept["results"]] == [0, 1]
    shown = capsys.readouterr().out
    assert all(cell.name in shown for cell in few)
    assert "2 cells, 1 beyond their limit." in shown
