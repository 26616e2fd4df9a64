"""The output files of a run, read only on demand and never outside the workspace.

What is shown of one is a text, a table, JSON or an image, bounded and never as markup.
"""

import csv
import io
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

import orjson

from evalcore.counting.run_files import MAX_FILES, Role, beside, files_of, role_of
from evalcore.disk.head import Head, read_head
from evalcore.errors import EvalcoreError, UnknownName
from evalcore.problems import pointer as joined
from evalcore.tables.held import output_pointer
from evalcore.tables.rows import RunRow
from evalcore.views.files.file_types import (
    BINARY,
    CODE,
    IMAGES,
    MAX_PIXELS,
    Kind,
    image_pixels,
    image_type,
    kind_of,
)
from evalcore.views.files.source_excerpt import indented
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

MAX_TEXT: Final = 2 * 1024 * 1024
MAX_IMAGE: Final = 8 * 1024 * 1024
MAX_ROWS: Final = 500
MAX_COLUMNS: Final = 50
MAX_CELL: Final = 2_000
MAX_SPLIT: Final = 131_072
"""A longer cell is more likely a quote that was never closed."""

_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")


class OutputFile(NamedTuple):
    """A file of a run, not read yet.

    `path` is what `load_output` takes; a part of a document has the form `document.json#/pointer`.
    `name` is the path below the run's own folder; `size` in bytes, None for a part of a document.
    """

    path: str
    name: str
    size: int | None
    kind: Kind
    role: Role


class Output(NamedTuple):
    """The content of one file, as far as it is shown.

    `text` is the exact text (None if it is not text); `rows` the cells of a table, its header
    first; `value` the parsed JSON, or the values of JSON lines; `data` an image's bytes; `language`
    names the highlighting of code. `note` says what is cut, replaced or not shown, and why.
    """

    path: str
    kind: Kind
    text: str | None = None
    rows: tuple[tuple[str, ...], ...] | None = None
    value: Any = None
    data: bytes | None = None
    language: str | None = None
    note: str = ""


def output_files(ws: Workspace, run: RunRow) -> list[OutputFile]:
    """Return the files of a run: outputs first, then notes and transcripts.

    The fields of an output inside a record are a file each.
    """
    held, outputs = output_pointer(run), run.outputs or ""
    if held is not None:
        found = _parts(ws, run.source or "", held)
    else:
        produced = files_of(ws, outputs) if outputs else ()
        found = [_file(path, size, outputs) for path, size in produced]
    found += [_file(path, size, str(PurePosixPath(path).parent)) for path, size in beside(ws, run)]
    files = {file.path: file for file in found}
    order = {"output": 0, "notes": 1, "transcript": 2}
    return sorted(files.values(), key=lambda file: (order[file.role], file.name))


def load_output(ws: Workspace, path: str) -> Output:
    """Read one file for display; the note says why if it cannot be read."""
    document, mark, at = path.partition("#/")
    try:
        if mark and not (ws.root / path).is_file():
            return _part_of_document(path, ws.raw(document, f"/{at}"))
        ws.require_visible(path)
        image = kind_of(path) == "image"
        return content(path, read_head(ws.root, path, MAX_IMAGE if image else MAX_TEXT))
    except UnknownName:
        why = "This part of the document is no longer there."
    except FileNotFoundError:
        why = "The file is no longer there."
    except OSError as error:
        why = f"The file could not be read: {(error.strerror or str(error)).lower()}."
    except (EvalcoreError, ValueError) as error:
        why = str(error)
    return Output(path, "unreadable", note=why)


def load_text(ws: Workspace, path: str) -> str | None:
    """Return the displayed text of a file, or None if it is not shown as text."""
    return None if kind_of(path) in ("image", "binary") else load_output(ws, path).text


def _parts(ws: Workspace, source: str, at: str) -> list[OutputFile]:
    try:
        value = ws.raw(source, at)
    except EvalcoreError:
        return []
    if value is None:
        return []
    found = {"": ("output", value)}
    if isinstance(value, dict):
        fields = list(value.items())[:MAX_FILES]
        found = {joined(key): (key, item) for key, item in fields}
    files = []
    for place, (name, item) in found.items():
        kind: Kind = "text" if isinstance(item, str) else "json"
        files.append(OutputFile(f"{source}#{at}{place}", name, None, kind, "output"))
    return files


def _file(path: str, size: int, folder: str) -> OutputFile:
    name = path.removeprefix(f"{folder}/") if path != folder else PurePosixPath(path).name
    return OutputFile(path, name, size, kind_of(path), role_of(PurePosixPath(path).name))


def _part_of_document(path: str, value: Any) -> Output:
    """Return a value inside a document for display: a text as is, anything else as JSON."""
    text = value if isinstance(value, str) else indented(value)
    text, note = text.encode("utf-8", "replace").decode("utf-8"), ""
    if len(text) > MAX_TEXT:
        note = f"Cut after {MAX_TEXT:,} characters of {len(text):,}."
        text = text[:MAX_TEXT]
    if isinstance(value, str):
        return Output(path, "text", text, note=note)
    return Output(path, "json", text, value=value, note=note)


def content(path: str, head: Head) -> Output:
    """Return the beginning of a file for display, by its name and verified by its bytes."""
    kind, ending = kind_of(path), PurePosixPath(path).suffix.lower()
    if kind == "image":
        return _image(path, ending, head)
    if kind == "binary" or (b"\0" in head.data[:8192] and not head.data.startswith(_UTF16)):
        what = BINARY.get(ending, "binary data")
        return Output(path, "binary", note=f"Not shown: {wording.size(head.size)} of {what}.")
    text, note = _decoded(head)
    if kind in ("json", "jsonl", "csv") and head.cut:
        return Output(path, "text", text, note=f"{note} Shown as text, because it is cut.")
    try:
        if kind == "json":
            return Output(path, "json", text, value=orjson.loads(text), note=note)
        if kind == "jsonl":
            return _lines(path, text, note)
        if kind == "csv":
            return _table(path, ending, text, note)
    except orjson.JSONDecodeError as error:
        note += f" Shown as text: not valid JSON at line {error.lineno}: {error.msg}."
        return Output(path, "text", text, note=note.strip())
    except csv.Error as error:
        return Output(path, "text", text, note=f"{note} Shown as text: {error}.".strip())
    return Output(path, kind, text, language=CODE.get(ending), note=note)


def _image(path: str, ending: str, head: Head) -> Output:
    size, named = wording.size(head.size), IMAGES[ending]
    found = image_type(head.data)
    pixels = image_pixels(head.data)
    why = ""
    if head.cut:
        why = f"an image of {size}; images up to {wording.size(MAX_IMAGE)} are shown"
    elif found is None:
        why = f"{size} named as {named}, which it is not"
    elif pixels is None:
        why = f"{size} of {found}; its header is damaged"
    elif pixels > MAX_PIXELS:
        why = f"{size} of {found}; {pixels:,} pixels are too many to show"
    if why:
        return Output(path, "binary", note=f"Not shown: {why}.")
    note = "" if found == named else f"The file is {found}, whatever its name says."
    return Output(path, "image", data=head.data, note=note)


def _decoded(head: Head) -> tuple[str, str]:
    """Return the text of the bytes read, and what was cut off or replaced in it."""
    notes = []
    data = head.data
    if head.cut:
        notes.append(f"Cut after {wording.size(len(data))} of {wording.size(head.size)}.")
        data = data[: max(data.rfind(b"\n") + 1, len(data) - 4)]
    encoding = "utf-16" if data.startswith(_UTF16) else "utf-8-sig"
    text = data.decode(encoding, "replace")
    replaced = text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
    if replaced > 0 and encoding == "utf-8-sig":
        notes.append(f"Not UTF-8 in {wording.count(replaced, 'place')}, shown as \ufffd.")
    return text, " ".join(notes)


def _lines(path: str, text: str, note: str) -> Output:
    values, broken = [], 0
    lines = [line for line in text.split("\n") if line.strip()]
    for line in lines[:MAX_ROWS]:
        try:
            values.append(orjson.loads(line))
        except orjson.JSONDecodeError:
            broken += 1
    notes = [note]
    if len(lines) > MAX_ROWS:
        notes.append(f"The first {MAX_ROWS:,} of {len(lines):,} lines are parsed.")
    if broken:
        notes.append(f"{wording.count(broken, 'line')} of it: not valid JSON.")
    return Output(path, "jsonl", text, value=values, note=" ".join(filter(None, notes)))


def _table(path: str, ending: str, text: str, note: str) -> Output:
    delimiter = "\t"
    if ending != ".tsv":
        delimiter = max((",", ";", "\t"), key=text.partition("\n")[0].count)
    every = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    # The reading of tables lets csv have longer cells, in whatever order both are asked.
    if any(len(cell) > MAX_SPLIT for row in every for cell in row):
        raise csv.Error(f"a cell has more than {MAX_SPLIT:,} characters")
    widest = max((len(row) for row in every), default=0)
    rows = tuple(
        tuple(cell[:MAX_CELL] for cell in row[:MAX_COLUMNS]) for row in every[: MAX_ROWS + 1]
    )
    notes = [note]
    if len(every) > MAX_ROWS + 1:
        notes.append(f"The first {MAX_ROWS:,} of {len(every) - 1:,} rows are shown.")
    if widest > MAX_COLUMNS:
        notes.append(f"The first {MAX_COLUMNS} of {widest:,} columns are shown.")
    return Output(path, "csv", text, rows=rows, note=" ".join(filter(None, notes)))
