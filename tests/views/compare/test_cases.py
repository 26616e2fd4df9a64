"""The list of cases of a comparison: direction in words, values with their n, signed points."""

import pytest

from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.views.compare.cases import change_of, counts_block, list_block, values
from evalcore.views.compare.state import Listed, View
from tests.views.compared import comparison, left, pair
from tests.views.panel_json import panel_json


def listed_all(found: object) -> Listed:
    """Return every case of a comparison."""
    return Listed(found.pairs, found.left_out)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("a", "b", "runs", "headline", "words"),
    [
        (2 / 3, 1.0, 3, SHARE, "A 2 of 3 runs · B 3 of 3"),
        (0.0, 1.0, 1, SHARE, "A failed · B passed · 1 run each"),
        (0.4, 0.8, 3, "pass rate", "A 40 % → B 80 % · 3 runs each"),
        (0.72, 0.85, 2, EFFICIENCY, "efficiency A 0.72 → B 0.85 · 2 runs each"),
    ],
)
def test_a_value_is_never_without_its_runs(
    a: float, b: float, runs: int, headline: str, words: str
) -> None:
    """Passed runs are counted; shares and efficiencies say how many runs they are the mean of."""
    assert values(pair("c", a, b, runs), headline) == words


def test_sides_with_different_numbers_of_runs_say_both() -> None:
    """One run against three."""
    found = pair("c", 0.4, 0.8, runs_a=1, runs_b=3)
    assert values(found, "pass rate") == "A 40 % → B 80 % · 1 and 3 runs"
    assert values(pair("c", 1.0, 2 / 3, runs_a=1, runs_b=3), SHARE) == "A 1 of 1 run · B 2 of 3"


def test_a_difference_is_what_its_two_values_show() -> None:
    """100 % against 87.5 % would be 100 → 88 % and −13 points, so each has a decimal more."""
    found = pair("c", 1.0, 0.875)
    assert values(found, "pass rate") == "A 100 % → B 87.5 % · 3 runs each"
    assert change_of(found, "pass rate") == "−12.5 points"
    even = pair("c", 1.0, 0.75)
    assert (values(even, "pass rate"), change_of(even, "pass rate")) == (
        "A 100 % → B 75 % · 3 runs each",
        "−25 points",
    )


def test_a_row_says_its_direction_in_a_word_and_its_difference_in_signed_points() -> None:
    """Never relative percent; a case that stayed the same has no difference to say."""
    found = comparison(pair("c", 0.4, 0.8), pair("d", 0.8, 0.4), pair("e", 1.0, 1.0))
    rows = panel_json(list_block(found, listed_all(found), View()))["rows"]
    assert [(row["word"], row["points"]) for row in rows] == [
        ("improved", "+40 points"),
        ("regressed", "−40 points"),
        ("same", ""),
    ]


def test_a_case_left_out_says_why() -> None:
    """It is listed after the others, with its reason in words."""
    found = comparison(pair("c", 0.4, 0.8), left_out=(left("n", "not scored in A"),))
    row = panel_json(list_block(found, listed_all(found), View()))["rows"][-1]
    assert (row["word"], row["values"], row["points"]) == ("left out", "not scored in A", "")


def test_a_long_list_is_paged() -> None:
    """2,000 cases come fifty at a time, and the foot says which."""
    found = comparison(*(pair(f"c{n}", 0.0, 1.0) for n in range(2_000)))
    block = panel_json(list_block(found, listed_all(found), View(page=40)))
    assert len(block["rows"]) == 50
    assert (block["page"], block["pages"]) == (40, 40)
    assert block["foot"] == "1,951–2,000 · 2,000 cases"


def test_a_page_beyond_the_end_is_the_last_one() -> None:
    """An old address still shows cases."""
    found = comparison(pair("c", 0.0, 1.0))
    assert len(panel_json(list_block(found, listed_all(found), View(page=7)))["rows"]) == 1


def test_the_counts_stay_the_same_whatever_is_listed() -> None:
    """Filtering never changes the numbers on the buttons."""
    found = comparison(pair("c", 0.0, 1.0), pair("d", 1.0, 1.0), left_out=(left("n"),))
    for view in (View(), View(filter="improved"), View(filter="left", tag="RTL")):
        items = panel_json(counts_block(found, view))["items"]
        assert [(item["key"], item["n"]) for item in items] == [
            ("regressed", 0),
            ("improved", 1),
            ("same", 1),
            ("left", 1),
        ]


def test_what_is_compared_is_said_where_it_is_not_everything() -> None:
    """The n of the comparison is shown beside the counts."""
    found = comparison(pair("c", 0.0, 1.0), left_out=(left("n"), left("o")))
    assert panel_json(counts_block(found, View()))["note"] == "compared on 1 of 3 cases"
    assert panel_json(counts_block(comparison(pair("c", 0.0, 1.0)), View()))["note"] == ""


def test_where_nothing_is_compared_no_count_of_changes_is_shown() -> None:
    """No case improved is another thing than no case compared."""
    found = comparison(left_out=(left("n", "other criteria"),), verdict=None)
    assert [item["key"] for item in panel_json(counts_block(found, View()))["items"]] == ["left"]
