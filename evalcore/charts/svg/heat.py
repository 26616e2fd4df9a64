"""A heat map as a picture: one hue, a number in every cell."""

from typing import Final

from evalcore.charts.places import SIZE
from evalcore.charts.svg.parts import EDGE, Canvas, num
from evalcore.charts.text import escaped
from evalcore.palette import SCORE_SCALE, ink_on
from evalcore.views.charts.model import HeatCell, HeatMap
from evalcore.views.words.wording import count

NAME: Final = 230
NOTE: Final = 84
CELL: Final = 26
NARROWEST: Final = 48
WIDEST: Final = 96
ROWS: Final = 60
COLUMNS: Final = 40


def draw(canvas: Canvas, chart: HeatMap) -> None:
    """Draw the map below what is there: the first rows and the newest columns."""
    from_column = max(len(chart.columns) - COLUMNS, 0)
    columns, rows = chart.columns[from_column:], chart.rows[:ROWS]
    note = NOTE if chart.noted else 0
    room = canvas.width - 2 * EDGE - NAME - note
    cell = min(max(room / max(len(columns), 1), NARROWEST), WIDEST)
    canvas.width = max(canvas.width, 2 * EDGE + NAME + note + cell * len(columns))
    canvas.top += 14
    for at, name in enumerate(columns):
        x = EDGE + NAME + cell * (at + 0.5)
        canvas.cut(x, canvas.top, name, cell - 4, 'class="q m"')
    if chart.noted:
        canvas.text(canvas.width - EDGE, canvas.top, chart.noted, 'class="q e"')
    canvas.top += 8
    for row in rows:
        canvas.cut(EDGE, canvas.top + 17, row.name, NAME - 10)
        for at, found in enumerate(row.cells[from_column:]):
            _cell(canvas, found, EDGE + NAME + cell * at, cell)
        if row.note:
            canvas.text(canvas.width - EDGE, canvas.top + 17, row.note, 'class="e"')
        canvas.top += CELL
    canvas.top += 4
    _ends(canvas, chart)
    left_out = len(chart.rows) - len(rows)
    left = [
        count(left_out, "further row") if left_out else "",
        count(from_column, "older column") if from_column else "",
    ]
    if any(left):
        words = " and ".join(filter(None, left))
        canvas.lines(f"Not drawn: {words}; the CSV of this chart has all.", 'class="q"')


def _cell(canvas: Canvas, cell: HeatCell | None, x: float, wide: float) -> None:
    if cell is None:
        canvas.text(x + wide / 2, canvas.top + 17, "·", 'class="q m"')
        return
    scale = SCORE_SCALE[canvas.mode]
    shade = scale[min(max(int(cell.value * len(scale)), 0), len(scale) - 1)]
    canvas.add(
        f'<rect x="{num(x)}" y="{num(canvas.top)}" width="{num(wide - 2)}" height="{CELL - 2}" '
        f'fill="{shade}"><title>{escaped(cell.hover[:160])}</title></rect>'
    )
    style = f'class="m" style="fill:{ink_on(shade)};pointer-events:none"'
    canvas.text(x + wide / 2 - 1, canvas.top + 17, cell.text, style)


def _ends(canvas: Canvas, chart: HeatMap) -> None:
    """Draw the scale with the words of its ends."""
    scale, x = SCORE_SCALE[canvas.mode], EDGE + NAME
    canvas.text(x - 8, canvas.top + 14, chart.ends[0], 'class="q e"')
    for at, shade in enumerate(scale):
        canvas.add(
            f'<rect x="{x + 14 * at}" y="{num(canvas.top + 4)}" width="14" height="{SIZE}" '
            f'fill="{shade}"/>'
        )
    canvas.text(x + 14 * len(scale) + 8, canvas.top + 14, chart.ends[1], 'class="q"')
    canvas.top += 22
