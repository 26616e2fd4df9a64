"""Lists leave the page as CSV, Parquet and JSON, and a spreadsheet runs none of it."""

import csv
import io
import json
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.tables.exported import FORMS, Form, Listing, cell, csv_text, exported


def test_numbers_stay_numbers_in_csv() -> None:
    """A negative number is no formula; what is missing is empty."""
    assert [cell(value) for value in (-1.5, 3, None, True, "-1.5")] == [
        "-1.5",
        "3",
        "",
        "true",
        "'-1.5",
    ]


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@sum", "\tx", "\rx", '=HYPERLINK("http://x")']
)
def test_a_text_is_no_formula(text: str) -> None:
    """An apostrophe makes a spreadsheet take it for the text it is."""
    assert cell(text) == f"'{text}"


def test_one_sign_alone_stays(  # a status such as "-" is no formula
) -> None:
    """A configuration is called "-" where there is none."""
    assert cell("-") == "-"


def test_a_table_reads_back() -> None:
    """Quotes, commas, lines and other scripts survive; None is empty."""
    rows = [("a,b", 'say "x"', "two\nlines"), (None, 0.1, "日本語")]
    text = csv_text(("one", "=two", "three"), rows)
    assert list(csv.reader(io.StringIO(text))) == [
        ["one", "'=two", "three"],
        ["a,b", 'say "x"', "two\nlines"],
        ["", "0.1", "日本語"],
    ]


LISTED = Listing("cases", ("case", "runs", "score"), [("a", 2, 0.5), ("=b", None, None)])


def read(data: bytes, form: Form) -> list[Any]:
    """Return the rows of a file as a program reads them."""
    if form == "csv":
        return [tuple(row) for row in csv.reader(io.StringIO(data.decode()))][1:]
    if form == "json":
        return [tuple(record.values()) for record in json.loads(data)]
    return [tuple(row.values()) for row in pq.read_table(io.BytesIO(data)).to_pylist()]


def test_every_form_holds_the_rows() -> None:
    """Numbers stay numbers, and what is missing stays missing."""
    assert read(exported(LISTED, "parquet"), "parquet") == LISTED.rows
    assert read(exported(LISTED, "json"), "json") == LISTED.rows
    assert read(exported(LISTED, "csv"), "csv") == [("a", "2", "0.5"), ("'=b", "", "")]


@pytest.mark.parametrize("form", FORMS)
def test_an_empty_list_is_a_file_with_its_columns(form: Form) -> None:
    """Whoever opens it sees that nothing matched."""
    data = exported(Listing("cases", ("case", "runs"), []), form)
    assert read(data, form) == []
    assert form == "json" or b"runs" in data


def test_a_column_of_several_types_is_text_in_parquet() -> None:
    """Nothing is left out because of it."""
    data = exported(Listing("x", ("value",), [(1,), ("one",), (None,)]), "parquet")
    assert read(data, "parquet") == [("1",), ("one",), (None,)]


@given(
    st.lists(
        st.tuples(st.text(st.characters(codec="utf-8")), st.none() | st.floats(allow_nan=False))
    )
)
def test_any_list_reads_back(rows: list[tuple[str, float | None]]) -> None:
    """Whatever its texts hold."""
    listing = Listing("x", ("text", "number"), list(rows))
    assert read(exported(listing, "parquet"), "parquet") == rows
