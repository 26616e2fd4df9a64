"""Split long texts and tables into portions, so that pages stay small."""

from functools import lru_cache
from typing import Final, NamedTuple

from evalcore.views.blocks.plain import escaped

MAX_PORTION: Final = 40_000
"""Bytes of a portion as JSON of ASCII characters."""
LONGEST: Final = MAX_PORTION // 12
"""Characters that fit a portion whatever they are: one takes up to twelve bytes."""


class Portion(NamedTuple):
    """A stretch of a text: the number of its first line (from 1), and how many lines the text has.

    What ends with a line break has no further, empty line.
    """

    text: str
    first: int
    lines: int

    @property
    def last(self) -> int:
        """The number of its last line."""
        return min(self.first + self.text.count("\n"), self.lines)

    def holds(self, line: int) -> bool:
        """Return whether a line begins or continues in this portion."""
        return self.first <= line <= self.last


def portions(text: str) -> int:
    """Return how many portions a text has; an empty one has one."""
    return len(_cuts(text))


def portion(text: str, number: int) -> Portion:
    """Return one portion of a text, counted from 1; clamped to the existing ones."""
    cuts = _cuts(text)
    start, end, first = cuts[min(max(number, 1), len(cuts)) - 1]
    return Portion(text[start:end], first, max(text.count("\n") + (not text.endswith("\n")), 1))


def portion_with(text: str, words: str) -> int | None:
    """Return the number of the first portion that holds some words, in whatever case."""
    sought = words.lower()
    numbered = enumerate(_cuts(text), 1)
    return next((at for at, (a, b, _) in numbered if sought in text[a:b].lower()), None)


def rows_within(rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Return the first rows of a table, as many as a portion holds; its head always."""
    left, kept = MAX_PORTION, 0
    for row in rows:
        left -= sum(map(escaped, row))
        if left < 0:
            break
        kept += 1
    return rows[: max(kept, 1)]


@lru_cache(maxsize=4)
def _cuts(text: str) -> tuple[tuple[int, int, int], ...]:
    """Return the portions as (start, end, number of the first line): whole lines where they fit."""
    cuts: list[tuple[int, int, int]] = []
    begun = at = used = 0
    number = first = 1
    for whole in text.split("\n"):
        size = escaped(whole)
        if at > begun and used + size > MAX_PORTION:
            cuts.append((begun, at - 1, first))
            begun, used, first = at, 0, number
        while size > MAX_PORTION:  # a line that is longer than a portion
            cuts.append((begun, begun + LONGEST, number))
            # What is left is not measured again with each cut; the two are quotation marks.
            size -= escaped(text[begun : begun + LONGEST]) - 2
            begun, used, first = begun + LONGEST, 0, number
        used += size
        at += len(whole) + 1
        number += 1
    return (*cuts, (begun, len(text), first))
