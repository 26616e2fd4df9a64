"""What two recordings of the same thing differ in is chance; the rest tells one thing from another.

A recording has texts by channel. Nothing is taken for chance by its looks, but because one of two
repeats of the same thing has it and the other has not.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

Recorded = Mapping[str, Sequence[str]]

_TOKEN: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:\d\d)?|[0-9A-Za-z]+")
_SIGN: Final = "~"
_SIGNS: Final = re.compile(r"[-_+/=]*~(?:[-_+/=.]*~)*[-_+/=]*")
"""Chance may put these anywhere between and around its letters, as in base64."""


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
            {plain(text, chance): text for told in twin for text in told.get(channel, ())}
            for twin in (one, other)
        )
        both = of_one[0] & of_other[0]
        for text in sorted(mine.keys() ^ its.keys()):
            only = [word for word in _TOKEN.findall(text) if word not in both]
            found.append(f"{channel}: {only[:20]} {(mine | its)[text][:300]}")
    return found


def plain(text: str, chance: set[str]) -> str:
    """Return a text with one sign for each stretch of words that are chance."""
    return _SIGNS.sub(_SIGN, _TOKEN.sub(lambda at: _SIGN if at[0] in chance else at[0], text))


def _words(twin: Twin, channel: str) -> tuple[set[str], set[str]]:
    once, again = (
        {word for text in told.get(channel, ()) for word in _TOKEN.findall(text)} for told in twin
    )
    return once, again
