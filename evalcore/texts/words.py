"""Which words of a line changed; a text without spaces between words is compared by character."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from evalcore.texts.matching import blocks

MAX_CHARS: Final = 20_000
"""Characters between what two lines begin and end with alike that are compared word by word."""
MAX_WORD: Final = 200
"""Characters of a word that is kept whole; what is longer is hardly one."""
BUDGET: Final = 60_000
_BEGINNING: Final = 1_000

# Han, Hiragana, Katakana: no spaces between words. A mark stays with the sign that it belongs to.
_SINGLE: Final = (
    "\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_JOINED: Final = "\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef"
# Letters with their marks, in any script; the rest is punctuation, each sign for itself.
_NO_WORD: Final = (
    f"\\s!-/:-@\\[-^`{{-~\u00a1-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2010-\u205f"
    f"\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65{_SINGLE}"
)
_TOKEN: Final = re.compile(f"[{_SINGLE}][{_JOINED}]*|[^{_NO_WORD}]+|\\s+|.", re.DOTALL)
_WORD: Final = re.compile(f"[{_SINGLE}]|[^{_NO_WORD}]+")


class Piece(NamedTuple):
    """A part of a line, and whether it differs from the other line."""

    text: str
    changed: bool


class Words(NamedTuple):
    """The parts of two lines, in order: joined they are the lines.

    `compared` is False if the lines are too long to be compared word by word.
    """

    a: tuple[Piece, ...]
    b: tuple[Piece, ...]
    compared: bool = True


@lru_cache(maxsize=256)
def words(a: str, b: str) -> Words:
    """Return which words of two lines differ."""
    head = _head(a, b)
    most = min(len(a), len(b)) - head
    size = _alike(a[len(a) - most :][::-1], b[len(b) - most :][::-1])
    places = range(size, max(size - MAX_WORD, 0), -1)
    near = (
        at for at in places if _between_words(a, len(a) - at) and _between_words(b, len(b) - at)
    )
    tail = next(near, size if size > MAX_WORD else 0)
    left, right = a[head : len(a) - tail], b[head : len(b) - tail]
    if max(len(left), len(right)) > MAX_CHARS:
        inner = [(left, right, True)]
    else:
        inner = _merged(list(_changes(_TOKEN.findall(left), _TOKEN.findall(right))))
    parts = [(a[:head], a[:head], False), *inner, (a[len(a) - tail :], a[len(a) - tail :], False)]
    compared = max(len(left), len(right)) <= MAX_CHARS
    return Words(_pieces(parts, 0), _pieces(parts, 1), compared)


def most_parts(a: str, b: str) -> int:
    """Return how many parts each of two lines has at most."""
    return 2 * min(len(_TOKEN.findall(a)), len(_TOKEN.findall(b))) + 1


def likeness(a: str, b: str) -> float:
    """Return the share of words that two lines have in common, from 0 to 1, whatever their order.

    Only the beginning of long lines counts.
    """
    left, right = _bag(a[:_BEGINNING]), _bag(b[:_BEGINNING])
    total = sum(left.values()) + sum(right.values())
    if not total:
        return 1.0 if a.strip() == b.strip() else 0.0
    return 2 * sum(min(left[word], right[word]) for word in left.keys() & right.keys()) / total


@lru_cache(maxsize=4096)
def _bag(line: str) -> dict[str, int]:
    bag: dict[str, int] = {}
    for word in _WORD.findall(line):
        bag[word] = bag.get(word, 0) + 1
    return bag


def _head(a: str, b: str) -> int:
    """Return how many characters both begin with, up to the end of a word."""
    size = _alike(a, b)
    places = range(size, max(size - MAX_WORD, 0), -1)
    near = (at for at in places if _between_words(a, at) and _between_words(b, at))
    return next(near, size if size > MAX_WORD else 0)


def _alike(a: str, b: str) -> int:
    """Return the length of the longest common beginning of two texts."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _between_words(text: str, at: int) -> bool:
    return at in (0, len(text)) or len(_TOKEN.findall(text[at - 1 : at + 1])) > 1


def _changes(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield (part of a, part of b, whether they differ) in order."""
    i = j = 0
    for block in [*blocks(a, b, BUDGET), (len(a), len(b), 0)]:
        if i < block[0] or j < block[1]:
            yield "".join(a[i : block[0]]), "".join(b[j : block[1]]), True
        i, j = block[0] + block[2], block[1] + block[2]
        if block[2]:
            same = "".join(a[block[0] : i])
            yield same, same, False


def _merged(parts: list[tuple[str, str, bool]]) -> list[tuple[str, str, bool]]:
    """Merge spaces between two changes into one change."""
    merged: list[tuple[str, str, bool]] = []
    for at, (a, b, changed) in enumerate(parts):
        gap = not changed and 0 < at < len(parts) - 1 and a.isspace()
        if merged and merged[-1][2] and (changed or gap):
            before = merged[-1]
            merged[-1] = (before[0] + a, before[1] + b, True)
        else:
            merged.append((a, b, changed))
    return merged


def _pieces(parts: list[tuple[str, str, bool]], side: int) -> tuple[Piece, ...]:
    """Return the parts of one side, split where only the other side has text."""
    pieces: list[Piece] = []
    apart = True
    for part in parts:
        text, changed = (part[0], part[1])[side], part[2]
        if pieces and text and pieces[-1].changed == changed and not apart:
            pieces[-1] = Piece(pieces[-1].text + text, changed)
        elif text:
            pieces.append(Piece(text, changed))
        if part[0] or part[1]:
            apart = not text
    return tuple(pieces)
