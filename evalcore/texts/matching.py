"""Find common subsequences of two sequences within a bounded amount of work.

Items that occur exactly once on both sides are anchors (Bram Cohen's patience diff); between them
`difflib.SequenceMatcher` searches the longest runs. A search costs a step for each pair of equal
items, and every run found starts two more searches. Steps are therefore counted, the most frequent
items start no run if that would take too many, and the search ends when the budget is used up.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import Match, SequenceMatcher
from operator import itemgetter
from typing import Final, NamedTuple

BUDGET: Final = 400_000
"""Steps of all searches together, a tenth of a second or two."""
_SEARCHES: Final = 8
"""So many searches of a whole stretch are affordable at least."""


class Block(NamedTuple):
    """A run of equal items: it begins at `a` and at `b`, and has `size` items."""

    a: int
    b: int
    size: int


def blocks(a: Sequence[Hashable], b: Sequence[Hashable], budget: int = BUDGET) -> list[Block]:
    """Return runs of equal items in order, with adjacent ones joined; deterministic."""
    matcher = _Matcher(a, b, budget)
    return list(_joined(matcher.between(0, len(a), 0, len(b), anchor=True)))


class _Matcher:
    def __init__(self, a: Sequence[Hashable], b: Sequence[Hashable], budget: int) -> None:
        self.a = a
        self.b = b
        self.left = budget

    def between(self, a: int, a_end: int, b: int, b_end: int, *, anchor: bool) -> Iterator[Block]:
        """Yield the common runs of two stretches: their ends first, then the middle."""
        head = _common(self.a, self.b, a, b, min(a_end - a, b_end - b))
        if head:
            yield Block(a, b, head)
        a, b = a + head, b + head
        tail = self._tail(a, a_end, b, b_end)
        a_stop, b_stop = a_end - tail, b_end - tail
        if a < a_stop and b < b_stop:
            find = self._anchored if anchor else self._searched
            yield from find(a, a_stop, b, b_stop)
        if tail:
            yield Block(a_stop, b_stop, tail)

    def _tail(self, a: int, a_end: int, b: int, b_end: int) -> int:
        size = 0
        most = min(a_end - a, b_end - b)
        while size < most and self.a[a_end - size - 1] == self.b[b_end - size - 1]:
            size += 1
        return size

    def _anchored(self, a: int, a_end: int, b: int, b_end: int) -> Iterator[Block]:
        """Yield the anchors, and the runs between them."""
        for i, j in _once(self.a[a:a_end], self.b[b:b_end], a, b):
            if i < a or j < b:
                continue  # the run after the anchor before took it in
            yield from self.between(a, i + 1, b, j + 1, anchor=False)
            a, b = i + 1, j + 1
        yield from self.between(a, a_end, b, b_end, anchor=False)

    def _searched(self, a: int, a_end: int, b: int, b_end: int) -> Iterator[Block]:
        left, right = self.a[a:a_end], self.b[b:b_end]
        common, pairs = _rare(left, right, self.left // _SEARCHES)
        if not common:
            return
        search = _Search(left, right, common, self.left, 1 + pairs // len(left))
        for i, j, size in search.get_matching_blocks():
            if size:
                yield Block(a + i, b + j, size)
        self.left = search.left


class _Search(SequenceMatcher[Hashable]):
    """Finds the longest runs first, until its budget is used up."""

    def __init__(
        self,
        a: Sequence[Hashable],
        b: Sequence[Hashable],
        common: set[Hashable],
        left: int,
        each: int,
    ) -> None:
        super().__init__(lambda item: item not in common, a, b, autojunk=False)
        self.left = left
        self._size = len(a)
        self._each = each

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        """Return the longest run within the bounds, or none if the budget is used up."""
        if self.left <= 0:
            return Match(alo, blo, 0)
        end = self._size if ahi is None else ahi
        self.left -= (end - alo) * self._each
        return super().find_longest_match(alo, end, blo, bhi)


def _rare(
    left: Sequence[Hashable], right: Sequence[Hashable], most: int
) -> tuple[set[Hashable], int]:
    """Return the common items, the rarest first, that make at most so many pairs; and how many."""
    in_left, in_right = Counter(left), Counter(right)
    chosen: set[Hashable] = set()
    pairs = 0
    shared = in_left.keys() & in_right.keys()
    for amount, item in sorted(
        ((in_left[item] * in_right[item], item) for item in shared), key=itemgetter(0)
    ):
        if pairs + amount > most:
            break
        chosen.add(item)
        pairs += amount
    return chosen, pairs


def _common(a: Sequence[Hashable], b: Sequence[Hashable], i: int, j: int, most: int) -> int:
    size = 0
    while size < most and a[i + size] == b[j + size]:
        size += 1
    return size


def _once(
    left: Sequence[Hashable], right: Sequence[Hashable], a: int, b: int
) -> list[tuple[int, int]]:
    """Return the positions of items unique on both sides: the longest common ascending series."""
    in_left, in_right = Counter(left), Counter(right)
    place = {item: at for at, item in enumerate(right) if in_right[item] == 1}
    pairs = [
        (at, place[item]) for at, item in enumerate(left) if in_left[item] == 1 and item in place
    ]
    ends: list[int] = []  # the smallest last place of a rising series of each length
    last: list[int] = []  # which pair that is
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        ends[length : length + 1] = [j]
        last[length : length + 1] = [number]
        before.append(last[length - 1] if length else -1)
    series = []
    number = last[-1] if last else -1
    while number >= 0:
        series.append((pairs[number][0] + a, pairs[number][1] + b))
        number = before[number]
    return series[::-1]


def _joined(found: Iterator[Block]) -> Iterator[Block]:
    """Join runs that are adjacent on both sides."""
    held: Block | None = None
    for block in found:
        if held and held.a + held.size == block.a and held.b + held.size == block.b:
            held = held._replace(size=held.size + block.size)
            continue
        if held:
            yield held
        held = block
    if held:
        yield held
