"""The heat map: its order, its pages, and what a cell says."""

from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace
from evalcore.charts.svg import svg
from evalcore.rubrics.cells import criterion_cells
from evalcore.views.rubric.heat import (
    COLUMNS,
    PAGE,
    heat_blocks,
    heat_map,
    heat_picture,
    with_open,
)
from evalcore.views.rubric.state import RubricView, Sort
from tests import made
from tests.rubrics.rated import judged, rated


@pytest.fixture
def three(tmp_path: Path) -> Workspace:
    """Two versions; `tone` fell from 5 to 4, `form` rose from 1 to 3, `new` has one version."""
    more = [
        judged("v0-a-0", "form", 1),
        judged("v1-a-0", "form", 3),
        judged("v1-a-0", "new", 5),
    ]
    return rated(tmp_path, {"v0": {"a": [5]}, "v1": {"a": [4]}}, *more)


def order(ws: Workspace, sort: Sort) -> list[str]:
    """Return the names of the rows in an order."""
    return [row.name for row in heat_map(ws, made.SUITE, None, sort).rows]


def test_each_order_puts_first_what_it_names(three: Workspace) -> None:
    """What cannot be compared comes last among changes."""
    assert order(three, "weakest") == ["form", "tone", "new"]
    assert order(three, "worse") == ["tone", "form", "new"]
    assert order(three, "change") == ["form", "tone", "new"]
    assert order(three, "name") == ["form", "new", "tone"]


def test_a_cell_has_its_number_its_shade_and_its_basis(three: Workspace) -> None:
    """4 of 1 to 5 is three quarters of the scale; what was not judged has no cell."""
    rows = {row.name: row for row in heat_map(three, made.SUITE, None, "name").rows}
    cell = rows["tone"].cells[1]
    assert cell is not None
    assert cell.value == pytest.approx(0.75)
    assert cell.text == "4.00"
    assert cell.hover == "tone, v1: 4.00 of 5 over 1 case, 1 judgment"
    assert rows["new"].cells[0] is None
    assert [rows[name].note for name in ("tone", "form", "new")] == ["−1.00", "+2.00", ""]


def test_changes_stay_within_a_configuration(tmp_path: Path) -> None:
    """The newest version with the skill is compared with the one before with the skill."""
    ws = rated(
        tmp_path,
        {"v0@with_skill": {"a": [2]}, "v1@without_skill": {"a": [1]}, "v1@with_skill": {"a": [5]}},
    )
    assert [row.note for row in heat_map(ws, made.SUITE, None, "name").rows] == ["+3.00"]
    only = heat_map(ws, made.SUITE, "without_skill", "name")
    assert (only.columns, only.rows[0].note) == (("v1, without_skill",), "")


def test_what_the_newest_version_was_not_asked_has_no_change(tmp_path: Path) -> None:
    """A criterion that was dropped did not get worse."""
    ws = rated(
        tmp_path,
        {"v0": {"a": [5]}, "v1": {"a": [4]}, "v2": {"a": [3]}},
        judged("v0-a-0", "old", 5),
        judged("v1-a-0", "old", 1),
    )
    notes = {row.name: row.note for row in heat_map(ws, made.SUITE, None, "name").rows}
    assert notes == {"tone": "−1.00", "old": ""}


def blocks(ws: Workspace, view: RubricView) -> dict[str, Any]:
    """Return the blocks of the heat map by kind."""
    from evalcore.views.blocks.plain import as_json  # noqa: PLC0415 - beside its use

    return {block["t"]: block for block in as_json(heat_blocks(ws, made.SUITE, None, view))}


@pytest.mark.parametrize(("versions", "turns"), [(COLUMNS, 0), (COLUMNS + 1, 1), (500, 1)])
def test_columns_come_in_pages_from_the_newest_on(
    tmp_path: Path, versions: int, turns: int
) -> None:
    """Every version is reachable; how many are not drawn is said."""
    ws = rated(tmp_path, {f"v{at}": {"a": [3]} for at in range(versions)})
    heat = blocks(ws, RubricView())["heat"]
    assert len(heat["columns"]) == COLUMNS
    assert heat["columns"][-1]["text"] == f"v{versions - 1}"
    assert len(heat["turns"]) == turns
    if turns:
        assert heat["turns"][0]["text"] == f"‹ {versions - COLUMNS} earlier"
        last = blocks(ws, RubricView(columns=99))["heat"]
        assert last["columns"][0]["text"] == "v0"


@pytest.mark.parametrize(("criteria", "pages"), [(PAGE, False), (PAGE + 1, True)])
def test_rows_come_in_pages(tmp_path: Path, criteria: int, pages: bool) -> None:
    """Fifty, and what page they are of how many."""
    more = [judged("v0-a-0", f"c{at:03}", 3) for at in range(criteria - 1)]
    ws = rated(tmp_path, {"v0": {"a": [3]}}, *more)
    found = blocks(ws, RubricView(page=2))
    assert ("pager" in found) is pages
    assert len(found["heat"]["rows"]) == (1 if pages else PAGE)


def test_without_scores_it_says_so(tmp_path: Path) -> None:
    """A sentence with the next step, and a picture that says the same."""
    ws = rated(tmp_path, {})
    (said,) = heat_blocks(ws, made.SUITE, None, RubricView())
    assert "No criterion has a score yet." in repr(said)
    assert "nothing to draw" in svg(heat_picture(ws, made.SUITE, None, "weakest"))


def test_long_and_hostile_criteria_are_text(tmp_path: Path) -> None:
    """5,000 characters and markup stay a cut line in the picture, whole in the link."""
    name = "<script>x</script>=1+1 " * 230
    ws = rated(tmp_path, {"v0": {"a": [3]}}, label=name)
    drawn = svg(heat_picture(ws, made.SUITE, None, "weakest"))
    assert "<script>" not in drawn
    assert len(drawn) < 8_000
    assert blocks(ws, RubricView())["heat"]["rows"][0]["id"] == f"expectation:{name}"


def test_an_address_brings_the_view_back() -> None:
    """Defaults stay out of it; nonsense is ignored."""
    view = RubricView("change", 2, 3, "rubric:tone", "v1", 4)
    given = {name: value for name, value in view.parameters().items() if value is not None}
    assert RubricView.of(given) == view
    assert set(RubricView().parameters().values()) == {None}
    assert RubricView.of({"sort": "x", "page": "-1", "cols": "0", "runs": "9" * 9}) == RubricView()


def test_the_ends_of_the_shades_are_those_of_the_shared_scale(tmp_path: Path) -> None:
    """Criteria on several scales have no number in common."""
    ws = rated(tmp_path, {"v0": {"a": [5]}})
    assert heat_map(ws, made.SUITE, None, "name").ends == ("1, weakest", "5, strongest")
    other = judged("v0-a-0", "form", 7, top=10)
    ws = rated(tmp_path / "two", {"v0": {"a": [5]}}, other)
    assert heat_map(ws, made.SUITE, None, "name").ends == ("weakest", "strongest")


def test_the_first_criterion_of_a_page_is_open_where_none_was_chosen(three: Workspace) -> None:
    """In the order of the page, or the weakest of the sentence above; what was chosen stays."""
    for sort, name in (("weakest", "form"), ("worse", "tone")):
        view = with_open(three, made.SUITE, None, RubricView(sort=sort))  # type: ignore[arg-type]
        assert view.criterion is not None
        assert view.criterion.endswith(name)
    told = with_open(three, made.SUITE, None, RubricView(), weakest=1).criterion
    assert told == criterion_cells(three, made.SUITE).criteria[1].key
    assert with_open(three, made.SUITE, None, RubricView(sort="worse"), weakest=1).criterion != told
    chosen = RubricView(criterion="expectation:tone")
    assert with_open(three, made.SUITE, None, chosen) == chosen


def test_without_a_score_no_criterion_is_open(tmp_path: Path) -> None:
    """The page says what to do instead."""
    ws = made.workspace(tmp_path, made.suite(), made.version("v0", 0))
    assert with_open(ws, made.SUITE, None, RubricView()).criterion is None


def test_a_criterion_that_is_only_an_id_is_called_by_its_words(tmp_path: Path) -> None:
    """What stands before a colon is its name, the rest what it asks."""
    name = "09932ed9-3ca5-43c1-af0d-689fc82f9a5f"
    described = made.criterion(name, description="Priority: As a duty officer would set it")
    ws = rated(tmp_path, {"v0": {"a": [5]}}, judged("v0-a-0", name, 4), described)
    rows = {row.name: row.about for row in heat_map(ws, made.SUITE, None, "name").rows}
    assert rows["Priority"] == "As a duty officer would set it"
