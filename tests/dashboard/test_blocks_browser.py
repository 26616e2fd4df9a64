"""The drawer of blocks on a page of its own: what it cannot draw is seen, what it draws is text."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

PANELS = Path(__file__).parents[2] / "pages" / "parts" / "panels"
LOOKS = {
    "sheet": ("common", "blocks"),
    "grades": ("common", "blocks", "evidence_blocks"),
    "compare": ("common", "blocks", "evidence_blocks", "comparison_blocks"),
}
DRAW = """async ([script, data]) => {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { default: draw } = await import(url);
  draw({ data, parentElement: document.body, setTriggerValue: () => undefined });
}"""


@pytest.mark.parametrize("look", LOOKS)
def test_a_block_without_a_drawer_is_a_visible_fault(chromium: Browser, look: str) -> None:
    """The blocks beside it are drawn all the same."""
    hostile = "<img src=x onerror=document.title='ran'>"
    blocks = [{"t": "say", "text": hostile, "big": False, "quiet": False}, {"t": "nonsense"}]
    data: dict[str, Any] = {"look": look, "blocks": blocks, "base": {}, "keys": False}
    script = "".join((PANELS / f"{name}.js").read_text("utf-8") for name in LOOKS[look])
    page = chromium.new_page()
    page.set_content("<title>quiet</title><body></body>")
    page.evaluate(DRAW, [script, data])
    expect(page.get_by_role("alert")).to_have_text("✗ no drawer for a block of kind nonsense")
    expect(page.get_by_text(hostile)).to_be_visible()
    assert page.title() == "quiet"
    page.close()
