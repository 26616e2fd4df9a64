"""The drawer of blocks on a page of its own: what it cannot draw is seen, what it draws is text."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from pages.parts.panels import components
from pages.parts.panels.components import source

PANELS = Path(components.__file__).parent
LOOKS = {
    "sheet": ("common", "blocks"),
    "grades": ("common", "blocks", "evidence_blocks"),
    "compare": (
        "common",
        "command",
        "links",
        "case_dots",
        "blocks",
        "evidence_blocks",
        "comparison_blocks",
    ),
}
DRAW = """async ([script, data]) => {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { default: draw } = await import(url);
  window.sent = [];
  window.draw = (data) => draw({
    data, parentElement: document.body, setTriggerValue: (name, value) => window.sent.push(value),
  });
  window.draw(data);
}"""


def script(look: str) -> str:
    """Return the drawer of a look as one module."""
    return "".join(source(f"{name}.js") for name in LOOKS[look])


def styles(look: str) -> str:
    """Return the style of a look for a plain page."""
    return "".join(source(f"{name}.css") for name in LOOKS[look])


@pytest.mark.parametrize("file", sorted(PANELS.glob("*.js")), ids=lambda file: file.stem)
def test_a_script_means_the_same_without_indentation(file: Path) -> None:
    """No text goes over a line's end, so that only comments and white space are left out."""
    text = file.read_text("utf-8")
    assert [line for line in text.splitlines() if line.count("`") % 2] == []
    assert "/*" not in text
    words = [line.strip() for line in text.splitlines()]
    assert source(file.name).split("\n") == [
        *(line for line in words if line and line[:2] != "//"),
        "",
    ]


@pytest.mark.parametrize("look", LOOKS)
def test_a_block_without_a_drawer_is_a_visible_fault(chromium: Browser, look: str) -> None:
    """The blocks beside it are drawn all the same."""
    hostile = "<img src=x onerror=document.title='ran'>"
    blocks = [{"t": "say", "text": hostile, "big": False, "quiet": False}, {"t": "nonsense"}]
    data: dict[str, Any] = {"look": look, "blocks": blocks, "base": {}, "keys": False}
    page = chromium.new_page()
    page.set_content("<title>quiet</title><body></body>")
    page.evaluate(DRAW, [script(look), data])
    expect(page.get_by_role("alert")).to_have_text("✗ no drawer for a block of kind nonsense")
    expect(page.get_by_text(hostile)).to_be_visible()
    assert page.title() == "quiet"
    page.close()


def test_news_under_a_pressed_pointer_do_not_take_its_click(chromium: Browser) -> None:
    """They are drawn when it is released, after the click has reached what it was meant for."""

    def data(text: str) -> dict[str, Any]:
        link = {"page": "overview", "query": {"suite": "beta"}}
        items = [{"n": 1, "what": text, "about": None, "mark": "same", "link": link}]
        blocks = [{"t": "folds", "label": "Suites", "items": items}]
        return {"look": "sheet", "blocks": blocks, "base": {}, "keys": False}

    page = chromium.new_page()
    page.set_content("<body></body>")
    page.evaluate(DRAW, [script("sheet"), data("before")])
    page.get_by_role("link", name="before").hover()
    page.mouse.down()
    page.evaluate("data => window.draw(data)", data("afterwards"))
    expect(page.get_by_role("link", name="before")).to_be_visible()
    page.mouse.up()
    expect(page.get_by_role("link", name="afterwards")).to_be_visible()
    assert page.evaluate("sent.map((did) => did.acts[0].link.query.suite)") == ["beta"]
    page.close()


def test_a_mark_is_drawn_and_its_sign_stays_as_text(chromium: Browser) -> None:
    """12 pixels in the colour of its text; copied, the marks differ, and they widen nothing."""
    kinds = ("pass", "fail", "flaky", "unscored", "scored", "up", "down", "same", "warn")
    link = {"page": "overview", "query": {}}
    items = [{"text": kind, "mark": kind, "link": link, "title": None} for kind in kinds]
    blocks = [{"t": "links", "label": "Marks", "items": items}]
    page = chromium.new_page()
    page.set_content(f"<style>{styles('sheet')} .links {{ width: 40px }}</style><body></body>")
    page.evaluate(DRAW, [script("sheet"), {"look": "sheet", "blocks": blocks, "base": {}}])
    marks = page.locator(".mark")
    assert [text.strip() for text in marks.all_text_contents()] == list("✓✗≈·–▲▼=!")
    drawn = "nodes => nodes.map(node => node.querySelector('svg').getBoundingClientRect().width)"
    assert marks.evaluate_all(drawn) == [12] * len(kinds)
    inked = "nodes => nodes.every(node => node.querySelector('path').getTotalLength() > 4)"
    assert marks.evaluate_all(inked)
    assert page.evaluate("document.body.scrollWidth <= document.body.clientWidth")
    page.close()


def test_tabs_are_one_stop_of_the_tab_key(chromium: Browser) -> None:
    """Arrows, Home and End go along the tabs and open them; a tab that is off is passed over."""
    tabs = [
        {"key": key, "label": key, "on": key == "rates", "off": key == "texts"}
        for key in ("rates", "slices", "texts", "case")
    ]
    data = {"look": "compare", "blocks": [{"t": "tabs", "tabs": tabs}], "keys": False}
    page = chromium.new_page()
    page.set_content("<body></body>")
    page.evaluate(DRAW, [script("compare"), data])
    assert page.get_by_role("tablist").count() == 1
    expect(page.get_by_role("tab", selected=True)).to_have_text("rates")
    page.keyboard.press("Tab")
    for key, name in (("ArrowRight", "slices"), ("ArrowRight", "case"), ("ArrowRight", "rates"),
                      ("ArrowLeft", "case"), ("Home", "rates"), ("End", "case")):  # fmt: skip
        page.keyboard.press(key)
        expect(page.get_by_role("tab", name=name)).to_be_focused()
    opened = page.evaluate("sent.at(-1).acts.map((did) => did.tab)")
    assert opened == ["slices", "case", "rates", "case", "rates", "case"]
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Copy link")).to_be_focused()
    page.close()
