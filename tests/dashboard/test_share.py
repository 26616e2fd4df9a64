"""Sharing: the same view elsewhere, and pictures that say what they show without a server."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from streamlit.testing.v1 import AppTest

from evalcore.palette import PALETTE
from evalcore.server.view import view
from pages.parts import share
from pages.parts.panels.components import source
from tests.dashboard.live import Visit
from tests.dashboard.screen import as_css
from tests.report.parsed import Page as Report


def test_files_are_made_when_they_are_asked_for(
    run: Callable[..., AppTest], small_workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drawing a page describes no picture and draws none: the menus are closed."""

    def never(*_: object) -> None:
        raise AssertionError("A picture was made that nobody asked for.")

    monkeypatch.setattr(share, "as_markdown", never)
    for page in ("overview", "compare"):
        app = run(page, small_workspace, suite="alpha")
        assert not app.exception
        assert not app.get("download_button")


def opened(window: Page) -> Locator:
    """Open the first share menu and return it."""
    window.get_by_role("button", name="Share", exact=True).first.click()
    menu = window.get_by_test_id("stPopoverBody")
    expect(menu.get_by_role("button", name="Copy link")).to_be_visible()
    return menu


def test_a_link_shows_the_same_view_elsewhere(
    visit: Visit, new_visit: Callable[..., Visit], chromium: Browser, tmp_path: Path
) -> None:
    """The copied address holds the view and no secret; the picture needs no server."""
    window = visit.open(page="compare", suite="alpha", a="v1", b="v0")
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    menu = opened(window)
    menu.get_by_role("button", name="Copy link").click()
    expect(menu.get_by_text("link copied")).to_be_visible()
    link = window.evaluate("navigator.clipboard.readText()")
    assert {"suite=alpha", "a=v1", "b=v0"} <= set(re.split("[?&]", link))
    assert not re.search("token|key|secret", link)
    menu.get_by_role("button", name="Copy command").click()
    expect(menu.get_by_text("for somebody who has the folder")).to_be_visible()
    command = window.evaluate("navigator.clipboard.readText()")
    assert command == 'evalcore open FOLDER --view "compare?suite=alpha&a=v1&b=v0"'
    menu.get_by_role("button", name="Copy as Markdown").click()
    expect(menu.get_by_text("Copied", exact=True)).to_be_visible()
    assert window.evaluate("navigator.clipboard.readText()").startswith("**v0 against v1**")
    for form in ("SVG", "PNG", "CSV"):
        with window.expect_download() as download:
            menu.get_by_role("button", name=form, exact=True).click()
        download.value.save_as(tmp_path / f"a.{form.lower()}")
    with window.expect_download() as download:
        menu.get_by_role("button", name="Report", exact=True).click()
    download.value.save_as(tmp_path / "report.html")
    assert download.value.suggested_filename.endswith("-report.html")
    sentence = window.get_by_text(re.compile("^.?v0 passes")).first.inner_text()
    assert sentence in Report((tmp_path / "report.html").read_text()).said
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    assert "v0" in (tmp_path / "a.csv").read_text()
    _shows_offline(chromium, tmp_path / "a.svg", sentence)
    elsewhere = new_visit(visit.served)
    elsewhere.page.goto(link)
    expect(elsewhere.page.get_by_text(re.compile("^.?v0 passes")).first).to_be_visible()


def test_a_copied_link_names_what_the_page_chose_by_itself(visit: Visit) -> None:
    """Suite and sides: another suite or a newer version changes nothing of what it shows."""
    window = visit.open(page="compare")
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    window.get_by_role("button", name="Copy command").click()
    expect(window.get_by_text("for somebody who has the folder")).to_be_visible()
    command = window.evaluate("navigator.clipboard.readText()")
    assert command == 'evalcore open FOLDER --view "compare?suite=alpha&a=v0&b=v1"'
    visit.open(page="gradings").get_by_role("button", name="Copy link").click()
    expect(window.get_by_text("works in this browser")).to_be_visible()
    link = window.evaluate("navigator.clipboard.readText()")
    assert link == visit.served.address("gradings", suite="alpha", case="case-01")


HOSTILE = {"run": "a::1@v/x#1 & 2", "q": "\"'`$(id)\\!%PATH%;\n|<>*~ é", "case": "'; id; '"}


def test_a_shell_passes_the_copied_command_on_as_it_is(chromium: Browser) -> None:
    """No sign means anything to it; tokens and the name of the folder here are left out."""
    page = chromium.new_page()
    asked = urlencode({"w": "skills", **HOSTILE, "token": "secret"})
    address = f"http://127.0.0.1:8421/gradings?{asked}"
    call = f"(address) => {{ {source('command.js')}; return openCommand(address); }}"
    command = page.evaluate(call, address)
    elsewhere = page.evaluate(call, f'http://127.0.0.1:8421/a"b/?{asked}')
    page.close()
    name, _, arguments = command.partition(" ")
    printed = ["sh", "-c", f"printf '%s\\0' {arguments}"]
    said = subprocess.run(printed, capture_output=True, text=True, check=True).stdout.split("\0")
    assert (name, said[:3]) == ("evalcore", ["open", "FOLDER", "--view"])
    assert view(said[3]) == ("gradings", tuple(HOSTILE.items()))
    assert elsewhere == "evalcore open FOLDER"


def test_a_menu_has_the_ground_of_the_page(visit: Visit) -> None:
    """It stands outside of the app, whose ground it has to have all the same."""
    visit.page.emulate_media(color_scheme="dark")
    menu = opened(visit.open(page="compare", suite="alpha", a="v1", b="v0"))
    shown = menu.get_by_role("button", name="Copy link")
    expect(shown).to_have_css("color", as_css(PALETTE.text.dark))


def _shows_offline(chromium: Browser, picture: Path, sentence: str) -> None:
    """Open a picture from its file with the network off: it loads nothing and says the same."""
    context = chromium.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(picture.as_uri())
    words = " ".join(page.locator("text").all_text_contents())
    context.close()
    assert asked == [picture.as_uri()]
    assert sentence.lstrip("=▲▼ ").partition(":")[0] in words
