"""The numbers of a chart as CSV and as Markdown: the same as in its picture."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from evalcore.charts.text import plain
from evalcore.tables.exported import csv_text
from evalcore.views.charts.model import Chart, HeatMap, LineChart, Picture
from evalcore.views.words.wording import count

MARKDOWN_ROWS: Final = 200
MAX_CELL: Final = 300
_MARKUP: Final = frozenset("\\`*_[]<>|#~&!$")

_NO_CODE: Final = frozenset("\\`|")
"""What a code span in a table cannot hold as it is."""
_WORD: Final = re.compile(r"[^ ]+")
_ACTS: Final = re.compile(
    r"(?i)@|://|www\.|#\d|\bGH-\d|\b(?=\d*[a-f])[0-9a-f]{7,40}\b|:[a-z+-][\w+-]*:|^::|##\["
)
"""What a site makes of plain words whatever Markdown says: mentions, addresses, references to
issues and commits, small pictures; and what a runner of builds takes for a command."""
_PARTED: Final = re.compile(
    r"(?i)(?<=@)|(?<=:)(?=//|:|[a-z+-])|(?<=w)(?=ww)|(?<=#)(?=\d)|(?<=\bGH-)(?=\d)"
)
"""Where an invisible sign makes them plain words."""
_BEGINS: Final = re.compile(r"(?:[-+](?= |$)|-(?=[- ]*$))|(\d{1,9})[.)](?= |$)")
"""What makes a list, a line or a heading of a text that begins with it."""

Value = str | float | None


class Data(NamedTuple):
    """A table: the names of its columns, and its rows."""

    head: tuple[str, ...]
    rows: list[tuple[Value, ...]]


def data_of(chart: Chart) -> Data:
    """Return every number of a chart in a row of its own, also what a picture has no room for."""
    rows: list[tuple[Value, ...]] = []
    if isinstance(chart, LineChart):
        for line in chart.series:
            for point in line.points:
                about = point.hover.partition("\n")[0]
                shown = (point.value, point.low, point.high, point.text, about, point.broken)
                rows.append((chart.labels[point.at], line.name, *shown))
        head = ("place", "line", "value", "low", "high", "shown", "about", "not compared because")
        return Data(head, rows)
    if isinstance(chart, HeatMap):
        for heat in chart.rows:
            cells = (None if cell is None else cell.text for cell in heat.cells)
            rows.append((heat.name, heat.about, *cells, *((heat.note,) if chart.noted else ())))
        noted = (chart.noted,) if chart.noted else ()
        return Data(("name", "about", *chart.columns, *noted), rows)
    for row in chart.rows:
        for side, bar in zip(chart.sides or ("",), row.bars, strict=True):
            values = (None,) * 4 if bar is None else (bar.value, bar.low, bar.high, bar.text)
            rows.append((row.name, row.about, side, *values, row.note))
    return Data(("name", "about", "side", "value", "low", "high", "shown", "note"), rows)


def as_csv(picture: Picture) -> str:
    """Return the numbers of a picture as CSV, in full precision."""
    return csv_text(*data_of(picture.chart))


def as_markdown(picture: Picture) -> str:
    """Return a picture in words: title, sentence, numbers as a table, facts and source.

    Nothing in it is markup of its own, not even a mention or an address.
    """
    caption, chart = picture.caption, picture.chart
    gaps = chart.gaps if isinstance(chart, LineChart) else ""
    found = data_of(chart)
    used = [
        at
        for at, name in enumerate(found.head)
        if name not in {"about", "value"} and any(each[at] not in {None, ""} for each in found.rows)
    ]
    table = [
        row([found.head[at] for at in used]),
        rule(len(used)),
        *(row([each[at] for at in used]) for each in found.rows[:MARKDOWN_ROWS]),
    ]
    left = len(found.rows) - MARKDOWN_ROWS
    return "\n".join(
        [
            f"**{inert(caption.title)}**",
            "",
            inert(chart.sentence),
            "",
            *(table if found.rows else ["There is nothing to show yet."]),
            *([f"{count(left, 'further row')} not listed."] if left > 0 else []),
            "",
            inert(" ".join(filter(None, (gaps, *caption.facts)))),
            "",
            inert(f"{caption.source} · {caption.date} · evalcore"),
            "",
        ]
    )


def rule(columns: int) -> str:
    """Return what stands below the head of a table."""
    return "|".join(["", *[" --- "] * columns, ""])


def row(values: Iterable[Value]) -> str:
    """Return a row of a table; a long text is cut."""
    return "|".join(["", *(f" {_words(value)} " for value in values), ""])


def _words(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    return inert(value[:MAX_CELL] + ("…" if len(value) > MAX_CELL else ""))


def inert(text: str) -> str:
    """Return a text of one line in which Markdown finds no markup, mention or address.

    A word that could be a mention, an address or a command is code: an escape would show in other
    tools.
    """
    shown = _WORD.sub(_inert_word, plain(text))
    begins = _BEGINS.match(shown)
    at = len(begins[1] or "") if begins else 0
    return f"{shown[:at]}\\{shown[at:]}" if begins else shown


def _inert_word(found: re.Match[str]) -> str:
    word = found[0]
    acts = _ACTS.search(word) is not None
    if acts and _NO_CODE.isdisjoint(word) and "##[" not in word:
        return f"`{word}`"
    shown = "".join(f"\\{char}" if char in _MARKUP else char for char in word)
    return _PARTED.sub("&#8203;", shown) if acts else shown
