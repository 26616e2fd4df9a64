"""Cells without data frames: the same values that the frames have."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalcore import Workspace, open_workspace
from evalcore.tables.cells import cells, holds
from evalcore.tables.rows import TABLES, columns

SEEDS = Path(__file__).parent.parent / "data" / "seeds"


@pytest.fixture(scope="module", params=["improve", "rubric", "records"])
def opened(request: pytest.FixtureRequest) -> Workspace:
    """Return the examples of a family, opened."""
    return open_workspace(SEEDS / request.param, cache=False)


def framed(values: "pd.Series[Any]") -> list[Any]:
    return [None if pd.isna(value) else value for value in values]


def test_cells_are_those_of_the_frames(opened: Workspace) -> None:
    """Words, numbers, truth values and what is missing, of every table."""
    for table, row_type in TABLES.items():
        frame = getattr(opened.tables, table)
        kinds = columns(row_type)
        for name in (name for name in frame if kinds[name] != "time"):
            found = [value for (value,) in cells(opened.tables, table, name)]
            assert found == framed(frame[name]), f"{table}.{name}"


def test_chosen_rows_alone_are_yielded(opened: Workspace) -> None:
    """One truth value a row chooses."""
    passed = [value for (value,) in cells(opened.tables, "judgments", "passed")]
    where = np.arange(len(passed)) % 2 == 0
    chosen = cells(opened.tables, "judgments", "passed", "run_id", where=where)
    assert [value for value, _ in chosen] == passed[::2]


def test_rows_that_hold_a_word_are_found(opened: Workspace) -> None:
    """A missing cell holds none, and a word that is nowhere is in none."""
    column = opened.tables.columns["judgments"]["status"]
    words = [word for (word,) in cells(opened.tables, "judgments", "status")]
    assert holds(column, "scored").tolist() == [word == "scored" for word in words]
    assert not holds(column, "no such word").any()
    assert not holds(opened.tables.columns["runs"]["model"], "").any()
