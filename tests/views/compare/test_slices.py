"""Criteria and tags as strips: those that tell a difference first, single cases apart."""

from evalcore.views.compare.slices import slice_blocks
from evalcore.views.compare.state import View
from tests.views.compared import comparison, pair, sliced, verdict
from tests.views.panel_json import panel_json

UNSURE = verdict("can't tell", kind="too few")


def test_verdicts_come_first_and_larger_differences_before_smaller() -> None:
    """Worse, better, can't tell; within each by size."""
    found = comparison(
        pair("c", 0.0, 1.0),
        slices=(
            sliced("little", 0.5, 0.6, UNSURE),
            sliced("much", 0.1, 0.6, UNSURE),
            sliced("up", 0.2, 0.9, verdict("better")),
            sliced("down", 0.9, 0.2, verdict("worse")),
        ),
    )
    _, strips = panel_json(slice_blocks(found, View()))
    assert [row["name"] for row in strips["rows"]] == ["down", "up", "much", "little"]
    assert [row["difference"]["dim"] for row in strips["rows"]] == [False, False, True, True]


def test_a_click_lists_the_cases_of_a_criterion_or_tag() -> None:
    """The one that is chosen says so."""
    found = comparison(
        pair("c", 0.0, 1.0),
        slices=(sliced("greets", 0.5, 0.6, UNSURE), sliced("RTL", 0.5, 0.5, UNSURE, kind="tag")),
    )
    _, strips = panel_json(slice_blocks(found, View(tag="RTL")))
    assert [(row["act"], row["on"]) for row in strips["rows"]] == [
        ({"criterion": "greets"}, False),
        ({"tag": "RTL"}, True),
    ]


def test_two_hundred_criteria_of_one_case_are_no_wall() -> None:
    """They stand on pages of their own, and the first page says how many they are."""
    single = tuple(sliced(f"c{n}", 0.0, 1.0, None, cases=1) for n in range(200))
    found = comparison(pair("c", 0.0, 1.0), slices=(sliced("shared", 0.5, 0.6, UNSURE), *single))
    said, strips, turn = panel_json(slice_blocks(found, View()))
    assert said["text"].startswith(
        "201 criteria: 0 better, 0 worse, 1 can't tell, 200 of a single case."
    )
    assert [row["name"] for row in strips["rows"]] == ["shared"]
    assert turn["pages"] == 11
    assert "those of a single case stand on the last pages (200)" in turn["text"]
    _, strips, turn = panel_json(slice_blocks(found, View(slices=99)))
    assert len(strips["rows"]) == 20
    assert turn["text"] == "182–201 of 201"


def test_where_all_criteria_are_of_one_case_the_first_page_shows_them() -> None:
    """It says that none has a verdict, and no page is empty."""
    found = comparison(pair("c", 0.0, 1.0), slices=(sliced("c", 0.0, 1.0, None, cases=1),))
    said, strips = panel_json(slice_blocks(found, View()))
    assert said["text"].startswith("1 criterion, each of a single case: no verdict.")
    assert [row["difference"]["word"] for row in strips["rows"]] == ["one case: no verdict"]


def test_where_the_whole_is_not_comparable_shared_criteria_say_so() -> None:
    """They are asked on both sides, and nothing follows from them for the rest."""
    found = comparison(slices=(sliced("greets", 0.5, 0.6, UNSURE),), verdict=None)
    said = panel_json(slice_blocks(found, View()))[0]["text"]
    assert said.startswith("The two sides as a whole are not comparable. These criteria have")
    assert "1 criterion: 0 better" in said


def test_without_criteria_and_tags_a_sentence_says_so() -> None:
    """Also where no case is compared at all."""
    (said,) = panel_json(slice_blocks(comparison(pair("c", 0.0, 1.0)), View()))
    assert said["text"] == "No criterion was judged on both sides, and no case has a tag."
    (said,) = panel_json(slice_blocks(comparison(), View()))
    assert said["text"].startswith("No case is compared")


def test_a_long_name_is_cut() -> None:
    """A criterion may be a whole text; its click still means the whole of it."""
    found = comparison(pair("c", 0.0, 1.0), slices=(sliced("x" * 9_000, 0.5, 0.6, UNSURE),))
    (row,) = panel_json(slice_blocks(found, View()))[1]["rows"]
    assert len(row["name"]) == 300
    assert row["act"] == {"criterion": "x" * 9_000}
