"""What somebody started or stored is true on the pages at once; what others did waits."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from evalcore.versions import initialise
from tests.dashboard.live import Served, Visit, served
from tests.dashboard.newcomer import SUITE, write_executor, write_skill

SECONDS = 1.5


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on a new skill, with a program of the user that is in no hurry."""
    root, config = tmp_path_factory.mktemp("own") / "skills", tmp_path_factory.mktemp("config")
    initialise(write_skill(root))
    write_executor(config, SECONDS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVALCORE_CONFIG_DIR", str(config))
        with served(root, tmp_path_factory.mktemp("own-state")) as found:
            found.let_in()
            yield found


def _start(visit: Visit) -> Page:
    page = visit.open("runs", suite=SUITE, new="1", n="1")
    page.get_by_role("button", name=re.compile(r"Start \d+ runs")).click()
    expect(page).to_have_url(re.compile(r"[?&]id="))
    return page


def test_a_resumed_run_is_followed_at_once(visit: Visit) -> None:
    """Its page went on saying that it was stopped, until it was loaded again."""
    page = _start(visit)
    page.get_by_role("button", name="Stop now").click()
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Stop now")).to_be_visible(timeout=5_000)
    expect(page.get_by_text(f"{SUITE}: finished")).to_be_visible()


def test_what_a_run_wrote_is_on_the_next_page_without_being_asked_for(visit: Visit) -> None:
    """The page of the run leads to what waits for people, and every other page knows the runs."""
    page = _start(visit)
    expect(page.get_by_role("link", name="Judge these 3")).to_be_visible()
    expect(page.get_by_role("button", name="Show", exact=True)).to_have_count(0)
    page.get_by_role("link", name="Overview").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    expect(page.get_by_text(re.compile(r"\d runs sent to judging"))).to_be_visible()
    expect(page.get_by_text("There is no suite called")).to_have_count(0)
    page.go_back()
    page.get_by_role("link", name="Judge these 3").click()
    expect(page).to_have_url(re.compile("/judge.*reason=requested"))
    expect(page.get_by_text("Who judges?")).to_be_visible()
    assert not visit.errors
