"""What a number of cases can show: published sample sizes, and what no set can."""

import numpy as np
import pytest

from evalcore.statistics.planning_cases import TARGET, Spread, fewest, least, spread_of, visible_in


def spread(deviation: float, size: float = 0.01) -> Spread:
    """Return differences of pass rates with a sample standard deviation."""
    return Spread(deviation, size, scores=False)


def test_twenty_cases_see_what_r_says() -> None:
    """power.t.test(n = 20, type = "one.sample", sd = 0.1, power = .8): delta = 0.0660."""
    assert visible_in(20, spread(0.1)) == pytest.approx(0.0660, abs=5e-5)


def test_three_points_need_the_969_cases_of_miller() -> None:
    """With variance 1/9 of the differences; the t test adds the two cases of its own doubt."""
    assert fewest(lambda n: visible_in(n, spread(1 / 3)) <= 0.03, 6, 2_000) == 969 + 2


def test_a_stricter_level_sees_less() -> None:
    """R: power.t.test(n = 20, sd = 0.1, power = .8, sig.level = .05 / 18): delta = 0.0973."""
    assert visible_in(20, spread(0.1), 0.05 / 18) == pytest.approx(0.0973, abs=5e-5)


def test_few_scores_are_planned_with_the_interval_they_are_held_to() -> None:
    """98 % at ten: power.t.test(n = 10, sd = 0.1, sig.level = .02): delta = 0.1185."""
    assert visible_in(10, Spread(0.1, 0.01, scores=True)) == pytest.approx(0.1185, abs=5e-5)
    assert visible_in(15, Spread(0.1, 0.01, scores=True)) == visible_in(15, spread(0.1))


def test_the_difference_that_was_seen_does_not_count() -> None:
    """The same spread around another mean sees the same: no power from the outcome."""
    there = np.array([0.2, -0.2] * 20)
    assert spread_of(there, scores=False) == pytest.approx((0.2026, 0.2, False), abs=1e-4)
    assert spread_of(there + 0.05, scores=False) == pytest.approx((0.2026, 0.2, False), abs=1e-4)


def test_six_cases_must_change() -> None:
    """One pass of 50 that changed has little spread, but a difference shows from about 8 on."""
    found = spread_of(np.array([1.0] + [0.0] * 49), scores=False)
    assert found is not None
    assert visible_in(50, found) == pytest.approx(0.1535, abs=1e-4)


def test_more_cases_see_less() -> None:
    """The smallest difference falls with the number of cases."""
    sees = [visible_in(cases, spread(0.3)) for cases in (6, 10, 20, 50, 200, 2_000)]
    assert sees == sorted(sees, reverse=True)
    assert sees[0] <= 1


@pytest.mark.parametrize("differences", [[], [0.5], [0.5, -0.5, 0, 0, 0], [0.0] * 50])
def test_nothing_is_planned_from_nothing(differences: list[float]) -> None:
    """Fewer than six cases see nothing at all, and no change tells nothing of its size."""
    assert spread_of(np.array(differences), scores=False) is None


def test_the_fewest_and_the_least_are_at_the_edge() -> None:
    """All above is enough, all below is not; where nothing is, there is none."""
    found = [fewest(range(edge, 200).__contains__, 1, 100) for edge in (0, 1, 37, 100, 101)]
    assert found == [1, 1, 37, 100, None]
    assert least(lambda size: size >= TARGET) == pytest.approx(TARGET, abs=1e-4)
    assert least(lambda size: size >= 0.6, 0.5) is None
