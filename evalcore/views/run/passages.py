"""Link a judge's quotes to the passages of the output."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evalcore.views.files.outputs import OutputFile, load_text
from evalcore.views.run.items import Item
from evalcore.views.run.quotes import Found, find_quotes, quotes, spans
from evalcore.workspace.opened import Workspace

LINES_BEFORE: Final = 3
MAX_BEFORE: Final = 600
"""Of very long lines fewer characters stand before the passage."""
MAX_EXCERPT: Final = 4_000


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
    if not files:
        return list(items)
    wanted = [quotes("\n".join(filter(None, (item.evidence, item.rationale)))) for item in items]
    if not any(wanted):
        return list(items)
    found = iter(find_quotes([quote for some in wanted for quote in some], _texts(ws, files)))
    return [
        replace(item, quotes=tuple(next(found) for _ in some))
        for item, some in zip(items, wanted, strict=True)
    ]


def excerpt(ws: Workspace, items: Iterable[Item], files: Iterable[OutputFile]) -> Excerpt | None:
    """Return the output around the first passage that is quoted, else the first output's beginning.

    The items come failing first, so the passage belongs to what failed where there is one.
    """
    found = ((item, quote) for item in items for quote in item.quotes if quote.line)
    if first := next(found, None):
        item, quote = first
        path, line = line_of(quote)
        text = load_text(ws, path)
        return replace(_around(quote, line, text), quoted_for=item.name) if text else None
    outputs = [file for file in files if file.role == "output"]
    texts = ((file.path, load_text(ws, file.path) or "") for file in outputs)
    if outputs and outputs[0].size is None:  # parts of a record: the longest one says the most
        longest = max(texts, key=lambda entry: len(entry[1]))
        return _beginning(*longest) if longest[1] else None
    return next((_beginning(path, text) for path, text in texts if text), None)


def _beginning(path: str, text: str) -> Excerpt:
    return Excerpt(path, 1, text[:MAX_EXCERPT])


def _around(quote: Found, line: int, text: str) -> Excerpt:
    """Return the text from a few lines before a quote on."""
    ends = [0, *(end.end() for end in re.finditer("\n", text))]
    at = ends[min(line, len(ends)) - 1]
    marks = spans(quote, text, at)
    first = marks[0][0] if marks else at
    start = max(ends[max(line - 1 - LINES_BEFORE, 0)], first - MAX_BEFORE)
    begun = "" if start == 0 or text[start - 1] == "\n" else "…"
    moved = len(begun) - start
    return Excerpt(
        quote.path or "",
        text.count("\n", 0, start) + 1,
        f"{begun}{text[start : start + MAX_EXCERPT]}",
        tuple((a + moved, b + moved) for a, b in marks if b <= start + MAX_EXCERPT),
    )


def line_of(quote: Found) -> tuple[str, int]:
    """Return path and line of a found quote; the first line if it names a whole file."""
    return quote.path or "", quote.line or 1


def _texts(ws: Workspace, files: Iterable[OutputFile]) -> Iterator[tuple[str, str]]:
    for file in files:
        yield file.path, load_text(ws, file.path) or ""
