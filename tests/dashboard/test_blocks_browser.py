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
    "compare": ("common", "blocks", "evidence_blocks", "comparison_blocks"),
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
