"""Where everything of a line chart stands, for all that draw it: points, labels and names."""

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

from evalcore.charts.text import fit, width
from evalcore.views.charts.model import LineChart, Point

COLOURS: Final = ("side_a", "side_b", "better", "flaky", "worse", "accent", "tie")
SIZE: Final = 12
LINE: Final = 15
"""Texts above each other are at least this many pixels apart."""
GAP: Final = 6
VALUED: Final = 2
"""Values of more lines than these would hide the lines."""
_STEP: Final = 0.14
_STEP_WIDTH: Final = 60.0
"""Lines stand beside each other by this share of a step, of a step of at most so many pixels."""
_CLOSE: Final = 14
_ROOM: Final = 0.28
_MOST: Final = 150
"""The room of a label or a name: a share of the width, and at most so many pixels."""


class Text(NamedTuple):
    """A text: the number of its line or label, the pixels of its edge or middle, and its words."""

    of: int
    x: float
    y: float
    words: str


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "_Box") -> bool:
        """Return whether two boxes have a part in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


class Area(NamedTuple):
    """A line chart in pixels.

    `left` and `right` are those of its first and last place, `top` and `bottom` of the axis' ends.
    The words of the axis end at `ticks`, the names of lines begin at `names`; labels and names are
    cut to `room`.
    """

    chart: LineChart
    left: float
    right: float
    top: float
    bottom: float
    ticks: float
    names: float
    room: float

    @property
    def step(self) -> float:
        """How far places are from each other."""
        return (self.right - self.left) / max(len(self.chart.labels) - 1, 1)

    @property
    def radius(self) -> float:
        """How large points are: smaller where they are near each other."""
        return 2.5 if self.step < _CLOSE and len(self.chart.labels) > 1 else 4.5

    @property
    def clear(self) -> float:
        """How far a value stands off the middle of a point."""
        return self.radius + GAP / 2

    def x(self, at: float, line: float | None = None) -> float:
        """Return the pixel of a place, or of the point of a line there.

        Lines stand a little beside each other, so that equal values are all seen.
        """
        middle = (len(self.chart.series) - 1) / 2
        apart = _STEP * min(self.step, _STEP_WIDTH)
        return self.left + self.step * at + (0 if line is None else apart * (line - middle))

    def y(self, value: float) -> float:
        """Return the pixel of a value."""
        axis = self.chart.axis
        share = (value - axis.low) / ((axis.high - axis.low) or 1.0)
        return self.bottom - (self.bottom - self.top) * share


def area_of(chart: LineChart, wide: float, edge: float, top: float, height: float) -> Area:
    """Return where values are drawn in a picture `wide` pixels wide, with room for all texts.

    No text is nearer than `edge` to its sides; the axis is `height` pixels high.
    """
    lines, room = len(chart.series), min(_ROOM * wide, _MOST)

    def widest(texts: Iterable[str]) -> float:
        return max((width(text, SIZE) for text in texts), default=0.0)

    half = widest(_cut(chart.labels, room)) / 2
    moved = _STEP * _STEP_WIDTH * (lines - 1) / 2 + GAP
    values = [point.text for line in chart.series for point in line.points]
    after = moved + (widest(values) + GAP if lines <= VALUED else 0)
    names = GAP + widest(fit(line.name, room, SIZE) for line in chart.series) if lines > 1 else 0
    ticks = edge + widest(words for _, words in chart.axis.ticks)
    left, right = max(ticks + GAP + moved, edge + half), wide - edge - max(after + names, half)
    return Area(chart, left, right, top, top + height, ticks, right + after + GAP, room)


def _cut(labels: tuple[str, ...], room: float) -> list[str]:
    """Return labels cut to `room`: the ends of all, where beginnings would not tell them apart."""
    cut = [fit(label, room, SIZE) for label in labels]
    if len(set(cut)) < len(set(labels)):
        return [fit(label, room, SIZE, ending=True) for label in labels]
    return cut


def labels_of(area: Area) -> list[Text]:
    """Return the labels below places, as many as have room, the newest always."""
    cut = _cut(area.chart.labels, area.room)
    wide = max((width(label, SIZE) for label in cut), default=0.0) + 2 * GAP
    every = max(1, math.ceil(wide / area.step))
    return [Text(at, area.x(at), area.bottom, cut[at]) for at in range(len(cut) - 1, -1, -every)]


def names_of(area: Area) -> list[Text]:
    """Return the name of each line at its end, moved apart where lines end together."""
    series = area.chart.series
    if len(series) < 2:
        return []
    heights = spread([area.y(line.points[-1].value) for line in series], area.top, area.bottom)
    names = [fit(line.name, area.room, SIZE) for line in series]
    return [Text(at, area.names, y, names[at]) for at, y in enumerate(heights)]


def values_of(area: Area) -> list[Text]:
    """Return the value of each point, right of all points of its place, if it has room there.

    Those of the newest place always have. Of the others either most are there or none is: a few
    would look as if their points were particular.
    """
    chart = area.chart
    if len(chart.series) > VALUED:
        return []
    # A value covers no mark of a gap, no point, no whisker and no other value.
    marks = [area.x(gap.at - 0.5) for gap in chart.breaks]
    taken = [_Box(x - GAP, area.bottom - GAP, x + GAP, area.bottom + GAP) for x in marks]
    places: dict[int, list[tuple[int, Point]]] = {}
    for line, series in enumerate(chart.series):
        for point in series.points:
            places.setdefault(point.at, []).append((line, point))
            x, y, reach = area.x(point.at, line), area.y(point.value), area.radius
            top = y if point.high is None else area.y(point.high)
            bottom = y if point.low is None else area.y(point.low)
            ends = min(top, y - reach), max(bottom, y + reach)
            taken.append(_Box(x - reach, ends[0], x + reach, ends[1]))
    found: dict[bool, list[Text]] = {True: [], False: []}
    for at, here in sorted(places.items(), reverse=True):
        x = max(area.x(at, line) for line, _ in here) + area.clear
        heights = spread([area.y(point.value) for _, point in here], area.top, area.bottom)
        for (line, point), y in zip(here, heights, strict=True):
            end = x + width(point.text, SIZE) + GAP / 2
            box, newest = _Box(x, y - LINE / 2, end, y + LINE / 2), at == max(places)
            if newest or not any(map(box.meets, taken)):
                taken.append(box)
                found[newest].append(Text(line, x, y, point.text))
    older = sum(map(len, places.values())) - len(found[True])
    return found[True] + (found[False] if 2 * len(found[False]) > older else [])


def spread(heights: list[float], first: float, last: float) -> list[float]:
    """Return heights at least a line apart: those that would touch stand around their middle.

    None is above `first` or below `last`, if there is room.
    """
    groups: list[list[int]] = []

    def start(group: list[int]) -> float:
        long = LINE * (len(group) - 1)
        middle = sum(heights[at] for at in group) / len(group)
        return max(min(middle - long / 2, last - long), first)

    for at in sorted(range(len(heights)), key=heights.__getitem__):
        groups.append([at])
        while len(groups) > 1 and start(groups[-1]) < start(groups[-2]) + LINE * len(groups[-2]):
            groups[-2:] = [groups[-2] + groups[-1]]
    moved = dict.fromkeys(range(len(heights)), 0.0)
    for group in groups:
        moved.update({at: start(group) + LINE * place for place, at in enumerate(group)})
    return list(moved.values())
