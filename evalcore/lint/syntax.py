"""Find what strict JSON forbids or leaves undefined, each with its place.

A fast test clears almost every file; only suspicious ones are read token by token. Both are linear
in the size of the file, and neither recurses.
"""

import json
import math
import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from evalcore.problems import pointer

MAX_DEPTH: Final = 100
MAX_SAFE: Final = 2**53
MAX_FINDINGS: Final = 20
"""How many cases of one file are named; a file with more is mended in rounds."""

MAX_BYTES: Final = 16 * 1024 * 1024
MAX_TOKENS: Final = 400_000
"""What lies beyond in one file is not looked at, which is said."""

_STRING: Final = r'"(?:[^"\\]++|\\.)*+"'
_TOKEN: Final = re.compile(_STRING + r'|[{}\[\],]|[^\s{}\[\]:,"]++', re.DOTALL)
_BRACKET: Final = re.compile(_STRING + r"|[{}\[\]]", re.DOTALL)
_ODD: Final = re.compile(
    rb"\\u[dD][89a-fA-F]"  # half of a surrogate pair
    rb"|[0-9]{16}"  # perhaps beyond 2^53
    rb"|[eE]\+?[0-9]{3}"  # perhaps beyond the largest float
    rb"|NaN|Infinity"
)
_LONE: Final = re.compile(r"[\ud800-\udfff]")
_WHOLE: Final = re.compile(r"-?[0-9]+")
_FLOAT: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_LONG: Final = 40


class Finding(NamedTuple):
    """One finding: the pointer of the value, and its message."""

    pointer: str
    code: str
    message: str
    hint: str


def findings(data: bytes) -> list[Finding]:
    """Return the findings in the bytes of one valid JSON document, at most `MAX_FINDINGS`."""
    if len(data) > MAX_BYTES:
        return [_not_looked_at("")]
    if not _suspicious(data):
        return []
    text = data.decode("utf-8-sig", "replace")
    return list(islice(_Scan().run(text), MAX_FINDINGS))


def _suspicious(data: bytes) -> bool:
    if _ODD.search(data) or _deep(data):
        return True
    odd_names = False

    def look(pairs: list[tuple[str, object]]) -> None:
        nonlocal odd_names
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names) or not "".join(names).isprintable():
            odd_names = True

    try:
        json.loads(data, object_pairs_hook=look)
    except (ValueError, RecursionError):
        return True
    return odd_names


def _deep(data: bytes) -> bool:
    if data.count(b"{") + data.count(b"[") <= MAX_DEPTH:
        return False
    depth = 0
    for token in _BRACKET.finditer(data.decode("utf-8", "replace")):
        mark = token[0]
        depth += (mark in "{[") - (mark in "}]")
        if depth > MAX_DEPTH:
            return True
    return False


class _Frame:
    """An object or a list being read: its pointer, and the names seen in it."""

    __slots__ = ("at", "names", "wants_name")

    def __init__(self, is_object: bool) -> None:
        self.at: str | int = 0
        self.names: set[str] | None = set() if is_object else None
        self.wants_name = is_object


class _Scan:
    def __init__(self) -> None:
        self.open: list[_Frame] = []

    def run(self, text: str) -> Iterator[Finding]:
        for count, match in enumerate(_TOKEN.finditer(text)):
            if count == MAX_TOKENS:
                yield _not_looked_at(self._place())
                return
            token = match[0]
            if token in ("{", "["):
                self.open.append(_Frame(token == "{"))
                if len(self.open) == MAX_DEPTH + 1:
                    yield self._too_deep()
            elif token in ("}", "]"):
                if self.open:
                    self.open.pop()
            elif token == ",":
                self._next()
            else:
                yield from self._atom(token)

    def _next(self) -> None:
        if not self.open:
            return
        frame = self.open[-1]
        if isinstance(frame.at, int) and frame.names is None:
            frame.at += 1
        frame.wants_name = frame.names is not None

    def _atom(self, token: str) -> Iterator[Finding]:
        frame = self.open[-1] if self.open else None
        if token[0] != '"':
            yield from self._number(token)
        elif frame is not None and frame.wants_name and frame.names is not None:
            yield from self._name(frame, frame.names, _decoded(token))
        elif "\\" in token and _LONE.search(_decoded(token)):
            yield self._found(
                "lone-surrogate",
                "This text contains half of a character, which no program can display.",
                "Write the complete character.",
            )

    def _name(self, frame: _Frame, names: set[str], name: str) -> Iterator[Finding]:
        frame.at, frame.wants_name = name, False
        if name in names:
            yield self._found(
                "duplicate-key",
                f"{shown(name)} appears twice in one object; the last one is read.",
                "Keep one of the two.",
            )
        elif not name.isprintable() and (_LONE.search(name) or any(map(_is_control, name))):
            yield self._found(
                "control-character",
                f"The name {shown(name)} has invisible characters.",
                "Remove them from the name.",
            )
        names.add(name)

    def _number(self, token: str) -> Iterator[Finding]:
        if token in ("NaN", "Infinity", "-Infinity"):
            yield self._found(
                "not-a-number",
                f"{token} is not a JSON value; it is read as missing.",
                "Write null, or leave the field out.",
            )
        elif _WHOLE.fullmatch(token):
            if len(token) > _LONG or abs(int(token)) > MAX_SAFE:
                yield self._found(
                    "inexact-integer",
                    f"{_cut(token)} is larger than 2^53: programs read it as different numbers.",
                    "Write an id as text, and a count in a larger unit.",
                )
        elif _FLOAT.fullmatch(token) and math.isinf(float(token)):
            yield self._found(
                "not-a-number",
                f"{_cut(token)} is too large for a number.",
                "Write a finite number.",
            )

    def _too_deep(self) -> Finding:
        inner = self.open.pop()
        found = self._found(
            "too-deep",
            f"More than {MAX_DEPTH} levels of objects and lists are nested here.",
            "Nest it less deeply.",
        )
        self.open.append(inner)
        return found

    def _found(self, code: str, message: str, hint: str) -> Finding:
        return Finding(self._place(), code, message, hint)

    def _place(self) -> str:
        return pointer(*(frame.at for frame in self.open))


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


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")


def shown(name: str) -> str:
    """Return a name for a message: cut if long, invisible characters as escapes."""
    return json.dumps(_cut(name))


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"
