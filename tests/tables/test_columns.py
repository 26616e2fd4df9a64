"""Rows become columns, and columns come back as frames and from disk without a change."""

import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.tables import builder as module
from evalcore.tables import spool, store
from evalcore.tables.builder import Rows
from evalcore.tables.columns import picked
from evalcore.tables.frame import frame, texts, to_arrow, to_frame, to_texts
from evalcore.tables.rows import (
    TABLES,
    CriterionRow,
    JudgmentRow,
    ProblemRow,
    Row,
    RunRow,
    SuiteRow,
    columns,
)
from tests.made import row

DTYPES = {"code": "category", "str": "str", "float": "float64", "int": "Int64", "bool": "boolean",
          "time": "datetime64[us, UTC]"}  # fmt: skip
NOON = datetime(2026, 2, 22, 12, 0, 0, 123_457, tzinfo=UTC)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def judgments(*rows: dict[str, Any]) -> Rows:
    """A table of judgments with these fields, everything else missing."""
    made = Rows()
    for fields in rows:
        made.add(row(JudgmentRow, **fields))
    return made


def through_disk(folder: Path, rows: Rows) -> dict[str, Any]:
    """Write all tables and read them back."""
    directory = store.write(folder, rows)
    handle = os.open(folder, os.O_RDONLY)
    try:
        return store.read(handle, directory)
    finally:
        os.close(handle)


def test_every_kind_has_its_dtype() -> None:
    """Columns stand in the order of the row type, each with the dtype of its kind."""
    for name, table in Rows().tables.items():
        kinds = columns(TABLES[name])
        found = frame(table)
        assert list(found.columns) == [c for c, kind in kinds.items() if kind != "text"]
        wanted = [DTYPES[kinds[str(column)]] for column in found]
        assert [str(dtype) for dtype in found.dtypes] == wanted
        assert isinstance(found.index, pd.RangeIndex)


def test_an_empty_table_keeps_its_dtypes_on_disk(tmp_path: Path) -> None:
    """All tables exist, also those without a row, with the same dtypes after an index."""
    before = {name: frame(table) for name, table in Rows().tables.items()}
    for name, table in through_disk(tmp_path, Rows()).items():
        pd.testing.assert_frame_equal(to_frame(table), before[name])


def test_an_empty_table_takes_no_room_on_disk(tmp_path: Path) -> None:
    """Columns are written of tables that have rows: most workspaces leave most tables empty."""
    directory = store.write(tmp_path, judgments({"run_id": "r"}))
    assert [name for name, columns_of in directory.items() if columns_of] == ["judgments"]


def test_values_are_kept_and_missing_stays_missing() -> None:
    """Nothing becomes 0, false or an empty text."""
    made = judgments(
        {
            "run_id": "r",
            "score": 4,
            "passed": True,
            "judged_at": NOON,
            "rationale": "",
        },
        {"run_id": None, "score": None, "passed": None, "judged_at": None, "rationale": None},
        {"run_id": "r", "score": 0, "passed": False, "judged_at": NOON, "rationale": "because"},
    )
    table = made.tables["judgments"]
    found = frame(table)
    assert found["run_id"].tolist()[::2] == ["r", "r"]
    assert found["score"].tolist()[::2] == [4.0, 0.0]
    assert found["passed"].tolist() == [True, pd.NA, False]
    assert found["judged_at"].tolist() == [pd.Timestamp(NOON), pd.NaT, pd.Timestamp(NOON)]
    assert found.iloc[1].isna().all()
    long = texts(table)
    assert long is not None
    assert long["rationale"].to_pylist() == ["", None, "because"]
    assert long["evidence"].to_pylist() == [None, None, None]


def test_a_table_without_long_texts_has_none() -> None:
    """Only tables with a column of long texts give them."""
    assert texts(Rows().tables["suites"]) is None


def test_a_row_finds_its_table() -> None:
    """Rows of all tables go in by one method; a count tells how many there are."""
    made = Rows()
    made.add(row(SuiteRow, suite="a"))
    made.add(row(RunRow, run_id="r"))
    made.add(row(RunRow, run_id="s"))
    assert (len(made.tables["suites"]), len(made.tables["runs"])) == (1, 2)
    assert frame(made.tables["runs"])["run_id"].tolist() == ["r", "s"]


def test_more_rows_than_one_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows stay in order over the seams, also where codes outgrow a byte."""
    monkeypatch.setattr(module, "CHUNK", 7)
    made = judgments(
        *({"run_id": f"r{n // 3}", "score": n, "rationale": str(n)} for n in range(600))
    )
    found = frame(made.tables["judgments"])
    assert found["run_id"].tolist() == [f"r{n // 3}" for n in range(600)]
    assert found["score"].tolist() == list(range(600))
    assert str(found["run_id"].cat.codes.dtype) == "int16"
    long = texts(made.tables["judgments"])
    assert long is not None
    assert long["rationale"].to_pylist() == [str(n) for n in range(600)]


def test_codes_take_few_bytes() -> None:
    """A column of ten words needs one byte a row."""
    found = frame(judgments(*({"criterion": str(n % 10)} for n in range(50))).tables["judgments"])
    assert str(found["criterion"].cat.codes.dtype) == "int8"


BEGIN, END = (datetime(y, 1, 1, tzinfo=UTC).replace(tzinfo=None) for y in (1, 9999))
CELLS = {
    "code": TEXT,
    "str": TEXT,
    "text": TEXT,
    "float": st.floats(allow_nan=False),
    "int": st.integers(-(2**53), 2**53),
    "bool": st.booleans(),
    "time": st.datetimes(BEGIN, END, timezones=st.just(UTC)),
}


def rows_of(row_type: Any) -> st.SearchStrategy[Any]:
    """Any rows of one table."""
    kinds = columns(row_type).values()
    return st.lists(st.builds(row_type, *(st.none() | CELLS[kind] for kind in kinds)), max_size=5)


@settings(max_examples=20)
@given(rows_of(JudgmentRow), rows_of(RunRow), rows_of(CriterionRow), rows_of(ProblemRow))
def test_any_rows_come_back_from_disk(
    judged: list[Row], ran: list[Row], asked: list[Row], wrong: list[Row]
) -> None:
    """Frames and texts from an index equal those made in memory, for any values."""
    one, two = Rows(), Rows()
    for each in (*judged, *ran, *asked, *wrong):
        one.add(each)
        two.add(each)
    with tempfile.TemporaryDirectory() as folder:
        read = through_disk(Path(folder), two)
    made = one.finished()
    for name in ("judgments", "runs", "criteria", "problems"):
        columns_of = made[name]
        pd.testing.assert_frame_equal(to_frame(read[name]), to_frame(columns_of))
        assert to_texts(read[name]) == to_texts(columns_of)


def test_the_names_of_runs_and_files_are_kept_once(tmp_path: Path) -> None:
    """Tables that name the same runs share the words, in memory and in the index."""
    one, two = judgments({}, {"run_id": "r2"}), judgments({}, {"run_id": "r2"})
    for made in (one, two):
        made.add(row(RunRow, run_id="r2"))
    for tables in (one.finished(), through_disk(tmp_path, two)):
        for name in ("run_id", "source"):
            assert tables["judgments"][name].strings is tables["runs"][name].strings


@settings(max_examples=20)
@given(rows_of(RunRow))
def test_any_rows_come_back_from_arrow(rows: list[RunRow]) -> None:
    """An export holds the values of the frame."""
    made = Rows()
    for each in rows:
        made.add(each)
    found = to_arrow(frame(made.tables["runs"])).to_pylist()
    for before, after in zip(rows, found, strict=True):
        for name, value in before._asdict().items():
            assert after[name] == value


def test_long_texts_go_to_a_file_while_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a folder for it, texts beyond a bound never gather in memory."""
    monkeypatch.setattr(spool, "SMALL", 100)
    monkeypatch.setattr(module, "CHUNK", 3)
    made = Rows(tmp_path)
    for number in range(50):
        made.add(row(JudgmentRow, run_id="r", rationale=f"because {number} ✓" * 3))
    assert (tmp_path / "judgments.rationale").stat().st_size > 100
    read = to_texts(through_disk(tmp_path, made)["judgments"])
    assert read is not None
    assert read["rationale"].to_pylist() == [f"because {n} ✓" * 3 for n in range(50)]


@pytest.mark.parametrize("small", [0, 1 << 20])
def test_a_column_can_be_looked_at_before_all_rows_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    """What is asked of a table that still grows changes nothing of what comes later."""
    monkeypatch.setattr(spool, "SMALL", small)
    rows = Rows(tmp_path)
    for number in range(3):
        rows.add(
            row(RunRow, run_id=f"r{number}", outputs=f"out/{number}", score=number, passed=True)
        )
        columns = {
            name: rows.tables["runs"].column(name) for name in ("run_id", "outputs", "passed")
        }
        seen = [picked(column, [0, number]) for column in columns.values()]
        assert seen == [["r0", f"r{number}"], ["out/0", f"out/{number}"], [True, True]]
    found = to_frame(rows.tables["runs"].finished())
    assert found["outputs"].tolist() == ["out/0", "out/1", "out/2"]
    assert found["score"].tolist() == [0.0, 1.0, 2.0]


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the file cannot be written, one exception says so, before anything is lost."""
    monkeypatch.setattr(spool, "SMALL", 10)
    kept = spool.Spool(tmp_path / "no such folder" / "x")
    kept.write(b"12345")
    with pytest.raises(spool.SpoolFailed):
        kept.write(b"1234567")


def test_frames_share_the_memory_of_the_index(tmp_path: Path) -> None:
    """Numbers are mapped: a frame of an index holds no copy of its own."""
    made = judgments(*({"score": n, "criterion": str(n)} for n in range(100)))
    columns_of = through_disk(tmp_path, made)["judgments"]
    found = to_frame(columns_of)
    values = columns_of["score"].values
    assert values is not None
    assert np.shares_memory(found["score"].to_numpy(), values)


def damage(folder: Path, name: str, data: bytes | None) -> None:
    """Replace or remove one file of a written index."""
    (folder / name).unlink()
    if data is not None:
        (folder / name).write_bytes(data)


@pytest.mark.parametrize("data", [None, b"", b"\x7f" * 50])
def test_a_damaged_file_is_refused(tmp_path: Path, data: bytes | None) -> None:
    """A file of columns that is gone or cut short is an error that a reader can catch."""
    directory = store.write(tmp_path, judgments({"run_id": "r", "score": 1}))
    damage(tmp_path, store.COLUMNS, data)
    handle = os.open(tmp_path, os.O_RDONLY)
    try:
        with pytest.raises((OSError, ValueError)):
            store.read(handle, directory)
    finally:
        os.close(handle)


@pytest.mark.parametrize(
    ("column", "like"), [("score", "passed"), ("run_id", "score"), ("run_id", "kind")]
)
def test_a_wrong_directory_is_refused(tmp_path: Path, column: str, like: str) -> None:
    """Columns of another type, or codes without words, are no table."""
    directory = store.write(tmp_path, judgments({"run_id": "r"}, {"run_id": "s"}))
    table = directory["judgments"]
    table[column] = [*table[column][:1], *table[like][1:]] if like == "kind" else table[like]
    handle = os.open(tmp_path, os.O_RDONLY)
    try:
        with pytest.raises((ValueError, TypeError)):
            store.read(handle, directory)
    finally:
        os.close(handle)
