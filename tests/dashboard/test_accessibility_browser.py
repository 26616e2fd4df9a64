"""Every page of the demo as axe-core, a keyboard and a finger find it, on both grounds."""

import json
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from evalcore.views.data.state import PARTS
from tests.dashboard.live import PAGES, PHONE, Served, Visit
from tests.dashboard.screen import go_dark, still
from tests.judging.copies import DEMO

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
TAGS = ("wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice")
EVERY = {"type": "tag", "values": TAGS}
COLOURS = {"type": "rule", "values": ("color-contrast", "link-in-text-block")}
LEAST = 24
"""CSS pixels of what can be clicked, each way (WCAG 2.2, 2.5.8)."""
STOPS = 45
"""How many stops of the keyboard are looked at on a page: 17 lead to its content."""

RUN = """
async (asked) => {
  const found = await axe.run(document, {
    runOnly: asked, resultTypes: ['violations'], elementRef: true, preload: false, iframes: false,
  });
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target, html, element, any }) => {
    const box = element ? element.getBoundingClientRect() : { width: 0, height: 0 };
    return { id, target: target.flat().join(' '), html: html.slice(0, 200),
      width: box.width, height: box.height, why: any.map((each) => each.message).join(' ') };
  }));
}
"""
FOCUSED = """
() => {
  const inside = (node) => node && node.shadowRoot && node.shadowRoot.activeElement;
  let node = document.activeElement;
  while (inside(node)) node = inside(node);
  if (!node || node === document.body) return null;
  const ringed = (one) => {
    const style = getComputedStyle(one);
    return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1)
      || style.boxShadow !== 'none';
  };
  // A radio in its chip, a field in its frame: what surrounds it has the ring.
  const around = [];
  for (let one = node; one && around.length < 4; one = one.parentElement) around.push(one);
  const box = node.getBoundingClientRect();
  return { what: node.outerHTML.slice(0, 160), ringed: around.some(ringed),
    seen: box.width > 0 && box.height > 0 };
}
"""


@pytest.fixture(scope="session")
def dashboard(showing: Callable[[Path], Served]) -> Served:
    """Show the demo."""
    return showing(DEMO)


SEEN = [
    *((page, {"suite": "release-notes"}) for page in PAGES),
    ("gradings", {"suite": "invoice-extractor", "filter": "failing"}),
    ("gradings", {"suite": "invoice-extractor", "tab": "output"}),
    ("gradings", {"suite": "triage-agent", "tab": "case"}),
    ("compare", {"suite": "sql-helper"}),
    ("rubric", {"suite": "triage-agent"}),
    ("judge", {"suite": "sql-helper", "view": "agreement"}),
    ("judge", {"suite": "sql-helper", "view": "trust"}),
    ("runs", {"suite": "commit-helper", "new": "1"}),
    *(("data", {"suite": "support-agent", "dview": part}) for part in PARTS[1:]),
]
"""Pages with their parameters: each page, and what a click on it opens."""


def violations(page: Page, asked: dict[str, Any]) -> Iterator[str]:
    """Yield what axe finds on a page as it stands; nothing of Streamlit's own is left out."""
    for each in page.evaluate(RUN, asked):
        # A target that its scroller's edge cuts is as large as it should be.
        if each["id"] == "target-size" and min(each["width"], each["height"]) >= LEAST:
            continue
        yield f"{each['id']}: {each['target'][-120:]} {each['html']} {each['why']}"


@pytest.mark.parametrize(("name", "query"), SEEN, ids=json.dumps)
def test_axe_finds_nothing(visit: Visit, name: str, query: dict[str, str]) -> None:
    """On a desk and on a phone, light and dark; what a ground changes is its colours."""
    page = visit.open(name, **query)
    page.evaluate(AXE)
    still(page)
    found = [*violations(page, EVERY)]
    go_dark(page)
    found += violations(page, COLOURS)
    page.set_viewport_size(PHONE)
    still(page)
    found += violations(page, EVERY)
    assert found == []


@pytest.mark.parametrize("name", PAGES)
def test_the_keyboard_is_seen_wherever_it_stops(visit: Visit, name: str) -> None:
    """Each stop has a ring, or what surrounds it has."""
    page = visit.open(name, suite="release-notes")
    still(page)
    bare: list[Any] = []
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if at is not None and not at["ringed"]:
            bare.append(at["what"])
    assert bare == []
