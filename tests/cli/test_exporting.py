"""`evalcore tables`: every table, every column, every form."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalcore import open_workspace
from evalcore.cli.exporting import chunks
from evalcore.tables.rows import ALL_TABLES, columns
from tests.cli.command import SEEDS
from tests.cli.conftest import Invoke


@pytest.fixture(autouse=True)
def long_cells() -> Iterator[None]:
    """Let the reading half of these tests take cells of any length, and nobody else's."""
    usual = csv.field_size_limit(10**9)
    yield
    csv.field_size_limit(usual)


def workspace_with(tmp_path: Path, text: str) -> Path:
    """Return a workspace with one graded item whose text and evidence are `text`."""
    folder = tmp_path / "w" / "letters-workspace/iteration-1/case-0/with_skill"
    folder.mkdir(parents=True)
    item = {"text": text, "passed": True, "evidence": text}
    (folder / "grading.json").write_text(json.dumps({"expectations": [item]}))
    return tmp_path / "w"


def plain(values: pd.Series) -> list[object]:
    """Return the values of a column with None for what is missing."""
    return [None if pd.isna(value) else value for value in values]


@pytest.mark.parametrize("form", ["parquet", "csv", "json"])
def test_every_table_has_all_columns_in_order(invoke: Invoke, tmp_path: Path, form: str) -> None:
    """Also the empty ones, and the long texts too."""
    out = tmp_path / "deep" / "out"
    assert invoke("tables", SEEDS / "improve", "--out", out, "--format", form).exit_code == 0
    assert {path.name for path in out.iterdir()} == {f"{name}.{form}" for name in ALL_TABLES}
    for name, row in ALL_TABLES.items():
        path = out / f"{name}.{form}"
        if form == "parquet":
            found = list(pd.read_parquet(path).columns)
        elif form == "csv":
            found = next(csv.reader(path.read_text("utf-8").splitlines()))
        else:
            records = json.loads(path.read_text("utf-8"))
            found = list(records[0]) if records else list(columns(row))
        assert found == list(columns(row)), name


@pytest.mark.parametrize("name", ["improve", "records", "rubric"])
def test_parquet_gives_back_what_the_workspace_has(
    invoke: Invoke, tmp_path: Path, name: str
) -> None:
    """Same values, same types, in every table; texts beside them."""
    invoke("tables", SEEDS / name, "--out", tmp_path / "out")
    tables = open_workspace(SEEDS / name, cache=False).tables
    for table in ALL_TABLES:
        frame = getattr(tables, table)
        back = pd.read_parquet(tmp_path / "out" / f"{table}.parquet")
        for column in frame.columns:
            assert back[column].dtype.name == frame[column].dtype.name, column
            assert plain(back[column]) == plain(frame[column]), column
    texts = pd.read_parquet(tmp_path / "out" / "judgments.parquet")["rationale"]
    expected = tables.text("judgments", range(len(texts)))["rationale"]
    assert plain(texts) == list(expected)


def test_json_is_a_list_of_records_with_null_for_missing(invoke: Invoke, tmp_path: Path) -> None:
    """Numbers are numbers, times are ISO 8601 in UTC, nothing is NaN."""
    invoke("tables", SEEDS / "records", "--out", tmp_path / "out", "--format", "json")
    text = (tmp_path / "out" / "runs.json").read_text("utf-8")
    runs = json.loads(text, parse_constant=pytest.fail)
    frame = open_workspace(SEEDS / "records", cache=False).tables.runs
    assert [run["score"] for run in runs] == [
        None if np.isnan(score) else score for score in frame["score"]
    ]
    assert all(run["started_at"] is None or run["started_at"].endswith("Z") for run in runs)
    assert any(run["cost_usd"] is None for run in runs)


def test_excel_is_told_that_csv_is_utf_8(invoke: Invoke, tmp_path: Path) -> None:
    """By a mark before it, which nobody else gets; it is for no other form."""
    root = workspace_with(tmp_path, "größer")
    for name, more in (("plain", ()), ("excel", ("--excel",))):
        invoke("tables", root, "--out", tmp_path / name, "--format", "csv", *more)
    plain, marked = (
        (tmp_path / name / "judgments.csv").read_bytes() for name in ("plain", "excel")
    )
    assert marked == b"\xef\xbb\xbf" + plain
    refused = invoke("tables", root, "--out", tmp_path / "x", "--excel")
    assert (refused.exit_code, "add --format csv" in refused.stderr) == (2, True)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_formula_is_defused_in_csv(invoke: Invoke, tmp_path: Path, start: str) -> None:
    """A text that a spreadsheet would run gets an apostrophe; the other forms keep it as it is."""
    text = f'{start}HYPERLINK("http://example.org";"x")'
    root = workspace_with(tmp_path, text)
    invoke("tables", root, "--out", tmp_path / "csv", "--format", "csv")
    invoke("tables", root, "--out", tmp_path / "json", "--format", "json")
    with (tmp_path / "csv" / "judgments.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["evidence"] == f"'{text}"
    assert not any(value.startswith(start) for value in row.values())
    (record,) = json.loads((tmp_path / "json" / "judgments.json").read_text("utf-8"))
    assert record["evidence"] == text


def test_nothing_is_overwritten_without_force(invoke: Invoke, tmp_path: Path) -> None:
    """One file that is there stops the whole export, and is named."""
    mine = tmp_path / "runs.csv"
    mine.write_text("mine")
    done = invoke("tables", SEEDS / "improve", "--out", tmp_path, "--format", "csv")
    assert done.exit_code == 2
    assert "runs.csv" in done.stderr
    assert "--force" in done.stderr
    assert mine.read_text() == "mine"
    assert [path.name for path in tmp_path.glob("*.csv")] == ["runs.csv"]


def test_force_replaces(invoke: Invoke, tmp_path: Path) -> None:
    """A link is replaced, not written through."""
    outside = tmp_path / "outside.txt"
    outside.write_text("mine")
    out = tmp_path / "out"
    out.mkdir()
    (out / "runs.csv").symlink_to(outside)
    done = invoke("tables", SEEDS / "improve", "--out", out, "--format", "csv", "--force")
    assert done.exit_code == 0
    assert (out / "runs.csv").read_text("utf-8").startswith("run_id,")
    assert outside.read_text() == "mine"


def test_parts_join_to_the_whole() -> None:
    """However small the parts, no row is lost, doubled or moved, and the types stay."""
    tables = open_workspace(SEEDS / "descriptions", cache=False).tables
    (whole,) = chunks(tables, "judgments")
    parts = list(chunks(tables, "judgments", size=3))
    assert len(parts) == -(-len(tables.judgments) // 3)
    assert {part.schema for part in parts} == {whole.schema}
    rows = [row for part in parts for row in part.to_pylist()]
    assert rows == whole.to_pylist()


def test_the_sum_is_said(invoke: Invoke, tmp_path: Path) -> None:
    """How many tables and rows, and where they are."""
    done = invoke("tables", SEEDS / "improve", "--out", tmp_path / "out")
    assert done.stdout.startswith(f"{len(ALL_TABLES)} tables with ")
    assert done.stdout.endswith(f"{tmp_path / 'out'}\n")
