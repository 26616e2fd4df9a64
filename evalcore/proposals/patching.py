"""Change values inside the text of a JSON document, and leave every other character as it is."""

import json
import re
from collections.abc import Iterator, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

import orjson

Json = Any
Path = tuple[str | int, ...]
"""The keys and indexes that lead to a value; one beyond a list, or a new key, adds to it."""

SEVERAL: Final = 200
"""Above so many differences an object or a list is written anew, for it has become another."""

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_INDENT: Final = re.compile(r"[\[{]\r?\n([ \t]+)")
_ESCAPED: Final = re.compile(r"\\u[0-9a-fA-F]{4}")
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]+")
_DECODER: Final = json.JSONDecoder()


class Difference(NamedTuple):
    """One value that differs; None may also mean absent."""

    path: Path
    before: Json
    after: Json

    @property
    def dotted_path(self) -> str:
        """The readable path: `run_summary.with_skill.pass_rate.mean`."""
        return ".".join(map(str, self.path))


class Style(NamedTuple):
    """The style of a text: one level of indentation (None: all on one line), line end, ASCII."""

    indent: str | None
    newline: str
    ascii: bool


class _Member(NamedTuple):
    """A key (or index) and the position of its value; `space` precedes, `colon` follows a key."""

    key: str | int
    space: str
    colon: str
    start: int
    end: int


NEW: Final = Style("  ", "\n", ascii=False)


def differences(old: Json, new: Json, at: Path = ()) -> Iterator[Difference]:
    """Yield the differences of a value from an older one; keys only in the older one are kept."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in new.items():
            if key not in old:
                yield Difference((*at, key), None, value)
            else:
                yield from differences(old[key], value, (*at, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) <= len(new):
        for index, value in enumerate(new):
            if index >= len(old):
                yield Difference((*at, index), None, value)
            else:
                yield from differences(old[index], value, (*at, index))
    elif old != new or isinstance(old, bool) != isinstance(new, bool):
        yield Difference(at, old, new)


def patched(text: str, found: Sequence[Difference], new: Json) -> str:
    """Return a document's text with the differences to `new` written into it, in its own style."""
    indent = _INDENT.search(text)
    style = Style(
        indent[1] if indent else None,
        "\r\n" if "\r\n" in text else "\n",
        text.isascii() and _ESCAPED.search(text) is not None,
    )
    if len(found) > SEVERAL:
        found = [
            Difference((path[0],), None, new[path[0]])
            for path in dict.fromkeys(each.path[:1] for each in found)
        ]
    for each in found:
        text = _changed(text, each.path, each.after, style)
    return text


def written(value: Json, style: Style = NEW, before: str = "") -> str:
    """Return a value as JSON text; `before` is the indentation of its first line."""
    if style.indent is None:
        return json.dumps(value, ensure_ascii=style.ascii)
    try:
        text = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    except orjson.JSONEncodeError:  # a whole number of more than 64 bits
        text = json.dumps(value, ensure_ascii=False, indent=2)
    if style.indent != NEW.indent:
        unit = style.indent
        text = re.sub(r"(?m)^(?:  )+", lambda found: unit * (len(found[0]) // 2), text)
    if style.ascii:
        text = _FOREIGN.sub(lambda found: json.dumps(found[0])[1:-1], text)
    return text.replace("\n", style.newline + before) if before or "\r" in style.newline else text


def _changed(text: str, path: Path, value: Json, style: Style) -> str:
    """Return a text with one value replaced, or added at the end of its object or list."""
    start = _space(text, 0)
    end = start
    for key in path:
        members = list(_members(text, start))
        member = next((m for m in reversed(members) if m.key == key), None)
        if member is not None:
            start, end = member.start, member.end
            continue
        named = isinstance(key, str)
        if not members:
            value = {key: value} if named else [value]
            end = text.index("}" if named else "]", start) + 1
            break
        last = members[-1]
        before = last.space.rpartition("\n")[2] if "\n" in last.space else ""
        name = f"{json.dumps(key, ensure_ascii=style.ascii)}{last.colon}" if named else ""
        addition = f",{last.space}{name}{written(value, style, before)}"
        return text[: last.end] + addition + text[last.end :]
    line = text[text.rfind("\n", 0, start) + 1 : start]
    before = line[: len(line) - len(line.lstrip(" \t"))]
    return text[:start] + written(value, style, before) + text[end:]


def _members(text: str, start: int) -> Iterator[_Member]:
    """Yield the members of the object or list that begins at `start`."""
    named = text[start] == "{"
    at, index = start + 1, 0
    while True:
        begin = _space(text, at)
        if text[begin] in "}]":
            return
        space, key, colon, value = text[at:begin], index, "", begin
        if named:
            key, end = scanstring(text, begin + 1, True)
            value = _space(text, _space(text, end) + 1)
            colon = text[end:value]
        end = _DECODER.raw_decode(text, value)[1]
        yield _Member(key, space, colon, value, end)
        at, index = _space(text, end), index + 1
        if text[at] != ",":
            return
        at += 1


def _space(text: str, at: int) -> int:
    """Return the first position from `at` on that is not white space."""
    found = _SPACE.match(text, at)
    return at if found is None else found.end()
