"""What runs made: how outputs begin, for the list, and those of a few columns side by side."""

from collections.abc import Iterator, Sequence
from typing import Final

from evalcore.counting.cells import typed
from evalcore.counting.outcomes import Column, Outcomes
from evalcore.counting.run_files import files_of, read_text, role_of
from evalcore.tables.held import output_pointer
from evalcore.tables.rows import RunRow
from evalcore.texts import diff, rows, words
from evalcore.views.blocks.base import PanelData
from evalcore.views.blocks.plain import escaped
from evalcore.views.files.diff import alternating
from evalcore.views.files.file_types import kind_of
from evalcore.views.files.outputs import load_output, output_files
from evalcore.views.gradings.grid import Grid
from evalcore.views.run.grading import no_output
from evalcore.views.words.wording import HIDDEN as HIDDEN_WORDS
from evalcore.views.words.wording import column_words, count
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

BEGINNING: Final = 240
"""Bytes of an output in the list, as JSON of ASCII characters: 50 of them stay below 15 KB."""
MAX_READ: Final = 2_000
NO_OUTPUT: Final = "no output"
MOST_BESIDE: Final = 4
SIDES: Final = 44_000
"""Bytes of all outputs that stand side by side, as JSON of ASCII characters."""
MAX_COMPARED: Final = 100_000
_LINE: Final = 24


def outputs_block(ws: Workspace, found: Grid) -> PanelData:
    """Describe the column of outputs: how that of the run that each row opens begins.

    Only the first bytes of one file a row are read. One of another column than that in focus names
    its own.
    """
    runs = found.opens[found.page.rows]
    known = [run for run in runs if run >= 0]
    opened = dict(zip(known, typed(ws, "runs", RunRow, known), strict=True))
    texts = []
    for run in runs:
        row = opened.get(run)
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


def columns_beside(found: Outcomes, keys: Sequence[str], own: Column | None) -> list[int]:
    """Return the columns (positions) whose outputs stand side by side; none for less than two.

    They are those named, and beside a single one that of the open run, `own`.
    """
    chosen = [place for place, column in enumerate(found.columns) if column.key in keys]
    if len(chosen) == 1 and own in found.columns:
        chosen = sorted({*chosen, found.columns.index(own)})
    return chosen[:MOST_BESIDE] if len(chosen) > 1 else []


def beside_block(
    ws: Workspace, found: Outcomes, open_run: RunRow, columns: Sequence[int], name: str | None
) -> PanelData:
    """Describe the outputs of a case in some columns: of each the file of that name, or the first.

    The first text is whole; of the others what differs from it is marked. Each is cut after its
    share of what is sent. A line is [number, parts in turn the same and changed, lines left out].
    """
    case = found.positions[open_run.case_id or ""]
    tallies = found.tallies([case], columns)
    sides: list[PanelData] = []
    first: tuple[str, str] | None = None
    for place in columns:
        column, tally = found.columns[place], tallies.get((case, place))
        side: PanelData = {"key": column.key, "run": None, "file": "", "said": "", "lines": []}
        sides.append(side)
        if tally is None:
            side["said"] = "This case has no run here."
            continue
        (run,) = typed(ws, "runs", RunRow, [tally.run])
        if (open_run.version, open_run.configuration) == tuple(column):
            run = open_run
        files = [file for file in output_files(ws, run) if file.role == "output"]
        side["run"] = run.run_id
        if not files:
            side["said"] = no_output(run)
            continue
        file = next((each for each in files if each.name == name), files[0])
        output = load_output(ws, file.path)
        side |= {"file": file.name, "path": file.path, "said": output.note}
        if output.text is None:
            side["said"] = output.note or "This file is not text; open it to see it."
            continue
        text = output.text[:MAX_COMPARED]
        if first is None:
            first = column.key, text
        if not text:
            side["said"] = "This file is empty."
        elif column.key != first[0] and text == first[1]:
            side["said"] = f"The same as {first[0]}. {output.note}".strip()
        lines = list(_compared(first[1], text, SIDES // len(columns)))
        side["lines"] = lines
        shown = sum(line[0] is not None for line in lines)
        total = output.text.count("\n") + (not output.text.endswith("\n"))
        side["cut"] = f"cut here: {shown:,} of {count(total, 'line')}" if shown < total else ""
    return {"first": "" if first is None else first[0], "sides": sides}


def _compared(first: str, text: str, left: int) -> Iterator[tuple[int | None, list[str], int]]:
    """Yield the lines of a text within so many bytes, with what differs from the first text."""
    found, gone = diff(first, text), 0
    for row in rows(found):
        gone += row.a is not None and row.kind == "other"
        if row.b is None:
            continue
        if gone:
            yield None, [], gone
            gone = 0
        line = found.b[row.b]
        if len(line) * 12 > left and escaped(line) > left:
            line = f"{line[: max(left, 0) // 12]}…"
        parts = [line] if row.kind == "same" else ["", line]
        if row.kind == "changed" and row.a is not None:
            parts = alternating(words(found.a[row.a], line).b)
        left -= sum(map(escaped, parts)) + _LINE
        if left < 0:
            return
        yield row.b + 1, parts, 0
    if gone:
        yield None, [], gone
