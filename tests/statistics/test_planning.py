"""What a set of cases can show: published sample sizes, and what no set can."""

import numpy as np
import pytest

from evalcore.statistics.planning import TARGET, needed, visible


def spread(deviation: float, cases: int) -> list[float]:
    """Return differences of a given sample standard deviation, as many up as down."""
    size = deviation * np.sqrt((cases - 1) / cases)
    return [size, -size] * (cases // 2)


def test_twenty_cases_see_what_r_says() -> None:
    """power.t.test(n = 20, type = "one.sample", sd = 0.1, power = .8): delta = 0.0660."""
    assert visible(spread(0.1, 20)) == pytest.approx(0.0660, abs=5e-5)


def test_three_points_need_the_969_cases_of_miller() -> None:
    """With variance 1/9 of the differences; the t test adds the two cases of its own doubt."""
    assert needed(spread(1 / 3, 600), 0.03) == 969 + 2


def test_what_is_needed_is_what_makes_it_visible() -> None:
    """One case fewer does not show ten points."""
    enough = needed(spread(0.4, 40))
    assert enough is not None
    assert enough > 40
    grown = spread(0.4, 40) * (enough // 40 + 1)
    assert (visible(grown) or 1) <= TARGET < (visible(spread(0.4, 40)) or 0)


def test_the_difference_that_was_seen_does_not_count() -> None:
    """The same spread around another mean sees the same: no power from the outcome."""
    there = np.array(spread(0.2, 40))
    assert visible(there + 0.05) == pytest.approx(visible(there), rel=0.3)
    assert visible(np.array([0.25, 0.15] * 20)) == visible(np.array([-0.15, -0.25] * 20))


def test_six_cases_must_change() -> None:
    """One pass of 50 that changed has little spread, but a difference shows from about 8 on."""
    assert visible([1.0] + [0.0] * 49) == pytest.approx(0.1535, abs=1e-4)


def test_more_cases_see_less() -> None:
    """The smallest difference falls with the number of cases."""
    sees = [visible(spread(0.3, cases)) or 0 for cases in (6, 10, 20, 50, 200, 2_000)]
    assert sees == sorted(sees, reverse=True)
    assert sees[0] <= 1


@pytest.mark.parametrize("differences", [[], [0.5], [0.5, -0.5, 0, 0, 0], [0.0] * 50])
def test_nothing_is_planned_from_nothing(differences: list[float]) -> None:
    """Fewer than six cases see nothing at all, and no change tells nothing of its size."""
    assert visible(differences) is None
    assert needed(differences) is None


def test_what_no_set_of_cases_shows_has_no_number() -> None:
    """A hundredth of a point is beyond 100,000 cases."""
    assert needed(spread(0.5, 20), 0.0001) is None
