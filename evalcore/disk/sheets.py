"""Tables in files as row objects: CSV and Parquet, within bounds, and nothing guessed of a cell."""

import csv
import io
import json
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple

from evalcore.disk.files import MAX_BYTES
from evalcore.disk.parsing import MAX_VALUES, MISSING, Fault, Json
from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.problems import pointer, quoted

MAX_ROWS: Final = 100_000
MAX_COLUMNS: Final = 512
MAX_CELLS: Final = MAX_VALUES
MAX_CELL: Final = 1024 * 1024
"""A longer text in one cell is left out: it is no part of a table that somebody looks at."""
MAX_UNPACKED: Final = 256 * 1024 * 1024
"""So many bytes a Parquet file may have when it is unpacked."""
KEPT: Final = 8 * 1024 * 1024
"""A table of at most so many bytes is kept for whoever asks for the next of its cells."""
MAX_NOTED: Final = 20
"""So many faults of cells are named."""

SHEETS: Final = (".csv", ".tsv", ".parquet")
YES: Final = frozenset(
    ("true", "yes", "y", "1", "pass", "passed", "correct", "c", "ok", "ja", "wahr", "oui", "vrai")
)
NO: Final = frozenset(
    ("false", "no", "n", "0", "fail", "failed", "incorrect", "i", "nein", "falsch", "non", "faux")
)
"""What cells say for true and false; spreadsheets write them in the language of their user."""

_NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,2})?")
_THOUSANDS: Final = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?")
_LONGEST: Final = 64
"""A longer text is no number."""
_DELIMITERS: Final = ",;\t|"
_SAMPLE: Final = 64 * 1024
_SAMPLED: Final = 20
_STATED: Final = re.compile(r"sep=(.)\r?\n")
_BATCH: Final = 256


class Sheet(NamedTuple):
    """The rows of a table, each with all of its columns, and its faults with their pointers.

    A cell of a CSV is the text as it is written. A table that cannot be read has no rows.
    """

    rows: Sequence[dict[str, Json]]
    faults: tuple[tuple[str, Fault], ...] = ()


def is_sheet(path: str) -> bool:
    """Return whether the name of a file is that of a table that is no JSON."""
    return path.lower().endswith(SHEETS)


def sheet(data: bytes, path: str) -> Sheet:
    """Return the table in the bytes of a file, by its name a Parquet or CSV one."""
    is_parquet = path.lower().endswith(".parquet")
    return _kept(data, is_parquet) if len(data) <= KEPT else _read(data, is_parquet)


def _read(data: bytes, is_parquet: bool) -> Sheet:
    return _parquet(data) if is_parquet else _csv(data)


_kept: Final = lru_cache(maxsize=2)(_read)


def rows_of(reader: Reader, path: str) -> Sequence[tuple[int, Mapping[str, Json]]]:
    """Return the rows of a table with their positions; its faults are noted on the reader."""
    reader.extras.add(path)
    data = reader.data(path)
    if data is None:
        return ()
    if is_sheet(path):
        found = sheet(data, path)
        for at, fault in found.faults:
            reader.problem(path, at, *fault)
        return tuple(enumerate(found.rows))
    # Positions are those among the lines that can be read, as the document has them.
    is_crowded = data.count(b"\n") > MAX_ROWS
    lines = path.endswith(".jsonl") and not is_crowded
    values = [value for _, value in reader.jsonl(path)] if lines else reader.json(path)
    if is_crowded or (isinstance(values, list) and len(values) > MAX_ROWS):
        reader.problem(path, "", *too_many("rows", MAX_ROWS))
        return ()
    node = Node(reader, path, None if values is MISSING else values)
    return tuple((int(each.at[1:]), each.value) for each in node.items())


def too_many(what: str, most: int) -> Fault:
    """Return the fault of a table that has more than is read."""
    said = f"The table has more than {most:,} {what}; it was not read."
    return Fault("error", "too-large", said, "Split it, or leave out what no column maps.")


def _csv(data: bytes) -> Sheet:
    text, delimiter, faults = _decoded(data)
    # A cell may be as long as a file: what is too long is left out below, and says so.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_BYTES))
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    head: list[str] = []
    rows: list[dict[str, Json]] = []
    cells = 0
    try:
        for line in lines:
            if not any(line):
                continue
            if not head:
                head, repeated = named(line)
                faults += repeated
                if len(head) > MAX_COLUMNS:
                    return Sheet((), (("", too_many("columns", MAX_COLUMNS)),))
                continue
            cells += len(line)
            if len(rows) == MAX_ROWS or cells > MAX_CELLS:
                most = ("rows", MAX_ROWS) if len(rows) == MAX_ROWS else ("cells", MAX_CELLS)
                return Sheet((), (("", too_many(*most)),))
            while len(line) > len(head) <= MAX_COLUMNS:
                head.append(f"column {len(head) + 1}")
            row: dict[str, Json] = dict(zip(head, line, strict=False))
            for name, cell in zip(head, line, strict=False):
                if len(cell) > MAX_CELL:
                    row[name] = None
                    if len(faults) < MAX_NOTED:
                        faults.append((pointer(len(rows), name), _long(len(cell))))
            rows.append(row)
    except csv.Error as error:
        said = f"The table cannot be read after row {len(rows)}: {error}."
        return Sheet((), (("", Fault("error", "invalid-table", said, "Export it again.")),))
    if text.count('"') % 2:
        said = "A quote is opened and not closed, so the rows after it may be read as one cell."
        faults.append(("", Fault("warning", "open-quote", said, "Close it, or double it.")))
    return Sheet(rows, tuple(faults))


def _decoded(data: bytes) -> tuple[str, str, list[tuple[str, Fault]]]:
    """Return the text of a table in whatever encoding spreadsheets save, and what is odd in it.

    Also what separates its cells: what it says itself, else what cuts most of its first rows into
    several columns alike.
    """
    faults: list[tuple[str, Fault]] = []
    start = data[:_SAMPLE]
    encoding = "utf-8-sig" if data.startswith(BOM_UTF8) else "utf-8"
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        encoding = "utf-16"
    elif start.count(0) > len(start) // 4:  # every other byte, without a mark
        encoding = "utf-16-le" if start[1:2] == b"\0" else "utf-16-be"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
        said = "The table is not UTF-8 text, and was read as Windows-1252, as older Excel saves it."
        hint = "If letters look wrong, save it as UTF-8."
        faults.append(("", Fault("warning", "not-utf8", said, hint)))
    if nulls := text.count("\0"):
        text = text.replace("\0", "")
        said = f"The table holds {nulls:,} NUL characters, which were left out."
        faults.append(("", Fault("warning", "nul-bytes", said, "Export it again.")))
    if stated := _STATED.match(text):
        return text[stated.end() :], stated[1], faults
    sample = text if len(text) <= _SAMPLE else text[:_SAMPLE].rpartition("\n")[0]
    fits = {}
    for delimiter in _DELIMITERS:
        lines = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
        widths: Counter[int] = Counter()
        with suppress(csv.Error):
            widths.update(len(line) for line in islice(lines, _SAMPLED) if any(line))
        width, count = max(widths.items(), key=lambda each: (each[1], each[0]), default=(1, 0))
        fits[delimiter] = width > 1, count, width
    return text, max(_DELIMITERS, key=lambda each: fits[each]), faults


def named(cells: Sequence[str]) -> tuple[list[str], list[tuple[str, Fault]]]:
    """Return a name of its own for each column, and which were given names."""
    found: dict[str, None] = {}
    faults = []
    for index, cell in enumerate(cells[: MAX_COLUMNS + 1]):
        name = own = cell.strip()[:MAX_CELL] or f"column {index + 1}"
        number = 1
        while own in found:
            number += 1
            own = f"{name}#{number}"
        if own != name:
            said = f"Another column is called {quoted(name)} too; this one ends with #{number}."
            faults.append(("", Fault("info", "repeated-column", said, "Rename one of them.")))
        found[own] = None
    return list(found), faults[:MAX_NOTED]


def _long(size: int) -> Fault:
    said = f"This cell has {size:,} characters; at most {MAX_CELL:,} are read, so it was left out."
    return Fault("warning", "cell-too-long", said, "Move long outputs into files.")


def _parquet(data: bytes) -> Sheet:
    import pyarrow as pa  # noqa: PLC0415 - only who has such a file waits for it
    import pyarrow.parquet as pq  # noqa: PLC0415 - as above

    rows: list[dict[str, Json]] = []
    unpacked = 0
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        about = file.metadata
        names, faults = named(file.schema_arrow.names)
        sizes = (about.row_group(at).total_byte_size for at in range(about.num_row_groups))
        for count, what, most in (
            (len(names), "columns", MAX_COLUMNS),
            (about.num_rows, "rows", MAX_ROWS),
            (about.num_rows * about.num_columns, "cells", MAX_CELLS),
            (sum(sizes), "bytes when unpacked", MAX_UNPACKED),
        ):
            if count > most:
                return Sheet((), (("", too_many(what, most)),))
        # What the file says of its size may be untrue, so it is counted too.
        for batch in file.iter_batches(_BATCH, use_threads=False):
            unpacked += batch.nbytes
            if unpacked > MAX_UNPACKED:
                return Sheet((), (("", too_many("bytes when unpacked", MAX_UNPACKED)),))
            columns = [column.to_pylist() for column in batch.columns]
            for cells in zip(*columns, strict=True):
                row = {}
                for name, cell in zip(names, cells, strict=True):
                    row[name] = _plain(cell)
                    if isinstance(cell, str | bytes) and len(cell) > MAX_CELL:
                        row[name] = None
                        if len(faults) < MAX_NOTED:
                            faults.append((pointer(len(rows), name), _long(len(cell))))
                rows.append(row)
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        why = str(error).partition("\n")[0][:200].rstrip(".")
        said = f"This cannot be read as a Parquet file: {why}."
        return Sheet((), (("", Fault("error", "invalid-table", said, "Export it again.")),))
    return Sheet(rows, tuple(faults))


def _plain(value: Any) -> Json:
    """Return a value of Parquet as JSON has it: times as text, missing numbers as null."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if value == value else None  # noqa: PLR0124 - not a number
        case dict():
            return {str(name): _plain(each) for name, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case datetime() | date() | time():
            return value.isoformat()
        case Decimal():
            return float(value)
        case bytes():
            return value.decode("utf-8", "replace")
        case _:
            return str(value)


def number_in(value: Json, *, comma: bool, high: float | None = None) -> float | None:
    """Return the number that a cell holds, None if it holds none; with `comma`, 0,5 is a half.

    A percentage is that share of `high` where it is known, else the number before the sign.
    """
    if isinstance(value, bool | int | float):
        return float(value) if abs(value) < 1e300 else None  # so is what is not a number
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    text = "".join(value.split())
    percent = text.endswith("%")
    text = text.removesuffix("%")
    if comma:
        text = text.replace(".", "").replace(",", ".")
    elif _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    if not _NUMBER.fullmatch(text):
        return None
    found = float(text)
    return found / 100 * high if percent and high is not None else found


def flag_in(value: Json) -> bool | None:
    """Return whether a cell says yes or no, None if it says neither."""
    text = (text_in(value) or "").strip().casefold()
    return True if text in YES else False if text in NO else None


def text_in(value: Json) -> str | None:
    """Return a cell as text: whole numbers without a point, what was said in a chat as lines.

    Other lists and objects are JSON.
    """
    match value:
        case None | str():
            return value
        case float() if value.is_integer() and abs(value) < 2**53:
            return str(int(value))
        case [str() as only] | [{"role": "user", "content": str() as only}]:
            return only
        case [{"role": str(), "content": str()}, *_]:
            said = [(each.get("role"), each.get("content")) for each in value
                    if isinstance(each, dict)]  # fmt: skip
            if len(said) == len(value) and all(isinstance(text, str) for _, text in said):
                return "\n\n".join(f"{role}: {text}" for role, text in said)
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "(nested too deeply to show here; see the raw document)"
