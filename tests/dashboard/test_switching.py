"""A switch to another page that was lost on the way is made again, and only then."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.links import PageSwitch
from pages.parts.panels.components import Inbox

KEPT = f"kept {PageSwitch.__module__} {PageSwitch.__qualname__}"


def title(app: AppTest) -> str:
    """Return the title of the page that ran."""
    assert not app.exception
    (found,) = app.title
    return str(found.value)


def lost(app: AppTest, page: str) -> None:
    """Let the open page have switched to another that did not run."""
    switch = app.session_state[KEPT]
    name = app.query_params["w"]
    switch.page, switch.query, switch.tries = (
        page,
        {"w": name if isinstance(name, str) else name[0]},
        1,
    )


def test_a_page_that_runs_again_instead_of_the_next_switches_once_more(
    run: Callable[..., AppTest], small_workspace: Path
) -> None:
    """The reader comes to the page behind the link."""
    app = run("overview", small_workspace)
    lost(app, "gradings")
    assert title(app.run()) == "Gradings"


def test_a_page_that_was_reached_is_left_at_will(
    run: Callable[..., AppTest], small_workspace: Path
) -> None:
    """Nothing leads back to it."""
    app = run("overview", small_workspace)
    lost(app, "gradings")
    app.run()
    assert title(app.switch_page("pages/overview.py").run()) == "Overview"


def test_a_reader_who_went_elsewhere_stays_there(
    run: Callable[..., AppTest], small_workspace: Path
) -> None:
    """A third page that runs instead was chosen meanwhile."""
    app = run("overview", small_workspace)
    lost(app, "gradings")
    assert title(app.switch_page("pages/data.py").run()) == "Data"
    assert title(app.switch_page("pages/overview.py").run()) == "Overview"


@pytest.fixture
def asked_for(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the pages that Streamlit is asked to switch to."""
    found: list[str] = []
    monkeypatch.setattr("streamlit.switch_page", lambda page, **_: found.append(page))
    return found


def test_a_tick_that_ran_alone_instead_of_the_next_page_switches_once_more(
    asked_for: list[str],
) -> None:
    """Until the page has run, and not for ever."""
    switch = PageSwitch("overview")
    switch.to("gradings", {})
    for _ in range(5):
        switch.resume()
    assert asked_for == ["pages/gradings.py"] * 3
    switch.to("gradings", {})
    switch.arrive("gradings")
    switch.resume()
    assert len(asked_for) == 4


def test_an_action_that_waits_for_a_second_look_is_left() -> None:
    """The first look may come just before the run that takes it."""
    heard = Inbox()
    assert not heard.is_left()
    heard.receive({"act": "one"})
    assert [heard.is_left(), heard.is_left()] == [False, True]
    heard.acts.clear()
    heard.receive({"act": "one"})
    assert [heard.is_left(), heard.is_left()] == [False, True]
    heard.acts.clear()
    assert not heard.is_left()
