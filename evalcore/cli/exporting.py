"""`evalcore tables`: export every table with all its columns, including texts."""

import codecs
import csv
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from evalcore.cli.answering import print_lines
from evalcore.cli.opening import open_for_judge
from evalcore.cli.screen import progress
from evalcore.errors import CannotWrite
from evalcore.tables.exported import BOM, cell
from evalcore.tables.frame import to_arrow
from evalcore.tables.rows import ALL_TABLES, columns
from evalcore.tables.snapshot import Tables
from evalcore.views.words.wording import count

CHUNK: Final = 50_000
"""Rows that are held at once with their texts."""

Chunks = Iterator[pa.Table]


def export(path: Path, out: Path, form: str, *, force: bool = False, excel: bool = False) -> int:
    """Write the tables of a workspace to `out`, as parquet, csv or json.

    `excel` puts a byte order mark before a CSV. Raises `CannotWrite` if a file already exists and
    `force` is not set; then none is written.
    """
    if excel and form != "csv":
        raise CannotWrite(out, "--excel is for CSV; add --format csv")
    targets = {name: out / f"{name}.{form}" for name in ALL_TABLES}
    there = [target.name for target in targets.values() if os.path.lexists(target)]
    if there and not force:
        listed = ", ".join(there[:3]) + (f" and {len(there) - 3} more" if there[3:] else "")
        raise CannotWrite(
            out, f"it holds {listed} already; add --force to replace them, or name another folder"
        )
    tables = open_for_judge(path).tables
    out.mkdir(parents=True, exist_ok=True)
    with progress("Writing") as step:
        for done, (name, target) in enumerate(targets.items()):
            step(done, len(targets))
            _replace(target, name, tables, WRITERS[form], BOM * excel)
    rows = sum(len(getattr(tables, name)) for name in ALL_TABLES)
    written = f"{count(len(targets), 'table')} with {count(rows, 'row')}"
    print_lines([f"{written} written to {out}"])
    return 0


def chunks(tables: Tables, name: str, size: int = CHUNK) -> Chunks:
    """Yield a table in parts of at most `size` rows, with all its columns in their order.

    An empty table yields one part without rows.
    """
    kinds = columns(ALL_TABLES[name])
    frame = getattr(tables, name)
    texts = tables.text_columns(name) if "text" in kinds.values() else pa.table({})
    for start in range(0, max(len(frame), 1), size):
        part = to_arrow(frame.iloc[start : start + size])
        for column in texts.column_names:
            part = part.append_column(column, texts[column].slice(start, size))
        # The pandas metadata travels along: it gives the columns their types back.
        yield part.select(list(kinds))


def _replace(
    target: Path,
    name: str,
    tables: Tables,
    write: Callable[[Chunks, IO[bytes]], None],
    before: bytes,
) -> None:
    """Write one file atomically: under a temporary name, then renamed."""
    handle, part = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(before)
            write(chunks(tables, name), file)
        Path(part).chmod(0o644)
        Path(part).replace(target)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


def _write_parquet(parts: Chunks, file: IO[bytes]) -> None:
    first = next(parts)
    with pq.ParquetWriter(file, first.schema) as writer:
        writer.write_table(first)
        for part in parts:
            writer.write_table(part)


def _write_json(parts: Chunks, file: IO[bytes]) -> None:
    separator = b"[\n"
    for part in parts:
        for record in part.to_pylist():
            file.write(separator + orjson.dumps(record, option=orjson.OPT_UTC_Z))
            separator = b",\n"
    file.write(b"[]\n" if separator == b"[\n" else b"\n]\n")


def _write_csv(parts: Chunks, file: IO[bytes]) -> None:
    writer = csv.writer(codecs.getwriter("utf-8")(file))
    for number, part in enumerate(parts):
        if not number:
            writer.writerow(part.column_names)
        values = [column.to_pylist() for column in part.columns]
        writer.writerows(map(cell, row) for row in zip(*values, strict=True))


WRITERS: Final[dict[str, Callable[[Chunks, IO[bytes]], None]]] = {
    "parquet": _write_parquet,
    "csv": _write_csv,
    "json": _write_json,
}
