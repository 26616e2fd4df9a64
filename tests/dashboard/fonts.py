"""A wide and a narrow font, the same on every machine, in which a page is drawn."""

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

import evalcore

FONTS: Final = {"wide": (100, 113), "narrow": (80, 90)}
"""Regular and bold text in percent of DejaVu Sans: as that is itself, the widest font that machines
have for all their text, and about as Liberation Sans Narrow."""
FILE: Final = Path(evalcore.__file__).parent / "charts/font/pictures.ttf"
# Streamlit's icons are letters of a font of their own, and code has letters of one width.
_KEEP: Final = "[data-testid=stIconMaterial], [data-testid=stCode] *, code, pre, kbd"
_DRAW: Final = """([data, regular, bold]) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)).buffer;
  document.fonts.forEach((face) => face.family === "drawn" && document.fonts.delete(face));
  for (const [weight, size] of [["1 550", regular], ["551 1000", bold]]) {
    // Lines stay as high as those of the font, whatever its width.
    const [sizeAdjust, ascentOverride, descentOverride] =
      [size, 9280 / size, 2360 / size].map((each) => `${each}%%`);
    const widths = { weight, sizeAdjust, ascentOverride, descentOverride };
    document.fonts.add(new FontFace("drawn", bytes, widths));
  }
  const sheet = new CSSStyleSheet(); // no policy of the page is asked about it
  sheet.replaceSync(
    "*:not(%s) { font-family: drawn, sans-serif !important; --st-font: drawn !important; }"
  );
  document.adoptedStyleSheets.push(sheet);
}"""


@contextmanager
def drawn_in(window: Page, font: str) -> Iterator[None]:
    """Draw all pages that a window opens in one of the fonts."""
    session = window.context.new_cdp_session(window)
    session.send("Page.enable")
    session.send("Page.addScriptToEvaluateOnNewDocument", {"source": _source(font)})
    try:
        yield
    finally:
        session.detach()


def draw_in(page: Page, font: str) -> None:
    """Draw the page that is open in another font; charts follow when the window is resized."""
    page.evaluate(_source(font))


def _source(font: str) -> str:
    regular, bold = FONTS[font]
    data = b64encode(FILE.read_bytes()).decode()
    return f'({_DRAW % _KEEP})(["{data}", {regular}, {bold}])'
