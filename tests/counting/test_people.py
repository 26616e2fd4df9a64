"""What people say of runs and criteria: the median of several, or what is adjudicated."""

from pathlib import Path

import numpy as np
import pytest

from evalcore.counting.coded import coded
from evalcore.counting.people import (
    Criteria,
    by_people,
    criteria_by_people,
    differ,
    has_human_scores,
    people_rows,
    rows_of_whole_judges,
)
from evalcore.families.reviews.review import ADJUDICATED
from evalcore.shapes.judge import REPEATED
from evalcore.tables.rows import Row, RunScoreRow
from evalcore.workspace.opened import Workspace
from tests import made
from tests.counting.peopled import of, opened, said


def spoken(root: Path, *rows: Row) -> Workspace:
    """Return a workspace with the run r1, recorded as passed with 4 of 5, and these rows."""
    run = made.run(passed=True, score=4.0, max_score=5.0, fraction=0.8, judge="gpt")
    return opened(root, made.case(), run, *rows)


def told(ws: Workspace) -> dict[str, tuple[int, float]]:
    """Return of each criterion of r1: passed, part of the scale."""
    found: Criteria = criteria_by_people(ws)
    words = coded(ws, "judgments", "criterion").words
    rows = zip(found.criterion, found.passed, found.fraction, strict=True)
    return {words[at]: (int(yes), round(float(part), 9)) for at, yes, part in rows}


def test_several_people_count_as_their_median(tmp_path: Path) -> None:
    """Of 1, 4 and 5 it is 4; of 2 and 5 it is 3.5."""
    three = spoken(
        tmp_path, *(of("r1", who, n, 5.0) for who, n in zip("abc", (1.0, 4.0, 5.0), strict=True))
    )
    assert (by_people(three).score[0], by_people(three).judges[0]) == (4.0, 3)
    two = spoken(tmp_path, of("r1", "a", 2.0, 5.0), of("r1", "b", 5.0, 5.0))
    assert by_people(two).fraction[0] == pytest.approx(0.7)


def test_an_adjudication_outranks_everybody(tmp_path: Path) -> None:
    """However many said otherwise; the adjudicator is no further judge."""
    ws = spoken(
        tmp_path,
        of("r1", "a", 5.0, 5.0, True),
        of("r1", "b", 5.0, 5.0, True),
        of("r1", ADJUDICATED, 2.0, 5.0, False),
    )
    found = by_people(ws)
    assert (found.score[0], found.passed[0], found.judges[0]) == (2.0, 0.0, 2)


def test_a_run_judged_in_part_has_no_score_of_people(tmp_path: Path) -> None:
    """It is missing, never 0; the suite has human scores all the same."""
    ws = spoken(tmp_path, of("r1", "a", None, 5.0, judged=1, expected=2), said("tone", "a", 2.0))
    assert np.isnan(by_people(ws).fraction[0])
    assert has_human_scores(ws, made.SUITE)
    assert not has_human_scores(ws, "another")


def test_nobody_judged_is_told_at_once(tmp_path: Path) -> None:
    """Without any row of a person every run is missing."""
    ws = spoken(tmp_path, made.judgment("tone", judge="gpt"))
    assert np.isnan(by_people(ws).fraction).all()
    assert not len(criteria_by_people(ws).run)
    assert not has_human_scores(ws, made.SUITE)


def test_a_criterion_counts_as_the_median_of_those_who_judged_it(tmp_path: Path) -> None:
    """What went stale, was taken back or replaced, is of no run, and conventions do not count."""
    ws = spoken(
        tmp_path,
        said("tone", "a", 4.0),
        said("tone", "b", 5.0),
        said("tone", "c", 3.0),
        said("tone", "d", 1.0, status="stale"),
        said("tone", "e", 1.0, status="superseded"),
        said("tone", "f", None, status="unscored"),
        said("tone", "g", 1.0, status="unattached"),
        said("naming", "a", 1.0, kind="convention"),
    )
    assert told(ws) == {"tone": (1, 0.8)}


def test_a_suite_with_unattached_scores_alone_has_none(tmp_path: Path) -> None:
    """Nobody judged what its runs are judged by."""
    ws = spoken(tmp_path, said("tone", "a", 4.0, status="unattached"))
    assert not has_human_scores(ws, made.SUITE)
    assert told(ws) == {}


def test_an_adjudicated_criterion_is_not_waiting(tmp_path: Path) -> None:
    """Its score outranks the others, and nobody has to decide it again."""
    ws = spoken(
        tmp_path,
        said("tone", "a", 5.0),
        said("tone", "b", 1.0),
        said("tone", ADJUDICATED, 2.0),
        said("form", "a", 4.0),
    )
    assert told(ws) == {"tone": (0, 0.4), "form": (1, 0.8)}


def test_a_divided_criterion_is_neither_passed_nor_failed(tmp_path: Path) -> None:
    """One of two says passed: half of it, and no word for it."""
    ws = spoken(tmp_path, said("tone", "a", 5.0), said("tone", "b", 1.0))
    assert told(ws) == {"tone": (-1, 0.5)}


def test_answers_differ_by_verdict_or_by_more_than_a_fifth() -> None:
    """Both passed is the same, whatever the score; without a verdict the scale decides."""
    passed, other = np.array([1, 1, -1, -1, -1]), np.array([1, 0, -1, -1, 1])
    one, two = np.array([1.0, 1.0, 0.8, 0.8, 0.8]), np.array([0.6, 0.6, 0.6, 0.4, np.nan])
    assert differ(passed, one, other, two).tolist() == [False, True, False, True, False]


def graded_by(root: Path, judge: str, *said_by: str, repeats: bool) -> Workspace:
    """Return a workspace with r1 graded by `judge`, a person, and records of these judges.

    With `repeats` the grading was written from the records.
    """
    by = {"judge": judge, "judge_type": "human"}
    own = {"score": 4.0, "max_score": 5.0, "passed": True, "judged": 1, "expected": 1}
    origin = {"origin": REPEATED if repeats else None}
    return opened(
        root,
        made.case(),
        made.run(passed=True, score=4.0, max_score=5.0, fraction=0.8, **by),
        made.judgment("tone", True, **by),
        made.row(RunScoreRow, run_id="r1", **by, **own, **origin),
        *(of("r1", each, 2.0, 5.0) for each in said_by),
        *(said("tone", each, 2.0) for each in said_by),
    )


@pytest.mark.parametrize("judge", ["ana", "ana, rules", "ben, ana"])
def test_a_grading_written_from_records_is_no_further_judgment(tmp_path: Path, judge: str) -> None:
    """Only the records count."""
    ws = graded_by(tmp_path, judge, "ana", repeats=True)
    assert (by_people(ws).score[0], by_people(ws).judges[0]) == (2.0, 1)
    assert (len(people_rows(ws)), len(rows_of_whole_judges(ws))) == (1, 1)


@pytest.mark.parametrize("others", [(), ("ben",), ("ana",)])
def test_a_grading_that_a_person_wrote_counts(tmp_path: Path, others: tuple[str, ...]) -> None:
    """Whoever has records beside it, and also if nobody has."""
    ws = graded_by(tmp_path, "ana", *others, repeats=False)
    assert by_people(ws).judges[0] == 1 + len(others)
    assert len(people_rows(ws)) == len(rows_of_whole_judges(ws)) == 1 + len(others)
