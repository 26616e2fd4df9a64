"""What an address of Compare means, which cases it lists, and what a click or a key changes."""

from pathlib import Path

import pytest

from evalcore.views.compare.state import (
    PAGE,
    View,
    ends,
    listed,
    page_of,
    place_of,
    reduce,
)
from tests import made
from tests.views.compared import comparison, left, pair

IDS = tuple(f"case-{number}" for number in range(1, 121))
FOUND = comparison(
    pair("down", 1.0, 0.0), pair("up", 0.0, 1.0), pair("even", 1.0, 1.0), left_out=(left("new"),)
)


def test_an_address_says_the_whole_view_and_comes_back() -> None:
    """What a view writes into the address, reading it gives back."""
    view = View(
        filter="regressed",
        criterion="greets",
        tag="RTL",
        page=2,
        slices=3,
        case="c-1",
        tab="rates",
        ra=2,
        rb=3,
        file="a.md",
    )
    said = {name: value for name, value in view.parameters().items() if value is not None}
    assert View.of(said) == view


def test_what_is_as_usual_stays_out_of_the_address() -> None:
    """The plain view has no parameter, and an open case needs no tab."""
    assert set(View().parameters().values()) == {None}
    assert View(case="c-1", tab="case").parameters()["tab"] is None


@pytest.mark.parametrize("word", ["", "worse", "<img src=x>", "-1", "9" * 40])
def test_what_means_nothing_is_as_if_it_were_absent(word: str) -> None:
    """A filter, a tab or a number that does not exist changes nothing."""
    names = ("filter", "tab", "page", "slices", "ra", "rb")
    assert View.of(dict.fromkeys(names, word)) == View()


def test_the_tab_of_a_case_needs_a_case() -> None:
    """Without an open case the rates are shown; with one, the case."""
    assert View(tab="case").open_tab == "rates"
    assert View(case="c-1").open_tab == "case"
    assert View(case="c-1", tab="slices").open_tab == "slices"


def test_every_case_is_listed_also_those_left_out(tmp_path: Path) -> None:
    """Nothing drops out: cases that count come first, the others after them."""
    ws = made.workspace(tmp_path, made.suite())
    assert listed(FOUND, ws, View()).ids == ("down", "up", "even", "new")


@pytest.mark.parametrize(
    ("shown", "ids"),
    [("regressed", ("down",)), ("improved", ("up",)), ("same", ("even",)), ("left", ("new",))],
)
def test_each_count_keeps_its_own_cases(tmp_path: Path, shown: str, ids: tuple[str, ...]) -> None:
    """The three counts and the cases left out are filters."""
    ws = made.workspace(tmp_path, made.suite())
    assert listed(FOUND, ws, View.of({"filter": shown})).ids == ids


def test_a_tag_keeps_the_cases_that_have_it(tmp_path: Path) -> None:
    """A tag narrows both the cases that count and those that do not."""
    ws = made.workspace(
        tmp_path, made.suite(), made.case(case_id="up", tags='["RTL"]'), made.case(case_id="down")
    )
    assert listed(FOUND, ws, View(tag="RTL")).ids == ("up",)


def test_a_criterion_keeps_the_cases_that_were_judged_by_it(tmp_path: Path) -> None:
    """Cases of side B that have a value for the criterion."""
    ws = made.workspace(
        tmp_path,
        made.suite(),
        made.case(case_id="up"),
        made.version("v2", 1),
        made.run(run_id="r1", case_id="up", version="v2", fraction=1.0),
        made.judgment("greets"),
    )
    assert listed(FOUND, ws, View(criterion="greets")).ids == ("up",)
    assert listed(FOUND, ws, View(criterion="another")).ids == ()


def test_a_filter_pressed_again_is_taken_away() -> None:
    """And the list begins at its first page each time."""
    once = reduce(View(page=3, case="c-1"), {"filter": "improved"}, IDS)
    assert once == View(filter="improved")
    assert reduce(once, {"filter": "improved"}, IDS) == View()


def test_a_step_goes_to_the_next_case_of_the_list_and_turns_its_page() -> None:
    """From the 50th case to the 51st, which stands on the second page."""
    view = View(case="case-50", ra=2, file="a.md")
    on = reduce(view, {"step": 1}, IDS)
    assert on == View(case="case-51")
    assert page_of(on, IDS) == 2


def test_the_list_shows_the_open_case_unless_another_page_was_asked_for() -> None:
    """A link that only names the case finds it; turning the list leaves the case open."""
    assert page_of(View(case="case-51"), IDS) == 2
    turned = reduce(View(case="case-51"), {"page": 1}, IDS)
    assert page_of(turned, IDS) == 1
    assert View.of({"case": "case-51", "page": "1"}) == turned
    assert page_of(View(case="gone", page=99), IDS) == -(-len(IDS) // PAGE)


def test_a_step_without_an_open_case_opens_the_first() -> None:
    """The arrow key begins at the top of the list."""
    assert reduce(View(), {"step": 1}, IDS).case == "case-1"


def test_a_step_beyond_the_ends_stays(tmp_path: Path) -> None:
    """There is nothing after the last case and nothing before the first."""
    for case, step in (("case-1", -1), ("case-120", 1)):
        assert reduce(View(case=case), {"step": step}, IDS).case == case


def test_another_run_is_opened_on_one_side_only() -> None:
    """A file that was chosen may not exist in another run."""
    assert reduce(View(case="c", rb=2, file="a.md"), {"ra": 3}, IDS) == View(case="c", ra=3, rb=2)


def test_runs_of_both_sides_can_be_opened_at_once() -> None:
    """Those between which a criterion changed."""
    did = {"ra": 3, "rb": 1}
    assert reduce(View(case="c", rb=2, file="a.md"), did, IDS) == View(case="c", ra=3, rb=1)
    assert reduce(View(case="c"), {"ra": 3, "rb": 0}, IDS) == View(case="c", ra=3)


@pytest.mark.parametrize(
    "did",
    [
        {},
        {"filter": "all"},
        {"tab": 9},
        {"tab": "case"},
        {"page": -1},
        {"step": 5},
        {"ra": "2"},
        {"case": 7},
        {"clear": "everything"},
    ],
)
def test_what_makes_no_sense_changes_nothing(did: dict[str, object]) -> None:
    """The browser's words are taken only where they mean something."""
    assert reduce(View(filter="same"), did, IDS) == View(filter="same")


def test_the_ends_of_the_list_are_said() -> None:
    """After the last case a sentence says so, in the filter's own word."""
    place = place_of(View(case="case-120"), IDS)
    assert ends(IDS, place, "regressed") == {
        "first": None,
        "last": "That was the last of the 120 regressed cases.",
    }
    assert ends(("one",), 1, None)["last"] == "This is the only case of the list."
    assert ends((), None, None)["first"] == "There is no case in this list."
