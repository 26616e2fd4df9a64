"""The chain of a record: what it came from and what it led to, up to two steps away."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from evalcore.chains.records import Records, SuiteRecords
from evalcore.chains.relations import Relation
from evalcore.chains.steps import THROUGH, relations_from, step
from evalcore.counting.coded import Numbers
from evalcore.counting.memo import memoize_per_workspace
from evalcore.workspace.opened import Workspace


class Link(NamedTuple):
    """Records at the other end of a relation, and those that are one step further away."""

    relation: Relation
    records: Records
    further: tuple["Link", ...] = ()


class Chain(NamedTuple):
    """What a record of a suite came from, and what it led to; no record is named twice."""

    suite: str
    record: Records
    came_from: tuple[Link, ...]
    led_to: tuple[Link, ...]


class _Named:
    """The records that a chain names already."""

    def __init__(self, of: SuiteRecords, first: Records) -> None:
        self._of = of
        self._rows: dict[str, Numbers] = {}
        self._names: set[tuple[str, str]] = set()
        self.new(first)

    def new(self, records: Records) -> Records:
        """Return those of some records that are not named yet; from now on they are."""
        kind, rows = records.type, records.rows
        known = self._rows.get(kind)
        if known is not None:
            rows = rows[~np.isin(rows, known)]
        names, missing = (
            tuple(name for name in some if (kind, name) not in self._names)
            for some in (records.names, records.missing)
        )
        self._rows[kind] = rows if known is None else np.concatenate([known, rows])
        self._names.update((kind, name) for name in (*names, *missing))
        return Records(kind, rows, names, missing)


@memoize_per_workspace
def chain(ws: Workspace, suite: str, kind: str, name: str) -> Chain:
    """Return the chain of the record of a type with an id; of a run also by its run id.

    A record that is not in the tables has the links that others state.
    """
    of = SuiteRecords(ws, suite)
    return chain_of(of, of.named(kind, name))


def chain_of(of: SuiteRecords, record: Records) -> Chain:
    """Return the chain of a record."""
    named = _Named(of, record)
    ways = {later: list(_links(of, record, later, named, True)) for later in (False, True)}
    came, led = (
        tuple(
            link._replace(further=tuple(_further(of, link, later, named))) for link in ways[later]
        )
        for later in (False, True)
    )
    return Chain(of.suite, record, came, led)


def _further(of: SuiteRecords, link: Link, later: bool, named: _Named) -> Iterator[Link]:
    """Yield the second step; of records that are reached by a third one there is none."""
    if link.relation not in THROUGH:
        yield from _links(of, link.records, later, named, False)


def _links(
    of: SuiteRecords, records: Records, later: bool, named: _Named, through: bool
) -> Iterator[Link]:
    for relation in relations_from(of, records.type, later, through):
        found = named.new(step(of, relation, records, later))
        if found.total:
            yield Link(relation, found)
