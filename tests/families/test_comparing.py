"""Scores of comparisons in forms that have whole numbers only."""

import pytest

from evalcore.families.comparing import Better, Said, scored_whole


def said(winner: Better, **scores: tuple[float, float]) -> Said:
    """Return a verdict with these scores of left and right."""
    return Said("id", "one", "v1", "v2", winner, scores, "Why.", "fake-1", "2026-01-01T00:00:00Z")


def test_halves_go_up_and_down_in_turn_so_that_totals_stay_in_their_order() -> None:
    """Rounded up each, B would have more in all than the winner."""
    found = list(scored_whole(said("left", a=(8, 7.5), b=(8, 7.5), c=(8, 7.5), d=(5, 6.5))))
    assert [b for _, _, b in found] == [7, 8, 7, 7]
    assert sum(a for _, a, _ in found) == 29
    assert sum(b for _, _, b in found) == 29


@pytest.mark.parametrize(
    ("winner", "first"), [("left", (7, 6)), ("right", (6, 7)), ("tie", (7, 7))]
)
def test_the_side_that_won_begins_by_going_up(winner: Better, first: tuple[int, int]) -> None:
    """So half a point that decided is never lost."""
    ((_, a, b),) = scored_whole(said(winner, a=(6.5, 6.5)))
    assert (a, b) == first


def test_whole_scores_stay() -> None:
    """There is nothing to round."""
    assert list(scored_whole(said("left", a=(7.0, 3)))) == [("a", 7, 3)]
