"""Planning in both coins, and before a run."""

import numpy as np
import pytest

from evalcore.statistics import planning
from evalcore.statistics.general import general
from evalcore.statistics.paired_runs import PairedRuns
from evalcore.statistics.planning import TARGET, Plan, before


def plan(runs: PairedRuns, level: float = 0.05) -> Plan:
    """Return the plan of runs whose tests are held to one level."""
    return planning.plan(runs, general(runs), level, level)


def tables(cases: int, runs: int, seed: int = 1) -> PairedRuns:
    """Return runs that pass or fail evenly."""
    rng = np.random.default_rng(seed)
    return PairedRuns.of_tables(*(rng.integers(0, 2, (2, cases, runs)).astype(float)))


def test_what_is_needed_is_what_makes_it_visible() -> None:
    """So many cases like these show ten points, and not many fewer do."""
    few = tables(40, 3)
    needed = plan(few).needed
    assert needed is not None
    assert needed > 40
    a, b = (np.tile(side.reshape(40, 3), (5, 1)) for side in (few.a, few.b))
    more = PairedRuns.of_tables(a, b)
    assert (plan(few).visible or 0) > TARGET
    assert plan(more).needed == pytest.approx(needed, rel=0.05)
    assert ((plan(more).visible or 1) <= TARGET) == (needed <= 200)


def test_a_larger_difference_that_was_seen_needs_fewer_cases() -> None:
    """`needed_as_seen` plans for it; None where there is none."""
    up = PairedRuns.of_means([0.0] * 20 + [1.0] * 10, [1.0] * 12 + [0.0] * 12 + [1.0] * 6)
    found = plan(up)
    assert found.needed_as_seen is not None
    assert found.needed is not None
    assert found.needed_as_seen < found.needed
    even = PairedRuns.of_means([0.0] * 10 + [1.0] * 10, [1.0] * 10 + [0.0] * 10)
    assert plan(even).needed_as_seen is None


def test_one_of_many_criteria_is_planned_at_its_own_level() -> None:
    """Eighteen criteria: each sees less than it would alone, and needs more of both."""
    alone, one = plan(tables(20, 3)), plan(tables(20, 3), 0.05 / 18)
    assert (one.visible or 0) > (alone.visible or 1)
    assert (one.needed or 0) > (alone.needed or 10**6)
    assert (one.more_runs or 100) > (alone.more_runs or 100)


def test_few_cases_plan_runs_and_no_cases() -> None:
    """Below six cases the rule over cases tells nothing, but their runs do."""
    found = plan(PairedRuns.of_tables([[0, 0, 1]] * 3, [[1, 1, 1]] * 3))
    assert (found.visible, found.needed, found.needed_as_seen) == (None, None, None)
    assert found.more_runs is not None
    assert plan(PairedRuns.of_means([], [])).more_runs is None


def test_before_a_run_cases_and_runs_say_what_they_will_show() -> None:
    """Four cases with three runs show .3 to .9 in 82 % of repeats: about 60 points, on these."""
    few = before(4, 3, rate=0.3)
    assert few.on_these == pytest.approx(0.58, abs=0.04)
    assert few.like_these is None
    many = before(50, 3)
    assert many.on_these is not None
    assert many.like_these is not None
    assert many.on_these <= many.like_these < 0.2


def test_more_of_anything_shows_smaller_differences() -> None:
    """Cases, runs, and checks a run; a rate near the end of the scale varies less."""
    seen = before(20, 3).like_these or 0
    for better in (before(40, 3), before(20, 6), before(20, 3, checks=8), before(20, 3, rate=0.95)):
        assert (better.like_these or 1) < seen


def test_what_cannot_decide_shows_nothing() -> None:
    """One case with three runs."""
    assert (before(1, 3).on_these, before(1, 3).like_these) == (None, None)


@pytest.mark.parametrize(
    "wrong", [{"cases": 0}, {"runs": 0}, {"rate": 0}, {"rate": 1}, {"checks": 0}]
)
def test_no_plan_without_cases_runs_or_a_rate(wrong: dict[str, float]) -> None:
    """A fault of the caller."""
    with pytest.raises(ValueError, match="Plan with"):
        before(**{"cases": 5, "runs": 3, **wrong})  # type: ignore[arg-type]
