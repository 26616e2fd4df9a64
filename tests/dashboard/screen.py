"""What a reader sees in the window and in the address line."""

from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import FloatRect, Locator, Page, expect

from evalcore.palette import PALETTE

_LOOK: Final = Path(__file__).with_name("one_look.js").read_text("utf-8")

_STILL_MS: Final = 200


def box(node: Locator) -> FloatRect:
    """Return where a node stands, once it is there: a page that is drawn again hides it a while."""
    for _ in range(3):
        expect(node).to_be_visible()
        if (found := node.bounding_box()) is not None:
            return found
    raise AssertionError(f"{node} comes and goes.")


def on_screen(page: Page, node: Locator) -> bool:
    """Say whether a node stands wholly inside the window, unscrolled."""
    place, size = box(node), page.viewport_size
    assert size is not None
    return place["y"] >= 0 and place["y"] + place["height"] <= size["height"]


def asked(page: Page) -> dict[str, str]:
    """Return what the address says."""
    return {key: value[0] for key, value in parse_qs(urlsplit(page.url).query).items()}


def wait_for_address(page: Page, *parts: str) -> None:
    """Wait until the address holds all of these; it changes a moment after the page does."""
    page.wait_for_url(lambda url: all(part in url for part in parts))


def idle(page: Page) -> None:
    """Wait until the page has run to its end, so that all of it has been sent."""
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", "notRunning")


def still(page: Page) -> None:
    """Wait until the page has run to its end and what stands where changes no more."""
    idle(page)
    before = None
    while (now := look(page, "places()")) != before or now["moves"]:
        before = now
        page.wait_for_timeout(_STILL_MS)


def go_dark(page: Page) -> None:
    """Ask for the dark ground, and wait until all of the page has it."""
    page.emulate_media(color_scheme="dark")
    app = page.get_by_test_id("stApp")
    expect(app).to_have_css("background-color", as_css(PALETTE.ground.dark))
    still(page)


def as_css(colour: str) -> str:
    """Return a colour of the form `#RRGGBB` as a browser says it."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


def look(page: Page, question: str) -> Any:
    """Return what `one_look.js` finds on a page."""
    return page.evaluate(f"{_LOOK}.{question}")


def fits(page: Page) -> bool:
    """Say whether nothing scrolls sideways, neither the window nor the page inside it."""
    roots = "[document.documentElement, document.querySelector('[data-testid=stMain]')]"
    return bool(page.evaluate(f"{roots}.every(root => root.scrollWidth <= root.clientWidth)"))
