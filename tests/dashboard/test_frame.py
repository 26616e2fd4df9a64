"""Every page stands in the same frame: choice, pages, and a way on when nothing is there."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest

from tests.dashboard.live import PAGES, PHONE, Served, Visit, write_alpha
from tests.dashboard.screen import box, fits, idle, wait_for_address


def sidebar_choice(page: Page, label: str) -> str:
    """Return what stands chosen in a field of the sidebar."""
    return page.get_by_test_id("stSidebar").get_by_label(label).input_value()


def choose(page: Page, label: str, option: str) -> None:
    """Choose an option of a field of the sidebar."""
    page.get_by_test_id("stSidebar").get_by_label(label).click()
    page.get_by_role("option", name=option, exact=True).click()


@pytest.fixture(scope="module")
def passing_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace that a test may take away and put back."""
    root = tmp_path_factory.mktemp("passing") / "passing"
    write_alpha(root)
    return root


@pytest.fixture(scope="module")
def dashboard(
    serve: Callable[..., Served], small_workspace: Path, passing_workspace: Path
) -> Served:
    """Serve two workspaces that were opened before."""
    found = serve(small_workspace, passing_workspace)
    found.let_in()
    return found


@pytest.mark.parametrize("page", PAGES)
def test_the_sidebar_shows_what_the_address_says(visit: Visit, page: str) -> None:
    """Workspace, suite, version and configuration of the address stand chosen on every page."""
    window = visit.open(page, suite="beta", v="iteration-1", c="with_skill")
    expect(window.get_by_role("heading", level=1)).to_have_text(page.capitalize())
    expect(window.get_by_test_id("stSidebar").get_by_label("Configuration")).to_be_visible()
    chosen = [sidebar_choice(window, f) for f in ("Workspace", "Suite", "Version", "Configuration")]
    assert chosen == ["skills", "beta", "iteration-1", "with_skill"]


def test_a_choice_goes_to_the_address_and_back_undoes_it(visit: Visit) -> None:
    """What is chosen can be sent as a link; another suite starts without the old one's version."""
    window = visit.open(suite="alpha")
    choose(window, "Version", "v1")
    expect(window).to_have_url(visit.served.address(suite="alpha", v="v1"))
    choose(window, "Suite", "beta")
    expect(window).to_have_url(visit.served.address(suite="beta"))
    window.go_back()
    expect(window).to_have_url(visit.served.address(suite="alpha", v="v1"))
    expect(window.get_by_test_id("stSidebar").get_by_label("Version").last).to_have_value("v1")


def test_every_message_is_sent_in_full(visit: Visit) -> None:
    """A reference would be to what a busy browser may have forgotten since it asked."""
    kinds: list[str | None] = []

    def read(frame: str | bytes) -> None:
        message = ForwardMsg()
        message.ParseFromString(frame if isinstance(frame, bytes) else frame.encode())
        kinds.append(message.WhichOneof("type"))

    visit.page.once("websocket", lambda socket: socket.on("framereceived", read))
    window = visit.open(suite="alpha")
    expect(window.get_by_role("table", name="Suites")).to_be_visible()
    choose(window, "Version", "v1")
    expect(window).to_have_url(visit.served.address(suite="alpha", v="v1"))
    idle(window)
    assert "delta" in kinds
    assert "ref_hash" not in kinds


def test_links_between_pages_keep_the_choice(visit: Visit) -> None:
    """The page changes, what is looked at does not."""
    window = visit.open(suite="beta", c="with_skill")
    window.get_by_test_id("stSidebar").get_by_role("link", name="Data").click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Data")
    expect(window).to_have_url(re.compile(r"/data\?w=\w+&suite=beta&c=with_skill"))


def test_another_workspace_can_be_chosen(visit: Visit) -> None:
    """The ones opened before are offered by name."""
    window = visit.open(suite="beta")
    choose(window, "Workspace", "passing")
    expect(window.get_by_test_id("stSidebar").get_by_label("Suite").last).to_have_value("alpha")
    wait_for_address(window, "w=passing")


def test_a_wish_that_cannot_be_met_is_said_as_plain_text(visit: Visit) -> None:
    """What stands in an address is quoted, never rendered: it loads nothing."""
    hostile = "![x](http://127.0.0.1:9/x.png)<img src='http://127.0.0.1:9/y.png'>"
    window = visit.open(suite=hostile)
    sentence = f"There is no suite called “{hostile[:80]}” here; showing alpha."
    expect(window.get_by_text(sentence)).to_be_visible()
    assert visit.foreign_requests() == []


def test_a_name_that_was_never_opened_shows_a_way_on(visit: Visit) -> None:
    """A path is not a name; the workspaces there are, and the command, stand below."""
    window = visit.open(w="/etc")
    expect(window.get_by_text("No workspace called “/etc” was opened")).to_be_visible()
    expect(window.get_by_text("evalcore open FOLDER")).to_be_visible()
    window.get_by_test_id("stMain").get_by_role("link", name="passing").click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Overview")


def test_a_folder_that_went_away_is_named_and_found_again(
    visit: Visit, passing_workspace: Path
) -> None:
    """The page says which folder is missing; once it is back, the page shows it."""
    visit.open(w="passing")
    away = passing_workspace.with_name("away")
    shutil.move(passing_workspace, away)
    try:
        visit.page.wait_for_timeout(2_500)
        window = visit.open(w="passing")
        expect(window.get_by_text(f"{passing_workspace} does not exist.")).to_be_visible()
        expect(window.get_by_text("not found")).to_be_visible()
    finally:
        shutil.move(away, passing_workspace)
    window = visit.open(w="passing")
    expect(window.get_by_role("heading", level=1)).to_have_text("Overview")


def test_the_start_page_leads_to_the_opened_workspace(visit: Visit) -> None:
    """The bare address goes to the overview of what `evalcore open` named."""
    window = visit.page
    window.goto(visit.served.address("").partition("?")[0])
    expect(window.get_by_role("heading", level=1)).to_have_text("Overview")
    expect(window).to_have_url(visit.served.address(suite="alpha"))


def test_a_phone_needs_no_sideways_scroll(visit: Visit) -> None:
    """At a width of 390 the page fits, and the sidebar opens on demand."""
    visit.page.set_viewport_size(PHONE)
    for page in PAGES:
        window = visit.move(page)
        assert fits(window)
        expect(window.get_by_test_id("stSidebar").get_by_label("Suite")).not_to_be_in_viewport()
    window.get_by_test_id("stExpandSidebarButton").click()
    expect(window.get_by_test_id("stSidebar").get_by_label("Suite")).to_be_in_viewport()


def test_a_phone_keeps_the_way_to_the_sidebar(visit: Visit) -> None:
    """The title stands beside the button that opens it, also when scrolled; a link closes it."""
    visit.page.set_viewport_size({"width": 390, "height": 400})
    window = visit.open(suite="alpha")
    title, opener = (window.locator("h1"), window.get_by_test_id("stExpandSidebarButton"))
    expect(window.get_by_role("table", name="Versions")).to_be_attached()
    for scrolled in (0, 300):
        window.get_by_test_id("stMain").evaluate("(node, to) => node.scrollTo(0, to)", scrolled)
        assert box(title)["y"] + box(title)["height"] <= 48
        middle = box(opener)["y"] + box(opener)["height"] / 2
        assert box(title)["y"] < middle < box(title)["y"] + box(title)["height"]
    assert window.get_by_test_id("stMain").evaluate("node => node.scrollTop") == 300
    opener.click()
    link = window.get_by_test_id("stSidebar").get_by_role("link", name="Data")
    link.click()
    expect(title).to_have_text("Data")
    expect(link).not_to_be_in_viewport()


def test_a_page_that_fails_says_so_and_no_more() -> None:
    """An unforeseen error is named by its kind only, as its message may quote a secret."""

    def page() -> None:
        from pages.parts.frame import failed  # noqa: PLC0415 - the script runs by itself

        assert failed(ValueError("key sk-SECRET"))

    shown = " ".join(
        text.value for text in AppTest.from_function(page, default_timeout=60).run().text
    )
    assert "could not be drawn (ValueError)" in shown
    assert "SECRET" not in shown


def test_a_page_begins_at_the_top(visit: Visit) -> None:
    """The title ends above 80 pixels, so that numbers need not wait."""
    title = box(visit.open().get_by_role("heading", level=1))
    assert title["y"] + title["height"] <= 80


def test_the_system_theme_decides_light_or_dark(visit: Visit) -> None:
    """The ground is the palette's for the scheme that the system asks for."""
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme, ground in zip(schemes, ("rgb(255, 255, 255)", "rgb(17, 21, 27)"), strict=True):
        visit.page.emulate_media(color_scheme=scheme)
        window = visit.open()
        expect(window.get_by_test_id("stApp")).to_have_css("background-color", ground)


def test_each_page_in_the_sidebar_says_what_waits_there(
    run: Callable[..., AppTest], small_workspace: Path
) -> None:
    """In the order of the work, with the count that the page itself has."""
    app = run("gradings", small_workspace, suite="alpha", v="v0")
    links = [link.proto for link in app.sidebar.get("page_link")]
    *titles, last = [link.label.partition(" *")[0] for link in links]
    assert [title.lower() for title in titles] == list(PAGES)
    judging = ["Overview", "Gradings", "Compare", "Rubric", "Trends", "Failures", "Judge"]
    assert titles == [*judging, "Blind", "Runs", "Data"]
    assert last == "New run"
    assert "Gradings *1 failing*" in [link.label for link in links]
