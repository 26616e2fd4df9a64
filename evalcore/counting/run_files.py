"""Files of a run: what its transcript and notes are called, where they lie, and their texts."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final, Literal

import msgspec

from evalcore.counting.cells import family_of
from evalcore.disk.head import read_head
from evalcore.disk.listing import TRANSCRIPT
from evalcore.disk.outputs import list_outputs
from evalcore.errors import EvalcoreError, PathOutside
from evalcore.tables.held import output_at, output_pointer, record_pointer
from evalcore.tables.rows import RunRow
from evalcore.workspace.opened import Workspace

MAX_FILES: Final = 500
MAX_BESIDE: Final = 20

Role = Literal["output", "transcript", "notes"]

_STEPS: Final = re.compile(
    r"(?:transcript|trace|session|messages|events|conversation|trajectory|steps)[^/]*"
    r"\.(jsonl|ndjson|json|md|txt|log)",
    re.IGNORECASE,
)
"""What tools call the files beside a run that may tell what the agent did."""
_NOTES: Final = re.compile(r"user[_-]notes\.(md|txt)", re.IGNORECASE)
RUN_DOCUMENTS: Final = frozenset({"grading.json", "structural.json", "timing.json"})


def role_of(name: str) -> Role:
    """Return the role of a file of a run by its name."""
    if _NOTES.fullmatch(name):
        return "notes"
    return "transcript" if TRANSCRIPT.fullmatch(name) else "output"


def beside(ws: Workspace, run: RunRow) -> list[tuple[str, int]]:
    """Return transcript and notes in the folder that belongs only to this run, with their sizes."""
    return _direct(ws, run, lambda name: role_of(name) != "output")


def with_steps(ws: Workspace, run: RunRow) -> list[str]:
    """Return the files of a run that may tell its steps: beside it, and among what it produced."""
    found = [path for path, _ in _direct(ws, run, lambda name: _STEPS.fullmatch(name) is not None)]
    if output_pointer(run) is not None:
        if not family_of(ws, run.suite).steps_in_record:
            return []
        return [output_at(run.source or "", record_pointer(run))]
    if run.outputs and run.outputs != run.source:
        produced = (path for path, _ in files_of(ws, run.outputs))
        found += [path for path in produced if role_of(path.rpartition("/")[2]) == "transcript"]
    return list(dict.fromkeys(found))[:MAX_BESIDE]


def _direct(ws: Workspace, run: RunRow, is_wanted: Callable[[str], bool]) -> list[tuple[str, int]]:
    """List the files that lie directly in the folder that belongs only to a run."""
    folders = dict[str, None]()
    if run.source and PurePosixPath(run.source).name in RUN_DOCUMENTS:
        folders[str(PurePosixPath(run.source).parent)] = None
    if run.outputs and PurePosixPath(run.outputs).name == "outputs":
        folders[str(PurePosixPath(run.outputs).parent)] = None
    found = list[tuple[str, int]]()
    for folder in folders:
        try:
            names = sorted(entry.name for entry in (ws.root / folder).iterdir())
        except (OSError, ValueError):
            continue
        paths = (f"{folder}/{name}" for name in list(filter(is_wanted, names))[:MAX_BESIDE])
        found += [file for path in paths if _is_file(ws, path) for file in files_of(ws, path)]
    return found


def _is_file(ws: Workspace, path: str) -> bool:
    return not (ws.root / path).is_symlink() and (ws.root / path).is_file()


def files_of(ws: Workspace, place: str) -> list[tuple[str, int]]:
    """Return the files at the place of a run's outputs, with their sizes."""
    try:
        return [(file.path, file.size) for file in list_outputs(ws.root, place, MAX_FILES)]
    except (PathOutside, OSError, ValueError):
        return []


def read_text(ws: Workspace, path: str, most: int) -> str | None:
    """Return the beginning of a file as text, or a part of a document as `document.json#/pointer`.

    At most so many bytes of a file are read; None where it is no text, or cannot be read.
    """
    document, mark, at = path.partition("#/")
    try:
        if mark and not (ws.root / path).is_file():
            value = ws.raw(document, f"/{at}")
            return value if isinstance(value, str) else msgspec.json.encode(value).decode()
        data = read_head(ws.root, path, most).data
    except (EvalcoreError, OSError, ValueError):
        return None
    return None if b"\0" in data else data.decode("utf-8", "replace")
