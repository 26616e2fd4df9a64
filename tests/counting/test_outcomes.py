"""What becomes of runs and cells: verdicts, statuses, flaky cells, the order of columns."""

from pathlib import Path

import pytest

from evalcore import Workspace
from evalcore.counting.joined import judgments_of
from evalcore.counting.outcomes import Column, in_order, marks_in, marks_of_cells, outcomes
from evalcore.counting.tally import Tally
from evalcore.errors import UnknownName
from evalcore.tables.rows import Row
from tests.made import SUITE, case, judgment, run, suite, version, workspace


@pytest.fixture
def made(tmp_path: Path) -> "type[Made]":
    """Return a maker of workspaces."""
    Made.root = tmp_path
    return Made


class Made:
    """Makes a workspace of one suite from rows."""

    root: Path

    @classmethod
    def of(cls, *rows: Row, family: str = "iterations") -> Workspace:
        """Return a workspace of these rows."""
        return workspace(cls.root, suite(family), case(), *rows)


def marks(ws: Workspace) -> dict[str, str]:
    """Return what became of each run of the case."""
    return marks_in(ws, outcomes(ws, SUITE), "case-1")


def only_cell(ws: Workspace) -> Tally:
    """Return the first cell."""
    return outcomes(ws, SUITE).tallies([0], [0])[0, 0]


def test_a_run_is_what_its_document_decides(made: type[Made]) -> None:
    """Its own verdict counts, even beside a failed criterion that is not required."""
    ws = made.of(run(passed=True, score=4.0), judgment("a", passed=False))
    assert marks(ws) == {"r1": "pass"}


def test_without_a_verdict_a_failed_criterion_fails_the_run(made: type[Made]) -> None:
    """One of two failed: the run failed, and the cell counts one failed criterion."""
    ws = made.of(run(fraction=0.5), judgment("a"), judgment("b", passed=False))
    assert marks(ws) == {"r1": "fail"}
    assert only_cell(ws).failed == 1


def test_conventions_decide_nothing(made: type[Made]) -> None:
    """A failed convention is shown elsewhere and fails no run."""
    ws = made.of(run(fraction=1.0), judgment("a"), judgment("c", passed=False, kind="convention"))
    assert marks(ws) == {"r1": "pass"}


@pytest.mark.parametrize(
    ("given", "mark"),
    [
        ({"fraction": 0.8, "score": 4.0}, "scored"),
        ({}, "unscored"),
        ({"status": "timeout", "fraction": 1.0}, "fail"),
        ({"status": "gate_failed"}, "fail"),
        ({"status": "cancelled", "passed": True}, "outside"),
        ({"origin": "benchmark", "fraction": 1.0}, "pass"),
        ({"origin": "benchmark", "fraction": 0.5}, "fail"),
    ],
)
def test_a_run_without_pass_fail_criteria(
    made: type[Made], given: dict[str, object], mark: str
) -> None:
    """Status and score decide: timeouts fail, cancelled runs stand outside the rates."""
    assert marks(made.of(run(**given))) == {"r1": mark}


def test_runs_that_disagree_make_a_cell_flaky(made: type[Made]) -> None:
    """One passed and one failed; the run that a click opens is the one that failed."""
    rows = [run(run_id="r1", passed=True), run(run_id="r2", run="2", passed=False)]
    cell = only_cell(made.of(*rows))
    assert (cell.n, cell.passes, cell.fails, cell.flaky, cell.run) == (2, 1, 1, True, 1)


def test_runs_with_one_verdict_are_not_flaky(made: type[Made]) -> None:
    """Both runs passed, although an optional criterion passed in one only."""
    rows: list[Row] = [
        run(run_id="r1", passed=True),
        judgment("a"),
        run(run_id="r2", run="2", passed=True),
        judgment("a", passed=False, run_id="r2"),
    ]
    assert not only_cell(made.of(*rows)).flaky


def test_a_cell_has_the_marks_of_its_runs_by_their_numbers(made: type[Made]) -> None:
    """Run 10 comes after run 2, in whatever order they were read; other cells are left alone."""
    rows = [
        run(run_id="r10", run="10", passed=True),
        run(run_id="r2", run="2", passed=False),
        run(run_id="r1"),
        run(run_id="other", case_id="other", passed=True),
    ]
    ws = made.of(*rows)
    found = outcomes(ws, SUITE)
    case = found.positions["case-1"]
    assert marks_of_cells(ws, found, [case], [0]) == {(case, 0): ("unscored", "fail", "pass")}


def test_one_run_is_never_flaky(made: type[Made]) -> None:
    """Two criteria that differ within one run are no disagreement."""
    assert not only_cell(made.of(run(), judgment("a"), judgment("b", passed=False))).flaky


def test_cases_that_only_runs_know_are_listed_after_the_defined_ones(made: type[Made]) -> None:
    """A grading of a case that no document defines is not dropped."""
    ws = made.of(run(case_id="lost"))
    assert outcomes(ws, SUITE).cases["case_id"].tolist() == ["case-1", "lost"]


def test_columns_follow_the_versions_with_baselines_first() -> None:
    """Known versions in their order, unknown ones last; the thing under test stands right."""
    given = [
        Column("v10", "with_skill"),
        Column("v2", "with_skill"),
        Column("v2", "without_skill"),
        Column("x", "-"),
    ]
    ordered = in_order(given, {"v2": 0, "v10": 1})
    assert [column.key for column in ordered] == [
        "v2@without_skill",
        "v2@with_skill",
        "v10@with_skill",
        "x",
    ]


@pytest.mark.parametrize(
    ("maxima", "scale"), [((5.0, 5.0), 5.0), ((5.0, 1.0), None), ((None, None), None)]
)
def test_a_scale_is_what_all_runs_share(
    made: type[Made], maxima: tuple[float | None, float | None], scale: float | None
) -> None:
    """Scores of different maxima are not averaged as points."""
    rows = [run(run_id=f"r{n}", run=str(n), max_score=top) for n, top in enumerate(maxima)]
    assert outcomes(made.of(*rows, family="records"), SUITE).scale == scale


def test_judgments_are_found_by_run(made: type[Made]) -> None:
    """Only those of the given runs, in the order of the table; none for none."""
    ws = made.of(
        run(),
        judgment("a"),
        run(run_id="r2"),
        judgment("b", run_id="r2"),
        judgment("c", run_id="gone"),
    )
    assert judgments_of(ws, [1]).tolist() == [1]
    assert judgments_of(ws, []).tolist() == []


def test_an_unknown_suite_is_named(made: type[Made]) -> None:
    """Asking for a suite that is not there is the caller's mistake."""
    with pytest.raises(UnknownName, match="nowhere"):
        outcomes(made.of(version("v0", 0)), "nowhere")


def test_what_was_superseded_decides_nothing(made: type[Made]) -> None:
    """The older of two gradings of one run fails no run and makes no cell flaky."""
    old = judgment("a", passed=False, status="superseded")
    ws = made.of(
        run(fraction=1.0),
        run(run_id="r2", run="2", fraction=1.0),
        old,
        judgment("a"),
        judgment("a", run_id="r2"),
    )
    assert marks(ws) == {"r1": "pass", "r2": "pass"}
    cell = only_cell(ws)
    assert (cell.n, cell.failed, cell.flaky) == (2, 0, False)
