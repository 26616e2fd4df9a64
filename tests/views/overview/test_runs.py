"""Runs that need a look: those that disagree, those that ended badly, cases that did not run."""

from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace
from evalcore.counting.outcomes import Column
from evalcore.counting.people import Scores
from evalcore.counting.rates import SHARE
from evalcore.tables.rows import Row
from evalcore.views.overview.attention import look_blocks
from evalcore.views.overview.column import ended, flaky_cases, not_run
from evalcore.views.overview.summary import overview
from tests import made
from tests.counting.peopled import of
from tests.views.panel_json import panel_json

V0 = Column("v0", "-")


def opened(root: Path, *rows: Row) -> Workspace:
    """Return a suite with one version."""
    about = made.suite()._replace(headline=SHARE)
    return made.workspace(root, about, made.version("v0", 0), *rows)


def runs(case: str, *passed: bool) -> list[Row]:
    """Return the runs of a case, one after the other."""
    return [
        made.run(run_id=f"{case}-{n}", case_id=case, run=str(n), passed=each)
        for n, each in enumerate(passed, 1)
    ]


def look(ws: Workspace) -> Any:
    """Return the blocks of the only version."""
    return panel_json(look_blocks(ws, overview(ws, made.SUITE)))


def test_a_flaky_case_says_how_often_it_passed(tmp_path: Path) -> None:
    """Two of three runs; the most divided case stands first, steady ones do not stand at all."""
    ws = opened(
        tmp_path,
        *runs("calm", True, True),
        *runs("most", True, True, True, False),
        *runs("half", True, False),
    )
    found = flaky_cases(ws, made.SUITE, V0)
    assert [(one.name, one.passed, one.runs) for one in found] == [("half", 1, 2), ("most", 3, 4)]


def test_runs_that_all_fail_are_not_flaky(tmp_path: Path) -> None:
    """Each fails for another reason: the case fails, and does so reliably."""
    said = [
        made.judgment(label, n == 1 or label == "other", run_id=f"case-1-{n}")
        for n in (1, 2)
        for label in ("tone", "other")
    ]
    ws = opened(tmp_path, *runs("case-1", False, False), *said)
    assert flaky_cases(ws, made.SUITE, V0) == ()


def test_a_flaky_case_is_a_door_to_its_run(tmp_path: Path) -> None:
    """Gradings opens on it, with the flaky ones as its list."""
    heading, table, *_ = look(opened(tmp_path, *runs("case-1", True, False, True)))
    assert heading["hint"] == "1 of 1 case with two runs or more"
    name, number = table["rows"][0]["cells"]
    assert name["link"]["query"] == {
        "suite": made.SUITE,
        "filter": "flaky",
        "run": "case-1-2",
    }
    assert number["text"] == "≈ 2 of 3"


def test_without_repeats_flakiness_is_not_measured(tmp_path: Path) -> None:
    """It is not said that nothing is flaky."""
    blocks = look(opened(tmp_path, *runs("case-1", True)))
    assert str(blocks[1]["text"]).startswith("Not measured: every case ran once")


def test_runs_are_counted_by_how_they_ended(tmp_path: Path) -> None:
    """Which of them count, as failed, is told; each is a door."""
    ws = opened(
        tmp_path,
        *runs("good", True),
        made.run(run_id="t", case_id="a", status="timeout"),
        made.run(run_id="g", case_id="b", status="gate_failed", passed=False),
        made.run(run_id="e", case_id="c", status="error"),
        made.run(run_id="u", case_id="d"),
    )
    found = ended(ws, made.SUITE, V0)
    assert [(one.status, one.n, one.counts) for one in found] == [
        ("gate_failed", 1, True),
        ("timeout", 1, True),
        ("error", 1, False),
        ("no score", 1, False),
    ]
    items = look(ws)[-1]["items"]
    assert [item["what"] for item in items] == [
        "run stopped at the structural gate, counted as failed",
        "run ran out of time, counted as failed",
        "run ended in an error, not in the rates",
        "run without a score",
    ]
    assert items[1]["entries"][0]["link"]["query"]["run"] == "t"


@pytest.mark.parametrize(("scores", "n"), [("recorded", 2), ("human-first", 1), ("human", 1)])
def test_a_waiting_run_that_a_person_judged_needs_no_look(
    tmp_path: Path, scores: Scores, n: int
) -> None:
    """By people's scores, which it counts in; as recorded it waits."""
    waiting = [made.run(run_id=f"r{n}", case_id=f"c{n}", status="pending") for n in (1, 2)]
    ws = opened(tmp_path, *waiting, of("r1", "ana", 5.0, 5.0, True))
    (found,) = ended(ws, made.SUITE, V0, scores)
    assert (found.status, found.n, found.counts) == ("pending", n, False)


def test_an_unknown_status_is_shown_as_it_is(tmp_path: Path) -> None:
    """It is counted with its own word."""
    ws = opened(tmp_path, made.run(run_id="x", status="lost"))
    assert look(ws)[-1]["items"][0]["what"].startswith("run with the status lost")


def test_when_all_went_well_one_line_says_so(tmp_path: Path) -> None:
    """With how many runs that is true of."""
    assert look(opened(tmp_path, *runs("case-1", True, True)))[-1] == {
        "t": "heading",
        "text": "Runs",
        "hint": "all 2 runs of v0 finished and are scored",
        "mark": None,
    }


def test_cases_without_a_run_are_doors(tmp_path: Path) -> None:
    """Drafts are not missed."""
    ws = opened(
        tmp_path,
        *runs("case-1", True),
        *(made.case(case_id=name) for name in ("case-1", "case-2")),
        made.case(case_id="case-3", status="draft"),
    )
    assert not_run(ws, made.SUITE, V0) == ("case-2",)
    (item,) = look(ws)[-1]["items"]
    assert item["what"] == "case without a run"
    assert item["entries"][0]["link"]["query"] == {"suite": made.SUITE, "case": "case-2"}


def test_planned_runs_that_are_not_there_are_counted(tmp_path: Path) -> None:
    """As the verdict counts them: run 2 of three is missing, and no run of the other case is."""
    first, _, third = runs("case-1", True, False, True)
    ws = opened(tmp_path, first, third, *runs("case-2", True))
    (item,) = look(ws)[-1]["items"]
    assert (item["n"], item["what"]) == (1, "planned run missing, in 1 case")
    assert item["entries"] == [
        {
            "text": "case-1",
            "about": "1 of 3",
            "link": {"page": "gradings", "query": {"suite": made.SUITE, "case": "case-1"}},
        }
    ]
