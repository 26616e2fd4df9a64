"""Which lines of a text changed, which lines belong together, and what may be folded."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, Literal, NamedTuple

from evalcore.texts.matching import Block, blocks
from evalcore.texts.words import likeness

MAX_LINES: Final = 50_000
MAX_CHARS: Final = 2 * 1024 * 1024
CONTEXT: Final = 3
"""Unchanged lines that stay beside a change."""

_ALIKE: Final = 0.5
_MAX_PAIRS: Final = 900
_MAX_LOOKS: Final = 20_000

Kind = Literal["same", "changed", "other"]


class Row(NamedTuple):
    """A line of A beside a line of B, as positions in `Diff.a` and `Diff.b`; None without one.

    `changed` are two versions of one line, `other` are unrelated lines.
    """

    kind: Kind
    a: int | None
    b: int | None


class Fold(NamedTuple):
    """Unchanged lines to hide: the position of the first on each side, and the number."""

    a: int
    b: int
    size: int


@dataclass(frozen=True, eq=False)
class Diff:
    """Two texts as lines without their ends, and the runs of lines that are the same.

    `newline_a` is how all lines of A end: LF, or CR LF where every one does; `closed_a` says
    whether the last one ends so too. `lines_a` counts what the text has; `a` may hold fewer.
    """

    a: tuple[str, ...]
    b: tuple[str, ...]
    same: tuple[Block, ...]
    newline_a: str
    newline_b: str
    closed_a: bool
    closed_b: bool
    lines_a: int
    lines_b: int
    equal: bool

    @property
    def removed(self) -> int:
        """The number of lines of A that are not in B."""
        return len(self.a) - sum(block.size for block in self.same)

    @property
    def added(self) -> int:
        """The number of lines of B that are not in A."""
        return len(self.b) - sum(block.size for block in self.same)

    @property
    def cut(self) -> bool:
        """Whether one of the texts exceeds the limits of the comparison."""
        return (len(self.a), len(self.b)) != (self.lines_a, self.lines_b)


class _Lines(NamedTuple):
    lines: tuple[str, ...]
    newline: str
    closed: bool
    total: int


def diff(a: str, b: str) -> Diff:
    """Return which lines of two texts differ.

    At most 50,000 lines and 2 MB of each are compared; the line that would go beyond is left out
    with all that follow.
    """
    left, right = _split(a), _split(b)
    known: dict[str, int] = {}
    first, second = (
        [known.setdefault(line, len(known)) for line in side.lines] for side in (left, right)
    )
    same = tuple(blocks(first, second))
    return Diff(
        a=left.lines,
        b=right.lines,
        same=same,
        newline_a=left.newline,
        newline_b=right.newline,
        closed_a=left.closed,
        closed_b=right.closed,
        lines_a=left.total,
        lines_b=right.total,
        equal=a == b,
    )


def rows(found: Diff) -> Iterator[Row]:
    """Yield every line of both sides once, in order, with matching lines in one row."""
    for part in folded(found):
        if isinstance(part, Row):
            yield part
        else:
            yield from (Row("same", part.a + at, part.b + at) for at in range(part.size))


def folded(found: Diff, context: int = CONTEXT) -> Iterator[Row | Fold]:
    """Yield the rows near changes; long unchanged stretches as one `Fold` each."""
    pairing = _Pairing(found)
    a = b = 0
    for block in [*found.same, Block(len(found.a), len(found.b), 0)]:
        yield from pairing.rows(range(a, block.a), range(b, block.b))
        a, b = block.a + block.size, block.b + block.size
        before = context if block.a or block.b else 0
        after = context if a < len(found.a) or b < len(found.b) else 0
        yield from _unchanged(block, before, after)


def _unchanged(block: Block, before: int, after: int) -> Iterator[Row | Fold]:
    inner = block.size - before - after
    if inner < 2:  # to say that one line is left out takes as much room as the line
        before, inner = block.size, 0
    for at in range(min(before, block.size)):
        yield Row("same", block.a + at, block.b + at)
    if inner:
        yield Fold(block.a + before, block.b + before, inner)
        for at in range(block.size - after, block.size):
            yield Row("same", block.a + at, block.b + at)


def _split(text: str) -> _Lines:
    """Split a text at line feeds; at CR LF only if all lines end so."""
    total = text.count("\n") + (not text.endswith("\n") and text != "")
    kept = text if len(text) <= MAX_CHARS else text[: text.rfind("\n", 0, MAX_CHARS) + 1]
    feeds = text.count("\n")
    newline = "\r\n" if feeds and text.count("\r\n") == feeds else "\n"
    lines = kept.split(newline)
    closed = text.endswith(newline)
    if lines[-1] == "":
        lines.pop()
    return _Lines(tuple(lines[:MAX_LINES]), newline, closed, total)


class _Pairing:
    """Pairs changed lines by similarity; after a bounded number of comparisons only by position."""

    def __init__(self, found: Diff) -> None:
        self.found = found
        self.left = _MAX_LOOKS

    def rows(self, a: range, b: range) -> Iterator[Row]:
        """Yield the lines of a changed stretch, with versions of one line in one row."""
        left, right = a.start, b.start
        for i, j in [*self._alike(a, b), (a.stop, b.stop)]:
            for one, other in zip_longest(range(left, i), range(right, j)):
                yield Row("other", one, other)
            if i < a.stop and j < b.stop:
                yield Row("changed", i, j)
            left, right = i + 1, j + 1

    def _alike(self, a: range, b: range) -> list[tuple[int, int]]:
        """Return the pairs of similar lines, in order, with the largest total similarity.

        In a stretch too large for that, only lines at the same position are paired.
        """
        looks = len(a) * len(b)
        if looks <= min(self.left, _MAX_PAIRS):
            self.left -= looks
            return list(_best([[self._worth(i, j) for j in b] for i in a], a.start, b.start))
        pairs = list(zip(a, b, strict=False))[: self.left]
        self.left -= len(pairs)
        return [(i, j) for i, j in pairs if self._worth(i, j)]

    def _worth(self, i: int, j: int) -> float:
        value = likeness(self.found.a[i], self.found.b[j])
        return value if value >= _ALIKE else 0.0


def _best(alike: list[list[float]], a: int, b: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of positions, ascending on both sides, with the largest total similarity."""
    if not alike or not alike[0]:
        return
    high, wide = len(alike), len(alike[0])
    best = [[0.0] * (wide + 1) for _ in range(high + 1)]
    for i in reversed(range(high)):
        for j in reversed(range(wide)):
            paired = alike[i][j] + best[i + 1][j + 1] if alike[i][j] else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    yield from _walked(alike, best, a, b)


def _walked(
    alike: list[list[float]], best: list[list[float]], a: int, b: int
) -> Iterator[tuple[int, int]]:
    i = j = 0
    while i < len(alike) and j < len(alike[0]):
        if alike[i][j] and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            yield a + i, b + j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
