"""What two recordings of the same thing differ in is chance; the rest tells one thing from another.

A recording has texts by channel. Nothing is taken for chance by its looks, but because one of two
repeats of the same thing has it and the other has not.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

Recorded = Mapping[str, Sequence[str]]

_TIME: Final = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:\d\d)?"
_UUID: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_TOKEN: Final = re.compile(rf"{_TIME}|{_UUID}|\d\d:\d\d|[0-9A-Za-z]+")
"""A time and a UUID are compared as one word: parts of four digits meet again by chance.

So is a time of day: at 17:17 the minute is no word of its own that the hour has too.
"""
_SIGN: Final = "~"
_SIGNS: Final = re.compile(r"[-_+/=]*~(?:[-_+/=.]*~)*[-_+/=]*")
"""Chance may put these anywhere between and around its letters, as in base64."""


_WORD: Final = re.compile(r"[^\s\"]{0,80}")


class Twin(NamedTuple):
    """Two recordings of one twin."""

    once: Recorded
    again: Recorded


def differences(one: Twin, other: Twin) -> list[str]:
    """Return the entries that only one of two twins has: channel, what only it says, the text.

    How often an entry came is not compared.
    """
    found = []
    for channel in sorted({*one.once, *one.again, *other.once, *other.again}):
        of_one, of_other = (_words(twin, channel) for twin in (one, other))
        chance = (of_one[0] ^ of_one[1]) | (of_other[0] ^ of_other[1])
        mine, its = (
            {plain(text, chance): text for told in twin for text in {*told.get(channel, ())}}
            for twin in (one, other)
        )
        both = of_one[0] & of_other[0]
        for text in sorted(mine.keys() ^ its.keys()):
            if any(_fits(text, known) or _fits(known, text) for known in _other(text, mine, its)):
                continue
            only = [word for word in _TOKEN.findall(text) if word not in both]
            found.append(f"{channel}: {only[:20]} {(mine | its)[text]}")
    return found


def _other(text: str, mine: Mapping[str, str], its: Mapping[str, str]) -> Mapping[str, str]:
    return its if text in mine else mine


def _fits(text: str, known: str) -> bool:
    """Return whether a text is another one but for a word at some signs of chance.

    A minute that ended in one of four recordings is chance in that, and stands as it is in others.
    """
    first, *rest = text.split(_SIGN)
    if not known.startswith(first):
        return False
    at = len(first)
    for part in rest:
        found = known.find(part, at) if part else len(known)
        if found < 0 or not _WORD.fullmatch(known[at:found]):
            return False
        at = found + len(part)
    return at == len(known)


def plain(text: str, chance: set[str]) -> str:
    """Return a text with one sign for each stretch of words that are chance."""
    return _SIGNS.sub(_SIGN, _TOKEN.sub(lambda at: _SIGN if at[0] in chance else at[0], text))


def _words(twin: Twin, channel: str) -> tuple[set[str], set[str]]:
    once, again = (
        {word for text in {*told.get(channel, ())} for word in _TOKEN.findall(text)}
        for told in twin
    )
    return once, again
