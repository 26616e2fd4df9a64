"""What each case of one side is worth, and which runs count for it."""

from pathlib import Path

import pytest

from evalcore.comparing.compare import compare
from evalcore.tables.rows import ExclusionRow
from tests import made
from tests.comparing.sided import opened, run_id, sides
from tests.counting.peopled import of


@pytest.mark.parametrize("odd", [4.5, -4.5, 1e308])
def test_a_score_beyond_its_scale_is_not_scored(tmp_path: Path, odd: float) -> None:
    """A file may say 9 of 2: the case is left out, the others are compared."""
    rest = {f"c{n}": [0.5] for n in range(6)}
    ws = opened(tmp_path, {**rest, "odd": [odd]}, {**rest, "odd": [0.5]}, headline="pass_rate")
    found = compare(*sides(ws))
    assert len(found.pairs) == 6
    assert [(left.case_id, left.reason) for left in found.left_out] == [("odd", "not scored in A")]


def test_a_run_beyond_its_scale_leaves_the_others_of_its_case(tmp_path: Path) -> None:
    """The mean is over the runs that say something."""
    ws = opened(tmp_path, {"x": [0.5, 7.0, 1.0]}, {"x": [1.0]}, headline="pass_rate")
    (pair,) = compare(*sides(ws)).pairs
    assert (pair.a, pair.runs_a) == (0.75, 2)


def test_a_case_whose_run_a_person_excluded_is_left_out_and_says_so(tmp_path: Path) -> None:
    """It is not called a draft, and another run of the case still counts."""
    gone = [
        made.row(ExclusionRow, suite=made.SUITE, run_id=run_id(case, "v1"), reason="wrong file")
        for case in ("x", "y")
    ]
    ws = opened(tmp_path, {"x": [1.0], "y": [1.0]}, {"x": [1.0], "y": [1.0, 0.0]}, *gone)
    found = compare(*sides(ws))
    assert [(left.case_id, left.reason) for left in found.left_out] == [("x", "excluded in B")]
    assert [(pair.case_id, pair.b) for pair in found.pairs] == [("y", 0.0)]


def test_what_people_said_of_an_excluded_run_makes_a_case_no_person_s(tmp_path: Path) -> None:
    """No score of a person is in its value, so it is compared with a recorded one."""
    first, second = run_id("x", "v1"), run_id("x", "v1", 2)
    gone = made.row(ExclusionRow, suite=made.SUITE, run_id=first, reason="wrong file")
    ws = opened(tmp_path, {"x": [1.0]}, {"x": [1.0, 0.0]}, gone, of(first, "ann", 1.0, 1.0, True))
    found = compare(*sides(ws), "human-first")
    assert [(pair.case_id, pair.b) for pair in found.pairs] == [("x", 0.0)]
    counted = opened(
        tmp_path / "all", {"x": [1.0]}, {"x": [1.0, 0.0]}, gone, of(second, "ann", 1.0, 1.0, True)
    )
    left = compare(*sides(counted), "human-first").left_out
    assert [each.reason for each in left] == ["people only in B"]
