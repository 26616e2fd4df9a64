"""Where texts of a line chart stand: heights moved apart, and what has no room is left out."""

import pytest

from evalcore.charts.places import LINE, Area, area_of, labels_of, spread, values_of
from evalcore.views.charts.model import LineChart
from tests.charts.pictured import line_chart


def area(chart: LineChart, wide: float = 340) -> Area:
    """Return a chart as it is placed on a phone."""
    return area_of(chart, wide, 2, 10, 170)


@pytest.mark.parametrize(
    ("given", "moved"),
    [
        ([50.0], [50.0]),
        ([20.0, 100.0], [20.0, 100.0]),
        ([50.0, 50.0], [42.5, 57.5]),
        ([60.0, 50.0], [62.5, 47.5]),
        ([50.0, 50.0, 150.0], [42.5, 57.5, 150.0]),
        ([0.0, 0.0, 20.0], [0.0, 15.0, 30.0]),
        ([200.0, 199.0], [200.0, 185.0]),
    ],
)
def test_what_would_touch_is_moved_apart_around_its_middle(
    given: list[float], moved: list[float]
) -> None:
    """In its order, inside the axis; what touches nothing stays where it is."""
    assert LINE == 15
    assert spread(given, 0.0, 200.0) == moved


@pytest.mark.parametrize(
    ("versions", "names", "shown"),
    [(1, ("",), 1), (4, ("",), 4), (4, ("a", "b"), 8), (40, ("",), 1), (40, ("a", "b"), 2)],
)
def test_most_values_are_there_or_those_of_the_newest_place_alone(
    versions: int, names: tuple[str, ...], shown: int
) -> None:
    """A value here and there would make its point look particular."""
    assert len(values_of(area(line_chart(versions, names)))) == shown


def test_values_of_three_lines_are_not_written() -> None:
    """They would hide the lines."""
    assert not values_of(area(line_chart(3, ("a", "b", "c"))))


@pytest.mark.parametrize(
    ("word", "newest"), [("v", "v4"), ("triage-agent-prompt-2.", "…t-prompt-2.4")]
)
def test_labels_that_begin_alike_show_their_ends(word: str, newest: str) -> None:
    """Where there is no room for all of a label: else all would read the same."""
    assert labels_of(area(line_chart(5, word=word)))[0].words == newest
