"""Figures show what they are given in the palette's colours; hostile labels do nothing."""

import re
from typing import Any

import pytest

from evalcore.charts.figure import escaped, line_figure
from evalcore.charts.text import width
from evalcore.palette import PALETTE, Mode
from evalcore.views.charts.model import Axis, LineChart, Point, Series

SHARES = Axis(0.0, 1.0, ((0.0, "0 %"), (1.0, "100 %")))
HOSTILE = '<a href="https://example.org">v1</a><img src=x>'


def chart(*names: str, version: str = "v1") -> LineChart:
    """Return a chart with one series a name and two versions."""
    versions = ("v0", version)
    series = tuple(
        Series(
            name,
            tuple(
                Point(at, (v, "-"), 0.5, 0.2, 0.9, "50 %", f"{v}: 50 %")
                for at, v in enumerate(versions)
            ),
        )
        for name in names
    )
    return LineChart("What is seen.", "", versions, series, SHARES)


def lines(chart: LineChart, ground: Mode = "light") -> list[Any]:
    """Return the lines of a figure, without the traces that only hold words."""
    drawn = line_figure(chart, ground).data
    return [trace for trace in drawn if trace.mode == "lines+markers"]


def names(chart: LineChart, ground: Mode = "light") -> list[str]:
    """Return the names beside the lines, which are labels of the axis on the right."""
    return list(line_figure(chart, ground).layout.yaxis2.ticktext)


def test_a_point_carries_what_it_opens() -> None:
    """Version and configuration come back with a click."""
    trace = line_figure(chart(""), "light").data[0]
    assert [list(point) for point in trace.customdata] == [["v0", "-"], ["v1", "-"]]


def test_labels_are_escaped_wherever_they_stand() -> None:
    """Plotly reads links and images in labels; none is left but the colours of names."""
    given = chart(HOSTILE, "other", version=HOSTILE)
    drawn = line_figure(given, "light")
    visible = [*drawn.layout.xaxis.ticktext, *(note.text for note in drawn.layout.annotations)]
    visible += [
        re.sub(r"^<span style=\"color:#\w{6}\">|</span>$", "", each) for each in names(given)
    ]
    for trace in drawn.data:
        visible += [trace.name or "", *(trace.text or ())]
        visible += [text.replace("<br>", "") for text in trace.hovertext or ()]
    assert HOSTILE not in "".join(visible)
    assert not [text for text in visible if "<" in text]


def test_rates_stand_on_an_axis_from_0_to_1() -> None:
    """The axis does not begin where the numbers do."""
    axis = line_figure(chart(""), "light").layout.yaxis
    assert list(axis.tickvals) == [0.0, 1.0]
    low, high = axis.range
    assert low <= 0
    assert high >= 1


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_colours_follow_the_ground(ground: Mode) -> None:
    """The first two lines have the colours of side A and side B."""
    traces = lines(chart("a", "b"), ground)
    assert [trace.line.color for trace in traces] == [
        PALETTE.side_a.on(ground),
        PALETTE.side_b.on(ground),
    ]


def test_lines_differ_without_colour() -> None:
    """Each line has markers of its own shape and its name at its end."""
    given = chart("a", "b", "c")
    assert len({trace.marker.symbol for trace in lines(given)}) == 3
    assert names(given) == [
        f'<span style="color:{trace.line.color}">{trace.name}</span>' for trace in lines(given)
    ]
    assert line_figure(given, "light").layout.showlegend is False


def test_margins_hold_the_words_and_grow_in_the_browser() -> None:
    """They are as wide as the words of both axes in any usual font; a wider one is measured."""
    layout = line_figure(chart("a", "much longer"), "light").layout
    assert layout.margin.l >= width("100 %", 12)
    assert layout.margin.r >= width("50 %", 12) + width("much longer", 12)
    assert (layout.yaxis.automargin, layout.yaxis2.automargin) == (True, True)
    assert layout.yaxis2.range == layout.yaxis.range


def test_escaping_keeps_the_words() -> None:
    """What is shown is what was written, on one line."""
    assert escaped("a < b\n&c") == "a &lt; b &amp;c"


def test_equal_values_do_not_hide_each_other() -> None:
    """Lines stand a little beside each other, so that each point can be seen and clicked."""
    first, second = lines(chart("a", "b"))
    assert list(first.y) == list(second.y)
    assert not set(first.x) & set(second.x)


def test_whiskers_reach_to_the_ends_of_the_interval() -> None:
    """Above and below the point, each as far as it is likely."""
    (line,) = lines(chart(""))
    assert list(line.error_y.array) == [pytest.approx(0.4)] * 2
    assert list(line.error_y.arrayminus) == [pytest.approx(0.3)] * 2


def test_a_break_leaves_a_gap_with_its_reason() -> None:
    """Nothing joins the two points, and the mark between them says why."""
    whole = chart("")
    first, second = whole.series[0].points
    broken = Series("", (first, second._replace(broken="Other <b>cases</b>.")))
    drawn = line_figure(whole._replace(series=(broken,)), "light")
    (line,) = [trace for trace in drawn.data if trace.mode == "lines+markers"]
    assert [y is None for y in line.y] == [False, True, False]
    assert line.connectgaps is False
    assert [list(data) for data in line.customdata] == [["v0", "-"], [], ["v1", "-"]]
    assert "Not compared with the point before: Other &lt;b&gt;" in line.hovertext[2]


def test_a_gap_is_marked_once_on_the_axis_with_its_reasons() -> None:
    """However many lines break there: a dotted line before the place, the reasons on its foot."""
    whole = chart("a", "b")
    series = tuple(
        Series(line.name, (line.points[0], line.points[1]._replace(broken=f"<b>{line.name}</b>.")))
        for line in whole.series
    )
    drawn = line_figure(whole._replace(series=series), "light")
    (dotted,) = drawn.layout.shapes
    assert (dotted.x0, dotted.x1, dotted.line.dash) == (0.5, 0.5, "2px,4px")
    (mark,) = [note for note in drawn.layout.annotations if note.text == "//"]
    assert (mark.x, mark.y) == (0.5, 0.0)
    assert mark.hovertext == "&lt;b&gt;a&lt;/b&gt;.<br>&lt;b&gt;b&lt;/b&gt;."


def test_the_same_chart_is_drawn_once() -> None:
    """Making a figure costs more than everything else of a page that was shown before."""
    assert line_figure(chart("a"), "light") is line_figure(chart("a"), "light")


def test_a_value_stands_beside_its_point() -> None:
    """At the height of the point, not at the end of its whisker, on a ground of its own."""
    given = chart("one")
    notes = line_figure(given, "light").layout.annotations
    found = sorted((note.x, note.y, note.text) for note in notes)
    assert found == [(at, pytest.approx(0.5), "50 %") for at in range(2)]
    assert {note.bgcolor for note in notes} == {PALETTE.ground.light}
    assert all(note.xshift > 0 and note.xanchor == "left" for note in notes)


def test_lines_of_a_hover_stay_lines() -> None:
    """A description and a git hash stand below the value, each escaped."""
    whole = chart("")
    told = whole.series[0].points[0]._replace(hover="v0: 50 %\n<b>baseline</b>")
    drawn = line_figure(whole._replace(series=(Series("", (told,)),)), "light")
    assert drawn.data[0].hovertext[0].startswith("v0: 50 %<br>&lt;b&gt;baseline&lt;/b&gt;<br>")


def test_values_of_any_unit_fill_the_axis() -> None:
    """Seconds from 0 to 400 have room for their whiskers and words, as rates have."""
    whole = chart("")
    points = tuple(p._replace(value=300.0, low=200.0, high=390.0) for p in whole.series[0].points)
    seconds = Axis(0.0, 400.0, ((0.0, "0 s"), (400.0, "400 s")))
    drawn = line_figure(whole._replace(series=(Series("", points),), axis=seconds), "light")
    low, high = drawn.layout.yaxis.range
    assert -40 < low < 0
    assert 400 < high < 440
    assert [note.y for note in drawn.layout.annotations] == [pytest.approx(300.0)] * 2
