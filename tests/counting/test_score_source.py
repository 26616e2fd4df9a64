"""Rates, cases and outcomes by the scores that count: recorded, people's, or people's first."""

from pathlib import Path

import numpy as np
import pytest

from evalcore.counting.case_values import case_values
from evalcore.counting.counted import counted
from evalcore.counting.focus import focused
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.people import Scores
from evalcore.counting.rates import Rate, rates
from evalcore.counting.score_source import answers, outcomes_by, rates_by
from evalcore.counting.tally import OUTSIDE, PASS
from evalcore.families.reviews.review import ADJUDICATED
from evalcore.tables.rows import ExclusionRow, Row
from evalcore.workspace.opened import Workspace
from tests import made
from tests.counting.peopled import of, opened, said

V0 = Column("v0", "-")


def rate(ws: Workspace, scores: Scores) -> Rate:
    """Return the headline of v0."""
    return rates_by(ws, scores)[made.SUITE][V0]


def runs(family: str) -> list[Row]:
    """Return three cases with a run each, all recorded with full marks."""
    passed = {"improve": True, "records": True}.get(family)
    return [
        made.run(
            run_id=f"r{n}",
            case_id=f"c{n}",
            passed=passed,
            score=5.0,
            max_score=5.0,
            fraction=1.0,
            judge="gpt",
        )
        for n in (1, 2, 3)
    ]


@pytest.mark.parametrize(
    ("family", "by_hand", "mixed"),
    [
        # r1: two people, passed and failed: half. r2: adjudicated as failed. r3: nobody.
        ("improve", (0.5 + 0.0) / 2, (0.5 + 0.0 + 1.0) / 3),
        ("records", (0.5 + 0.0) / 2, (0.5 + 0.0 + 1.0) / 3),
        # r1: the median of 4 and 3 of 5 is 0.7. r2: adjudicated with 2 of 5, so 0.4.
        ("iterations", (0.7 + 0.4) / 2, (0.7 + 0.4 + 1.0) / 3),
        ("descriptions", (0.7 + 0.4) / 2, (0.7 + 0.4 + 1.0) / 3),
        # half of it is the share of structural checks that passed: 1 of 2 in every run.
        ("rubric", (0.6 + 0.45) / 2, (0.6 + 0.45 + 0.75) / 3),
    ],
)
def test_each_family_s_headline_by_people_is_that_of_a_hand(
    tmp_path: Path, family: str, by_hand: float, mixed: float
) -> None:
    """People's scores go into the headline of the family as the recorded ones do."""
    checks = (
        [
            made.judgment(
                f"S{k}", k == 1, run_id=f"r{n}", kind="structural", judge_type="heuristic"
            )
            for n in (1, 2, 3)
            for k in (1, 2)
        ]
        if family == "rubric"
        else []
    )
    ws = opened(
        tmp_path,
        *runs(family),
        *checks,
        of("r1", "a", 4.0, 5.0, True),
        of("r1", "b", 3.0, 5.0, False),
        of("r2", "a", 5.0, 5.0, True),
        of("r2", ADJUDICATED, 2.0, 5.0, False),
        family=family,
    )
    found = rate(ws, "human")
    assert found.value == pytest.approx(by_hand)
    assert (found.cases, found.counted, found.unscored, found.runs) == (2, 2, 1, 3)
    assert found.score == pytest.approx((3.5 + 2.0) / 2)
    assert rate(ws, "human-first").value == pytest.approx(mixed)
    assert rate(ws, "human-first").cases == 3
    assert case_values(ws, made.SUITE, "human")[V0].mean() == pytest.approx(by_hand)


def test_the_recorded_rate_is_the_same_string_as_before(tmp_path: Path) -> None:
    """A person's score never replaces a machine's."""
    before = opened(tmp_path, *runs("improve"))
    after = opened(
        tmp_path, *runs("improve"), of("r1", "a", 1.0, 5.0, False), said("tone", "a", 1.0)
    )
    assert rate(after, "recorded") == rate(before, "recorded")
    assert rates_by(before, "human-first") is rates(before)


def test_a_run_that_nobody_judged_is_missing_and_not_0(tmp_path: Path) -> None:
    """By people's scores alone also a run that timed out, which is recorded as failed."""
    late = made.run(run_id="r2", case_id="c2", status="timeout")
    ws = opened(tmp_path, made.run(passed=True), late)
    assert rate(ws, "recorded").value == 0.5
    assert (rate(ws, "human").value, rate(ws, "human").unscored) == (None, 2)


def test_a_run_that_waits_for_a_grading_counts_by_who_judged_it_whole(tmp_path: Path) -> None:
    """Not by the recorded scores, as there are none, and not for a part of its criteria."""
    ids = range(1, 5)
    waiting = [made.run(run_id=f"r{n}", case_id=f"c{n}", status="pending") for n in ids]
    ws = opened(
        tmp_path,
        *waiting,
        made.row(ExclusionRow, suite=made.SUITE, run_id="r4", author="ana"),
        of("r1", "a", 5.0, 5.0, True),
        said("tone", "a", 5.0),
        of("r2", "a", 5.0, 5.0, judged=1, expected=2),
        of("r4", "a", 5.0, 5.0, True),
    )
    assert (rate(ws, "recorded").value, rate(ws, "recorded").ungraded) == (None, 3)
    for scores in ("human", "human-first"):
        found = rate(ws, scores)
        assert (found.value, found.counted, found.ungraded, found.excluded) == (1.0, 1, 2, 1)
        by_run = outcomes_by(ws, made.SUITE, scores).runs["outcome"]
        assert by_run.tolist() == [PASS, OUTSIDE, OUTSIDE, OUTSIDE]
        assert counted(ws, scores)["run_id"].tolist() == ["r1"]
    assert counted(ws, "recorded").empty


def test_an_excluded_run_stays_out_whoever_judged_it(tmp_path: Path) -> None:
    """To leave a run out is not a judge's to undo."""
    gone = made.row(ExclusionRow, suite=made.SUITE, run_id="r1", reason="wrong file", author="a")
    ws = opened(
        tmp_path,
        *runs("improve"),
        of("r1", "a", 1.0, 5.0, False),
        of("r2", "a", 5.0, 5.0, True),
        gone,
    )
    assert (rate(ws, "human").value, rate(ws, "human").excluded) == (1.0, 1)


def cells(ws: Workspace, scores: Scores) -> list[tuple[int, int, float, bool]]:
    """Return of each case how many runs passed and failed, its mean score, if it is flaky."""
    found = outcomes_by(ws, made.SUITE, scores).cells.of(0)
    columns = (found[name].tolist() for name in ("passes", "fails", "score", "flaky"))
    return list(zip(*columns, strict=True))


def test_cells_say_what_people_say(tmp_path: Path) -> None:
    """Recorded as passed and judged as failed: the cell follows the choice."""
    ws = opened(tmp_path, *runs("improve"), of("r1", "a", 2.0, 5.0, False))
    assert cells(ws, "recorded")[0] == (1, 0, 5.0, False)
    assert cells(ws, "human-first") == [(0, 1, 2.0, False), (1, 0, 5.0, False), (1, 0, 5.0, False)]
    human = cells(ws, "human")
    assert human[0] == (0, 1, 2.0, False)
    assert [each[:2] for each in human[1:]] == [(0, 0), (0, 0)]
    assert np.isnan([each[2] for each in human[1:]]).all()


def test_a_case_is_flaky_by_the_scores_that_count(tmp_path: Path) -> None:
    """Two runs that the judge passed, of which people fail one criterion in the second."""
    both: list[Row] = [
        made.run(run_id=f"r{n}", run=str(n), fraction=1.0, score=1.0, max_score=1.0) for n in (1, 2)
    ]
    recorded: list[Row] = [made.judgment("tone", run_id=f"r{n}") for n in (1, 2)]
    people: list[Row] = [
        of("r1", "a", 1.0, 1.0),
        of("r2", "a", 0.0, 1.0),
        said("tone", "a", 5.0),
        said("tone", "a", 1.0, "r2"),
    ]
    ws = opened(tmp_path, *both, *recorded, *people, family="iterations")
    assert [cells(ws, scores)[0][3] for scores in ("recorded", "human", "human-first")] == [
        False,
        True,
        True,
    ]


def test_people_s_failures_are_failing_cases(tmp_path: Path) -> None:
    """The filter keeps what fails by the scores that count, and knows where people looked."""
    rows = [*runs("improve"), *(made.judgment("tone", run_id=f"r{n}") for n in (1, 2, 3))]
    ws = opened(tmp_path, *rows, of("r1", "a", 2.0, 5.0, False), said("tone", "a", 1.0))
    masks = {
        scores: focused(ws, made.SUITE, 0, None, scores).masks for scores in ("recorded", "human")
    }
    assert masks["recorded"]["failing"].tolist() == [False, False, False]
    assert masks["human"]["failing"].tolist() == [True, False, False]
    assert masks["human"]["unscored"].tolist() == [False, True, True]
    for found in masks.values():
        assert found["people"].tolist() == found["differ"].tolist() == [True, False, False]


def test_answers_fall_back_to_the_recorded_ones(tmp_path: Path) -> None:
    """With people first, a criterion that nobody judged has its recorded answer."""
    ws = opened(
        tmp_path,
        made.run(judge="gpt"),
        made.judgment("a", judge="gpt"),
        made.judgment("b", judge="gpt"),
        said("a", "ann", 1.0),
    )
    asked = {
        scores: sorted(answers(ws, np.array([0]), scores).passed.tolist())
        for scores in ("recorded", "human", "human-first")
    }
    assert asked == {"recorded": [1, 1], "human": [0], "human-first": [0, 1]}


def test_without_people_nothing_is_counted_again(tmp_path: Path) -> None:
    """The very same outcomes are used."""
    ws = opened(tmp_path, *runs("improve"))
    assert outcomes_by(ws, made.SUITE, "human-first") is outcomes(ws, made.SUITE)
