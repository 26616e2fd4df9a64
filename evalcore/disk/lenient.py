"""Read almost-JSON that people and tools write, within the same bounds as strict JSON."""

import json
import math
import re
from codecs import BOM_UTF8
from typing import Any, Final, NamedTuple

LONG: Final = 20
"""A whole number of so many digits is read as a float, as the strict reader does."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


class Lenient(NamedTuple):
    """A JSON value and its deviation from JSON, as the end of a sentence: `The file has ...`."""

    value: Any
    remark: str


def lenient(data: bytes) -> Lenient:
    """Return the value of bytes that are almost JSON.

    Accepted are a byte order mark, NaN, Infinity and numbers out of range (all read as missing),
    halves of surrogate pairs (read as `?`), and line breaks and other control characters in texts.

    Raises:
        UnicodeDecodeError: they are not UTF-8.
        RecursionError: they are nested too deeply.
        ValueError: they are not JSON.
    """
    odd: dict[str, None] = {}

    def constant(name: str) -> None:
        odd[f"{name} as a number; read as missing"] = None

    def number(digits: str) -> float | None:
        value = float(digits)
        if math.isfinite(value):
            return value
        odd["a number out of range; read as missing"] = None
        return None

    def whole(digits: str) -> int | float | None:
        return int(digits) if len(digits) < LONG else number(digits)

    text = data.decode("utf-8-sig")
    value = json.loads(
        text, strict=False, parse_constant=constant, parse_float=number, parse_int=whole
    )
    if data.startswith(BOM_UTF8):
        odd["a byte order mark"] = None
    written = json.dumps(value, ensure_ascii=False)
    try:
        written.encode()
    except UnicodeEncodeError:
        odd["half a character"] = None
        value = json.loads(written.encode("utf-8", "replace"))
    if not odd:
        what = "a control character" if _CONTROL.search(text) else "a line break or tab"
        odd[f"{what} inside a text"] = None
    return Lenient(value, ", ".join(odd))


def ended_early(error: ValueError) -> bool:
    """Return whether `lenient` refused a text because it ends too early."""
    return isinstance(error, json.JSONDecodeError) and (
        error.msg.startswith("Unterminated string") or error.pos >= len(error.doc.rstrip())
    )
