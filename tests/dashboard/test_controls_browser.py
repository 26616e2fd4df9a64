"""The controls that Streamlit draws have the edges and the focus rings of all others."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, get_args

import pytest
from playwright.sync_api import Page, expect

from evalcore.palette import PALETTE, Mode, contrast
from tests.dashboard.live import Served, Visit
from tests.dashboard.screen import idle
from tests.judging.copies import DEMO

EDGES: Final = {
    "runs": {
        "select": "[data-testid=stSelectbox] [role=group]",
        "several": "[data-testid=stMultiSelect] [role=group]",
        "number": "[data-testid=stNumberInputContainer]",
        "fold": "[data-testid=stExpander] details",
    },
    "compare": {
        "button": "button[kind=secondary]",
        "tick": "[data-testid=stCheckbox] label > span + div",
    },
    "data": {
        "text": "[data-testid=stTextInputRootElement]",
        "part": "[data-testid=stButtonGroup] button:not([data-selected])",
    },
    "failures": {
        "area": "[data-testid=stTextAreaRootElement]",
        "text above the page": "[data-testid=stPopoverBody] [data-testid=stTextInputRootElement]",
        "send": "button[kind=secondaryFormSubmit]",
    },
}
"""One control of each kind, and the page that has it."""
EDGE: Final = """async (node) => {
  await Promise.all(node.getAnimations().map((each) => each.finished)); // Streamlit fades colours
  if (!node.isConnected) return null; // drawn anew meanwhile
  return [getComputedStyle(node).borderTopWidth, getComputedStyle(node).borderTopColor];
}"""
RING: Final = """() => {
  let node = document.activeElement;
  while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  const {outlineStyle, outlineWidth} = getComputedStyle(node);
  return [node.tagName, outlineStyle === 'none' ? 0 : parseFloat(outlineWidth)];
}"""


@pytest.fixture(scope="module")
def dashboard(showing: Callable[[Path], Served]) -> Served:
    """Show the demo."""
    return showing(DEMO)


@pytest.mark.parametrize("mode", get_args(Mode))
def test_the_edge_of_every_control_is_seen(visit: Visit, mode: Mode) -> None:
    """At least 3:1 on both grounds, also in what opens above the page, and under the pointer."""
    visit.page.emulate_media(color_scheme=mode)
    grounds = (PALETTE.ground.on(mode), PALETTE.second_ground.on(mode))
    for name, controls in EDGES.items():
        page = visit.open(name, suite="support-agent")
        idle(page)
        if name == "failures":
            page.get_by_test_id("stPopover").get_by_role("button", name="Resolve").click()
        for what, selector in controls.items():
            for pointed_at in (False, True):
                if pointed_at:
                    page.locator(selector).filter(visible=True).first.hover()
                seen = _contrasts(page, selector, grounds)
                assert min(seen.values()) >= 3, (what, pointed_at, seen)


def _contrasts(page: Page, selector: str, grounds: tuple[str, ...]) -> dict[str, float]:
    """Return the contrast on each ground, once it is seen or ten seconds later.

    What has just opened may have its colours only after the next drawing, and may be drawn anew.
    """
    for _ in range(100):
        edge = _edge(page, selector)
        seen = {ground: contrast(edge, ground) if edge else 0 for ground in grounds}
        if min(seen.values()) >= 3:
            break
        page.wait_for_timeout(100)
    return seen


def _edge(page: Page, selector: str) -> str | None:
    """Return the colour of a control's edge, which is one pixel wide at least.

    None where the page drew the control anew in this moment.
    """
    control = page.locator(selector).filter(visible=True).first
    expect(control).to_be_visible()
    found = control.evaluate(EDGE)
    if found is None:
        return None
    width, colour = found
    assert float(width.removesuffix("px")) >= 1
    red, green, blue = (int(part) for part in re.findall(r"\d+", colour))
    return f"#{red:02X}{green:02X}{blue:02X}"


def test_the_keyboard_is_seen_on_what_acts_and_around_the_page(visit: Visit) -> None:
    """Whatever Tab reaches has a ring of two pixels, the main area too, which only scrolls."""
    page = visit.open("data", suite="support-agent")
    idle(page)
    rings = []
    for _ in range(40):
        page.keyboard.press("Tab")
        rings.append(tuple(page.evaluate(RING)))
    assert ("MAIN", 2) in rings
    acting = [(tag, width) for tag, width in rings if tag not in {"BODY", "DIV"}]
    assert len(acting) >= 10
    assert [each for each in acting if each[1] < 2] == []
