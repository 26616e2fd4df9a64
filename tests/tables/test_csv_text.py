"""CSV opens in a spreadsheet without doing anything."""

import csv
import io

import pytest

from evalcore.tables.csv_text import cell, csv_text


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
