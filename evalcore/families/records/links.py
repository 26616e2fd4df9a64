"""The relations between records, from their fields and from records that state them."""

from collections import defaultdict
from collections.abc import Callable
from itertools import chain
from typing import NamedTuple

from evalcore.families.records.shapes import (
    RELATION_NAMES,
    RELATIONS,
    RULES,
    TYPES,
    Key,
    Rule,
    said,
)
from evalcore.families.records.store import Record, Store, missing_reference
from evalcore.families.records.values import listed
from evalcore.ids import parse_run_id
from evalcore.tables.builder import Rows
from evalcore.tables.rows import RelationRow

_RULES = {kind: [rule for rule in RULES if rule.on == kind] for kind in TYPES}
_OTHERS = {
    "eval-failure": (("affectedCriterionIds", "rubric-criterion"),),
    "prompt-comparison": (("benchmarkId", "benchmark"),),
}
"""Fields that name records without being one of the relations."""


class Ends(NamedTuple):
    """The ends of one relation by id, in the order stated; a name that leads nowhere is kept."""

    targets: dict[str, dict[str, None]]
    sources: dict[str, dict[str, None]]


class Links:
    """All relations of a store."""

    def __init__(self) -> None:
        self._ends = {key: Ends(defaultdict(dict), defaultdict(dict)) for key in RELATIONS}

    def add(self, key: Key, source: str, target: str) -> bool:
        """Take in one relation; False when it is known already."""
        ends = self._ends[key]
        if target in ends.targets[source]:
            return False
        ends.targets[source][target] = None
        ends.sources[target][source] = None
        return True

    def targets(self, key: Key, source: str) -> list[str]:
        """Return what a record leads to."""
        return list(self._ends[key].targets.get(source, ()))

    def target(self, key: Key, source: str) -> str | None:
        """Return the first that a record leads to, or None."""
        return next(iter(self._ends[key].targets.get(source, ())), None)

    def sources(self, key: Key, target: str) -> list[str]:
        """Return what leads to a record."""
        return list(self._ends[key].sources.get(target, ()))

    def source(self, key: Key, target: str) -> str | None:
        """Return the first that leads to a record, or None."""
        return next(iter(self._ends[key].sources.get(target, ())), None)


Emit = Callable[[RelationRow], None]


def link(store: Store, rows: Rows) -> Links:
    """Gather every relation, with a row for each, and note the references that lead nowhere."""
    links = Links()
    old = (record for record in store.superseded if record.type == "eval-judgment")
    for record in chain(*map(store.all, TYPES), old):
        for rule in _RULES[record.type]:
            _from_field(store, links, rows.add, record, rule)
        for field, wanted in _OTHERS.get(record.type, ()):
            _check(store, record, field, wanted)
    for record in store.relations:
        _from_record(store, links, rows.add, record)
    return links


def resolved(store: Store, kind: str, name: str) -> str | None:
    """Return the id of the record that a reference means, or None.

    Reviews name a run by its run id, and a criterion with its kind before it.
    """
    found = store.find(kind, name)
    if found is None and kind == "test-run" and "::" in name:
        key = parse_run_id(name)
        found = store.find(kind, key.run) if key and key.suite == store.suite else None
    if found is None and kind == "rubric-criterion" and name.startswith("rubric:"):
        found = store.find(kind, name.removeprefix("rubric:"))
    return None if found is None else found.id


def _from_field(store: Store, links: Links, emit: Emit, record: Record, rule: Rule) -> None:
    """Take in what one field of a record states."""
    if record.fields.get(rule.field) is None:
        return
    wanted = rule.target if rule.holder == "source" else rule.source
    for name, at in _named(store, record, rule.field):
        found = resolved(store, wanted, name)
        other = name if found is None else found
        source, target = (record.id, other) if rule.holder == "source" else (other, record.id)
        if links.add(rule[:3], source, target):
            emit(RelationRow(store.suite, rule.source, source, rule.relation, rule.target, target,
                             "field", found is not None, record.path, at))  # fmt: skip
        if found is None:
            _dangling(store, record, rule.field, wanted, (name, at))


def _named(store: Store, record: Record, field: str) -> list[tuple[str, str]]:
    """Return (id, pointer) of each record that a field names; only a plural field is a list."""
    value = record.fields.get(field)
    if field.endswith("s") or isinstance(value, list):
        return listed(store.node(record), field)
    name = value if type(value) is str else store.node(record).text(field)
    return [(name, f"{record.fields_at}/{field}")] if name else []


def _check(store: Store, record: Record, field: str, wanted: str) -> None:
    if record.fields.get(field) is not None:
        for name, at in _named(store, record, field):
            if resolved(store, wanted, name) is None:
                _dangling(store, record, field, wanted, (name, at))


def _dangling(
    store: Store, record: Record, field: str, wanted: str, named: tuple[str, str]
) -> None:
    name, at = named
    others = store.types_with(name)
    store.note(missing_reference(store.suite, record, field, wanted, name, at, others))


def _from_record(store: Store, links: Links, emit: Emit, record: Record) -> None:
    """Take in a relation that is a record of its own."""
    node = store.node(record)
    ends = node if node.has("sourceId", "targetId") else store.head(record)
    source, target = ends.text("sourceId"), ends.text("targetId")
    relation = ends.text("relation") or store.head(record).text("relation") or ends.text("type")
    if source is None or target is None or relation is None or relation == "relation":
        ends.note("error", "not-a-record", f"The relation {said(record.id)} needs `sourceId`, "
                  "`relation` and `targetId`.", "Complete it.")  # fmt: skip
        return
    key = _key(store, source, relation, target)
    if key is None and relation not in RELATION_NAMES:
        ends.note("info", "unknown-relation", f"{said(relation)} is none of the relations between "
                  "records; it is listed and used nowhere.",
                  f"The relations are {', '.join(sorted(RELATION_NAMES))}.")  # fmt: skip
    source, target = _row(store, emit, record, (source, relation, target), key)
    if key is not None:
        links.add(key, source, target)


def _key(store: Store, source: str, relation: str, target: str) -> Key | None:
    """Return which of the relations is meant: one name may join several pairs of types."""
    named = [key for key in RELATIONS if key[1] == relation]
    fits = [key for key in named if resolved(store, key[0], source)] or named
    best = [key for key in fits if resolved(store, key[2], target)] or fits
    return best[0] if best else None


def _row(
    store: Store, emit: Emit, record: Record, stated: tuple[str, str, str], key: Key | None
) -> tuple[str, str]:
    """Add the row of a stated relation; return the ids that its ends mean."""
    source_type, target_type, ends = None, None, []
    for name, wanted, field in ((stated[0], key and key[0], "sourceId"),
                                (stated[2], key and key[2], "targetId")):  # fmt: skip
        kind = wanted or next(iter(store.types_with(name)), None)
        found = resolved(store, kind, name) if kind else None
        if found is None:
            _dangling(store, record, field, kind or "record", (name, record.at))
        ends.append((kind, found or name, found is not None))
    (source_type, source, here), (target_type, target, there) = ends
    emit(RelationRow(store.suite, source_type, source, stated[1], target_type, target, "record",
                     here and there, record.path, record.at))  # fmt: skip
    return source, target
