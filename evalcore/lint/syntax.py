"""Find what strict JSON forbids or leaves undefined, each with its place.

`is_plain` clears almost every file at once; the others are read token by token. Both are linear in
the size of the file, and neither recurses.
"""

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

from evalcore.problems import pointer

NOT_A_NUMBER: Final = "not-a-number"
MAX_DEPTH: Final = 100
MAX_SAFE: Final = 2**53
MAX_FINDINGS: Final = 20
"""How many cases of one file are named; a file with more is mended in rounds."""

MAX_BYTES: Final = 16 * 1024 * 1024
MAX_TOKENS: Final = 400_000
"""What lies beyond in one file is not looked at, which is said."""

_STRING: Final = r'"(?:[^"\\]++|\\.)*+"'
_TOKEN: Final = re.compile(_STRING + r'|[{}\[\],]|[^\s{}\[\]:,"]++', re.DOTALL)
_LONE: Final = re.compile(r"[\ud800-\udfff]")
_WHOLE: Final = re.compile(r"-?[0-9]+")
_FLOAT: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_HIDDEN: Final = ("Cc", "Cs", "Zl", "Zp")
"""The categories of characters that cannot be seen: controls, halves, ends of lines."""
_LONG: Final = 40

MAX_NAMES: Final = 4096
"""How many names are remembered as plain; documents of a workspace share a few dozen."""

_plain_names: Final[set[str]] = set()


class Finding(NamedTuple):
    """One finding: the pointer of the value, and its message."""

    pointer: str
    code: str
    message: str
    hint: str


@dataclass(slots=True)
class _Open:
    """An object or a list being read: the name or index it is at, and its names so far."""

    is_object: bool
    wants_name: bool
    at: Any = 0
    names: set[str] = field(default_factory=set)


def findings(data: bytes) -> list[Finding]:
    """Return the findings in the bytes of one valid JSON document, at most `MAX_FINDINGS`."""
    if len(data) > MAX_BYTES:
        return [_not_looked_at("")]
    return list(islice(_scan(data.decode("utf-8-sig", "replace")), MAX_FINDINGS))


def _scan(text: str) -> Iterator[Finding]:
    """Yield the findings in the text of a document, in their order."""
    around: list[_Open] = []

    def found(code: str, message: str, hint: str) -> Finding:
        return Finding(pointer(*(each.at for each in around)), code, message, hint)

    for count, match in enumerate(_TOKEN.finditer(text)):
        token, inner = match[0], around[-1] if around else None
        if count == MAX_TOKENS:
            yield _not_looked_at(pointer(*(each.at for each in around)))
            return
        if token in ("{", "["):
            if len(around) == MAX_DEPTH:
                yield found(
                    "too-deep",
                    f"More than {MAX_DEPTH} levels of objects and lists are nested here.",
                    "Nest it less deeply.",
                )
            around.append(_Open(token == "{", token == "{"))
        elif token in ("}", "]"):
            if around:
                around.pop()
        elif token == ",":
            if inner is not None and inner.is_object:
                inner.wants_name = True
            elif inner is not None:
                inner.at += 1
        elif token in ("NaN", "Infinity", "-Infinity"):
            yield found(
                NOT_A_NUMBER,
                f"{token} is not a JSON value; it is read as missing.",
                "Write null, or leave the field out.",
            )
        elif _WHOLE.fullmatch(token):
            if len(token) > _LONG or abs(int(token)) > MAX_SAFE:
                yield found(
                    "inexact-integer",
                    f"{_cut(token)} is larger than 2^53: programs read it as different numbers.",
                    "Write an id as text, and a count in a larger unit.",
                )
        elif _FLOAT.fullmatch(token) and math.isinf(float(token)):
            yield found(
                NOT_A_NUMBER,
                f"{_cut(token)} is too large for a number.",
                "Write a finite number.",
            )
        elif token[0] != '"':
            continue
        elif inner is not None and inner.wants_name:
            name = _decoded(token)
            inner.at, inner.wants_name = name, False
            if name in inner.names:
                yield found(
                    "duplicate-key",
                    f"{shown(name)} appears twice in one object; the last one is read.",
                    "Keep one of the two.",
                )
            elif any(unicodedata.category(sign) in _HIDDEN for sign in name):
                yield found(
                    "control-character",
                    f"The name {shown(name)} has invisible characters.",
                    "Remove them from the name.",
                )
            inner.names.add(name)
        elif "\\" in token and _LONE.search(_decoded(token)):
            yield found(
                "lone-surrogate",
                "This text contains half of a character, which no program can display.",
                "Write the complete character.",
            )


def is_plain(data: bytes, value: Any) -> bool:
    """Return whether `findings(data)` certainly has nothing to report.

    `value` is the strictly parsed value, so it has no NaN and no half characters.
    """
    names = 0
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is dict:
                if not (item.keys() <= _plain_names or _are_plain(item)):
                    return False
                names += len(item)
                inner.extend(item.values())
            elif kind is list:
                inner.extend(item)
            elif (kind is int or kind is float) and not -MAX_SAFE <= item <= MAX_SAFE:
                return False
        level = inner
        if not level:
            break
    if level:
        return False  # it is too deep
    try:
        compact = msgspec.json.format(data, indent=-1)
    except (ValueError, RecursionError):
        return False
    # Without blanks each name of an object ends in these two bytes. In a text they may stand too,
    # then after a backslash or at its start; the latter only makes the file look suspicious.
    ends = compact.count(b'":')
    return ends == names or ends - compact.count(b'\\":') == names


def _are_plain(names: Iterable[str]) -> bool:
    """Return whether names need no escapes and are visible; cache those that are."""
    for name in names:
        if not name.isprintable() or '"' in name or "\\" in name:
            return False
        if len(_plain_names) < MAX_NAMES:
            _plain_names.add(name)
    return True


def _not_looked_at(at: str) -> Finding:
    what = "From here on the file was" if at else "The file was"
    return Finding(
        at,
        "not-checked",
        f"{what} not checked for repeated names, numbers above 2^53 and similar faults: it is "
        "too large.",
        "Split it.",
    )


def _decoded(token: str) -> str:
    if "\\" not in token:
        return token[1:-1]
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return token[1:-1]


def shown(name: str) -> str:
    """Return a name for a message: cut if long, invisible characters as escapes."""
    return json.dumps(_cut(name))


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"
