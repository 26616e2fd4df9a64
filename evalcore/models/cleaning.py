"""Take out of an answer what must not be kept: the key, and what is no text."""

import re
from typing import Any, Final

import msgspec

from evalcore.models.calls import Answer
from evalcore.models.streaming import MAX_TEXT

MAX_WHY: Final = 600
_HIDDEN: Final = "[key]"


def cleaned(key: str | None, answer: Answer) -> Answer:
    """Return an answer of bounded size, without lone surrogates and without the key.

    A server may send the key back, as it is or escaped as in JSON. It is cut only afterwards, or
    half a key might be left.
    """
    pattern = _written(key) if key else None
    found = msgspec.convert(_cleaned(msgspec.to_builtins(answer), pattern), Answer)
    calls = tuple(
        msgspec.structs.replace(each, arguments=each.arguments[:MAX_TEXT])
        for each in found.tool_calls
    )
    why, text = found.why[:MAX_WHY], found.text[:MAX_TEXT]
    return msgspec.structs.replace(found, why=why, text=text, tool_calls=calls)


def plain(text: str) -> str:
    """Return a text that can be written: halves of surrogate pairs are replaced."""
    return text.encode("utf-8", "replace").decode()


def _written(key: str) -> re.Pattern[str]:
    """Return the pattern of a key, each of whose characters may be escaped."""
    return re.compile("".join(rf"(?:\\?{re.escape(each)}|\\u(?i:{ord(each):04x}))" for each in key))


def _cleaned(value: Any, key: re.Pattern[str] | None) -> Any:
    if isinstance(value, str):
        return plain(value) if key is None else key.sub(_HIDDEN, plain(value))
    if isinstance(value, list | tuple):
        return [_cleaned(each, key) for each in value]
    if isinstance(value, dict):
        return {name: _cleaned(each, key) for name, each in value.items()}
    return value
