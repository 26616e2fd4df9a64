"""A switch to another page that was lost on the way is made again, and only then."""

from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.parts.switching import PageSwitch

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
