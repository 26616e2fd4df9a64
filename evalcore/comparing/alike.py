"""Match criteria of two lists by wording, as graders reword a criterion from time to time."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from evalcore.texts.meaning import changed_meaning

LIKE: Final = 0.65
"""Share of the shorter wording's letter triples that the other must have to mean the same."""
LIKE_LONGER: Final = 0.85
"""That share where the other is more than twice as long: much is found in a long text."""
LONGEST: Final = 2_000
MOST: Final = 200
"""So many wordings of each list are compared with each other; further ones only literally."""

Match = tuple[int, int]


def paired(
    a: Sequence[str], b: Sequence[str], *, by_position: bool = False, same_meaning: bool = False
) -> list[Match]:
    """Return the pairs of equivalent wordings, as positions in each list, in the order of `b`.

    Equal wordings are paired first, then similar ones, the most similar first. With `by_position`,
    for lists of the same length, the rest is paired by position. With `same_meaning`, similar
    wordings that require different things (`changed_meaning`) are no pair.
    """
    places: dict[str, list[int]] = {}
    for at, words in enumerate(a):
        places.setdefault(words, []).append(at)
    found = [(places[words].pop(0), at) for at, words in enumerate(b) if places.get(words)]
    left_a = sorted(set(range(len(a))) - {at for at, _ in found})
    left_b = sorted(set(range(len(b))) - {at for _, at in found})
    close = _closest(a, b, left_a[:MOST], left_b[:MOST], same_meaning=same_meaning)
    found += close
    if by_position and len(a) == len(b):
        rest_a = [at for at in left_a if at not in {one for one, _ in close}]
        rest_b = [at for at in left_b if at not in {two for _, two in close}]
        found += zip(rest_a, rest_b, strict=True)
    return sorted(found, key=lambda match: match[1])


def likeness(one: str, two: str) -> float:
    """Return the share (0 to 1) of the shorter text's wording that the other text contains."""
    return _shared(_triples(one), _triples(two))


def _closest(
    a: Sequence[str],
    b: Sequence[str],
    left_a: Sequence[int],
    left_b: Sequence[int],
    *,
    same_meaning: bool,
) -> list[Match]:
    if not left_a or not left_b:
        return []
    one, two = ({at: _triples(of[at]) for at in left} for of, left in ((a, left_a), (b, left_b)))
    scored = ((_shared(one[i], two[j]), -i, -j) for i in left_a for j in left_b)
    alike = [item for item in scored if item[0] >= _needed(one[-item[1]], two[-item[2]])]
    if same_meaning:
        alike = [item for item in alike if changed_meaning(a[-item[1]], b[-item[2]]) is None]
    found: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in sorted(alike, reverse=True):
        if -i not in found and -j not in taken:
            found[-i] = -j
            taken.add(-j)
    return list(found.items())


def _needed(one: frozenset[str], two: frozenset[str]) -> float:
    return LIKE_LONGER if max(len(one), len(two)) > 2 * min(len(one), len(two)) else LIKE


@lru_cache(maxsize=2048)
def _triples(text: str) -> frozenset[str]:
    plain = " ".join(text[:LONGEST].casefold().split())
    return frozenset(plain[at : at + 3] for at in range(max(len(plain) - 2, 1)))


def _shared(one: frozenset[str], two: frozenset[str]) -> float:
    return len(one & two) / min(len(one), len(two))
