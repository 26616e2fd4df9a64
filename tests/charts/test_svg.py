"""SVG pictures: the numbers of the figure, small, inert, readable for any input."""

import re
from itertools import pairwise
from typing import Final
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.charts.figure import line_figure
from evalcore.charts.svg import NOTHING, svg
from evalcore.charts.text import fit, plain, width, wrapped
from evalcore.palette import PALETTE, SCORE_SCALE, Mode, contrast, ink_on
from evalcore.views.charts.model import Axis, Bar, Chart, LineChart, Point, Series
from tests.charts.pictured import HOSTILE, bars, captioned, heat_map, line_chart

SVG: Final = "{http://www.w3.org/2000/svg}"
ALLOWED: Final = {"svg", "title", "style", "rect", "text", "path", "g", "circle"}


def drawn(chart: Chart, mode: Mode = "light", title: str = "Pass rate of a") -> ET.Element:
    """Return the elements of a picture."""
    return ET.fromstring(svg(captioned(chart, title), mode))


def words(root: ET.Element) -> list[str]:
    """Return every text that is seen."""
    return [each.text or each[0].tail or "" for each in root.iter(f"{SVG}text")]


def circles(root: ET.Element) -> list[tuple[float, float, str]]:
    """Return each point: where it is, and its title."""
    return [
        (float(each.get("cx", "")), float(each.get("cy", "")), each[0].text or "")
        for each in root.iter(f"{SVG}circle")
    ]


def scale(root: ET.Element, axis: Axis) -> tuple[float, float]:
    """Return the pixels of the axis' ends, read from the words of its ticks."""
    ticks = {each.text: float(each.get("y", "")) - 4 for each in root.iter(f"{SVG}text")}
    return ticks[axis.ticks[0][1]], ticks[axis.ticks[-1][1]]


@pytest.mark.parametrize("names", [("",), ("with_skill", "without_skill")])
def test_the_picture_has_the_numbers_of_the_figure(names: tuple[str, ...]) -> None:
    """Values, intervals, words and gaps, point by point, to what a tenth of a pixel can hold."""
    chart = line_chart(6, names, broken=3)
    root = drawn(chart)
    low, high = scale(root, chart.axis)

    def value(y: float) -> float:
        return (low - y) / (low - high)

    figure = [trace for trace in line_figure(chart, "light").data if trace.mode == "lines+markers"]
    expected = [
        (y, y + up, y - down, hover.partition("<br>")[0])
        for trace in figure
        for y, up, down, hover in zip(
            trace.y, trace.error_y.array, trace.error_y.arrayminus, trace.hovertext, strict=True
        )
        if y is not None
    ]
    whiskers = [
        (float(bottom), float(top))
        for path in root.iter(f"{SVG}path")
        if path.get("opacity")
        for bottom, top in re.findall(r"M[\d.]+ ([\d.]+)V([\d.]+)", path.get("d", ""))
    ]
    found = [
        (value(y), value(top), value(bottom), title)
        for (_, y, title), (bottom, top) in zip(circles(root), whiskers, strict=True)
    ]
    assert len(found) == 6 * len(names)
    for (*mine, title), (*theirs, hover) in zip(found, expected, strict=True):
        assert mine == pytest.approx(theirs, abs=0.1 / 190)
        assert title == hover
    assert words(root).count("//") == 1
    dotted = [each.get("d") for each in root.iter(f"{SVG}path") if each.get("stroke-dasharray")]
    assert [path.count("V") for path in dotted if path] == [1]
    lines = [path.get("d", "") for path in root.iter(f"{SVG}path") if path.get("stroke-width")]
    assert [line.count("M") for line in lines] == [2] * len(names)


def test_ten_versions_take_four_kilobytes_at_most() -> None:
    """As a line with its ranges, and hovers as the product writes them."""
    assert len(svg(captioned(line_chart(10)))) <= 4096


def test_the_numbers_of_a_table_are_numbers_too() -> None:
    """Bars whose values come from a data frame are drawn as those of plain numbers."""
    bar = Bar(0.25, 0.1, 0.9, "25 %")
    framed = Bar(np.float64(0.25), np.float64(0.1), np.float64(0.9), "25 %")
    chart = bars(1)
    row = chart.rows[0]
    one, other = (chart._replace(rows=(row._replace(bars=(each,)),)) for each in (bar, framed))
    assert svg(captioned(one)) == svg(captioned(other))


@pytest.mark.parametrize("chart", [line_chart(broken=1), heat_map(), bars()])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_picture_has_text_and_shapes_only(chart: Chart, mode: Mode) -> None:
    """No script, no link, no foreign object, nothing from anywhere; the ground is the mode's."""
    root = drawn(chart, mode)
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= ALLOWED
    assert not [name for each in root.iter() for name in each.attrib if name.startswith("on")]
    assert "://" not in svg(captioned(chart), mode).replace("http://www.w3.org/2000/svg", "")
    assert root.find(f"{SVG}rect").get("fill") == PALETTE.ground.on(mode)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "chart",
    [
        line_chart(names=(HOSTILE, "b"), word=HOSTILE, broken=1)._replace(sentence=HOSTILE),
        heat_map(name=HOSTILE)._replace(sentence=HOSTILE),
        bars(name=HOSTILE, sides=(HOSTILE, "b"))._replace(sentence=HOSTILE),
    ],
)
def test_hostile_labels_are_text(chart: Chart) -> None:
    """They stay well-formed, and neither turn the direction of others nor vanish."""
    root = drawn(chart, title=HOSTILE)
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= ALLOWED
    whole = " ".join(root.itertext())
    assert "<script>" in whole
    assert not {"\u202e", "\x00"} & set(whole)


def test_everything_that_explains_it_is_in_it() -> None:
    """Title, sentence, facts, source and date are seen."""
    seen = " ".join(words(drawn(line_chart())))
    for part in (
        "Pass rate of a",
        "Pass rate of each version.",
        "12 cases, 74 runs.",
        "95 % intervals",
        "folder · a · newest run 23 Mar 2026",
    ):
        assert part in seen


def test_500_versions_keep_their_points_and_fewer_labels() -> None:
    """No label touches the next; the newest has one."""
    root = drawn(line_chart(500))
    assert len(circles(root)) == 500
    labels = [
        (float(each.get("x", "")), each.text or "")
        for each in root.iter(f"{SVG}text")
        if each.get("class") == "q m"
    ]
    assert labels[0][1] == "v499"
    for (right, text), (left, _) in pairwise(labels):
        assert right - left > width(text, 12)


@pytest.mark.parametrize("chart", [line_chart(0), heat_map(0), bars(0)])
def test_without_values_it_says_so(chart: Chart) -> None:
    """A sentence, never an empty picture."""
    assert NOTHING in words(drawn(chart))


@pytest.mark.parametrize("value", [0.0, 0.5, 7.0])
def test_equal_values_are_drawn_on_any_axis(value: float) -> None:
    """Also where the axis has no height, or there is one point."""
    for axis in (Axis(0.0, 7.0, ()), Axis(value, value, ((value, "same"),))):
        point = Point(0, ("v0", "-"), value, None, None, "x", "v0: x")
        for count in (1, 3):
            points = tuple(point._replace(at=at) for at in range(count))
            chart = LineChart("All equal.", "", ("v",) * count, (Series("", points),), axis)
            assert len(circles(drawn(chart))) == count


def test_a_number_stands_readable_in_every_shade() -> None:
    """At 4.5 to 1 at least, from the palest to the strongest, on both grounds."""
    for mode in SCORE_SCALE:
        for shade in SCORE_SCALE[mode]:
            assert contrast(ink_on(shade), shade) >= 4.5


def test_what_has_no_room_is_named() -> None:
    """Rows and columns beyond the picture are counted; the newest columns stay."""
    root = drawn(heat_map(61, 41))
    assert "Not drawn: 1 further row and 1 older column; the CSV of this chart has all." in words(
        root
    )
    assert "v40" in words(root)
    assert "Not drawn: 1 further row; the CSV of this chart has all." in words(drawn(bars(61)))
    assert not [text for text in words(drawn(heat_map(60, 40))) if "Not drawn" in text]


@given(st.text(max_size=200), st.floats(20, 700))
def test_a_text_is_cut_with_a_sign_or_whole(text: str, room: float) -> None:
    """What is left out shows as an ellipsis."""
    shown = fit(text, room, 12)
    assert shown == plain(text) or shown.endswith("…")
    assert width(shown, 12) <= max(room, width("…", 12))


@given(st.text(max_size=400))
@example("0 " + "0" * 30 + " 0 " + "0" * 28 + " 0")
@example(" ".join(["0" * 30] * 6))
def test_lines_hold_all_words_or_an_ellipsis(text: str) -> None:
    """At most four, none wider than its room."""
    lines = wrapped(text, 200, 12)
    assert len(lines) <= 4
    assert all(width(line, 12) <= 200 for line in lines)
    assert any(line.endswith("…") for line in lines) or " ".join(lines) == plain(text)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_label_is_well_formed(name: str, label: str) -> None:
    """XML parsers take every picture, whatever a folder holds."""
    for chart in (
        line_chart(names=(name, label), word=label),
        heat_map(name=name),
        bars(name=name),
    ):
        drawn(chart, title=label)
