"""Which run a row belongs to, which judgments count, and words as small integers."""

from pathlib import Path

import numpy as np
import pytest

from evalcore import Workspace
from evalcore.counting.coded import coded
from evalcore.counting.joined import counting, judged_run, judgments_of, run_of
from evalcore.tables.rows import NoteRow
from tests.made import SUITE, case, judgment, row, run, suite, workspace


@pytest.fixture
def mixed(tmp_path: Path) -> Workspace:
    """Three runs, one of them named twice; judgments out of order, and one without a run."""
    return workspace(
        tmp_path,
        suite(),
        case(),
        run(run_id="b"),
        run(run_id="a", run="2"),
        run(run_id="b", run="3"),
        run(run_id="c"),
        judgment("x", run_id="a"),
        judgment("x", run_id="b"),
        judgment("y", run_id="lost"),
        judgment("y", run_id="a", kind="convention"),
        judgment("z", run_id="b", status="superseded"),
        judgment("z", run_id="a"),
        row(NoteRow, suite=SUITE, run_id="c", text="n"),
        row(NoteRow, suite=SUITE, text="m"),
    )


def test_each_row_knows_its_run(mixed: Workspace) -> None:
    """The first of several runs with one id; none for an unknown id, and none for a missing one."""
    assert judged_run(mixed).tolist() == [1, 0, -1, 1, 0, 1]
    assert run_of(mixed, "notes").tolist() == [3, -1]


@pytest.mark.parametrize(
    ("runs", "rows"),
    [([1], [0, 3, 5]), ([0], [1, 4]), ([0, 1, 3], [0, 1, 3, 4, 5]), ([3], []), ([], [])],
)
def test_the_judgments_of_runs_come_in_the_order_of_the_table(
    mixed: Workspace, runs: list[int], rows: list[int]
) -> None:
    """However many runs are asked for."""
    assert judgments_of(mixed, runs).tolist() == rows


def test_few_of_many_runs_are_found_without_a_look_at_all(tmp_path: Path) -> None:
    """The judgments of two of fifty runs."""
    runs = [run(run_id=f"r{n}", run=str(n)) for n in range(50)]
    judged = [judgment(label, run_id=f"r{n}") for label in "ab" for n in reversed(range(50))]
    ws = workspace(tmp_path, suite(), case(), *runs, *judged)
    assert judgments_of(ws, [3, 40]).tolist() == [9, 46, 59, 96]


def test_conventions_and_what_was_superseded_count_in_no_rate(mixed: Workspace) -> None:
    """Nor does what belongs to no run."""
    assert counting(mixed).tolist() == [True, True, False, False, False, True]


def test_a_missing_word_is_the_last_one(mixed: Workspace) -> None:
    """It is never among the words that are looked for."""
    found = coded(mixed, "judgments", "judge")
    assert found.words == ["nan"]
    assert found.codes.tolist() == [-1] * 6
    assert found.keys.tolist() == [0] * 6
    assert not found.among({"nan"}).any()
    kinds = coded(mixed, "judgments", "kind")
    assert np.flatnonzero(kinds.among({"convention"})).tolist() == [3]
