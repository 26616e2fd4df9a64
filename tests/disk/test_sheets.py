"""Tables in files: what spreadsheets and tools save, cell for cell, and within bounds."""

import io
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evalcore.disk import sheets
from evalcore.disk.documents import value_of
from evalcore.disk.sheets import flag_in, number_in, sheet, text_in
from evalcore.errors import UnknownName


def parquet(**columns: list[Any]) -> bytes:
    """The bytes of a Parquet file."""
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


GERMAN = 'Fall;Note;Text\r\n007;0,75;"a; ""b"""\r\n'


@pytest.mark.parametrize(
    "data",
    [
        GERMAN.encode(),
        GERMAN.encode("utf-8-sig"),
        GERMAN.encode("utf-16"),
        GERMAN.encode("utf-16-le"),
        GERMAN.encode("utf-16-be"),
        GERMAN.replace(";", "\t").replace("a\t", "a;").encode("utf-16"),
        ("sep=;\r\n" + GERMAN).encode(),
        ("\r\n" + GERMAN + "\r\n\r\n").encode(),
    ],
    ids=["utf-8", "mark", "utf-16", "utf-16-le", "utf-16-be", "tabs", "sep=", "blank lines"],
)
def test_a_table_is_read_as_it_was_saved(data: bytes) -> None:
    """Whatever the encoding and the separator, each cell is the text that was written."""
    found = sheet(data, "t.csv")
    assert list(found.rows) == [{"Fall": "007", "Note": "0,75", "Text": 'a; "b"'}]
    assert not found.faults


def test_a_table_of_an_older_excel_is_read_and_noted() -> None:
    """Text that is no UTF-8 is read as Windows-1252, and said to be."""
    found = sheet("Fall;Antwort\r\n1;schön\r\n".encode("cp1252"), "t.csv")
    assert found.rows[0]["Antwort"] == "schön"
    assert [fault.code for _, fault in found.faults] == ["not-utf8"]


@pytest.mark.parametrize(
    ("text", "names", "codes"),
    [
        ("a,a,\n1,2,3\n", ["a", "a#2", "column 3"], ["repeated-column"]),
        ("a,b\n1,2,3\n", ["a", "b", "column 3"], []),
        ("a,b\n1\n", ["a"], []),
        ("a,b\n\0001,2\n", ["a", "b"], ["nul-bytes"]),
        ('a,b\n1,"2\n3,4\n', ["a", "b"], ["open-quote"]),
    ],
    ids=["same head twice", "a cell too many", "a cell too few", "NUL", "open quote"],
)
def test_an_odd_table_is_read_and_noted(text: str, names: list[str], codes: list[str]) -> None:
    """No cell is lost because of an odd head or row."""
    found = sheet(text.encode(), "t.csv")
    assert list(found.rows[0]) == names
    assert found.rows[0]["a"] == "1"
    assert [fault.code for _, fault in found.faults] == codes


@pytest.mark.parametrize(
    ("data", "path", "what"),
    [
        (b"a,b\n" + b"1,2\n" * (sheets.MAX_ROWS + 1), "t.csv", "rows"),
        (b"a," * sheets.MAX_COLUMNS + b"b\n1\n", "t.csv", "columns"),
        (b"a,b,c\n" + (b"1," * 511 + b"1\n") * 4000, "t.csv", "cells"),
        (parquet(a=[1] * (sheets.MAX_ROWS + 1)), "t.parquet", "rows"),
        (parquet(**{f"c{n}": [1] for n in range(513)}), "t.parquet", "columns"),
        (parquet(a=["x" * 900_000] * 400), "t.parquet", "bytes when unpacked"),
    ],
    ids=["rows", "columns", "cells", "parquet rows", "parquet columns", "parquet bomb"],
)
def test_a_table_beyond_its_bounds_is_not_read(data: bytes, path: str, what: str) -> None:
    """A table that is too large has one fault and no rows."""
    found = sheet(data, path)
    assert not found.rows
    assert [(fault.code, what in fault.message) for _, fault in found.faults] == [
        ("too-large", True)
    ]


@pytest.mark.parametrize("path", ["t.csv", "t.parquet"])
def test_a_cell_that_is_too_long_is_left_out(path: str) -> None:
    """A cell of many megabytes is named, and the rest of its row is read."""
    long = "x" * (50 * 1024 * 1024)
    data = parquet(a=["1"], b=[long]) if path == "t.parquet" else f"a,b\n1,{long}\n".encode()
    found = sheet(data, path)
    assert list(found.rows) == [{"a": "1", "b": None}]
    assert [(at, fault.code) for at, fault in found.faults] == [("/0/b", "cell-too-long")]


def test_parquet_is_read_as_json_has_it() -> None:
    """Times are texts, what is not a number is missing, lists and objects stay."""
    moment = pa.array([1_700_000_000_000], pa.timestamp("ms", "UTC"))
    data = parquet(
        t=moment, d=[Decimal("1.5")], n=[float("nan")], l=[[{"a": 1}]], b=[b"\xff"], i=["007"]
    )
    assert list(sheet(data, "t.parquet").rows) == [
        {"t": "2023-11-14T22:13:20+00:00", "d": 1.5, "n": None, "l": [{"a": 1}], "b": "\ufffd",
         "i": "007"}
    ]  # fmt: skip


@pytest.mark.parametrize(
    "data", [b"", b"PAR1", b"PAR1" + b"\xff" * 64 + b"PAR1", parquet(a=["x"] * 99)[:-20]]
)
def test_a_broken_parquet_file_is_a_fault(data: bytes) -> None:
    """Whatever the bytes, nothing is raised."""
    found = sheet(data, "t.parquet")
    assert [fault.code for _, fault in found.faults] == ["invalid-table"]


def test_a_place_in_a_table_is_read_like_one_in_json() -> None:
    """The value at `/row/column` is the cell."""
    assert value_of(b"a,b\n1,x\n2,y\n", "t.csv", "/1/b") == "y"
    with pytest.raises(UnknownName):
        value_of(b"a,b\n1,x\n", "t.csv", "/1/b")


@pytest.mark.parametrize(
    ("cell", "comma", "high", "number"),
    [
        ("0,75", True, None, 0.75),
        ("1.234,5", True, None, 1234.5),
        ("1,234.5", False, None, 1234.5),
        ("0.75", False, None, 0.75),
        ("0,75", False, None, None),
        ("85 %", False, 1.0, 0.85),
        ("85%", False, 5.0, 4.25),
        ("12 345", True, None, 12345.0),
        (".5e-1", False, None, 0.05),
        (True, False, None, 1.0),
        (float("nan"), False, None, None),
        (float("inf"), False, None, None),
        ("1e999", False, None, None),
        ("=1+1", False, None, None),
        ("٣", False, None, None),
        ("nan", False, None, None),
        ([1], False, None, None),
    ],
)
def test_a_number_is_read_as_its_writer_meant_it(
    cell: Any, comma: bool, high: float | None, number: float | None
) -> None:
    """Decimal commas, thousands and percentages are numbers; nothing else becomes one."""
    found = number_in(cell, comma=comma, high=high)
    assert found == (None if number is None else pytest.approx(number))


@pytest.mark.parametrize(
    ("cell", "flag"),
    [("TRUE", True), ("wahr", True), (" Pass ", True), (1, True), (1.0, True), (True, True),
     ("0", False), ("FALSCH", False), ("incorrect", False), (False, False),
     ("maybe", None), ("", None), (None, None), (2, None)],
)  # fmt: skip
def test_yes_and_no_are_read_in_the_words_of_spreadsheets(cell: Any, flag: bool | None) -> None:
    """A word that is neither says nothing."""
    assert flag_in(cell) is flag


@pytest.mark.parametrize(
    ("cell", "text"),
    [("007", "007"), (7, "7"), (7.0, "7"), (0.5, "0.5"), (True, "true"), (["a"], "a"),
     ({"q": "é"}, '{"q": "é"}'), (None, None),
     ([{"role": "user", "content": "Hi"}], "Hi"),
     ([{"role": "system", "content": "Be kind"}, {"role": "user", "content": "Hi"}],
      "system: Be kind\n\nuser: Hi"),
     ([{"role": "user", "content": 1}], '[{"role": "user", "content": 1}]')],
)  # fmt: skip
def test_a_cell_is_text_as_people_write_it(cell: Any, text: str | None) -> None:
    """Ids keep their zeros, and whole numbers get no point."""
    assert text_in(cell) == text
