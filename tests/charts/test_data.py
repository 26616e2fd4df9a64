"""CSV and Markdown of a chart: every number, nothing that acts."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evalcore.charts.data import as_csv, as_markdown, data_of, inert
from evalcore.views.charts.model import Chart
from tests.charts.pictured import HOSTILE, bars, captioned, heat_map, line_chart


def read(text: str) -> list[list[str]]:
    """Return the cells of a CSV."""
    return list(csv.reader(io.StringIO(text)))


def test_a_line_chart_has_a_row_for_each_point() -> None:
    """Place, line, value and interval in full precision, and why a line breaks."""
    chart = line_chart(3, ("a", "b"), broken=2)
    rows = read(as_csv(captioned(chart)))
    assert len(rows) == 1 + 6
    assert rows[0][:5] == ["place", "line", "value", "low", "high"]
    point = chart.series[1].points[2]
    assert rows[6][:2] == ["v2", "b"]
    assert [float(value) for value in rows[6][2:5]] == [point.value, point.low, point.high]
    assert rows[6][-1] == "No case was run on both sides."


def test_a_heat_map_keeps_its_shape() -> None:
    """A row a criterion, a column a version; what was not judged is empty."""
    rows = read(as_csv(captioned(heat_map(61, 4))))
    assert rows[0] == ["name", "about", "v0", "v1", "v2", "v3", "change"]
    assert rows[1] == ["criterion 0", "what it asks", "0%", "25%", "50%", "", "'+5"]
    assert len(rows) == 62


def test_bars_have_a_row_for_each_side() -> None:
    """Both sides of a row, also of one without values."""
    rows = read(as_csv(captioned(bars())))
    assert [(row[0], row[2], row[3]) for row in rows[1:]] == [
        ("criterion 0", "A", "0.25"),
        ("criterion 0", "B", "0.75"),
        ("criterion 1", "A", ""),
        ("criterion 1", "B", ""),
    ]


@pytest.mark.parametrize("chart", [line_chart(0), heat_map(0), bars(0)])
def test_an_empty_chart_is_a_head_and_a_sentence(chart: Chart) -> None:
    """Nothing fails, and nobody takes it for a lost table."""
    assert len(read(as_csv(captioned(chart)))) == 1
    assert "There is nothing to show yet." in as_markdown(captioned(chart))


def test_markdown_has_sentence_numbers_and_table() -> None:
    """What a reader of a pull request needs, in this order."""
    text = as_markdown(captioned(line_chart(2)))
    title, sentence, head = (
        text.index(part) for part in ("**Pass rate", "Pass rate of each", "| place")
    )
    assert title < sentence < head
    assert "| v0 | 0 | 0.1 | 0% |" in text
    assert "12 cases, 74 runs." in text
    assert text.rstrip().endswith("folder · a · newest run 23 Mar 2026 · evalcore")


def test_long_tables_say_what_they_leave_out() -> None:
    """200 rows in Markdown; the CSV has all."""
    assert "1 further row not listed." in as_markdown(captioned(line_chart(201)))
    assert "not listed" not in as_markdown(captioned(line_chart(200)))
    assert len(data_of(line_chart(201)).rows) == 201


def test_hostile_texts_stay_in_their_cells() -> None:
    """No formula, no markup, no mention, no further column or line."""
    for chart in (line_chart(names=(HOSTILE,)), heat_map(name=HOSTILE), bars(name=HOSTILE)):
        picture = captioned(chart, f"={HOSTILE}")
        for row in read(as_csv(picture)):
            assert not [
                cell for cell in row if re.match(r"[=+@\t\r]|-.", cell) and not _number(cell)
            ]
        text = as_markdown(picture)
        words = re.sub(r"(?<!\\)`[^`]*`", "", text).replace("&#8203;", "\u200b")
        assert not re.search(r"(?<!\\)[<`]|@somebody|https?://", words)
        assert (
            len(
                {
                    line.count("|") - line.count("\\|")
                    for line in text.splitlines()
                    if line[:1] == "|"
                }
            )
            == 1
        )


def _number(text: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", text) is not None


@given(st.text(max_size=100))
def test_any_text_is_one_inert_line(text: str) -> None:
    """A reader of Markdown finds words and code in it, and nothing else."""
    shown = inert(text)
    assert "\n" not in shown
    (line, *more) = MarkdownIt("commonmark", {"html": True}).parseInline(f"x {shown}")
    assert not more
    assert {each.type for each in line.children or ()} <= {"text", "code_inline", "text_special"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("triage@2.1.0 is better", "`triage@2.1.0` is better"),
        ("see https://example.org/a_b now", "see `https://example.org/a_b` now"),
        ("WWW.example.org", "`WWW.example.org`"),
        ("a|b@c", "a\\|b@&#8203;c"),
        ("`@all`", "\\`@&#8203;all\\`"),
    ],
)
def test_what_could_be_a_mention_or_an_address_is_code(text: str, shown: str) -> None:
    """Only where a code span cannot hold it, an invisible sign stands in it."""
    assert inert(text) == shown
