"""The benchmarks on Trends: created and run by its forms, and told at the top of Overview."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from evalcore.benchmarks.definitions import benchmarks
from evalcore.tables.rows import BenchmarkRunRow
from evalcore.trends.benchmarks import followed_benchmarks
from evalcore.views.blocks.page import Table
from evalcore.views.trends.benchmarks import benchmark_table
from tests.memory.benchmarked import CASES, SUITE, benchmark, ran, written
from tests.memory.remembered import again, rows

HOSTILE = "<img src=x onerror=alert(1)>"
Page = Callable[..., AppTest]


def blocks(app: AppTest) -> list[dict[str, Any]]:
    """Return every block that the page's sheets are given."""
    found = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return [block for data in found for block in data.get("blocks", [])]


def field(app: AppTest, start: str) -> Any:
    """Return the field whose key starts so."""
    found, *_ = (
        each
        for kind in ("text_input", "text_area", "selectbox", "multiselect", "number_input")
        for each in app.get(kind)
        if str(each.key).startswith(start)
    )
    return found


def press(app: AppTest, label: str) -> AppTest:
    """Click a button of the page."""
    (button,) = (each for each in app.button if each.label == label)
    return button.click().run()


def test_a_benchmark_is_created_on_the_page(run: Page, tmp_path: Path) -> None:
    """Of all cases where none is chosen; its name is text."""
    ws = written(tmp_path / "w", "pppppppp")
    app = run("trends", ws.root, suite=SUITE)
    field(app, "benchmark-name").set_value(HOSTILE)
    field(app, "benchmark-dimension").set_value("quality")
    field(app, "aside-who").set_value("Ana")
    app = press(app, "Create the benchmark")
    assert not app.exception
    (made,) = benchmarks(again(ws), SUITE)
    assert (made.name, made.cases, made.threshold) == (HOSTILE, CASES, 0.8)
    assert made.owner.startswith("ana-")
    (table,) = (
        block
        for block in benchmark_table(followed_benchmarks(again(ws), SUITE))
        if isinstance(block, Table)
    )
    assert table.rows[0].cells[0].text == HOSTILE
    said = json.dumps(blocks(app))
    assert HOSTILE in said
    assert "no benchmark yet" not in said


def test_finished_runs_are_taken_on_the_page(run: Page, tmp_path: Path) -> None:
    """Of the newest version; the reply says what was found."""
    ws = written(tmp_path / "w", "pppp", "ppfp")
    benchmark(ws)
    app = run("trends", ws.root, suite=SUITE)
    (table,) = (block for block in blocks(app) if block.get("label") == "Benchmarks")
    assert table["rows"][0]["cells"][0]["text"] == "Weekly"
    for who in (each for each in app.text_input if str(each.key).startswith("aside-who")):
        who.set_value("Ana")
    app = press(app, "Record the benchmark run")
    assert not app.exception
    (made,) = rows(again(ws), BenchmarkRunRow)
    assert (made.version, made.pass_rate) == ("v1", 0.75)
    assert any("75 % passed" in text.value for text in app.text)
    (table,) = (block for block in blocks(app) if block.get("label") == "Benchmarks")
    assert "75 %" in json.dumps(table)


def test_a_regression_is_at_the_top_of_overview(run: Page, tmp_path: Path) -> None:
    """Right below the verdict, with a link to its point in Trends."""
    ws = written(tmp_path / "w", "pppp", "ppff")
    benchmark(ws)
    ran(ws, "v0")
    done = ran(ws, "v1")
    first, second, *_ = blocks(run("overview", again(ws).root, suite=SUITE))
    assert (first["t"], second["t"]) == ("verdict", "verdict")
    assert second["text"].startswith("Benchmark regression: Weekly fell from 100 % to 50 %")
    assert second["rest"].startswith("This exceeds the limit, but it could be chance.")
    assert second["link"]["query"]["point"] == done.benchmark_run


def test_a_benchmark_is_retired_on_the_page(run: Page, tmp_path: Path) -> None:
    """It stays with its history; nothing more can be done with it then."""
    ws = written(tmp_path / "w", "pppppppp")
    made = benchmark(ws)
    app = run("trends", ws.root, suite=SUITE)
    for name in (each for each in app.text_input if str(each.key).startswith("aside-who")):
        name.set_value("Ana")
    app = press(app, "Retire it")
    assert not app.exception
    (kept,) = benchmarks(again(ws), SUITE)
    assert (kept.name, kept.status) == (made.name, "retired")
    assert any(each.value == f"Retired: {kept.name}." for each in app.text)
    assert not any(each.label == "Retire it" for each in app.button)
