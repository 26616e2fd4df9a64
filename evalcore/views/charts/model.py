"""What every chart is made of: numbers, words, and what a click on them opens."""

from typing import NamedTuple

from evalcore.views.blocks.base import Link


class Axis(NamedTuple):
    """An axis of numbers from `low` to `high`; `ticks` are values and their words."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]


class Point(NamedTuple):
    """One value of a line, at a place of the labels, with its words.

    `key` names what a click opens. `low` to `high` is the 95 % interval, None where there is none.
    `hover` may have several lines. `broken` says why it cannot be compared with the previous point
    of its line; empty if it can.
    """

    at: int
    key: tuple[str, ...]
    value: float
    low: float | None
    high: float | None
    text: str
    hover: str
    broken: str = ""


class Series(NamedTuple):
    """Points that are compared over time, under one name (empty when there is only one series)."""

    name: str
    points: tuple[Point, ...]


class Gap(NamedTuple):
    """Lines break before a place; each reason once."""

    at: int
    whys: tuple[str, ...]


class LineChart(NamedTuple):
    """Values over versions or benchmark runs, one label for each place.

    `gaps` says where lines break and why; empty if none does.
    """

    sentence: str
    gaps: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    axis: Axis

    @property
    def breaks(self) -> tuple[Gap, ...]:
        """The places before which a line breaks."""
        whys: dict[int, dict[str, None]] = {}
        for line in self.series:
            for point in line.points:
                if point.broken:
                    whys.setdefault(point.at, {})[point.broken] = None
        return tuple(Gap(at, tuple(whys[at])) for at in sorted(whys))


class HeatCell(NamedTuple):
    """One cell: `value` from 0 to 1 is its shade, `text` its number."""

    value: float
    text: str
    hover: str
    link: Link | None = None


class HeatRow(NamedTuple):
    """One row of a heat map, a cell or None for each column; `note` is the number beside it."""

    name: str
    about: str
    cells: tuple[HeatCell | None, ...]
    note: str = ""


class HeatMap(NamedTuple):
    """Rows by columns in one hue; `ends` are the words of the palest and the strongest shade.

    `noted` is the heading of the rows' notes.
    """

    sentence: str
    columns: tuple[str, ...]
    rows: tuple[HeatRow, ...]
    ends: tuple[str, str]
    noted: str = ""


class Bar(NamedTuple):
    """One value with its interval, None where there is none."""

    value: float
    low: float | None
    high: float | None
    text: str


class BarRow(NamedTuple):
    """One row: a bar or None for each side; `note` is said beside it."""

    name: str
    about: str
    bars: tuple[Bar | None, ...]
    note: str = ""
    link: Link | None = None


class Bars(NamedTuple):
    """Values side by side; `sides` names the bars of a row, empty where a row has one."""

    sentence: str
    sides: tuple[str, ...]
    rows: tuple[BarRow, ...]
    axis: Axis


Chart = LineChart | HeatMap | Bars


class Caption(NamedTuple):
    """What is in a picture beside the chart.

    `facts` are sentences: what is compared, n, intervals and whose scores. `source` names folder
    and suite, `date` is that of the newest run, `stem` is the name of its file without extension.
    """

    title: str
    facts: tuple[str, ...]
    source: str
    date: str
    stem: str


class Picture(NamedTuple):
    """A chart with all that it needs to be understood elsewhere."""

    caption: Caption
    chart: Chart
