"""Link a judge's quotes to the passages of the output."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evalcore.views.files.outputs import OutputFile, load_text
from evalcore.views.run.items import Item
from evalcore.views.run.quotes import Found, find_quotes, quotes
from evalcore.workspace.opened import Workspace

LINES_BEFORE: Final = 5
LINES: Final = 14
"""A passage near the end is shown with more of what stands before it."""
MAX_EXCERPT: Final = 4_000


@dataclass(frozen=True, slots=True)
class Excerpt:
    """An excerpt of an output file from a line (counted from 1); `cut` if the file continues."""

    path: str
    line: int
    text: str
    cut: bool


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
    first = [line_of(quote) for item in items for quote in item.quotes if quote.line][:1]
    if first:
        (path, line), text = first[0], load_text(ws, first[0][0])
        return _around(path, line, text) if text else None
    outputs = [file for file in files if file.role == "output"]
    texts = ((file.path, load_text(ws, file.path) or "") for file in outputs)
    if outputs and outputs[0].size is None:  # parts of a record: the longest one says the most
        longest = max(texts, key=lambda entry: len(entry[1]))
        return _around(longest[0], 1, longest[1]) if longest[1] else None
    return next((_around(path, 1, text) for path, text in texts if text), None)


def _around(path: str, line: int, text: str) -> Excerpt:
    lines = text.rstrip("\n").split("\n")
    start = max(min(line - LINES_BEFORE, len(lines) - LINES + 1), 1)
    rest = "\n".join(text.split("\n")[start - 1 :])
    return Excerpt(path, start, rest[:MAX_EXCERPT], len(rest) > MAX_EXCERPT)


def line_of(quote: Found) -> tuple[str, int]:
    """Return path and line of a found quote; the first line if it names a whole file."""
    return quote.path or "", quote.line or 1


def _texts(ws: Workspace, files: Iterable[OutputFile]) -> Iterator[tuple[str, str]]:
    for file in files:
        yield file.path, load_text(ws, file.path) or ""
