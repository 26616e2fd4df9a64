"""Bars as a picture: a row a name, a bar with its interval for each side."""

from typing import Final

from evalcore.charts.svg.parts import EDGE, Canvas, colour, num
from evalcore.charts.text import escaped
from evalcore.palette import PALETTE
from evalcore.views.charts.model import Axis, Bar, Bars
from evalcore.views.words.wording import count

NAME: Final = 230
VALUE: Final = 150
THICK: Final = 14
ROW: Final = 10
ROWS: Final = 60


def draw(canvas: Canvas, chart: Bars) -> None:
    """Draw the first rows below what is there."""
    left, right = EDGE + NAME, canvas.width - EDGE - VALUE
    for side, name in enumerate(chart.sides):
        canvas.lines(f"■ {name}", f'class="{canvas.ink(side)}"', most=1)
    canvas.top += 6 if chart.sides else 0
    top = canvas.top
    for row in chart.rows[:ROWS]:
        bars = [bar for bar in row.bars if bar is not None]
        middle = canvas.top + (THICK + 2) * max(len(bars), 1) / 2 + 4
        canvas.cut(EDGE, middle, row.name, NAME - 12)
        for side, bar in enumerate(row.bars):
            if bar is not None:
                _bar(canvas, chart.axis, bar, side, (left, right))
                canvas.top += THICK + 2
        if not bars:
            canvas.text(left, canvas.top + 12, row.note or "no value", 'class="q"')
            canvas.top += THICK + 2
        elif row.note:
            canvas.cut(right + 70, middle, row.note, VALUE - 70, 'class="q"')
        canvas.top += ROW
    hairline = PALETTE.hairline.on(canvas.mode)
    for value, words in chart.axis.ticks:
        x = _x(chart.axis, value, (left, right))
        line = f"M{num(x)} {num(top)}V{num(canvas.top)}"
        canvas.add(f'<path d="{line}" stroke="{hairline}"/>')
        canvas.text(x, canvas.top + 14, words, 'class="q m"')
    canvas.top += 22
    if len(chart.rows) > ROWS:
        more = count(len(chart.rows) - ROWS, "further row")
        canvas.lines(f"Not drawn: {more}; the CSV of this chart has all.", 'class="q"')


def _bar(canvas: Canvas, axis: Axis, bar: Bar, side: int, ends: tuple[float, float]) -> None:
    ink = colour(side, canvas.mode)
    start, at = _x(axis, max(axis.low, min(0.0, axis.high)), ends), _x(axis, bar.value, ends)
    y, long = canvas.top, max(abs(at - start), 1)
    canvas.add(
        f'<rect x="{num(min(start, at))}" y="{num(y)}" width="{num(long)}" height="{THICK}" '
        f'fill="{ink}" fill-opacity=".75"><title>{escaped(bar.text)}</title></rect>'
    )
    if bar.low is not None and bar.high is not None:
        low, high = _x(axis, bar.low, ends), _x(axis, bar.high, ends)
        canvas.add(
            f'<path d="M{num(low)} {num(y + THICK / 2)}H{num(high)}" '
            f'stroke="{PALETTE.text.on(canvas.mode)}"/>'
        )
    canvas.cut(ends[1] + 8, y + 11, bar.text, VALUE)


def _x(axis: Axis, value: float, ends: tuple[float, float]) -> float:
    share = (value - axis.low) / ((axis.high - axis.low) or 1.0)
    return ends[0] + (ends[1] - ends[0]) * min(max(share, 0.0), 1.0)
