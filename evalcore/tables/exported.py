"""Lists as CSV, Parquet and JSON; no spreadsheet takes a cell for a formula."""

import codecs
import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple, get_args

import orjson
import pyarrow as pa

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")

Form = Literal["csv", "parquet", "json"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)
MIMES: Final[dict[Form, str]] = {
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "json": "application/json",
}


BOM: Final = codecs.BOM_UTF8
"""Before a CSV it tells Excel that the text is UTF-8; elsewhere it would be part of a name."""


class Listing(NamedTuple):
    """A list to export: the name of its file without extension, its columns, and its rows."""

    name: str
    head: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def exported(listing: Listing, form: Form, *, excel: bool = False) -> bytes:
    """Return a list in one of the forms: numbers stay numbers, None is empty or null.

    In Parquet a column of several types is text. `excel` puts a byte order mark before a CSV.
    """
    if form == "csv":
        return BOM * excel + csv_text(listing.head, listing.rows).encode()
    if form == "json":
        records = [dict(zip(listing.head, row, strict=True)) for row in listing.rows]
        return orjson.dumps(records, option=orjson.OPT_UTC_Z | orjson.OPT_INDENT_2) + b"\n"
    import pyarrow.parquet as pq  # noqa: PLC0415 - the first page exports nothing

    columns = list(zip(*listing.rows, strict=True)) or [()] * len(listing.head)
    table = pa.table(dict(zip(listing.head, map(_column, columns), strict=True)))
    file = pa.BufferOutputStream()
    pq.write_table(table, file)
    return bytes(file.getvalue())


def _column(of: Sequence[Any]) -> pa.Array:
    try:
        return pa.array(of)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if value is None else str(value) for value in of], pa.string())


def cell(value: Any) -> str:
    """Return a value as a cell that is never a spreadsheet formula; numbers stay numbers."""
    match value:
        case None:
            return ""
        case str():
            return f"'{value}" if value.startswith(_FORMULA) and len(value) > 1 else value
        case bool():
            return "true" if value else "false"
        case datetime():
            return value.isoformat()
        case _:
            return str(value)


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table as CSV with a head; texts cannot be formulas, None is an empty cell."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(map(cell, head))
    writer.writerows(map(cell, row) for row in rows)
    return file.getvalue()
