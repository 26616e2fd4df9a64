"""Saved views on Gradings: a name for what the address asks, kept with the suite."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.judging.answering.saved_views import save_view, saved_views
from evalcore.workspace.opened import open_workspace
from tests.dashboard.test_footers_page import Run, clicked, named, typed
from tests.judging.notes_and_exclusions import ANA, FOLDER, SUITE, records, small
from tests.reviewing import Reviews

HOSTILE = "![x](http://127.0.0.1:9/beacon) <b>:red[x]</b>"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a workspace with three graded runs."""
    small(tmp_path / "evals")
    return tmp_path / "evals"


@pytest.fixture
def opened(run: Run, root: Path) -> Callable[..., AppTest]:
    """Return a function that opens the page with the saved views unfolded."""

    def page(**query: str) -> AppTest:
        app = run("gradings", root, **query)
        app.session_state["gradings-views"] = True
        app.run()
        assert not app.exception
        return app

    return page


def kept(root: Path) -> dict[str, dict[str, str]]:
    """Return the address of each view that is on disk, by its name."""
    views = saved_views(records(open_workspace(root, cache=False)))
    return {view.name: dict(view.address) for view in views}


def chooser(app: AppTest) -> list[str]:
    """Return what the list of views offers."""
    offered = [each for each in app.selectbox if each.label == "Saved views"]
    return [option for each in offered for option in each.options]


def test_a_view_is_saved_chosen_renamed_and_removed(
    opened: Callable[..., AppTest], root: Path
) -> None:
    """It keeps what narrows, sorts and shows, and neither the case nor the page."""
    query = {"filter": "failing", "versions": "iteration-1", "case": "1", "page": "2", "tab": "raw"}
    app = opened(**query, v="iteration-1")
    assert chooser(app) == []
    clicked(named(typed(app, "Name of this view", HOSTILE), "Save this view"), "Save this view")
    address = {name: query[name] for name in ("filter", "versions", "tab")} | {"v": "iteration-1"}
    assert kept(root) == {HOSTILE: address}

    elsewhere = opened(sort="iteration-1@with_skill")
    (option,) = chooser(elsewhere)
    assert option.startswith(f"{HOSTILE} · Ana · ")
    (views,) = (each for each in elsewhere.selectbox if each.label == "Saved views")
    views.select_index(0).run()
    given = {name: "".join(value) for name, value in elsewhere.query_params.items()}
    assert given.items() >= address.items()
    assert not given.keys() & {"sort", "page", "case"}

    clicked(typed(elsewhere, "Name", "Failing"), "Change this view")
    assert kept(root) == {"Failing": address}
    next(each for each in elsewhere.checkbox if each.label == "Remove it").check()
    clicked(elsewhere, "Change this view")
    assert kept(root) == {}
    assert chooser(elsewhere) == []


def test_what_another_saved_or_made_up_is_there_or_not(
    opened: Callable[..., AppTest], root: Path
) -> None:
    """A view of another person is offered; a file that is no view never is."""
    save_view(open_workspace(root, cache=False), SUITE, "Theirs", "gradings", {}, ANA)
    bad = {"name": "Bad", "page": "gradings", "address": {"w": "other"}}
    Reviews(root, FOLDER).put("saved-view", bad)
    (option,) = chooser(opened(filter="failing"))
    assert option.startswith("Theirs · ")
