"""What a comparison will show, before there is a second side."""

from pathlib import Path

import pytest

from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.statistics.planning import Before, before
from evalcore.views.overview.sentences import planned_words
from evalcore.views.overview.summary import overview
from evalcore.workspace.opened import Workspace
from tests import made
from tests.comparing.sided import V0, each, opened, run_id

REPEATS = "(8 chances in 10)"


def alone(root: Path, values: dict[str, list[float]], headline: str = SHARE) -> Workspace:
    """Return a workspace with one side."""
    return opened(root, values, {}, headline=headline)


def test_a_suite_without_runs_is_planned_with_three_runs_of_each_case(tmp_path: Path) -> None:
    """The rate is not known, so it is the one that needs most runs."""
    ws = made.workspace(
        tmp_path, made.suite(), *(made.case(case_id=f"c{n}", name=None) for n in range(8))
    )
    assert overview(ws, made.SUITE).plan == before(8, 3, 0.5)


def test_one_side_is_planned_with_its_own_rate_and_runs(tmp_path: Path) -> None:
    """Three of four runs passed, of two cases with two runs each."""
    ws = alone(tmp_path, {"x": [1.0, 1.0], "y": [1.0, 0.0]})
    assert overview(ws, made.SUITE).plan == before(2, 2, 0.75)


def test_a_rate_of_all_or_none_is_planned_a_little_below(tmp_path: Path) -> None:
    """A rate of 1 would have no chance in it."""
    assert overview(alone(tmp_path, each([1.0] * 6)), made.SUITE).plan == before(6, 1, 0.95)


def test_the_checks_of_a_run_are_known_from_those_that_ran(tmp_path: Path) -> None:
    """Shares of eight checks vary less than passing or failing."""
    ran = [
        made.run(
            run_id=run_id(case, "v0"), case_id=case, version="v0", fraction=0.5, checks_total=8
        )
        for case in ("x", "y")
    ]
    suite = made.suite("iterations")._replace(headline="pass rate")
    ws = made.workspace(tmp_path, suite, made.version("v0", 0), *ran)
    assert overview(ws, made.SUITE).plan == before(2, 1, 0.5, 8)


def test_two_sides_need_no_plan(tmp_path: Path) -> None:
    """They have a verdict, with a plan of its own."""
    ws = opened(tmp_path, each([1.0] * 6), each([0.0] * 6))
    assert overview(ws, made.SUITE).plan is None
    assert V0.version == "v0"


def test_an_efficiency_is_not_planned(tmp_path: Path) -> None:
    """It is no share of runs or checks."""
    ws = alone(tmp_path, each([0.5] * 6), EFFICIENCY)
    assert overview(ws, made.SUITE).plan is None


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (
            Before(1, 1, None, None, 4),
            (
                "1 case with 1 run each on both sides cannot show a difference, however large: "
                "4 runs of each case can."
            ),
        ),
        (
            Before(5, 3, 0.48, None, 2),
            (
                "5 cases with 3 runs each on both sides will probably show a difference of about "
                "48 points "
                f"on these cases {REPEATS}; for others like them, six cases or more are needed."
            ),
        ),
        (
            Before(9, 3, 0.38, 0.42, 1),
            (
                "9 cases with 3 runs each on both sides will probably show a difference of about "
                "38 points "
                f"on these cases, of 42 points for others like them {REPEATS}."
            ),
        ),
        (
            Before(9, 3, 0.38, 0.38, 1),
            (
                "9 cases with 3 runs each on both sides will probably show a difference of about "
                "38 points, "
                f"on these cases and for others like them {REPEATS}."
            ),
        ),
    ],
)
def test_a_plan_is_said_in_points_and_repeats(plan: Before, words: str) -> None:
    """For these cases, and for others like them."""
    assert planned_words(plan, SHARE) == words
