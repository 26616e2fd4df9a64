"""One look on every page: four sizes of text, large targets, and no button without its words."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from evalcore.palette import TYPE_SIZES
from tests.dashboard.fonts import FONTS, draw_in, drawn_in
from tests.dashboard.live import DESK, PAGES, PHONE, Served, Visit
from tests.dashboard.screen import fits, look, still
from tests.judging.copies import DEMO

SUITE: Final = "release-notes"
ZOOMED: Final = ViewportSize(width=720, height=450)
"""What a window of 1440 by 900 has at a zoom of 200 %."""
LEAST: Final = 24
LEAST_SIZES: Final = 3
"""Sizes of text that a page has when its panels are drawn: title, text and small print."""
WINDOWS: Final = (("wide", DESK), ("wide", PHONE), ("wide", ZOOMED), ("narrow", DESK))
"""What is wide lacks room in small windows; what is narrow may be too small to be pressed."""
WORDS: Final = """(node) => {
  const words = new Range();
  words.selectNodeContents(node);
  return words.getBoundingClientRect().width;
}"""


@pytest.fixture(scope="module")
def dashboard(showing: Callable[[Path], Served]) -> Served:
    """Show the demo."""
    return showing(DEMO)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("font", ["wide"], indirect=True)
def test_a_page_has_four_sizes_of_text_and_large_targets(
    visit: Visit, font: str, name: str
) -> None:
    """Its text has no other size than the palette's, and what can be pressed is 24 pixels high.

    No button, cell or picture is narrower than its words.
    At 200 % it does not scroll sideways: what no longer fits beside stands below.
    """
    page = visit.open(name, suite=SUITE)
    known = {f"{pixels}px" for pixels in TYPE_SIZES.values()}
    for drawn, size in WINDOWS:
        if drawn != font:
            draw_in(page, drawn)
        found = _resized(page, size)
        assert {each: texts for each, texts in found.items() if each not in known} == {}
        assert look(page, f"small({LEAST})") == []
        assert look(page, "cut()") == []
        assert fits(page)


@pytest.mark.parametrize("name", ["gradings", "compare", "judge"])
def test_a_button_keeps_its_words_where_its_line_has_no_room(visit: Visit, name: str) -> None:
    """A long name beside it, as no demo has, makes it no narrower: the words stay inside."""
    page = visit.open(name, suite=SUITE)
    _resized(page, DESK)
    for _ in range(600):  # on a busy machine the panel comes long after the page stands still
        if look(page, "squeeze()"):
            break
        page.wait_for_timeout(100)
    assert look(page, "squeeze()") > 0
    assert look(page, "cut()") == []


def test_other_sizes_small_targets_and_cut_words_are_found(visit: Visit) -> None:
    """The control: a text of 13 pixels, a button of 20, and one half as wide as its word."""
    page = visit.open(suite=SUITE)
    _resized(page, DESK)
    page.evaluate(
        "document.querySelector('[data-testid=stMain]').insertAdjacentHTML('beforeend',"
        ' \'<p style="font-size:13px">thirteen</p>'
        '<svg width="30" height="20"><text y="14" font-size="12">forty wide</text></svg>'
        '<div style="width:30px;overflow:hidden;white-space:nowrap">fifty wide</div>'
        '<input style="width:30px" value="sixty wide">'
        '<div style="width:60px;overflow:hidden;white-space:pre-wrap">ends     blank</div>'
        '<button style="height:20px;width:60px;min-height:0">twenty</button>'
        '<button style="width:30px;padding:0;white-space:nowrap">thirty wide</button>\')'
    )
    assert look(page, "sizes()")["13px"] == ["thirteen"]
    words = ["sixty", "forty", "fifty", "thirty"]
    assert [each.split()[0] for each in look(page, f"small({LEAST})")] == ["twenty"]
    assert [each.split()[0] for each in look(page, "cut()")] == words


def test_the_fonts_differ_on_every_machine(visit: Visit, window: Page) -> None:
    """The control: words of a title, a panel and a picture are wider in one than in the other."""
    kinds = ("h1", ".chip:has-text('regressed')", ".ytick:has-text('100 %') text")
    found: dict[str, list[float]] = {}
    for font in FONTS:
        with drawn_in(window, font):
            page = visit.open(suite=SUITE)
            for kind in kinds:
                expect(page.locator(kind)).to_be_visible()
            found[font] = [page.locator(kind).evaluate(WORDS) for kind in kinds]
    assert all(
        wide > 1.15 * narrow for wide, narrow in zip(found["wide"], found["narrow"], strict=True)
    )


def _resized(page: Page, size: ViewportSize) -> dict[str, list[str]]:
    """Return the texts of each size, once the panels, drawn after the page, stand still."""
    page.set_viewport_size(size)
    found: dict[str, list[str]] = {}
    while len(found) < LEAST_SIZES:
        still(page)
        found = look(page, "sizes()")
    return found
