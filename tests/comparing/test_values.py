"""What each case of one side is worth, and which runs count for it."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from evalcore.comparing.compare import compare
from evalcore.comparing.values import (
    COUNTED,
    EXCLUDED,
    GATE_STOPPED,
    NOT_FINISHED,
    NOT_LOST,
    NOT_SCORED,
    bounded,
    runs_of,
)
from evalcore.counting.people import Scores
from evalcore.counting.rates import SHARE
from evalcore.tables.rows import ExclusionRow
from evalcore.workspace.opened import Workspace
from tests import made
from tests.comparing.sided import opened, run_id, sides, versions
from tests.counting.peopled import of


def frame(ws: Workspace, scores: Scores = "recorded") -> list[dict[str, object]]:
    """Return the runs of v1, in their order."""
    _, side = sides(ws)
    rows = runs_of(ws, side.suite, side.column, scores)
    return [dict(zip(rows.columns, row, strict=True)) for row in rows.itertuples(index=False)]


def test_what_became_of_each_run_is_told(tmp_path: Path) -> None:
    """A person's exclusion goes before the score it has; a crash says why there is none."""
    states: dict[str, dict[str, Any]] = {
        "scored": {"passed": True},
        "unscored": {},
        "gone": {"passed": True},
        "crashed": {"status": "infrastructure_error"},
        "gated": {"status": "gate_failed"},
    }
    fraction: dict[str, Any] = {"fraction": None}
    ws = versions(
        tmp_path,
        made.case(case_id="draft", status="draft"),
        *(
            made.run(run_id=run_id(name, "v1"), case_id=name, version="v1", **(fraction | given))
            for name, given in [*states.items(), ("draft", {"passed": True})]
        ),
        made.row(ExclusionRow, suite=made.SUITE, run_id=run_id("gone", "v1"), reason="Broken."),
        family="rubric",
        headline=SHARE,
    )
    ids = ws.tables.runs["case_id"].tolist()
    lost = dict(zip(ids, (row["lost"] for row in frame(ws)), strict=True))
    assert lost == {
        "scored": COUNTED,
        "unscored": NOT_SCORED,
        "gone": EXCLUDED,
        "crashed": NOT_FINISHED,
        "gated": COUNTED,
        "draft": NOT_LOST,
    }


def test_a_run_that_the_gate_stopped_before_its_rubric_is_lost_to_the_gate(tmp_path: Path) -> None:
    """Where runs have scores, it has none; where they pass or fail, it failed."""
    gated = made.run(run_id=run_id("x", "v1"), case_id="x", version="v1", status="gate_failed")
    ws = versions(tmp_path, gated, family="rubric", headline="mean score")
    (row,) = frame(ws)
    assert (row["lost"], row["counted"], row["gate"]) == (GATE_STOPPED, False, True)


def test_with_people_s_scores_alone_what_nobody_judged_is_not_lost(tmp_path: Path) -> None:
    """People judge a part of the runs by choice."""
    ws = opened(
        tmp_path, {"x": [1.0]}, {"x": [1.0, 0.0]}, of(run_id("x", "v1"), "ann", 1.0, 1.0, True)
    )
    assert [row["lost"] for row in frame(ws, "human")] == [COUNTED, NOT_LOST]
    assert [row["lost"] for row in frame(ws, "human-first")] == [COUNTED, COUNTED]


@pytest.mark.parametrize(
    ("whole", "value", "unscored", "low", "high"),
    [
        # Of four criteria; a share moves by those without a score.
        (False, 1.0, 1, 0.75, 1.0),
        (False, 0.5, 2, 0.25, 0.75),
        (False, 0.5, 0, 0.5, 0.5),
        (False, 0.5, 4, 0.0, 1.0),
        # What passes or fails as a whole may be either.
        (True, 1.0, 1, 0.0, 1.0),
        (True, 0.0, 1, 0.0, 1.0),
        (True, 1.0, 0, 1.0, 1.0),
    ],
)
def test_the_value_of_a_run_is_bounded_by_its_criteria_without_a_score(
    whole: bool, value: float, unscored: int, low: float, high: float
) -> None:
    """As if they had failed, and as if they had passed."""
    runs = pd.DataFrame({"value": [value], "unscored": unscored, "criteria": 4, "counted": True})
    found = bounded(runs, whole=whole)
    assert (found["low"].item(), found["high"].item()) == (low, high)
    gone = bounded(runs.assign(counted=False), whole=whole)
    assert (gone["low"].item(), gone["high"].item()) == (0.0, 1.0)


def test_a_run_without_recorded_criteria_has_its_value_only() -> None:
    """A pass rate from a benchmark is not known to lack any."""
    runs = pd.DataFrame({"value": [0.5], "unscored": 0, "criteria": 0, "counted": True})
    found = bounded(runs, whole=False)
    assert (found["low"].item(), found["high"].item()) == (0.5, 0.5)


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
