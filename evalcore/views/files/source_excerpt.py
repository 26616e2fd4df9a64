"""An excerpt of one document: the JSON at a pointer, or the lines around a syntax error."""

from functools import lru_cache
from typing import Any, Final, NamedTuple

import orjson

from evalcore.disk.head import Head, read_head
from evalcore.disk.values import value_at
from evalcore.errors import HiddenUntilJudged, PathOutside, UnknownName
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

MAX_BYTES: Final = 8 * 1024 * 1024
LARGE: Final = 256 * 1024
MAX_RAW: Final = 1024 * 1024
AROUND: Final = 6
MAX_LINE: Final = 300


class SourceExcerpt(NamedTuple):
    """The value at a pointer: `text` is JSON or numbered lines, `note` a remark on it."""

    pointer: str
    text: str
    language: str | None
    note: str = ""


def source_excerpt(ws: Workspace, path: str, pointer: str = "") -> SourceExcerpt:
    """Return the excerpt at a pointer of a document, within bounds; a fault becomes its note."""
    try:
        ws.require_visible(path)
        head = read_head(ws.root, path, MAX_BYTES)
    except HiddenUntilJudged as fault:
        return SourceExcerpt("", "", None, str(fault))
    except (OSError, PathOutside) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return SourceExcerpt(pointer, "", None, f"It cannot be read: {why}.")
    if head.cut:
        lines = _lines(head.data, 1, 1)
        note = f"{wording.size(head.size)}: only its beginning is shown."
        return SourceExcerpt(pointer, lines, None, note)
    if path.endswith(".jsonl"):
        return _in_lines(pointer, head)
    try:
        whole = _large(head.data) if len(head.data) > LARGE else orjson.loads(head.data)
    except orjson.JSONDecodeError as error:
        return SourceExcerpt(pointer, *_broken(head.data, error))
    place = pointer
    while True:  # to the value at the pointer, or else its nearest existing parent
        try:
            value = value_at(whole, path, place)
            break
        except UnknownName:
            place = place.rpartition("/")[0]
    if place != pointer:
        note = f"There is nothing at {pointer}; around it:"
        return SourceExcerpt(place, _json(value), "json", note)
    if place and not isinstance(value, (dict, list)):
        # A bare word or number says little: what it belongs to stands around it.
        around, _, name = place.rpartition("/")
        note = f"{name} is {wording.short(_json(value), MAX_LINE)}; around it:"
        return SourceExcerpt(place, _json(value_at(whole, path, around)), "json", note)
    return SourceExcerpt(place, _json(value), "json")


@lru_cache(maxsize=1)
def _large(data: bytes) -> Any:
    """Return the value of a large document, cached as many cases point into it."""
    return orjson.loads(data)


def indented(value: Any) -> str:
    """Return a value as JSON on lines."""
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    except TypeError:  # nested too deeply, or a text that is no text
        return repr(value)


def _json(value: Any) -> str:
    text = indented(value)
    return text if len(text) <= MAX_RAW else f"{text[:MAX_RAW]}\n… cut after {MAX_RAW:,} characters"


def _in_lines(pointer: str, head: Head) -> SourceExcerpt:
    first = pointer.split("/")[1] if pointer else ""
    every = head.data.split(b"\n")
    if not first.isascii() or not first.isdigit() or int(first) >= len(every):
        return SourceExcerpt("", _lines(head.data, 1, 1), None)
    number = int(first)
    try:
        text = _json(orjson.loads(every[number]))
    except orjson.JSONDecodeError as error:
        why = _broken(every[number], error)[2]
        return SourceExcerpt(pointer, _lines(head.data, number + 1, 1), None, why)
    return SourceExcerpt(pointer, text, "json", f"Line {number + 1} of {len(every):,}.")


def _broken(data: bytes, error: orjson.JSONDecodeError) -> tuple[str, str | None, str]:
    """Return the lines around a JSON syntax error, and the reason."""
    if not data.strip():
        return "", None, "The file is empty."
    why = f"Not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}."
    return _lines(data, error.lineno, error.colno), None, why


def _lines(data: bytes, line: int, column: int) -> str:
    """Return numbered lines around a marked one, with a caret below the column."""
    every = data.decode("utf-8", "replace").split("\n")
    first = max(0, line - 1 - AROUND)
    width = len(str(min(len(every), line + AROUND)))
    shown = []
    for number, text in enumerate(every[first : line + AROUND], first + 1):
        here = number == line
        start = max(0, column - MAX_LINE // 2) if here and column > MAX_LINE else 0
        cut = text[start : start + MAX_LINE]
        more = "…" if len(text) > start + MAX_LINE else ""
        shown.append(
            f"{'▸' if here else ' '} {number:>{width}} │ {'…' if start else ''}{cut}{more}"
        )
        if here:
            shown.append(f"  {'':>{width}} │ {' ' * (max(column - 1 - start, 0) + bool(start))}^")
    return "\n".join(shown)
