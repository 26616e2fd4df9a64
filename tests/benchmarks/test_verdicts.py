"""`python -m benchmarks verdicts`: how often the verdict rule is wrong, on a small scale."""

import json
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import verdicts
from benchmarks.verdicts import ASKED, FALSE, Cell, cells, simulate

ROUNDS = 100
ALLOWED = 0.13
"""A true share of 6.5 % shows 13 % or more in one of a hundred times a hundred rounds."""


@pytest.mark.parametrize(
    "cell",
    [
        Cell("false verdicts", "same rate on every case", "pass/fail", 50, 1, limit=FALSE),
        Cell("false verdicts", "cases differ, skewed", "fine score", 10, 3, limit=FALSE),
        Cell("false verdicts", "cases differ, skewed", "pass/fail", 10, 3, 4, FALSE),
        Cell("false on these cases", "same rate, spread evenly", "fine score", 3, 3),
        Cell("wrong sign on these cases", "gains and losses of 40 points", "pass/fail", 8, 3),
        Cell("false verdicts, clusters said", "families share their change", "pass/fail", 50, 3),
        Cell("true rate outside", "97%", "pass/fail", 42, 5),
    ],
)
def test_what_is_promised_holds_on_a_small_scale(cell: Cell) -> None:
    """A hundred rounds of a cell of each sort, fewer of a page."""
    result = simulate(cell, ROUNDS)
    assert result.ratio is not None
    assert result.ratio < ALLOWED
    assert (result.target, result.row) == (cell.limit, cell.asked)


@pytest.mark.parametrize(
    "cell",
    [
        Cell("gain not told", "+20 points", "pass/fail", 50, 3),
        Cell("gain not told on these cases", "30 % to 90 %", "share of 8 criteria", 2, 3),
        Cell("gain not told on these cases", "30 % to 90 %", "pass/fail", 4, 3),
        Cell("planned runs do not tell", "30 % to 90 %", "pass/fail", 3, 2),
    ],
)
def test_gains_and_plans_are_told_in_most_rounds(cell: Cell) -> None:
    """80 % or more, within what so few rounds leave to chance."""
    assert (simulate(cell, ROUNDS).ratio or 0) <= 0.35


def test_planned_cases_are_told_in_most_rounds() -> None:
    """80 % or so; 25 rounds leave more to chance than the bound, 150 do not."""
    cell = Cell("planned cases do not tell", "50 %", "pass/fail", 20, 3)
    assert (simulate(cell, 6 * ROUNDS).ratio or 0) <= 0.35


def test_taking_runs_as_independent_is_wrong_often() -> None:
    """Five runs of fifty cases that differ: the plain test of two proportions."""
    cell = Cell("runs as independent", "cases differ much, evenly", "pass/fail", 50, 5)
    assert (simulate(cell, ROUNDS).ratio or 0) > 0.15


def test_what_happens_is_counted() -> None:
    """Without the gain that it asks for, every round misses it."""
    cell = Cell("gain not told", "same rate on every case", "pass/fail", 5, 1)
    assert simulate(cell, 10).ratio == 1


def test_a_seed_gives_the_same_figures() -> None:
    """The cell alone decides what is drawn."""
    cell = Cell("false verdicts", "cases differ, evenly", "score 1-5", 10, 3)
    assert simulate(cell, 30) == simulate(cell, 30)


def test_every_cell_is_there_once_and_everything_is_asked() -> None:
    """All nulls, gains, rates and plans."""
    every = list(cells())
    assert len(set(every)) == len(every)
    assert {cell.asked for cell in every} == set(ASKED)


def test_figures_are_printed_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line and an entry for each cell; a limit that does not hold makes it fail."""
    few = [
        Cell("false verdicts", "same rate on every case", "pass/fail", 10, 1, limit=0.5),
        Cell("gain not told", "+20 points", "pass/fail", 5, 1, limit=0.2),
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
