"""A frame belongs to whoever asked for it, and tables say what they hold."""

import copy
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from evalcore import Tables, UnknownName, Workspace, open_workspace
from evalcore.demo import packaged
from evalcore.tables.rows import ALL_TABLES
from tests import made


@pytest.fixture(scope="module")
def demo() -> Workspace:
    """Return the demo, opened."""
    return open_workspace(packaged(), cache=False)


@pytest.mark.parametrize("table", ALL_TABLES)
def test_what_is_changed_in_a_frame_reaches_nobody_else(demo: Workspace, table: str) -> None:
    """New columns, cells, whole columns and their names: the next one who asks sees none of it."""
    frame = getattr(demo.tables, table)
    before = frame.copy(deep=True)
    frame["x"] = 1
    for column in before if len(frame) > 1 else ():
        frame.loc[0, column] = frame.loc[1, column]
        frame[column] = None
    frame.columns = [f"{name}!" for name in frame]
    pd.testing.assert_frame_equal(getattr(demo.tables, table), before)


@pytest.mark.parametrize("column", ["run_id", "passed", "score", "checks_total"])
def test_the_arrays_of_a_frame_cannot_be_written_to(demo: Workspace, column: str) -> None:
    """They are shared by all frames of a table, and a cell set in one of them would show in all."""
    values: Any = demo.tables.runs[column].array
    with pytest.raises(ValueError, match="read-only"):
        values[0] = values[1]


def test_a_frame_is_made_once(demo: Workspace) -> None:
    """Frames share their memory, so that to ask again costs next to nothing."""
    first, again = demo.tables.runs, demo.tables.runs
    assert first is not again
    assert first["score"].to_numpy().ctypes.data == again["score"].to_numpy().ctypes.data


def test_tables_say_how_much_they_hold(tmp_path: Path) -> None:
    """In a notebook the first cell tells something; empty tables are left out."""
    ws = made.workspace(tmp_path, made.suite(), made.run(), made.run(run_id="r2"))
    assert repr(ws.tables) == "<Tables with rows in suites 1, runs 2>"
    assert repr(ws) == f"<Workspace {str(tmp_path)!r}: 1 suite, 0 cases, 2 runs, 0 problems>"
    assert repr(made.workspace(tmp_path).tables) == "<Tables with rows in nothing>"


def test_a_folder_name_is_escaped_where_it_is_shown(tmp_path: Path) -> None:
    """It may hold what a terminal would obey."""
    assert "\x1b" not in repr(made.workspace(tmp_path / "\x1b[2J"))


def test_completion_offers_the_tables_and_what_is_beside_them(demo: Workspace) -> None:
    """Every table, the counted judgments and the long texts."""
    assert {*ALL_TABLES, "counted", "text", "names"} <= set(dir(demo.tables))


def test_programs_that_look_for_methods_are_answered_as_python_does(demo: Workspace) -> None:
    """Notebooks ask for names of their own; an unknown table still says what there is."""
    assert not hasattr(demo.tables, "_repr_html_")
    assert copy.copy(demo.tables).names == demo.tables.names
    with pytest.raises(UnknownName, match="Did you mean 'judgments'"):
        _ = demo.tables.judgements


def test_tables_outlive_the_name_of_their_workspace() -> None:
    """`open_workspace(…).tables` alone gives the counted judgments too."""
    tables: Tables = open_workspace(packaged(), cache=False).tables
    assert len(tables.counted()) > 1000
