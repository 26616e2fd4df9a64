"""At which factor a difference changes its sign."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.statistics.roots import nearest_factor


@given(st.floats(0.002, 900))
def test_a_root_is_found(root: float) -> None:
    """Of a line through it, from a thousandth to a thousandfold."""
    found = nearest_factor(lambda factor: factor - root)
    if abs(1 - root) > 1e-6:
        assert found == pytest.approx(root, rel=1e-6)


def test_the_nearer_of_two_roots_counts() -> None:
    """By ratio: 2 is nearer than a quarter, and a half nearer than 3."""
    assert nearest_factor(lambda at: (at - 0.25) * (at - 2)) == pytest.approx(2)
    assert nearest_factor(lambda at: (at - 0.5) * (at - 3)) == pytest.approx(0.5)


def test_a_difference_that_vanishes_at_none_is_turned_there() -> None:
    """A criterion that makes all of the difference."""
    assert nearest_factor(lambda factor: factor) == 0.0


def test_what_never_changes_has_none() -> None:
    """Neither does what is 0 already."""
    assert nearest_factor(lambda factor: 1 + factor) is None
    assert nearest_factor(lambda factor: factor - 1) is None
    assert nearest_factor(lambda factor: 2_000 - factor) is None
