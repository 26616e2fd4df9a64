"""The picture of a verdict: where each case lies, and the mean below."""

from typing import Any

import pytest

from evalcore.comparing.model import CasePair
from evalcore.counting.rates import EFFICIENCY
from evalcore.views.compare.dots import (
    MOST_DOTS,
    MOST_HIGH,
    SMALL,
    column_of,
    dot_blocks,
    place_of,
)
from tests.views.compared import comparison, pair, verdict
from tests.views.panel_json import panel_json

FOUR = (
    pair("sunk", 1.0, 0.0),
    pair("rose", 0.0, 1 / 3),
    pair("rose-too", 1 / 3, 2 / 3),
    pair("kept", 0.5, 0.5),
)


def drawn(*pairs: Any, case: str | None = None, **given: Any) -> Any:
    """Return the picture of a comparison as the panel gets it."""
    (block,) = panel_json(dot_blocks(comparison(*pairs, **given), case))
    return block


def test_every_compared_case_is_a_mark_in_the_column_of_its_difference() -> None:
    """From the largest loss to the largest gain; each column says its range, number and word."""
    block = drawn(*FOUR, case="kept")
    assert [(one["at"], one["change"], one["text"]) for one in block["columns"]] == [
        (-10, "regressed", "−90 to −100 points: 1 case worse"),
        (0, "same", "no difference: 1 case same"),
        (4, "improved", "+30 to +40 points: 2 cases better"),
    ]
    marks = [dot for one in block["columns"] for dot in one["dots"]]
    assert {dot["id"]: dot["text"] for dot in marks} == {
        "sunk": "sunk: −100 points",
        "kept": "kept: same",
        "rose": "rose: +33 points",
        "rose-too": "rose-too: +33 points",
    }
    assert block["case"] == "kept"


@pytest.mark.parametrize(
    ("a", "b", "column"),
    [(0.5, 0.501, 1), (0.5, 0.499, -1), (0.0, 0.3, 3), (0.0, 0.301, 4), (0.1, 0.4, 3)],
)
def test_no_change_is_drawn_as_none_and_a_column_holds_its_far_end(
    a: float, b: float, column: int
) -> None:
    """0.1 to 0.4 is 0.3 and a hair by floating point: it stays in the third column."""
    assert column_of(pair("case", a, b)) == column


def test_the_mean_lies_on_the_axis_of_the_cases() -> None:
    """Beyond the column of unchanged cases where it is not 0, in their middle where it is."""
    assert (place_of(-1), place_of(0), place_of(1)) == (0, 0.5, 1)
    assert place_of(-0.5) == pytest.approx(5 / 23)
    assert place_of(0.5) == pytest.approx(18 / 23)
    mean = drawn(*FOUR)["mean"]
    assert (mean["low"], mean["value"], mean["high"]) == pytest.approx(
        (place_of(0.07), place_of(0.21), place_of(0.36))
    )
    assert mean["text"] == "Mean +21 points, likely between +7 and +36"


def test_a_range_that_the_sentence_leaves_out_is_not_drawn() -> None:
    """A verdict on these cases only has none."""
    mean = drawn(*FOUR, verdict=verdict("better on these cases"))["mean"]
    assert (mean["low"], mean["high"], mean["text"]) == (None, None, "Mean +21 points")


def test_the_axis_has_the_unit_of_the_headline() -> None:
    """Points, or the differences of efficiencies."""
    assert drawn(*FOUR)["axis"] == ["−100", "−50", "same", "+50", "+100"]
    block = drawn(*FOUR, headline=EFFICIENCY)
    assert block["axis"] == ["−1", "−0.5", "same", "+0.5", "+1"]
    assert block["hint"].startswith("B minus A. ")
    assert block["columns"][-1]["text"] == "+0.30 to +0.40: 2 cases better"


def many(n: int, a: float, b: float) -> list[CasePair]:
    """Return so many cases of one difference."""
    return [pair(f"{a} to {b}, {at}", a, b) for at in range(n)]


def test_marks_are_small_where_many_stand_above_each_other() -> None:
    """The column of unchanged cases is three columns wide."""
    assert not drawn(*many(SMALL, 0, 1), *many(3 * SMALL, 1, 1))["small"]
    assert drawn(*many(SMALL + 1, 0, 1))["small"]
    assert drawn(*many(3 * SMALL + 1, 1, 1))["small"]


def test_where_marks_would_be_too_many_columns_count() -> None:
    """Each is a bar as high as its share of the highest; no mark is left."""
    assert len(drawn(*many(MOST_HIGH, 0, 1))["columns"][0]["dots"]) == MOST_HIGH
    block = drawn(*many(MOST_HIGH + 1, 0, 1), *many(1, 1, 0))
    assert [(one["n"], one["dots"]) for one in block["columns"]] == [(1, []), (MOST_HIGH + 1, [])]
    assert [one["share"] for one in block["columns"]] == pytest.approx([1 / (MOST_HIGH + 1), 1])
    assert block["hint"] == "B minus A, in points. Columns count cases."
    spread = [each for at in range(11) for each in many(30, 0, at / 10)]
    assert len(spread) > MOST_DOTS
    assert not any(one["dots"] for one in drawn(*spread)["columns"])


@pytest.mark.parametrize(("pairs", "given"), [(FOUR, {"verdict": None}), (FOUR[:1], {}), ((), {})])
def test_what_is_not_compared_has_no_picture(pairs: Any, given: Any) -> None:
    """Nor has a single case."""
    assert dot_blocks(comparison(*pairs, **given), None) == []
