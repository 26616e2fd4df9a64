"""Several tests that are looked at together."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from evalcore.statistics.several import holm

# Benjamini and Hochberg 1995, Journal of the Royal Statistical Society B 57:289.
FIFTEEN = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
    0.6528, 0.7590, 1.0,
]  # fmt: skip


def test_holm_by_hand() -> None:
    """5 · .01, 4 · .02, 3 · .03, and never less than the one before; in any order."""
    assert holm([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    assert holm([0.05, 0.01, 0.03, 0.02, 0.04]) == pytest.approx([0.09, 0.05, 0.09, 0.08, 0.09])


def test_three_of_fifteen_remain() -> None:
    """Of the fifteen published p values, of which nine are below .05."""
    assert [p < 0.05 for p in holm(FIFTEEN)] == [True] * 3 + [False] * 12


def test_one_alone_stays_as_it_is() -> None:
    """And none stays none."""
    assert holm([0.04]) == (0.04,)
    assert holm([]) == ()


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    """Whatever the p values, ties and ends included."""
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])
