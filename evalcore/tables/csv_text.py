"""Values as CSV that no spreadsheet takes for formulas."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


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
