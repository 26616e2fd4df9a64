"""The strict check: where a JSON value is not the document that its shape describes."""

import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from math import isfinite
from sys import float_info
from typing import Any, Final, NamedTuple

from evalcore.problems import pointer
from evalcore.shapes.fields import (
    Anything,
    Choice,
    Constant,
    Document,
    Either,
    Flag,
    ListOf,
    MapOf,
    Number,
    Shape,
    Text,
    Time,
    Type,
)

MAX_FAULTS: Final = 50
ISO_8601: Final = "must be an ISO 8601 date and time, like 2026-02-22T20:00:00Z"
_LONG: Final = 60
_UNICODE: Final = "must be valid Unicode text"

_HALVES: Final = re.compile("[\ud800-\udfff]")
"""Halves of surrogate pairs, which no pointer can have."""

_SCALARS: Final = (Text, Number, Flag, Time, Constant, Anything)

Token = str | int
"""A key or an index of a path into a value."""


class Fault(NamedTuple):
    """One way in which a value is not the document that is described.

    `pointer` (RFC 6901) names a value that is there: for a missing field the object without it.
    """

    pointer: str
    message: str


def faults(kind: Document | Shape, value: object, limit: int = MAX_FAULTS) -> list[Fault]:
    """Say where a JSON value is not what a kind of document or a shape describes.

    Any JSON value is accepted; at most `limit` faults stand in the order of the fields.
    """
    found: list[Fault] = []
    _check(kind.shape if isinstance(kind, Document) else kind, value, [], found)
    return found[:limit]


def _check(kind: Type, value: Any, path: list[Token], found: list[Fault]) -> None:
    """Add the faults of the value that a path leads to; the path is the same afterwards."""
    expected = None
    if isinstance(kind, _SCALARS):  # nearly every value: asked first, as matching takes its time
        expected = _expected(kind, value)
        if expected is not None:
            found.append(_fault(path, expected, value))
        return
    match kind:
        case Shape() if isinstance(value, dict):
            _check_object(kind, value, path, found)
        case ListOf(item, filled) if isinstance(value, list):
            _check_each(item, enumerate(value), path, found)
            if filled and not value:
                at, called = _place(path)
                found.append(Fault(at, f"{called} must have at least one item."))
        case MapOf(item) if isinstance(value, dict):
            _check_each(item, value.items(), path, found)
        case Either(other, serialized):
            is_whole = type(other) is not Number or other.whole
            words, types = _OTHER[type(other)] if is_whole else ("a number", (int, float))
            if type(value) in types:
                _check(other, value, path, found)
            elif not isinstance(value, str):
                either = f"{words}, or {words} as JSON text" if serialized else f"text or {words}"
                expected = f"must be {either}"
            elif serialized and not _holds(value, other):
                expected = f"must be {words} as JSON text"
        case Choice(by, shapes):
            chosen = value.get(by) if isinstance(value, dict) else None
            if isinstance(chosen, str) and chosen in shapes:
                _check_object(shapes[chosen], value, path, found)
            elif isinstance(value, dict) and by not in value:
                found.append(_missing(path, by))
            else:
                expected = f"must be one of {', '.join(shapes)}"
                if isinstance(value, dict):
                    path, value = [*path, by], chosen
        case _:
            expected = "must be a list" if isinstance(kind, ListOf) else "must be an object"
    if expected is not None:
        found.append(_fault(path, expected, value))


def _check_each(
    kind: Type, pairs: Iterable[tuple[Token, Any]], path: list[Token], found: list[Fault]
) -> None:
    for token, each in pairs:
        path.append(token)
        _check(kind, each, path, found)
        path.pop()


def _check_object(
    shape: Shape, value: dict[str, Any], path: list[Token], found: list[Fault]
) -> None:
    before = len(found)
    odd = None if all(map(str.isascii, value)) else next(filter(_HALVES.search, value), None)
    if odd is not None:
        found.append(_fault(path, _UNICODE, odd))
        return
    for field in shape.fields:
        name = field.name
        if name not in value:
            name = next((each for each in field.accepted if each in value), name)
        if name not in value:
            other = next((each for each in field.aliases if value.get(each) is not None), None)
            if other is not None:
                at = _place([*path, other])[0]
                found.append(Fault(at, f"{_quoted(name)} is called {_quoted(other)}."))
            elif not field.absent:
                found.append(_missing(path, name))
        elif not field.null or value[name] is not None:
            path.append(name)
            _check(field.type, value[name], path, found)
            path.pop()
    if shape.others is not None:
        others = [(key, each) for key, each in value.items() if key not in shape.by_name]
        _check_each(shape.others.type, others, path, found)
    needed = shape.any_of
    if needed and len(found) == before and all(value.get(key) is None for key in needed):
        at, called = _place(path)
        message = f"{called} must have {', '.join(needed[:-1])} or {needed[-1]}."
        found.append(Fault(at, message))


def _expected(kind: Type, value: Any) -> str | None:
    """Return what a value without parts must be and is not; None where it is."""
    if isinstance(kind, Text):
        return _expected_text(kind, value)
    if isinstance(kind, Number):
        if type(value) is not int and (kind.whole or type(value) is not float):
            return "must be a whole number" if kind.whole else "must be a number"
        if type(value) is float and not isfinite(value):
            return "must be a finite number"
        if not kind.whole and abs(value) > float_info.max:
            return "must be a number"
        if kind.low is not None and value < kind.low:
            return f"must be {kind.low:g} or more"
        is_above = kind.high is not None and value > kind.high
        return f"must be {kind.high:g} or less" if is_above else None
    if isinstance(kind, Time):
        if not isinstance(value, str):
            return "must be text"
        return None if is_timestamp(value) else ISO_8601
    if isinstance(kind, Flag):
        return None if isinstance(value, bool) else "must be true or false"
    if isinstance(kind, Constant):
        return None if value == kind.value else f"must be {kind.value}"
    return None


def _expected_text(kind: Text, value: Any) -> str | None:
    if not isinstance(value, str):
        return f"must be {_one_of(kind.words)}" if kind.words else "must be text"
    if kind.words:
        if value in kind.words:
            return None
        return _UNICODE if _HALVES.search(value) else f"must be {_one_of(kind.words)}"
    if not kind.blank:
        return None if value.strip() else "must not be blank"
    fits = not kind.pattern or re.fullmatch(kind.pattern, value)
    return None if fits else f"must be {kind.meaning}"


def is_timestamp(text: str) -> bool:
    """Say whether a text is a point in time."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _one_of(words: Sequence[str]) -> str:
    *first, last = map(repr, words)
    return f"{', '.join(first)} or {last}" if first else last


_OTHER: Final[dict[type[Any], tuple[str, tuple[type[Any], ...]]]] = {
    Shape: ("an object", (dict,)),
    ListOf: ("a list", (list,)),
    Number: ("a whole number", (int,)),
}
"""What may stand in place of a text: in words, and as a type of Python."""


def _holds(text: str, kind: Type) -> bool:
    """Say whether a text is JSON of a type."""
    from pydantic_core import from_json  # noqa: PLC0415 - few documents hold such a text

    try:
        value = from_json(text.encode())
    except ValueError:
        return False
    found: list[Fault] = []
    _check(kind, value, [], found)
    return not found


def _fault(path: Sequence[Token], expected: str, value: object) -> Fault:
    at, name = _place(path)
    return Fault(at, f"{name} {expected}, but is {_value_words(value)}.")


def _missing(path: Sequence[Token], name: str) -> Fault:
    return Fault(_place(path)[0], f"{_quoted(name)} is missing.")


def _place(path: Sequence[Token]) -> tuple[str, str]:
    """Return the pointer of the value that a path leads to, and what a sentence calls it."""
    tokens = [token for token in path if isinstance(token, int) or not _HALVES.search(token)]
    if not tokens:
        return "", "The document"
    name = f"Item {tokens[-1]}" if isinstance(tokens[-1], int) else _quoted(tokens[-1])
    return pointer(*tokens), name


def _quoted(text: str, *, plain: bool = True) -> str:
    short = text if len(text) <= _LONG else text[: _LONG - 1] + "…"
    return json.dumps(short, ensure_ascii=plain)


def _value_words(value: object) -> str:
    """A value in a sentence: short ones as they are written, long ones by what they are."""
    if isinstance(value, str):
        return _quoted(value, plain=False).encode("utf-8", "backslashreplace").decode()
    if isinstance(value, int) and abs(value) >= 10**18:
        return "a very large whole number"
    if value is None or isinstance(value, (bool, int, float)):
        return json.dumps(value) if value is None or isinstance(value, bool) else str(value)
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    return "no JSON value"
