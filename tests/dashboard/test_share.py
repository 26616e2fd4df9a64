"""Sharing: the same view elsewhere, and pictures that say what they show without a server."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from streamlit.testing.v1 import AppTest

from pages.parts import share
from tests.dashboard.live import Visit


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
    menu.get_by_role("button", name="Copy as Markdown").click()
    expect(menu.get_by_text("as Markdown copied")).to_be_visible()
    assert window.evaluate("navigator.clipboard.readText()").startswith("**v0 against v1**")
    for form in ("SVG", "PNG", "CSV"):
        with window.expect_download() as download:
            menu.get_by_role("button", name=form, exact=True).click()
        download.value.save_as(tmp_path / f"a.{form.lower()}")
    sentence = window.get_by_text(re.compile("^.?v0 passes")).first.inner_text()
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    assert "v0" in (tmp_path / "a.csv").read_text()
    _shows_offline(chromium, tmp_path / "a.svg", sentence)
    elsewhere = new_visit(visit.served)
    elsewhere.page.goto(link)
    expect(elsewhere.page.get_by_text(re.compile("^.?v0 passes")).first).to_be_visible()


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
