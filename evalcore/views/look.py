"""A look at one place of one document: its JSON, or the lines around where it stops being JSON."""

from typing import Final, NamedTuple

import orjson

from evalcore.disk.head import Head, read_head
from evalcore.errors import EvalcoreError, PathOutside
from evalcore.views import wording
from evalcore.views.evidence import raw_text
from evalcore.workspace.opened import Workspace

MAX_BYTES: Final = 8 * 1024 * 1024
AROUND: Final = 6
MAX_LINE: Final = 300


class Look(NamedTuple):
    """What stands at a place: `text` is JSON or numbered lines; `note` says what else to know."""

    path: str
    pointer: str
    text: str
    language: str | None
    note: str = ""


def look(ws: Workspace, path: str, pointer: str = "") -> Look:
    """Return what stands at a place of a document, within bounds; faults are said in words."""
    try:
        head = read_head(ws.root, path, MAX_BYTES)
    except (OSError, PathOutside) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Look(path, pointer, "", None, f"It cannot be read: {why}.")
    if head.cut:
        lines = _lines(head.data, 1, 1)
        return Look(
            path, pointer, lines, None, f"{wording.size(head.size)}: only its beginning is shown."
        )
    if path.endswith(".jsonl"):
        return _in_lines(path, pointer, head)
    broken = _broken(head.data)
    if broken is not None:
        return Look(path, pointer, *broken)
    return _valid(ws, path, pointer)


def _valid(ws: Workspace, path: str, pointer: str) -> Look:
    """Return the value at a pointer; where nothing stands there, the nearest thing around it."""
    place = pointer
    while place:
        try:
            ws.raw(path, place)
            break
        except EvalcoreError:
            place = place.rpartition("/")[0]
    if place != pointer:
        return Look(
            path,
            place,
            raw_text(ws, path, place),
            "json",
            f"Nothing stands at {pointer}; around it:",
        )
    if place and not isinstance(ws.raw(path, place), (dict, list)):
        # A bare word or number says little: what it belongs to stands around it.
        around, _, name = place.rpartition("/")
        value = raw_text(ws, path, place)
        note = (
            f"{name} is {value if len(value) <= MAX_LINE else f'{value[:MAX_LINE]}…'}; around it:"
        )
        return Look(path, place, raw_text(ws, path, around), "json", note)
    return Look(path, place, raw_text(ws, path, place), "json")


def _in_lines(path: str, pointer: str, head: Head) -> Look:
    first = pointer.split("/")[1] if pointer else ""
    every = head.data.split(b"\n")
    if not first.isascii() or not first.isdigit() or int(first) >= len(every):
        return Look(path, "", _lines(head.data, 1, 1), None)
    number = int(first)
    broken = _broken(every[number])
    if broken is None:
        text = orjson.dumps(orjson.loads(every[number]), option=orjson.OPT_INDENT_2).decode()
        return Look(
            path, pointer, text[: MAX_BYTES // 8], "json", f"Line {number + 1} of {len(every):,}."
        )
    return Look(path, pointer, _lines(head.data, number + 1, 1), None, broken[2])


def _broken(data: bytes) -> tuple[str, str | None, str] | None:
    """Return the lines around where bytes stop being JSON, and why; None for JSON."""
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError as error:
        if not data.strip():
            return "", None, "The file is empty."
        why = f"Not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}."
        return _lines(data, error.lineno, error.colno), None, why
    return None


def _lines(data: bytes, line: int, column: int) -> str:
    """Return numbered lines around one, which is marked, with a sign below the column."""
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
