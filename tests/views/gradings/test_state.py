"""The address is the view, and every click or key is a step to another view."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.tables.rows import Row
from evalcore.views.gradings.case_filter import ScoreRange
from evalcore.views.gradings.state import (
    GradingsState,
    View,
    chosen,
    column_of,
    kept,
    place_in_list,
    reduce,
)
from tests.made import SUITE, case, run, suite, version, workspace


@pytest.fixture
def state(tmp_path: Path) -> GradingsState:
    """120 cases in two versions; every tenth fails in the newest, the last has no run."""
    rows: list[Row] = [suite(), version("v0", 0), version("v1", 1)]
    for number in range(120):
        name = f"c{number:03}"
        rows.append(case(case_id=name))
        if number < 119:
            good = number % 10 != 0
            rows.append(run(run_id=f"{name}v0", case_id=name, version="v0", passed=True))
            rows.append(run(run_id=f"{name}v1", case_id=name, version="v1", passed=good))
    return GradingsState(workspace(tmp_path, *rows), SUITE, None, None, View())


def after(state: GradingsState, **did: Any) -> View:
    """Return the view after something was done."""
    return reduce(state, did)


def seen(state: GradingsState, view: View) -> tuple[str | None, str | None]:
    """Return run and case that a view shows."""
    there = replace(state, view=view)
    return chosen(there, there.grid())


@given(
    st.builds(
        View,
        filter=st.sampled_from(("all", "failing", "flaky")),
        tag=st.none() | st.text(min_size=1),
        text=st.text(max_size=9),
        score=st.none() | st.builds(ScoreRange, st.just(1.5), st.sampled_from((None, 2.0, 100.0))),
        score_of=st.none() | st.text(min_size=1),
        versions=st.lists(st.text(min_size=1), max_size=3).map(tuple),
        configurations=st.sampled_from(((), ("with, comma", "a%2Cb"), ("名", "-"))),
        page=st.integers(1, 999),
        run=st.none() | st.text(min_size=1),
        tab=st.sampled_from(("grades", "raw")),
        file=st.none() | st.text(min_size=1),
        line=st.none() | st.integers(1, 9999),
        whole=st.booleans(),
    )
)
def test_an_address_brings_back_the_view(view: View) -> None:
    """What a view writes into the address, it reads from it."""
    said = {name: value for name, value in view.parameters().items() if value is not None}
    assert View.of(said) == view


def test_the_usual_view_leaves_the_address_alone() -> None:
    """Nothing chosen is nothing said."""
    assert set(View().parameters().values()) == {None}


@given(st.dictionaries(st.sampled_from(["filter", "page", "tab", "line", "run", "q"]), st.text()))
def test_no_address_is_refused(parameters: dict[str, str]) -> None:
    """Whatever stands there, a view comes of it."""
    assert View.of(parameters).page >= 1


@pytest.mark.parametrize(
    "did",
    [
        {},
        {"filter": "?"},
        {"tab": 9},
        {"tab": "diff"},
        {"case": 3},
        {"case": "gone"},
        {"step": 7},
        {"page": "2"},
        {"run": None},
        {"side": 0},
        {"drop": "run"},
        {"drop": ["tag"]},
        {"axis": "tags", "name": "v0", "how": "only"},
        {"axis": "versions", "name": 3, "how": "only"},
        {"axis": "versions", "name": "gone", "how": "only"},
        {"link": {"page": "data"}},
    ],
)
def test_what_makes_no_sense_changes_nothing(state: GradingsState, did: dict[str, Any]) -> None:
    """A panel of another version of the page cannot break this one."""
    assert reduce(state, did) == state.view


def test_a_filter_begins_the_list_anew_and_keeps_the_tab(state: GradingsState) -> None:
    """Page, case and file belonged to the list before."""
    view = replace(state.view, page=3, run="c100v1", tab="raw", file="a.md", line=3)
    assert after(replace(state, view=view), filter="failing") == View(filter="failing", tab="raw")


def test_a_click_on_a_case_opens_its_run_in_focus(state: GradingsState) -> None:
    """A click on a cell opens that column's run instead."""
    assert after(state, case="c004", column=None).run == "c004v1"
    assert after(state, case="c004", column="v0").run == "c004v0"
    assert after(state, case="c119") == View(case="c119")


def test_steps_go_from_case_to_case_and_page_to_page(state: GradingsState) -> None:
    """The tab stays; the page follows; beyond the ends the view stays as it is."""
    last = replace(state.view, run="c049v1", tab="raw")
    onward = after(replace(state, view=last), step=1)
    assert (onward.run, onward.page, onward.tab) == ("c050v1", 2, "raw")
    assert after(replace(state, view=onward), step=-1) == last
    end = View(case="c119", page=3)
    assert after(replace(state, view=end), step=1) == end
    assert after(state, step=-1) == state.view


def test_steps_stay_inside_the_filter(state: GradingsState) -> None:
    """From a failing case to the next failing one."""
    failing = replace(state, view=View(filter="failing", run="c010v1"))
    assert after(failing, step=1).run == "c020v1"


def test_a_step_from_a_case_that_is_filtered_out_begins_the_list(state: GradingsState) -> None:
    """There is no next one, so the first of the list is opened."""
    away = replace(state, view=View(filter="failing", run="c011v1"))
    assert place_in_list(away, away.grid(), "c011") == (None, 12)
    assert after(away, step=1).run == "c000v1"


def test_the_column_beside_shows_the_same_case(state: GradingsState) -> None:
    """To the left the version before; beyond the last column nothing happens."""
    assert after(state, side=-1).run == "c000v0"
    assert after(state, side=1) == state.view


def test_turning_a_page_can_open_its_first_or_last_case(state: GradingsState) -> None:
    """By button the open case stays; by key the walk goes on there."""
    assert after(state, page=2) == View(page=2)
    assert after(state, page=2, open="first") == View(page=2, run="c050v1")
    assert after(state, page=2, open="last") == View(page=2, run="c099v1")


def test_a_quoted_place_opens_the_file_at_its_line(state: GradingsState) -> None:
    """The output tab opens; a line that is none is left out."""
    assert after(state, file="a.md", line=4) == View(tab="output", file="a.md", line=4)
    assert after(state, file="a.md", line="x").line is None


def test_without_a_wish_the_first_case_of_the_page_is_open(state: GradingsState) -> None:
    """A run of another suite or none at all is no wish that could be met."""
    assert seen(state, View()) == ("c000v1", "c000")
    assert seen(state, View(page=2)) == ("c050v1", "c050")
    assert seen(state, View(run="gone")) == ("c000v1", "c000")
    assert seen(state, View(case="c119")) == (None, "c119")
    assert seen(state, View(filter="failing", case="c001")) == ("c001v1", "c001")


def test_an_empty_list_has_nothing_open(state: GradingsState) -> None:
    """No case, no run, and no error."""
    empty = View(text="zebra")
    assert seen(state, empty) == (None, None)
    assert replace(state, view=empty).grid().cases == ()


def test_a_run_knows_its_column(state: GradingsState) -> None:
    """Unknown runs have none."""
    column = column_of(state.ws, "c000v0")
    assert column is not None
    assert column.key == "v0"
    assert column_of(state.ws, "gone") is None


def test_clearing_takes_the_words_away_and_then_the_other_filters(state: GradingsState) -> None:
    """What else narrows the list stays as long as words were searched for."""
    view = View(filter="failing", tag="x", text="zebra", page=3, run="r")
    there = replace(state, view=view)
    once = reduce(there, {"clear": True})
    assert once == View(filter="failing", tag="x")
    assert reduce(replace(state, view=once), {"clear": True}) == View()


@pytest.fixture
def wide(tmp_path: Path) -> GradingsState:
    """The state of a suite of one case in 30 versions."""
    rows: list[Row] = [suite(), case()]
    for number in range(30):
        rows += [version(f"v{number}", number), run(run_id=f"r{number}", version=f"v{number}")]
    return GradingsState(workspace(tmp_path, *rows), SUITE, None, None, View())


def test_columns_are_turned_and_come_back_with_the_address(wide: GradingsState) -> None:
    """The open run stays open; what makes no sense is the nearest page."""
    view = after(replace(wide, view=View(run="r29")), columns=2)
    assert view == View(run="r29", columns=2)
    assert View.of({"run": "r29", "cols": "2"}) == view
    assert after(wide, columns=-7) == View(columns=1)


def test_a_step_to_the_side_shows_the_column_that_it_opens(wide: GradingsState) -> None:
    """From the first column that is drawn to the last one of the page before."""
    assert after(replace(wide, view=View(run="r6")), side=-1) == View(run="r5", columns=2)
    assert after(replace(wide, view=View(run="r5", columns=2)), side=1) == View(run="r6", columns=1)
    assert after(replace(wide, view=View(run="r7")), side=-1) == View(run="r6")


def test_a_head_sorts_lowest_first_then_highest_then_as_before(state: GradingsState) -> None:
    """The list begins anew each time, and the address keeps the order."""
    seen = []
    for _ in range(3):
        view = reduce(state, {"sort": "v1"})
        state = replace(state, view=view)
        seen.append((view.sort, view.high, view.page))
    assert seen == [("v1", False, 1), ("v1", True, 1), (None, False, 1)]
    sorted_ = View(sort="v1", high=True)
    assert View.of({k: v for k, v in sorted_.parameters().items() if v is not None}) == sorted_


def test_each_filter_is_taken_away_alone_and_all_at_once(state: GradingsState) -> None:
    """The words of a search go first; a range goes with what it is of."""
    full = View("failing", "x", "ana", "long", "words", ScoreRange(1, 2), "tone", page=2)
    there = replace(state, view=full)
    assert after(there, drop="criterion") == replace(full, criterion=None, page=1)
    assert after(there, drop="judge") == replace(full, judge=None, page=1)
    assert after(there, drop="tag") == replace(full, tag=None, page=1)
    assert after(there, drop="text") == replace(full, text="", page=1)
    assert after(there, drop="score") == replace(full, score=None, score_of=None, page=1)
    without_words = after(there, clear=True)
    assert without_words == replace(full, text="", page=1)
    assert after(replace(state, view=without_words), clear=True) == View()


@pytest.mark.parametrize(
    ("before", "name", "how", "then"),
    [
        ((), "v0", "drop", ("v1",)),
        ((), "v0", "only", ("v0",)),
        (("v0",), "v1", "add", ()),
        (("v0",), "v1", "only", ("v1",)),
        (("v0",), "", "all", ()),
        (("v0",), "v0", "drop", ("v0",)),
        (("gone",), "v0", "drop", ("v1",)),
        (("v0",), "v0", "turn", ("v0",)),
    ],
)
def test_columns_are_ticked_in_their_order(
    state: GradingsState,
    before: tuple[str, ...],
    name: str,
    how: str,
    then: tuple[str, ...],
) -> None:
    """All of them are no choice, and the last one stays; the page of columns begins anew."""
    view = View(versions=before, columns=3, page=2, run="c050v1")
    found = after(replace(state, view=view), axis="versions", name=name, how=how)
    assert (found.versions, found.page, found.run) == (then, 2, "c050v1")


def test_the_choice_of_columns_outlives_what_else_is_done(state: GradingsState) -> None:
    """Paging, sorting, filtering and steps keep it; steps aside pass over what is not shown."""
    there = replace(state, view=View(versions=("v1",), run="c050v1"))
    for did in ({"page": 2}, {"sort": "v1"}, {"filter": "failing"}, {"step": 1}, {"clear": True}):
        assert after(there, **did).versions == ("v1",)
    assert after(there, side=-1) == there.view
    assert after(replace(state, view=View(run="c050v1")), side=-1).run == "c050v0"


def test_a_saved_view_keeps_what_the_page_would_write() -> None:
    """Neither the folder nor what is open; what means nothing is left out."""
    query = {"w": "x", "suite": "s", "v": "v0", "filter": "failing", "score": "2.0..3",
             "page": "2", "run": "r", "tab": "?", "versions": "a%2Cb,c"}  # fmt: skip
    wanted = {"filter": "failing", "score": "2..3", "v": "v0", "versions": "a%2Cb,c"}
    assert kept(query) == wanted
    assert kept(wanted) == wanted
