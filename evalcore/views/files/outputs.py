"""The output files of a run, read only on demand and never outside the workspace."""

from pathlib import PurePosixPath
from typing import NamedTuple

from evalcore.counting.run_files import MAX_FILES, Role, beside, files_of, role_of
from evalcore.disk.head import read_head
from evalcore.errors import EvalcoreError, UnknownName
from evalcore.problems import pointer as joined
from evalcore.tables.held import output_pointer
from evalcore.tables.rows import RunRow
from evalcore.views.files.content import MAX_IMAGE, MAX_TEXT, Output, content, part_of_document
from evalcore.views.files.file_types import Kind, kind_of
from evalcore.workspace.opened import Workspace


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
            return part_of_document(path, ws.raw(document, f"/{at}"))
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
    return [
        OutputFile(
            f"{source}#{at}{place}",
            name,
            None,
            "text" if isinstance(item, str) else "json",
            "output",
        )
        for place, (name, item) in found.items()
    ]


def _file(path: str, size: int, folder: str) -> OutputFile:
    name = path.removeprefix(f"{folder}/") if path != folder else PurePosixPath(path).name
    return OutputFile(path, name, size, kind_of(path), role_of(PurePosixPath(path).name))
