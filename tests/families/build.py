"""Write a small workspace from plain values, and read it with one family."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from evalcore.disk.listing import list_files
from evalcore.disk.reader import MISSING, Reader
from evalcore.families.base import Family, Plan
from evalcore.layouts.shapes import Document
from evalcore.problems import Problem
from evalcore.tables.builder import Rows
from evalcore.tables.columns import FinishedColumn, plain, to_list
from evalcore.tables.rows import TABLES, Row

RowType = TypeVar("RowType", bound=Row)


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _values(column: FinishedColumn) -> list[Any]:
    """The values of a finished column as they were added."""
    if column.kind in ("code", "str", "text"):
        return to_list(column)
    assert column.values is not None
    values = plain(column.kind, column.values.tolist())
    if column.kind == "time":
        return [None if v is None else EPOCH + timedelta(microseconds=v) for v in values]
    return values


def _loose(reader: Reader) -> dict[str, Document]:
    """All files that can be read, as finders by content get them."""
    found: dict[str, Document] = {}
    for path in reader.listing.paths:
        if path.endswith(".jsonl"):
            lines = reader.jsonl(path)
            found[path] = Document([value for _, value in lines], [line for line, _ in lines])
        elif (value := reader.peek(path)) is not MISSING:
            found[path] = Document(value)
    return found


def _added(rows: Rows) -> list[Any]:
    """The rows of all tables, table by table."""
    found = []
    for name, columns in rows.finished().items():
        values = zip(*map(_values, columns.values()), strict=True)
        found += [TABLES[name](*row) for row in values]
    return found


class Read:
    """What one family found in a folder."""

    def __init__(self, family: Family, root: Path) -> None:
        reader = Reader(list_files(root))
        rows = Rows()
        self.plans: list[Plan] = family.find(reader, _loose(reader) if family.by_content else {})
        for plan in self.plans:
            family.read(plan, reader, rows)
        self.rows = _added(rows)
        self.problems: list[Problem] = reader.problems

    def all(self, row_type: type[RowType]) -> list[RowType]:
        """Return the rows of one table."""
        return [row for row in self.rows if isinstance(row, row_type)]

    def one(self, row_type: type[RowType], **fields: object) -> RowType:
        """Return the only row of one table that has these fields."""
        found = [
            row
            for row in self.all(row_type)
            if all(getattr(row, name) == value for name, value in fields.items())
        ]
        assert len(found) == 1, found
        return found[0]

    def codes(self) -> list[str]:
        """Return the codes of the problems that are more than a remark, in the order found."""
        return [problem.code for problem in self.problems if problem.severity != "info"]

    def problem(self, code: str) -> Problem:
        """Return the only problem of one code."""
        found = [problem for problem in self.problems if problem.code == code]
        assert len(found) == 1, self.problems
        return found[0]


def write(root: Path, files: Mapping[str, Any]) -> Path:
    """Write files below `root`: a text as it is, anything else as JSON; return `root`."""
    for path, value in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        target.write_text(text, "utf-8")
    return root


def changed(document: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a copy of a document with some fields changed; `...` takes one away."""
    merged = {**document, **fields}
    return {key: value for key, value in merged.items() if value is not ...}
