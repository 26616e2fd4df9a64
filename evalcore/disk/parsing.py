"""Parse bytes to a JSON value: strictly, else leniently, else with the reason of the failure."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_LE
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import orjson

from evalcore.disk.lenient import ended_early, lenient
from evalcore.problems import Severity

MAX_VALUES: Final = 2_000_000
"""A file with more values is not read: each takes far more memory than its two characters."""

MAX_LENIENT: Final = 8 * 1024 * 1024
"""What is larger than this is JSON or it is not: a second try would take too long."""

MAX_LINES: Final = 1_000_000
MAX_ODD_LINES: Final = 1_000
"""After so many lines that are not plain JSON, a file is no file of JSON lines."""

_SMALL: Final = 1024 * 1024
_ENDED: Final = "unexpected end of data"

Json = Any


class _Missing:
    """The value of a document that could not be read."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()


class Fault(NamedTuple):
    """A fault in the bytes of a document."""

    severity: Severity
    code: str
    message: str
    hint: str


_UTF_16_TEXT: Final = Fault(
    "warning", "not-utf8", "The file is UTF-16 text, and was read as such.", "Save it as UTF-8."
)


def parsed(data: bytes) -> tuple[Json, Fault | None]:
    """Return the value of JSON bytes and their fault; MISSING if they cannot be parsed."""
    if len(data) > _SMALL and (fault := _crowded(data)):
        return MISSING, fault
    if (text := _from_utf_16(data)) is not None:
        value, fault = parsed(text)
        return value, _UTF_16_TEXT if value is not MISSING else fault
    try:
        return orjson.loads(data), None
    except orjson.JSONDecodeError as error:
        return _second_try(data, error)


def parse(data: bytes, lines: bool = False) -> Json:
    """Return the value of JSON bytes; MISSING if they are not JSON.

    With `lines`, return the values of those lines of JSONL bytes that are JSON.
    """
    if lines:
        return [value for _, value, _ in parsed_lines(data) if value is not MISSING]
    return parsed(data)[0]


def parsed_lines(data: bytes) -> Iterator[tuple[int, Json, Fault | None]]:
    """Yield (line index, value, fault) of each line of JSONL bytes that is not blank.

    If the file is not JSON lines, the last line has a fault that says so.
    """
    if (count := data.count(b"\n")) > MAX_LINES:
        yield 0, MISSING, _too_many(count, "lines", MAX_LINES)
        return
    odd = 0
    if (text := _from_utf_16(data)) is not None:
        data = text
        yield 0, MISSING, _UTF_16_TEXT
    for index, line in enumerate(data.split(b"\n")):
        if line.isspace() or not line:
            continue
        value, fault = parsed(line)
        if fault is not None:
            odd += 1
            last = index == count
            fault = _of_line(fault, index, last)
        yield index, value, fault
        if odd == MAX_ODD_LINES:
            yield index + 1, MISSING, _no_lines(index)
            return


def _from_utf_16(data: bytes) -> bytes | None:
    """Return UTF-16 text with its byte order mark, as Windows shells write it, in UTF-8."""
    if not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or data.startswith(BOM_UTF32_LE):
        return None
    try:
        return data.decode("utf-16").encode()
    except UnicodeError:
        return None


def _second_try(data: bytes, first: orjson.JSONDecodeError) -> tuple[Json, Fault | None]:
    """Parse leniently, with a fault that names the deviation."""
    if not data.strip():
        return MISSING, Fault(
            "error", "empty", "The file is empty.", "It may still be being written."
        )
    if first.msg.startswith(_ENDED):
        return MISSING, _half_written()
    if len(data) > MAX_LENIENT:
        return MISSING, _invalid(first)
    try:
        found = lenient(data)
    except UnicodeDecodeError as error:
        if error.end == len(data) and error.reason == _ENDED and _ends_early(data[: error.start]):
            return MISSING, _half_written()
        return MISSING, Fault(
            "error", "not-utf8", "The file is not UTF-8 text.", "Save it as UTF-8."
        )
    except RecursionError:
        return MISSING, Fault(
            "error", "too-deep", "The file is nested too deeply to read.", "Flatten it."
        )
    except ValueError as error:
        return MISSING, _half_written() if ended_early(error) else _invalid(first)
    return found.value, Fault(
        "warning", "not-strict-json", f"The file has {found.remark}.", "Write plain JSON."
    )


def _ends_early(data: bytes) -> bool:
    """Return whether bytes are an incomplete JSON document."""
    return parsed(data)[1] in (_half_written(), None)


def _half_written() -> Fault:
    return Fault(
        "error",
        "half-written",
        "The file ends in the middle; it may still be being written.",
        "If this persists, write the file again; until then nothing of it is shown.",
    )


def _invalid(error: orjson.JSONDecodeError) -> Fault:
    return Fault(
        "error",
        "invalid-json",
        f"Not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}.",
        "Correct the file, or write it again; until then nothing of it is shown.",
    )


def _crowded(data: bytes) -> Fault | None:
    count = data.count(b",") + data.count(b"[") + data.count(b"{")
    return _too_many(count, "values", MAX_VALUES) if count > MAX_VALUES else None


def _too_many(count: int, what: str, most: int) -> Fault:
    return Fault(
        "error",
        "too-large",
        f"The file has {count:,} {what}; at most {most:,} are read.",
        "Split it, or move large outputs into files next to it.",
    )


def _of_line(fault: Fault, index: int, last: bool) -> Fault:
    """Return the fault of one line, worded for that line."""
    message = fault.message.replace("The file", f"Line {index + 1}", 1)
    if fault.code == "half-written" and not last:
        return Fault(
            "error",
            "invalid-json",
            f"Line {index + 1} is not valid JSON: it ends in the middle.",
            "Correct or remove the line.",
        )
    if fault.code == "invalid-json":
        why = fault.message.rpartition(": ")[2]
        message = f"Line {index + 1} is not valid JSON: {why}"
    return fault._replace(message=message, hint="Correct or remove the line.")


def _no_lines(index: int) -> Fault:
    return Fault(
        "error",
        "invalid-json",
        f"{MAX_ODD_LINES:,} lines are not plain JSON; the lines after line {index + 1:,} "
        "were not read.",
        "Write one JSON value a line, or name the file .json.",
    )
