"""The criteria that both sides were judged by, and those that differ, case by case."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from evalcore.comparing.alike import LIKE, likeness, paired
from evalcore.comparing.criteria_sets import CriteriaSet, criteria_sets, words_of
from evalcore.comparing.definitions import Key, redefined
from evalcore.comparing.memo import memoize_per_pair
from evalcore.comparing.model import CriterionDifference, OtherCriterion, Side
from evalcore.texts.meaning import Difference, changed_meaning

_WHY: Final[dict[Difference, CriterionDifference]] = {
    "number": "other number",
    "negation": "other sense",
    "quantifier": "other quantity",
    "qualifier": "other qualifier",
}


class Match(NamedTuple):
    """The criteria of one case: on each side those that both have, and what differs."""

    a: frozenset[Key]
    b: frozenset[Key]
    other: tuple[OtherCriterion, ...]

    @property
    def shared(self) -> int:
        """How many criteria both sides have."""
        return len(self.a)


class Matches(NamedTuple):
    """The cases whose criteria differ, and of how many cases both sides' criteria are known.

    `asked` counts the criteria of the known cases by case; of a differing one all of both sides.
    """

    differing: Mapping[str, Match]
    asked: Mapping[str, int]


class _Lists(NamedTuple):
    """The criteria of one kind on both sides of one case, and the pairs of equivalent ones."""

    kind: str
    a: Sequence[str]
    b: Sequence[str]
    pairs: Sequence[tuple[int, int]]


@memoize_per_pair
def shared_criteria(a: Side, b: Side, cases: tuple[str, ...]) -> Matches:
    """Return how the criteria of two sides match in some cases.

    Only kinds that both sides judged are matched, as a run stopped by its gate has no rubric. A
    similar wording is the same criterion, unless `changed_meaning` finds that it requires something
    else; within one version any other wording is, if there are equally many. Between two suites or
    workspaces shared criteria must have the same definition, and so must those of the skills saved
    with two versions.
    """
    one, two = (criteria_sets(side.ws, side.suite, side.column) for side in (a, b))
    known = [case for case in cases if case in one and case in two]
    other_definitions = redefined(a, b, known)
    differing: dict[str, Match] = {}
    asked = {case: _size(one[case], two[case]) for case in known}
    for case in known:
        changed = other_definitions.get(case, {})
        if not changed and _same(one[case], two[case]):
            continue
        first: set[Key] = set()
        second: set[Key] = set()
        other: list[OtherCriterion] = []
        for each in _lists(a, b, one[case], two[case]):
            for i, j in each.pairs:
                keys = (each.kind, each.a[i]), (each.kind, each.b[j])
                if keys[0] in changed:
                    words = changed[keys[0]]
                    other.append(OtherCriterion(case, each.kind, *words, _why(*words)))
                else:
                    first.add(keys[0])
                    second.add(keys[1])
            other += _unpaired(case, each)
        match = Match(frozenset(first), frozenset(second), tuple(other))
        if match.other or not match.a:
            differing[case] = match
            asked[case] = match.shared + len(match.other)
    return Matches(differing, asked)


def _size(a: Mapping[str, CriteriaSet], b: Mapping[str, CriteriaSet]) -> int:
    return sum(a[kind].size for kind in a.keys() & b.keys())


def _same(a: Mapping[str, CriteriaSet], b: Mapping[str, CriteriaSet]) -> bool:
    both = a.keys() & b.keys()
    return bool(both) and all(a[kind].mark == b[kind].mark for kind in both)


def _lists(
    a: Side, b: Side, one: Mapping[str, CriteriaSet], two: Mapping[str, CriteriaSet]
) -> Iterator[_Lists]:
    alone = a.ws is b.ws and a.suite == b.suite and a.column.version == b.column.version
    for kind in sorted(one.keys() & two.keys()):
        first = words_of(a.ws, one[kind].run, kind)
        if one[kind].mark == two[kind].mark:
            yield _Lists(kind, first, first, [(at, at) for at in range(len(first))])
            continue
        second = words_of(b.ws, two[kind].run, kind)
        pairs = paired(first, second, by_position=alone, same_meaning=True)
        yield _Lists(kind, first, second, [pair for pair in pairs if _equal(first, second, *pair)])


def _equal(a: Sequence[str], b: Sequence[str], i: int, j: int) -> bool:
    """Return whether a pair, perhaps by position, is not one wording with another meaning."""
    return changed_meaning(a[i], b[j]) is None or likeness(a[i], b[j]) < LIKE


def _unpaired(case: str, lists: _Lists) -> Iterator[OtherCriterion]:
    """Yield the criteria of one side only; similar ones that require different things together."""
    left_a = [word for at, word in enumerate(lists.a) if at not in {i for i, _ in lists.pairs}]
    left_b = [word for at, word in enumerate(lists.b) if at not in {j for _, j in lists.pairs}]
    similar = paired(left_a, left_b)
    for i, j in similar:
        yield OtherCriterion(case, lists.kind, left_a[i], left_b[j], _why(left_a[i], left_b[j]))
    for at, word in enumerate(left_a):
        if at not in {i for i, _ in similar}:
            yield OtherCriterion(case, lists.kind, word, None, "only in A")
    for at, word in enumerate(left_b):
        if at not in {j for _, j in similar}:
            yield OtherCriterion(case, lists.kind, None, word, "only in B")


def _why(one: str, two: str) -> CriterionDifference:
    difference = changed_meaning(one, two)
    return _WHY[difference] if difference else "other definition"
