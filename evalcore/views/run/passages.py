"""Link a judge's quotes to the passages of the output."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evalcore.views.files.outputs import OutputFile, load_text
from evalcore.views.run.items import Item
from evalcore.views.run.quotes import find_quotes, quotes, spans
from evalcore.workspace.opened import Workspace

LINES_BEFORE: Final = 3
MAX_BEFORE: Final = 600
"""Of very long lines fewer characters stand before the passage."""
MAX_EXCERPT: Final = 4_000
MAX_TRANSCRIPT: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class Excerpt:
    """An excerpt of an output file from a line (counted from 1).

    `marks` are where in `text` the quoted passage is: one span for each part of it; `quoted_for` is
    the name of the criterion that quotes it.
    """

    path: str
    line: int
    text: str
    marks: tuple[tuple[int, int], ...] = ()
    quoted_for: str = ""


def quoted(ws: Workspace, items: Sequence[Item], files: Sequence[OutputFile]) -> list[Item]:
    """Return the items with their quotes located in the output files.

    Without output files, no quote is marked.
    """
    wanted = [quotes("\n".join(filter(None, (item.evidence, item.rationale)))) for item in items]
    if not files or not any(wanted):
        return list(items)
    # A long transcript is searched as steps, when somebody asks: here it would be with each click.
    short = (f for f in files if f.role != "transcript" or (f.size or 0) <= MAX_TRANSCRIPT)
    texts = ((file.path, load_text(ws, file.path) or "") for file in short)
    found = iter(find_quotes([quote for some in wanted for quote in some], texts))
    return [
        replace(item, quotes=tuple(next(found) for _ in some))
        for item, some in zip(items, wanted, strict=True)
    ]


def excerpt(ws: Workspace, items: Iterable[Item], files: Iterable[OutputFile]) -> Excerpt | None:
    """Return the output around the first passage that is quoted, else the first output's beginning.

    The items come failing first, so the passage belongs to what failed where there is one.
    """
    found = ((item.name, quote) for item in items for quote in item.quotes if quote.line)
    if first := next(found, None):
        name, quote = first
        path, line = quote.path or "", quote.line or 1
        text = load_text(ws, path)
        if not text:
            return None
        begins = [0, *(end.end() for end in re.finditer("\n", text))]  # of each line
        at = begins[min(line, len(begins)) - 1]
        marks = spans(quote, text, at)
        passage = marks[0][0] if marks else at
        start = max(begins[max(line - 1 - LINES_BEFORE, 0)], passage - MAX_BEFORE)
        cut = "" if start == 0 or text[start - 1] == "\n" else "…"
        moved, end = len(cut) - start, start + MAX_EXCERPT
        shown = tuple((a + moved, b + moved) for a, b in marks if b <= end)
        begins_at = text.count("\n", 0, start) + 1
        return Excerpt(path, begins_at, f"{cut}{text[start:end]}", shown, name)
    outputs = [file for file in files if file.role == "output"]
    texts: Iterable[tuple[str, str]]
    texts = ((file.path, load_text(ws, file.path) or "") for file in outputs)
    if outputs and outputs[0].size is None:  # parts of a record: the longest one says the most
        texts = [max(texts, key=lambda entry: len(entry[1]))]
    return next((Excerpt(path, 1, text[:MAX_EXCERPT]) for path, text in texts if text), None)
