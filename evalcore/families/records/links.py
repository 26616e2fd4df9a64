"""The relations between records, from their fields and from records that state them."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

from evalcore.families.records.loading import Record
from evalcore.families.records.shapes import (
    RELATION_NAMES,
    RELATIONS,
    RULES,
    TYPES,
    Key,
    quoted,
)
from evalcore.families.records.store import Store, missing_reference
from evalcore.families.records.values import listed
from evalcore.ids import parse_run_id
from evalcore.tables.builder import CHUNK, Rows, Same
from evalcore.tables.rows import RelationRow

_Stated = tuple[Key, str, str, bool, str, str]
"""A relation from a field: its key, source and target, whether both are there, file, pointer."""


class _Way(NamedTuple):
    """A field that references records of the type `wanted`, as the other end of the relation `key`.

    Without `key` it is no relation, and only checked.
    """

    field: str
    wanted: str
    key: Key | None = None
    forward: bool = True


_WAYS = {
    kind: [
        _Way(rule.field, rule.target, rule[:3])
        if rule.holder == "source"
        else _Way(rule.field, rule.source, rule[:3], forward=False)
        for rule in RULES
        if rule.on == kind
    ]
    for kind in TYPES
}
_WAYS["eval-failure"].append(_Way("affectedCriterionIds", "rubric-criterion"))
_WAYS["prompt-comparison"].append(_Way("benchmarkId", "benchmark"))

_Related = str | dict[str, None]
"""The id at the other end of a relation, or several in the order stated: most have only one."""


class _Ends(dict[str, _Related]):
    """A mapping from ids to related ids."""

    def put(self, one: str, other: str) -> bool:
        """Relate two ids; False if they are already related."""
        known = self.get(one)
        if known is None:
            self[one] = other
        elif isinstance(known, str):
            if known == other:
                return False
            self[one] = {known: None, other: None}
        elif other in known:
            return False
        else:
            known[other] = None
        return True

    def all(self, one: str) -> list[str]:
        """Return all ids related to an id."""
        known = self.get(one, {})
        return [known] if isinstance(known, str) else list(known)

    def first(self, one: str) -> str | None:
        """Return the first related id, or None."""
        known = self.get(one)
        return known if known is None or isinstance(known, str) else next(iter(known))


class Links:
    """All relations of a store, including dangling ones."""

    def __init__(self) -> None:
        self._targets = {key: _Ends() for key in RELATIONS}
        self._sources = {key: _Ends() for key in RELATIONS}

    def add(self, key: Key, source: str, target: str) -> bool:
        """Add a relation; False if it is already known."""
        return self._sources[key].put(target, source) and self._targets[key].put(source, target)

    def targets(self, key: Key, source: str) -> list[str]:
        """Return the targets of a record."""
        return self._targets[key].all(source)

    def target(self, key: Key, source: str) -> str | None:
        """Return the first target of a record, or None."""
        return self._targets[key].first(source)

    def sources(self, key: Key, target: str) -> list[str]:
        """Return the sources of a record."""
        return self._sources[key].all(target)

    def source(self, key: Key, target: str) -> str | None:
        """Return the first source of a record, or None."""
        return self._sources[key].first(target)


def link(store: Store, rows: Rows) -> Links:
    """Collect every relation, with a row for each, and report dangling references."""
    links = Links()
    stated: list[_Stated] = []
    old = (record for record in store.superseded if record.type == "eval-judgment")
    for record in chain(*map(store.all, TYPES), old):
        for way in _WAYS[record.type]:
            if record.fields.get(way.field) is not None:
                _from_field(store, links, stated, record, way)
    _add_stated(stated, store.suite, rows)
    for record in store.relations:
        _from_record(store, links, rows.add, record)
    return links


def _add_stated(stated: Sequence[_Stated], suite: str, rows: Rows) -> None:
    for start in range(0, len(stated), CHUNK):
        keys, sources, targets, found, paths, pointers = zip(
            *stated[start : start + CHUNK], strict=True
        )
        rows.tables["relations"].extend(
            len(keys),
            {
                "suite": Same(suite),
                "source_type": [source_type for source_type, _, _ in keys],
                "source_id": sources,
                "relation": [relation for _, relation, _ in keys],
                "target_type": [target_type for _, _, target_type in keys],
                "target_id": targets,
                "origin": Same("field"),
                "found": found,
                "source": paths,
                "pointer": pointers,
            },
        )


def resolved(store: Store, kind: str, name: str) -> str | None:
    """Return the id of the referenced record, or None.

    Reviews name a run by its run id, and a criterion with its kind before it.
    """
    if name in store.by_type[kind]:
        return name
    found = store.find(kind, name)
    if found is None and kind == "test-run" and "::" in name:
        key = parse_run_id(name)
        found = store.find(kind, key.run) if key and key.suite == store.suite else None
    if found is None and kind == "rubric-criterion" and name.startswith("rubric:"):
        found = store.find(kind, name.removeprefix("rubric:"))
    return None if found is None else found.id


def _from_field(
    store: Store, links: Links, stated: list[_Stated], record: Record, way: _Way
) -> None:
    """Add the relations of one field of a record."""
    field, wanted, key, forward = way
    for name, at in _named(store, record, field):
        found = resolved(store, wanted, name)
        other = name if found is None else found
        source, target = (record.id, other) if forward else (other, record.id)
        if key is not None and links.add(key, source, target):
            stated.append((key, source, target, found is not None, record.path, at))
        if found is None:
            _dangling(store, record, field, wanted, (name, at))


def _named(store: Store, record: Record, field: str) -> list[tuple[str, str]]:
    """Return (id, pointer) of each record that a field names; only a plural field is a list."""
    value = record.fields[field]
    if field[-1] == "s" or type(value) is list:
        return listed(store.node(record), field)
    name = value if type(value) is str else store.node(record).text(field)
    return [(name, f"{record.fields_at}/{field}")] if name else []


def _dangling(
    store: Store, record: Record, field: str, wanted: str, named: tuple[str, str]
) -> None:
    name, at = named
    others = store.types_with(name)
    store.note(missing_reference(store.suite, record, field, wanted, name, at, others))


def _from_record(
    store: Store, links: Links, add: Callable[[RelationRow], None], record: Record
) -> None:
    """Add a relation stored as its own record."""
    node = store.node(record)
    ends = node if node.has("sourceId", "targetId") else store.head(record)
    source, target = ends.text("sourceId"), ends.text("targetId")
    relation = ends.text("relation") or store.head(record).text("relation") or ends.text("type")
    if source is None or target is None or relation is None or relation == "relation":
        ends.note(
            "error",
            "not-a-record",
            f"The relation {quoted(record.id)} needs `sourceId`, `relation` and `targetId`.",
            "Complete it.",
        )
        return
    key = _key(store, source, relation, target)
    if key is None and relation not in RELATION_NAMES:
        ends.note(
            "info",
            "unknown-relation",
            f"{quoted(relation)} is not a known relation between records; it is listed but not "
            "used.",
            f"The relations are {', '.join(sorted(RELATION_NAMES))}.",
        )
    source, target = _row(store, add, record, (source, relation, target), key)
    if key is not None:
        links.add(key, source, target)


def _key(store: Store, source: str, relation: str, target: str) -> Key | None:
    """Return the key of a relation, as one name may join several pairs of types."""
    named = [key for key in RELATIONS if key[1] == relation]
    fits = [key for key in named if resolved(store, key[0], source)] or named
    best = [key for key in fits if resolved(store, key[2], target)] or fits
    return best[0] if best else None


def _row(
    store: Store,
    add: Callable[[RelationRow], None],
    record: Record,
    stated: tuple[str, str, str],
    key: Key | None,
) -> tuple[str, str]:
    """Add the row of a stated relation; return the resolved ids of its ends."""
    source_type, target_type, ends = None, None, []
    for name, wanted, field in (
        (stated[0], key and key[0], "sourceId"),
        (stated[2], key and key[2], "targetId"),
    ):
        kind = wanted or next(iter(store.types_with(name)), None)
        found = resolved(store, kind, name) if kind else None
        if found is None:
            _dangling(store, record, field, kind or "record", (name, record.at))
        ends.append((kind, found or name, found is not None))
    (source_type, source, here), (target_type, target, there) = ends
    add(
        RelationRow(
            suite=store.suite,
            source_type=source_type,
            source_id=source,
            relation=stated[1],
            target_type=target_type,
            target_id=target,
            origin="record",
            found=here and there,
            source=record.path,
            pointer=record.at,
        )
    )
    return source, target
