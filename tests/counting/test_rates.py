"""The headline of a version: the mean over its cases of each case's mean over its runs."""

from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

from evalcore import Workspace
from evalcore.counting.outcomes import Column
from evalcore.counting.rates import EFFICIENCY, SHARE, Rate, on_scale, rates
from evalcore.tables.rows import Row
from tests import made

V0 = Column("v0", "-")


def of(root: Path, headline: str, *rows: Row) -> Rate:
    """Return the rate of v0 in a workspace with one suite and these rows."""
    return rates(opened(root, headline, *rows))[made.SUITE][V0]


def opened(root: Path, headline: str, *rows: Row) -> Workspace:
    """Return a workspace with one suite of this headline."""
    return made.workspace(
        root, made.suite()._replace(headline=headline), made.version("v0", 0), *rows
    )


def test_a_case_counts_once_however_often_it_ran(tmp_path: Path) -> None:
    """Two of three runs passed, but a case that ran once weighs as much as one that ran twice."""
    rate = of(
        tmp_path,
        SHARE,
        made.run(run_id="r1", passed=True),
        made.run(run_id="r2", run="2", passed=True),
        made.run(run_id="r3", case_id="case-2", passed=False),
    )
    assert (rate.value, rate.cases, rate.passed, rate.counted) == (0.5, 2, 2, 3)


def test_what_did_not_finish_stands_outside_and_is_counted(tmp_path: Path) -> None:
    """An error of the harness says nothing about the version."""
    rate = of(
        tmp_path,
        SHARE,
        made.run(run_id="r1", passed=True),
        made.run(run_id="r2", run="2", status="error", passed=None),
    )
    assert (rate.value, rate.counted, rate.outside, rate.unscored) == (1.0, 1, 1, 0)


@pytest.mark.parametrize("status", ["timeout", "refused", "length_cut"])
def test_a_run_that_never_answered_has_failed(tmp_path: Path, status: str) -> None:
    """It counts as 0 where nobody could judge it."""
    rate = of(
        tmp_path,
        "pass rate",
        made.run(run_id="r1", fraction=1.0),
        made.run(run_id="r2", run="2", status=status),
    )
    assert (rate.value, rate.counted) == (0.5, 2)


def test_a_run_without_a_score_is_left_out_and_counted(tmp_path: Path) -> None:
    """Missing is never 0."""
    rate = of(
        tmp_path, "pass rate", made.run(run_id="r1", fraction=0.5), made.run(run_id="r2", run="2")
    )
    assert (rate.value, rate.counted, rate.unscored) == (0.5, 1, 1)


@pytest.mark.parametrize("status", ["draft", "deprecated"])
def test_draft_and_deprecated_cases_stay_out(tmp_path: Path, status: str) -> None:
    """Their runs are counted as set aside."""
    rate = of(
        tmp_path,
        "pass rate",
        made.case(case_id="case-1"),
        made.case(case_id="case-2", status=status),
        made.run(run_id="r1", fraction=1.0),
        made.run(run_id="r2", case_id="case-2", fraction=0.0),
    )
    assert (rate.value, rate.cases, rate.runs, rate.set_aside) == (1.0, 1, 2, 1)


def test_efficiency_is_the_mean_of_structure_and_rubric(tmp_path: Path) -> None:
    """Half of the structural checks and 0.9 of the rubric make 0.7."""
    checks = [
        made.judgment(f"S{n}", passed, kind="structural") for n, passed in enumerate((True, False))
    ]
    rate = of(tmp_path, EFFICIENCY, made.run(run_id="r1", fraction=0.9), *checks)
    assert rate.value == pytest.approx(0.7)


def test_a_run_stopped_at_the_gate_has_no_efficiency(tmp_path: Path) -> None:
    """The judge was not asked: it is counted beside the mean, not as 0."""
    rate = of(
        tmp_path,
        EFFICIENCY,
        made.run(run_id="r1", status="gate_failed", passed=False),
        made.judgment("S1", False, kind="structural"),
    )
    assert (rate.value, rate.cases, rate.gate_failed, rate.unscored) == (None, 0, 1, 0)


def test_weights_of_cases_make_a_second_number(tmp_path: Path) -> None:
    """The headline stays unweighted; the weighted mean is shown beside it."""
    rate = of(
        tmp_path,
        "pass rate",
        made.case(case_id="case-1", weight=3.0),
        made.case(case_id="case-2", weight=1.0),
        made.run(run_id="r1", fraction=1.0),
        made.run(run_id="r2", case_id="case-2", fraction=0.0),
    )
    assert (rate.value, rate.weighted) == (0.5, 0.75)


def test_columns_stand_in_the_order_of_versions(tmp_path: Path) -> None:
    """Position decides, not the name; within a version the baseline comes first."""
    ws = opened(
        tmp_path,
        "pass rate",
        made.version("a", 2),
        made.version("b", 1),
        made.run(run_id="r1", version="a", configuration="with_skill"),
        made.run(run_id="r2", version="a", configuration="without_skill"),
        made.run(run_id="r3", version="b"),
    )
    keys = [column.key for column in rates(ws)[made.SUITE]]
    assert keys == ["b", "a@without_skill", "a@with_skill"]


def test_a_suite_without_runs_has_no_rates(tmp_path: Path) -> None:
    """It is listed all the same."""
    assert rates(opened(tmp_path, SHARE)) == {made.SUITE: {}}


def test_only_parts_of_a_scale_are_values() -> None:
    """What lies outside 0 to 1 is no value; what a float lies beside the ends is at the end."""
    found = on_scale(np.array([0.0, 0.5, 1.0, 1 + 1e-12, -1e-12, 1.1, -0.1, 4.5, inf, -inf, nan]))
    kept, lost = found[:5], found[5:]
    assert kept.tolist() == [0.0, 0.5, 1.0, 1.0, 0.0]
    assert np.isnan(lost).all()


def test_a_fraction_beyond_its_scale_is_no_part_of_a_rate(tmp_path: Path) -> None:
    """Nine passed of two would make a rate of 450 %."""
    rate = of(
        tmp_path,
        "pass rate",
        made.run(run_id="r1", fraction=0.5),
        made.run(run_id="r2", run="2", fraction=4.5),
    )
    assert (rate.value, rate.counted, rate.unscored) == (0.5, 1, 1)


def test_a_hidden_run_is_counted_apart(tmp_path: Path) -> None:
    """It is in no rate, and is neither unfinished nor without a score."""
    rate = of(
        tmp_path,
        SHARE,
        made.run(run_id="r1", passed=True),
        made.run(run_id="r2", run="2", status="hidden"),
        made.run(run_id="r3", run="3", status="error"),
    )
    assert (rate.value, rate.counted, rate.hidden, rate.outside) == (1.0, 1, 1, 1)
    assert (rate.unscored, rate.set_aside, rate.runs) == (0, 0, 3)
