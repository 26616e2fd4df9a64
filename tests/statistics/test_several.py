"""Several tests that are looked at together."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from evalcore.statistics.several import holm, holm_levels

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


def test_each_test_is_held_to_the_level_of_its_step() -> None:
    """Of four, two pass: at .05 / 4 and .05 / 3; the others at the step that is not passed."""
    assert holm_levels([0.03, 0.001, 0.5, 0.012], 0.05) == pytest.approx(
        [0.05 / 2, 0.05 / 4, 0.05 / 2, 0.05 / 3]
    )


def test_the_level_says_what_holm_says() -> None:
    """A p is below its level where it is below .05 after Holm, and equal ones share a level."""
    rng = np.random.default_rng(4)
    for _ in range(200):
        p = np.round(rng.random(6) ** 3, 2).tolist()
        levels = holm_levels(p, 0.05)
        passed = [one < 0.05 for one in holm(p)]
        assert [one < level for one, level in zip(p, levels, strict=True)] == passed
        assert len(set(zip(p, levels, strict=True))) == len(set(p))


def test_what_is_not_counted_is_held_to_what_it_would_be() -> None:
    """A test that cannot reach the level costs the others nothing; alone it has all of it."""
    assert holm_levels([None], 0.05) == (0.05,)
    assert holm_levels([0.2, None, 0.3], 0.05) == pytest.approx([0.05 / 2, 0.05 / 3, 0.05 / 2])
    assert holm_levels([], 0.05) == ()
