"""What people say beside a run's own judge, and runs that they left out, in what is counted."""

from pathlib import Path

import pytest

from evalcore.counting.joined import counting, judged
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.rates import SHARE, rates
from evalcore.counting.review_rows import excluded, from_reviews
from evalcore.tables.rows import ExclusionRow, JudgmentRow, RunRow, RunScoreRow, SuiteRow
from evalcore.workspace.opened import Workspace
from tests.made import row, workspace


def run(name: str, passed: bool | None = True) -> RunRow:
    """A run of one case each."""
    return row(
        RunRow,
        run_id=f"s::{name}@v1/-#1",
        suite="s",
        case_id=name,
        version="v1",
        configuration="-",
        run="1",
        origin="grading",
        status="completed",
        passed=passed,
        source=f"{name}.json",
    )


def judgment(name: str, passed: bool, source: str, judge: str | None = None) -> JudgmentRow:
    """A judgment of one criterion of a run, in some document."""
    return row(
        JudgmentRow,
        run_id=f"s::{name}@v1/-#1",
        kind="expectation",
        criterion="tone",
        judge=judge,
        judge_type="human" if judge else "llm",
        score=float(passed),
        max_score=1.0,
        passed=passed,
        status="scored",
        source=source,
    )


def exclusion(name: str) -> ExclusionRow:
    """A run left out by hand."""
    return ExclusionRow(
        suite="s",
        run_id=f"s::{name}@v1/-#1",
        reason="No network.",
        author="ana-1",
        created_at=None,
        source="reviews/x",
        pointer="",
    )


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """Two runs that passed; of one a person says otherwise, and a third one was left out."""
    people = "reviews/eval-judgment/1.json"
    return workspace(
        tmp_path,
        row(SuiteRow, suite="s", name="s", family="improve", headline=SHARE),
        run("a"),
        run("b"),
        run("c", passed=False),
        judgment("a", True, "a.json"),
        judgment("b", True, "b.json"),
        judgment("a", False, people, "ana-1"),
        judgment("a", False, f"w/{people}", "bob-2"),
        judgment("b", True, "previews/eval-judgment/1.json"),
        RunScoreRow(
            run_id="s::a@v1/-#1",
            judge="ana-1",
            judge_type="human",
            score=0.0,
            max_score=1.0,
            passed=False,
            judged=1,
            expected=1,
            origin="review",
        ),
        RunScoreRow(
            run_id="s::a@v1/-#1",
            judge_type="llm",
            score=1.0,
            max_score=1.0,
            passed=True,
            judged=1,
            expected=1,
        ),
        exclusion("c"),
    )


def test_what_people_say_stands_beside(ws: Workspace) -> None:
    """A row counts as theirs by the folder that it was read from, and by nothing like it."""
    assert from_reviews(ws, "judgments").tolist() == [False, False, True, True, False]
    assert from_reviews(ws, "run_scores").tolist() == [True, False]


def test_what_people_say_is_not_counted_among_recorded_answers(ws: Workspace) -> None:
    """The run has its one recorded answer, whatever two people say of it."""
    assert counting(ws).tolist() == [True, True, False, False, True]
    found = judged(ws)
    assert found.scored.tolist() == [1, 2, 0]
    assert found.failed.tolist() == [0, 0, 0]


def test_an_excluded_run_leaves_the_rate_and_is_counted_apart(ws: Workspace) -> None:
    """The failed run that was left out lowers nothing, and the rate says that it is there."""
    assert excluded(ws).tolist() == [False, False, True]
    rate = rates(ws)["s"][Column("v1", "-")]
    assert (rate.value, rate.runs, rate.counted, rate.excluded, rate.set_aside) == (1.0, 3, 2, 1, 0)


def test_an_excluded_run_stands_outside(ws: Workspace) -> None:
    """It is one of the case's runs, and neither passed nor failed."""
    found = outcomes(ws, "s")
    (tally,) = found.tallies([found.positions["c"]], [0]).values()
    assert (tally.n, tally.passes, tally.fails, tally.outside) == (1, 0, 0, 1)
    assert found.runs["excluded"].tolist() == [False, False, True]
