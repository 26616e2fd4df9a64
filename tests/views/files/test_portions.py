"""Long texts in portions and blocks within a budget: small to send, and nothing is lost."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import Workspace
from evalcore.counting.memo import memoize_per_workspace
from evalcore.views.blocks.base import Link
from evalcore.views.blocks.evidence import note
from evalcore.views.blocks.page import Bar, Cell, Row, Table
from evalcore.views.blocks.plain import BUDGET, MAX_TITLE, as_json
from evalcore.views.files.portions import MAX_PORTION, portion, portion_with, portions, rows_within
from tests.made import workspace

LONG = st.lists(st.text(max_size=20).map(lambda text: text * 900), max_size=12).map("\n".join)


def test_a_long_line_is_measured_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not what is left of it with each cut: that would take minutes for 30 MB."""
    measured = list[int]()

    def counted(text: str) -> int:
        measured.append(len(text))
        return len(json.dumps(text))

    monkeypatch.setattr("evalcore.views.files.portions.escaped", counted)
    line = "a\N{GRINNING FACE}" * 200_000
    assert portions(line) > 50
    assert sum(measured) <= 2 * len(line)


@pytest.mark.parametrize("end", ["", "\n"])
def test_the_last_portion_ends_with_the_last_line(end: str) -> None:
    """A line break at the end begins no further line."""
    text = "\n".join(["é" * 10] * 30_000) + end
    spans = [(one.first, one.last) for n in range(portions(text)) for one in [portion(text, n + 1)]]
    assert all(after[0] == before[1] + 1 for before, after in pairwise(spans))
    assert (spans[0][0], spans[-1][1], portion(text, 1).lines) == (1, 30_000, 30_000)


def test_words_are_found_in_their_portion() -> None:
    """In whatever case; None where no portion has them."""
    text = "a" * 100_000 + "NEEDLE" + "b" * 100_000
    number = portion_with(text, "needle")
    assert number is not None
    assert "NEEDLE" in portion(text, number).text
    assert portion_with(text, "nothing") is None


@given(LONG)
def test_portions_together_are_the_text(text: str) -> None:
    """Each is small to send; put together, with the line ends between them, nothing is missing."""
    parts = [portion(text, number) for number in range(1, portions(text) + 1)]
    assert all(len(json.dumps(part.text)) <= MAX_PORTION + 2 * 12 for part in parts)
    joined = parts[0].text
    for before, part in pairwise(parts):
        goes_on = part.first == before.first + before.text.count("\n")
        joined += part.text if goes_on else f"\n{part.text}"
    assert joined == text


def test_a_portion_knows_its_lines() -> None:
    """The line that was asked for stands in exactly one portion."""
    text = "\n".join(f"{number} {'x' * 99}" for number in range(1, 2001))
    holding = [n for n in range(1, portions(text) + 1) if portion(text, n).holds(1500)]
    assert len(holding) == 1
    part = portion(text, holding[0])
    assert part.text.split("\n")[1500 - part.first].startswith("1500 ")
    assert portion(text, 99) == portion(text, portions(text))


def test_a_table_keeps_its_head_and_the_rows_that_fit() -> None:
    """However long its cells are."""
    rows = (("name",), *((str(number) * 2000,) for number in range(50)))
    assert 1 < len(rows_within(rows)) < len(rows)
    assert rows_within((("x" * MAX_PORTION,), ("y",))) == (("x" * MAX_PORTION,),)
    assert rows_within(()) == ()


@pytest.mark.parametrize("sign", ["x", "語", "\u202e", '"'])
def test_blocks_stay_within_a_budget(sign: str) -> None:
    """Every block is still there; a text that was cut says how long it is."""
    shown = as_json([note(f"n{number}", sign * 30_000) for number in range(40)], BUDGET)
    assert [block["title"] for block in shown] == [f"n{number}" for number in range(40)]
    assert "30,000 characters, whole in the raw document" in shown[0]["texts"][0]["text"]
    assert len(json.dumps(shown)) < BUDGET + 40 * (MAX_TITLE + 400)


def test_short_blocks_stay_as_they_are() -> None:
    """Nothing is cut that fits."""
    blocks = [note("title", "語" * 1000, tags=["a"])]
    assert as_json(blocks, BUDGET) == as_json(blocks)


def test_an_address_is_never_cut() -> None:
    """A link cut short would lead nowhere."""
    path = f"{'x' * 20_000}.json"
    cell = Cell("open", link=Link("data", {"file": path}), id=path)
    (table,) = as_json([Table("Files", [("file", False)], [Row([cell])])], budget=10)
    assert table["rows"][0]["cells"][0]["link"]["query"]["file"] == path
    assert table["rows"][0]["cells"][0]["id"] == path


def test_json_holds_what_json_can_say() -> None:
    """What is no number is null, half a character is replaced, defaults are left out."""
    (table,) = as_json([Table("T", [], [Row([Cell("\ud800", bar=Bar(float("nan"), None, 1.0))])])])
    assert table["rows"][0]["cells"] == [
        {"text": "?", "bar": {"value": None, "low": None, "high": 1.0}}
    ]


def test_an_answer_is_kept_as_long_as_its_workspace(tmp_path: Path) -> None:
    """Asked twice, computed once; another workspace is another question."""
    asked: list[tuple[Workspace, int]] = []

    @memoize_per_workspace
    def ask(ws: Workspace, number: int) -> int:
        asked.append((ws, number))
        return number + 1

    one, two = workspace(tmp_path), workspace(tmp_path)
    assert [ask(one, 1), ask(one, 1), ask(two, 1), ask(one, number=1)] == [2, 2, 2, 2]
    assert asked == [(one, 1), (two, 1), (one, 1)]
    for number in range(40):
        ask(one, number)
    ask(one, 39)
    assert len(asked) == 3 + 39
