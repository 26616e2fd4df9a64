"""What pictures are made of: a canvas that collects elements, and the frame around a chart."""

from dataclasses import dataclass, field
from typing import Final

from evalcore.charts.places import COLOURS, SIZE
from evalcore.charts.text import escaped, fit, wrapped
from evalcore.palette import PALETTE, Mode
from evalcore.views.charts.model import Caption

WIDTH: Final = 720
EDGE: Final = 16
LINE: Final = 17
HEADING: Final = 16
FACTS: Final = 6
FAMILY: Final = "system-ui, sans-serif"


def num(value: float) -> str:
    """Return a coordinate: short, to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0").replace("-0", "0", int(value > -0.05))


def colour(index: int, mode: Mode) -> str:
    """Return the colour of a series or side."""
    found: str = getattr(PALETTE, COLOURS[index % len(COLOURS)]).on(mode)
    return found


@dataclass
class Canvas:
    """Elements of a picture from `top` on; it grows downwards and to the right."""

    mode: Mode
    width: float = WIDTH
    top: float = EDGE
    parts: list[str] = field(default_factory=list)
    inks: dict[int, str] = field(default_factory=dict)

    def ink(self, index: int) -> str:
        """Return the class that fills with the colour of a series or side."""
        return self.inks.setdefault(index, f"c{index}")

    def text(self, x: float, y: float, text: str, style: str = "", title: str = "") -> None:
        """Write a text; a `style` is attributes of our own, never anything that was read."""
        whole = f"<title>{escaped(title)}</title>" if title else ""
        given = f" {style}" if style else ""
        self.parts.append(f'<text x="{num(x)}" y="{num(y)}"{given}>{whole}{escaped(text)}</text>')

    def cut(self, x: float, y: float, text: str, room: float, style: str = "") -> None:
        """Write a text as far as there is room; a cut one has the whole as its title."""
        shown = fit(text, room, SIZE)
        self.text(x, y, shown, style, text[:400] if shown.endswith("…") else "")

    def lines(self, text: str, style: str = "", most: int = 4) -> None:
        """Write a text in lines over the whole width, below what is there."""
        for line in wrapped(text, self.width - 2 * EDGE, SIZE, most):
            self.top += LINE
            self.text(EDGE, self.top - 4, line, style)

    def add(self, element: str) -> None:
        """Add an element of our own making."""
        self.parts.append(element)


def begin(canvas: Canvas, caption: Caption, sentence: str) -> None:
    """Write the title and the sentence above the chart."""
    canvas.top += HEADING
    title = fit(caption.title, canvas.width - 2 * EDGE, HEADING)
    canvas.text(EDGE, canvas.top - 2, title, 'class="h"')
    canvas.top += 4
    canvas.lines(sentence)
    canvas.top += 8


def end(canvas: Canvas, caption: Caption) -> str:
    """Write the facts below the chart and return the whole picture."""
    canvas.top += 8
    canvas.lines(" ".join(caption.facts), 'class="q"', most=FACTS)
    canvas.lines(f"{caption.source} · {caption.date} · evalcore", 'class="q"', most=2)
    width, height = num(canvas.width), num(canvas.top + EDGE)
    mode = canvas.mode
    style = (
        f"text{{font:{SIZE}px {FAMILY};fill:{PALETTE.text.on(mode)}}}"
        f".h{{font-size:{HEADING}px;font-weight:600}}.q{{fill:{PALETTE.quiet.on(mode)}}}"
        ".e{text-anchor:end}.m{text-anchor:middle}"
        # A value has a ground of its own where a line passes below it.
        f".v{{paint-order:stroke;stroke:{PALETTE.ground.on(mode)};stroke-width:4px}}"
    )
    style += "".join(f".{name}{{fill:{colour(at, mode)}}}" for at, name in canvas.inks.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img"><title>{escaped(caption.title)}</title>'
        f'<style>{style}</style><rect width="100%" height="100%" fill="{PALETTE.ground.on(mode)}"/>'
        f"{''.join(canvas.parts)}</svg>\n"
    )
