"""What only a browser shows of the controls beside the scores."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from evalcore.workspace.opened import open_workspace
from tests.dashboard.live import Served, Visit
from tests.judging.notes_and_exclusions import RUN, SUITE, records, small


def test_a_double_click_stores_once_and_the_page_follows(
    serve: Callable[..., Served], new_visit: Callable[..., Visit], tmp_path: Path
) -> None:
    """What was typed last is stored; one's own records are not announced, the rates follow them."""
    small(tmp_path / "evals")
    dashboard = serve(tmp_path / "evals")
    dashboard.let_in()
    visit = new_visit(dashboard)
    page = visit.open("gradings", suite=SUITE, run=RUN)
    page.get_by_role("button", name="Exclude run …").click()
    page.get_by_label("Your name").fill("Ana")
    page.get_by_label("Why it is excluded").fill("The network was")
    page.get_by_label("Why it is excluded").press_sequentially(" down.")
    page.get_by_role("button", name="Exclude run", exact=True).dblclick()
    expect(page.get_by_text("It is excluded and stays visible")).to_be_visible()
    expect(page.get_by_role("button", name="Include run again")).to_be_visible()
    expect(page.get_by_text("excluded 1")).to_be_visible()
    assert page.get_by_role("button", name="Show", exact=True).count() == 0
    (only,) = records(open_workspace(tmp_path / "evals", cache=False))
    assert only.fields["reason"] == "The network was down."
    assert not visit.errors
    assert not visit.foreign_requests()
