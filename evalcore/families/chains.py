"""Chains of records that replace each other, as a graph of their names."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

Links = Mapping[str, Collection[str]]
"""The names that each name replaces, for those that replace any."""


class Linked(NamedTuple):
    """Names that are connected: `heads` are replaced by none of the others."""

    heads: list[str]
    replaced: list[str]


def linked(links: Links) -> Iterator[Linked]:
    """Yield the connected names, in time linear in the number of links.

    Names that replace each other in a circle replace nothing by that: each would be the newer one.
    All of them are heads, except those that a name outside of the circle replaces.
    """
    newer: dict[str, list[str]] = defaultdict(list)
    for name, names in _peeled(links).items():
        for old in names:
            newer[old].append(name)
    circular = _peeled(newer)  # in circles, and on a way from one circle to another
    replaced = set[str]()
    beside: dict[str, list[str]] = defaultdict(list)
    for name, names in links.items():
        for old in names:
            beside[name].append(old)
            beside[old].append(name)
            if name not in circular or old not in circular:
                replaced.add(old)
    seen: set[str] = set()
    for start in beside:
        if start in seen:
            continue
        seen.add(start)
        group = [start]
        for name in group:  # it grows on the way
            new = [other for other in dict.fromkeys(beside[name]) if other not in seen]
            seen.update(new)
            group.extend(new)
        yield Linked(
            [name for name in group if name not in replaced],
            [name for name in group if name in replaced],
        )


def _peeled(links: Links) -> Links:
    """Return the links without those of names that nothing leads to, again until there are none."""
    count = Counter(old for names in links.values() for old in names)
    free = [name for name in links if not count[name]]
    for name in free:  # it grows on the way
        for old in links.get(name, ()):
            count[old] -= 1
            if not count[old]:
                free.append(old)
    gone = set(free)
    return {name: names for name, names in links.items() if name not in gone}
