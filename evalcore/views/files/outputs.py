"""The output files of a run, read only on demand and never outside the workspace."""

import re
from pathlib import PurePosixPath
from typing import Final, Literal, NamedTuple

from evalcore.counting.record_output import output_pointer
from evalcore.disk.head import read_head
from evalcore.disk.outputs import list_outputs
from evalcore.errors import EvalcoreError, PathOutside, UnknownName
from evalcore.problems import pointer as joined
from evalcore.tables.rows import RunRow
from evalcore.views.files.content import MAX_IMAGE, MAX_TEXT, Output, content, part_of_document
from evalcore.views.files.file_types import Kind, kind_of
from evalcore.workspace.opened import Workspace

MAX_FILES: Final = 500

Role = Literal["output", "transcript", "notes"]

_TRANSCRIPT: Final = re.compile(r"transcript[^/]*\.(md|txt|jsonl|json|log)", re.IGNORECASE)
_NOTES: Final = re.compile(r"user[_-]notes\.(md|txt)", re.IGNORECASE)
_RUN_DOCUMENTS: Final = frozenset({"grading.json", "structural.json", "timing.json"})


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
    """Return the files of a run: outputs first, then notes and transcripts."""
    found = {file.path: file for file in [*_produced(ws, run), *_beside(ws, run)]}
    order = {"output": 0, "notes": 1, "transcript": 2}
    return sorted(found.values(), key=lambda file: (order[file.role], file.name))


def load_output(ws: Workspace, path: str) -> Output:
    """Read one file for display; the note says why if it cannot be read."""
    document, mark, at = path.partition("#/")
    try:
        if mark and not (ws.root / path).is_file():
            return part_of_document(path, ws.raw(document, f"/{at}"))
        ws.require_visible(path)
        image = kind_of(path) == "image"
        return content(path, read_head(ws.root, path, MAX_IMAGE if image else MAX_TEXT))
    except (EvalcoreError, OSError, ValueError) as error:
        return Output(path, "unreadable", note=_why(error))


def load_text(ws: Workspace, path: str) -> str | None:
    """Return the displayed text of a file, or None if it is not shown as text."""
    return None if kind_of(path) in ("image", "binary") else load_output(ws, path).text


def _produced(ws: Workspace, run: RunRow) -> list[OutputFile]:
    outputs, held = run.outputs, output_pointer(run)
    if held is not None:
        return _parts(ws, run.source, held)
    if not outputs:
        return []
    return [_file(path, size, outputs) for path, size in _listed(ws, outputs)]


def _beside(ws: Workspace, run: RunRow) -> list[OutputFile]:
    """Find transcript and notes in the folder that belongs only to this run."""
    folders = set()
    if run.source and PurePosixPath(run.source).name in _RUN_DOCUMENTS:
        folders.add(str(PurePosixPath(run.source).parent))
    if run.outputs and PurePosixPath(run.outputs).name == "outputs":
        folders.add(str(PurePosixPath(run.outputs).parent))
    files = [_file(path, size, folder) for folder in folders for path, size in _direct(ws, folder)]
    return [file for file in files if file.role != "output"]


def _direct(ws: Workspace, folder: str) -> list[tuple[str, int]]:
    """List the transcripts and notes that lie directly in a folder."""
    try:
        names = sorted(entry.name for entry in (ws.root / folder).iterdir())
    except (OSError, ValueError):
        return []
    wanted = [name for name in names if role_of(name) != "output"][:20]
    return [item for name in wanted for item in _listed(ws, f"{folder}/{name}", only_file=True)]


def _listed(ws: Workspace, folder: str, *, only_file: bool = False) -> list[tuple[str, int]]:
    if only_file and ((ws.root / folder).is_symlink() or not (ws.root / folder).is_file()):
        return []
    try:
        return [(file.path, file.size) for file in list_outputs(ws.root, folder, MAX_FILES)]
    except (PathOutside, OSError, ValueError):
        return []


def _parts(ws: Workspace, source: str | None, at: str) -> list[OutputFile]:
    """List the fields of an output inside a record, each as a separate file."""
    try:
        value = ws.raw(source or "", at)
    except EvalcoreError:
        return []
    if value is None:
        return []
    if not isinstance(value, dict):
        return [OutputFile(f"{source}#{at}", "output", None, _kind_of_value(value), "output")]
    return [
        OutputFile(f"{source}#{at}{joined(key)}", key, None, _kind_of_value(item), "output")
        for key, item in list(value.items())[:MAX_FILES]
    ]


def _file(path: str, size: int, folder: str) -> OutputFile:
    name = path.removeprefix(f"{folder}/") if path != folder else PurePosixPath(path).name
    return OutputFile(path, name, size, kind_of(path), role_of(PurePosixPath(path).name))


def role_of(name: str) -> Role:
    """Return the role of a file of a run by its name."""
    if _NOTES.fullmatch(name):
        return "notes"
    return "transcript" if _TRANSCRIPT.fullmatch(name) else "output"


def _kind_of_value(value: object) -> Kind:
    return "text" if isinstance(value, str) else "json"


def _why(error: Exception) -> str:
    if isinstance(error, UnknownName):
        return "This part of the document is no longer there."
    if isinstance(error, FileNotFoundError):
        return "The file is no longer there."
    if isinstance(error, OSError):
        return f"The file could not be read: {(error.strerror or str(error)).lower()}."
    return str(error)
