"""A fast test that clears almost every document of syntax findings."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from evalcore.lint.syntax import MAX_DEPTH, MAX_SAFE

MAX_NAMES: Final = 4096
"""How many names are remembered as plain; documents of a workspace share a few dozen."""

_plain_names: Final[set[str]] = set()


def is_plain(data: bytes, value: Any) -> bool:
    """Return whether `findings(data)` certainly has nothing to report.

    `value` is the strictly parsed value, so it has no NaN and no half characters.
    """
    names = _names(value)
    if names is None:
        return False
    try:
        compact = msgspec.json.format(data, indent=-1)
    except (ValueError, RecursionError):
        return False
    # Without blanks each name of an object ends in these two bytes. In a text they may stand too,
    # then after a backslash or at its start; the latter only makes the file look suspicious.
    ends = compact.count(b'":')
    return ends == names or ends - compact.count(b'\\":') == names


def _names(value: Any) -> int | None:
    """Return the total number of names in all objects; None if a value or a name is unusual."""
    names = 0
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is dict:
                if not (item.keys() <= _plain_names or _are_plain(item)):
                    return None
                names += len(item)
                inner.extend(item.values())
            elif kind is list:
                inner.extend(item)
            elif (kind is int or kind is float) and not -MAX_SAFE <= item <= MAX_SAFE:
                return None
        if not inner:
            return names
        level = inner
    return None


def _are_plain(names: Iterable[str]) -> bool:
    """Return whether names need no escapes and are visible; cache those that are."""
    for name in names:
        if not name.isprintable() or '"' in name or "\\" in name:
            return False
        if len(_plain_names) < MAX_NAMES:
            _plain_names.add(name)
    return True
