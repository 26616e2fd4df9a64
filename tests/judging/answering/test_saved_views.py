"""Views under a name: kept with the suite, renamed, removed, and only what a page may be asked."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from evalcore.errors import CannotJudge, CannotWrite
from evalcore.families.reviews.saved_views import PARAMETERS, SIDEBAR
from evalcore.judging.answering.saved_views import SavedView, change_view, save_view, saved_views
from evalcore.judging.model import Judge
from evalcore.judging.storing.store import new_id
from evalcore.views.gradings.state import View
from evalcore.workspace.opened import Workspace, open_workspace
from tests.judging.notes_and_exclusions import ANA, BEN, FOLDER, SUITE, records, small
from tests.reviewing import Reviews

ADDRESS = {"filter": "failing", "v": "iteration-1"}


def views(ws: Workspace) -> tuple[SavedView, ...]:
    """Return the saved views that are on disk now."""
    return saved_views(records(ws))


def names(ws: Workspace) -> list[str]:
    """Return their names."""
    return [view.name for view in views(ws)]


def problems(root: Path) -> list[tuple[str, str]]:
    """Return pointer and message of each problem with a saved view, as opening reports it."""
    found = open_workspace(root, cache=False).problems
    return [(each.pointer, each.message) for each in found if "saved-view" in each.path]


def test_a_view_is_a_record_beside_the_suite(tmp_path: Path) -> None:
    """With its address, its author and its time, and nothing about it is a problem."""
    ws = small(tmp_path)
    receipt = save_view(ws, SUITE, "  What\nfails ", "gradings", ADDRESS, ANA)
    assert receipt.path == f"{FOLDER}/reviews/saved-view/{receipt.id}.json"
    written = json.loads((tmp_path / receipt.path).read_text("utf-8"))
    fields = {"name": "What fails", "page": "gradings", "address": ADDRESS, "removed": False}
    assert (written["fields"], written["createdBy"]) == (fields, "ana-3f2a")
    (view,) = views(ws)
    assert (view.name, view.address, view.author) == ("What fails", ADDRESS, "ana-3f2a")
    assert problems(tmp_path) == []


def test_a_view_is_renamed_replaced_and_removed(tmp_path: Path) -> None:
    """Each time by a record that replaces the one before, and stays."""
    ws = small(tmp_path)
    save_view(ws, SUITE, "b", "gradings", ADDRESS, ANA)
    save_view(ws, SUITE, "A", "gradings", {}, BEN)
    assert names(ws) == ["A", "b"]
    change_view(ws, SUITE, views(ws)[1], "c", BEN)
    assert names(ws) == ["A", "c"]
    save_view(ws, SUITE, "c", "gradings", {"tab": "raw"}, ANA)
    assert [dict(view.address) for view in views(ws)] == [{}, {"tab": "raw"}]
    change_view(ws, SUITE, views(ws)[1], None, ANA)
    assert names(ws) == ["A"]
    assert len(records(ws)) == 5
    assert problems(tmp_path) == []


def test_a_second_click_saves_nothing_more(tmp_path: Path) -> None:
    """The submission names the record."""
    ws, submission = small(tmp_path), new_id()
    for _ in range(2):
        save_view(ws, SUITE, "x", "gradings", ADDRESS, ANA, submission=submission)
    assert len(records(ws)) == 1


@pytest.mark.parametrize(
    ("names_given", "left", "conflicts"),
    [(("one", "two"), {"one", "two"}, 1), (("one", None), {"one"}, 1), ((None, None), set(), 0)],
)
def test_two_who_change_a_view_at_once_lose_nothing(
    tmp_path: Path, names_given: tuple[str | None, str | None], left: set[str], conflicts: int
) -> None:
    """Both records stay and a name outlives a removal; the next change decides."""
    small(tmp_path)
    save_view(open_workspace(tmp_path, cache=False), SUITE, "x", "gradings", ADDRESS, ANA)

    def act(judge: Judge, name: str | None) -> None:
        ws = open_workspace(tmp_path, cache=False)
        change_view(ws, SUITE, old, name, judge)

    (old,) = views(open_workspace(tmp_path, cache=False))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(act, (ANA, BEN), names_given))
    ws = open_workspace(tmp_path, cache=False)
    assert len(records(ws)) == 3
    assert set(names(ws)) <= left
    assert len(names(ws)) == bool(left)
    assert len(problems(tmp_path)) == conflicts
    for view in views(ws):
        change_view(ws, SUITE, view, "decided", ANA)
        assert (names(ws), problems(tmp_path)) == (["decided"], [])


@pytest.mark.parametrize(
    ("changed", "pointers", "said"),
    [
        ({"name": " "}, ["name"], "The name of a view is a text of 1 to 80 characters."),
        ({"name": 7}, ["name"], "The name of a view"),
        ({"name": "x" * 81}, ["name"], "The name of a view"),
        ({"page": "https://evil.example/"}, ["page"], "is no page that has saved views"),
        ({"page": "../gradings"}, ["page"], "is no page that has saved views"),
        ({"page": ["gradings"]}, ["page"], "is no page that has saved views"),
        ({"address": "?filter=failing"}, ["address"], "is an object of parameters"),
        ({"address": {"w": "other", "suite": "s"}}, ["address"] * 2, "is no parameter that a view"),
        ({"address": {"run": "x"}}, ["address"], "'run' is no parameter that a view of gradings"),
        ({"address": {"file": "/etc/passwd"}}, ["address"], "'file' is no parameter"),
        ({"address": {"q": 3}}, ["address"], "'q' is a text of at most"),
        ({"address": {"q": "x" * 20_001}}, ["address"], "'q' is a text of at most"),
        ({"link": "https://evil.example/"}, ["link"], "A saved view has no field 'link'."),
        ({"removed": "no"}, ["removed"], "`removed` is true or false."),
        ({"page": "no", "name": ""}, ["name", "page"], "of a view"),
    ],
)
def test_a_file_that_is_no_view_is_refused_with_a_problem_each(
    tmp_path: Path, changed: dict[str, Any], pointers: list[str], said: str
) -> None:
    """It is not offered; other views stay."""
    ws = small(tmp_path)
    save_view(ws, SUITE, "good", "gradings", ADDRESS, ANA)
    fields = {"name": "bad", "page": "gradings", "address": {}} | changed
    Reviews(tmp_path, FOLDER).put("saved-view", fields)
    assert names(ws) == ["good"]
    found = problems(tmp_path)
    assert [pointer for pointer, _ in found] == [f"/fields/{name}" for name in pointers]
    assert said in found[0][1]
    assert found[0][1].endswith("The view is not used.")


@pytest.mark.parametrize("field", ["name", "page", "address"])
def test_a_field_that_is_missing_is_a_problem_of_the_record(tmp_path: Path, field: str) -> None:
    """The place is that of the fields."""
    small(tmp_path)
    fields = {"name": "bad", "page": "gradings", "address": {}}
    del fields[field]
    Reviews(tmp_path, FOLDER).put("saved-view", fields)
    assert [pointer for pointer, _ in problems(tmp_path)] == ["/fields"]


def test_what_is_no_view_is_not_written(tmp_path: Path) -> None:
    """Neither without a name, nor with a long one, nor with what a page does not keep."""
    ws = small(tmp_path)
    with pytest.raises(ValueError, match="Give the view a name"):
        save_view(ws, SUITE, " \n ", "gradings", ADDRESS, ANA)
    with pytest.raises(CannotJudge):
        save_view(ws, SUITE, "x" * 81, "gradings", ADDRESS, ANA)
    with pytest.raises(CannotWrite, match="no parameter"):
        save_view(ws, SUITE, "x", "gradings", {"run": "r"}, ANA)
    with pytest.raises(CannotWrite, match="no page"):
        save_view(ws, SUITE, "x", "judge", {}, ANA)
    assert records(ws) == ()


def test_a_view_keeps_all_of_the_page_but_what_is_open() -> None:
    """A parameter that Gradings learns is kept or named here."""
    open_now = {"run", "case", "file", "line", "whole", "page", "cols", "step", "part", "find"}
    assert PARAMETERS["gradings"] == (set(View().parameters()) | SIDEBAR) - open_now
