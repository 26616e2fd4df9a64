"""What runs made, in the list of Gradings: the beginning of the output of each case."""

from typing import Final

from evalcore.counting.cells import typed
from evalcore.counting.outcomes import Column
from evalcore.counting.record_output import output_pointer
from evalcore.counting.run_files import files_of, read_text, role_of
from evalcore.tables.rows import RunRow
from evalcore.views.blocks.base import PanelData
from evalcore.views.blocks.plain import escaped
from evalcore.views.files.file_types import kind_of
from evalcore.views.gradings.grid import Grid
from evalcore.views.words.wording import HIDDEN as HIDDEN_WORDS
from evalcore.views.words.wording import column_words
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

BEGINNING: Final = 240
"""Bytes of an output in the list, as JSON of ASCII characters: 50 of them stay below 15 KB."""
MAX_READ: Final = 2_000
NO_OUTPUT: Final = "no output"


def outputs_block(ws: Workspace, found: Grid) -> PanelData:
    """Describe the column of outputs: how that of the run that each row opens begins.

    Only the first bytes of one file a row are read. One of another column than that in focus names
    its own.
    """
    runs = found.opens[found.page.rows]
    known = [run for run in runs if run >= 0]
    rows = dict(zip(known, typed(ws, "runs", RunRow, known), strict=True))
    texts = []
    for run in runs:
        row = rows.get(run)
        text = NO_OUTPUT if row is None else beginning(ws, row)
        own = None if row is None else Column(row.version or "", row.configuration or "")
        texts.append(text if own in (None, found.focus) else f"in {own.key}: {text}")
    return {"outputs": texts, "outputOf": f"output of {column_words(found.focus)}".strip()}


def beginning(ws: Workspace, run: RunRow) -> str:
    """Return how the first output of a run begins, in one line of text, or why there is none."""
    if run.status == HIDDEN:
        return HIDDEN_WORDS
    held, path = output_pointer(run), None
    if held is not None:
        path = f"{run.source}#{held}"
    elif run.outputs:
        files = sorted(each for each, _ in files_of(ws, run.outputs))
        path = next((each for each in files if role_of(each.rpartition("/")[2]) == "output"), None)
    if path is None or ws.hidden.covers(path):
        return NO_OUTPUT
    name, kind = path.rpartition("/")[2], kind_of(path)
    text = None if kind in ("image", "binary") else read_text(ws, path, MAX_READ)
    if text is None:
        return f"{name}: not shown as text"
    return at_a_word(text, BEGINNING) or f"{name}: empty"


def at_a_word(text: str, limit: int) -> str:
    """Return the beginning of a text as one line of so many bytes as JSON, cut after a word."""
    words = " ".join(text.split())
    if escaped(words) <= limit:
        return words
    kept = words[:limit]
    while (size := escaped(kept)) > limit:
        kept = kept[: min(len(kept) * limit // size, len(kept) - 1)]
    end = kept.rfind(" ") if not words[len(kept)].isspace() else len(kept)
    return f"{kept[:end] if end > len(kept) // 2 else kept}…"
