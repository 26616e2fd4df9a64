"""The relations between records, from their fields and from records that state them."""

from itertools import chain

from evalcore.families.records.shapes import (
    RELATION_NAMES,
    RELATIONS,
    RULES,
    TYPES,
    Key,
)
from evalcore.families.records.store import Record, Store, listed
from evalcore.ids import parse_run_id
from evalcore.problems import quoted
from evalcore.tables.builder import Rows
from evalcore.tables.gathered import Gathered

_Way = tuple[str, str, Key | None, bool]
"""(field, wanted, key, forward): a field that references records of the type `wanted`.

They are the other end of the relation `key`, its targets where it goes `forward`. Without a key it
is no relation, and only checked.
"""

_WAYS: dict[str, list[_Way]] = {
    kind: [
        (field, key[2] if on == key[0] else key[0], key, on == key[0])
        for key, on, field in RULES
        if on == kind
    ]
    for kind in TYPES
}
_WAYS["eval-failure"].append(("affectedCriterionIds", "rubric-criterion", None, True))
_WAYS["prompt-comparison"].append(("benchmarkId", "benchmark", None, True))

_Related = tuple[str | None, str, str | None]
"""(source type, relation, target type), the types as far as they are known."""


class Links:
    """All relations of a store, including dangling ones; `stated` are their rows, in order."""

    def __init__(self, suite: str, rows: Rows) -> None:
        self._targets: dict[Key, dict[str, dict[str, None]]] = {key: {} for key in RELATIONS}
        self._sources: dict[Key, dict[str, str]] = {key: {} for key in RELATIONS}
        names = (
            "source_type", "relation", "target_type", "source_id", "target_id", "found", "origin",
            "source", "pointer",
        )  # fmt: skip
        self.stated = Gathered(rows.tables["relations"], names, suite=suite)

    def add(self, key: Key, source: str, target: str) -> bool:
        """Relate two records; False if they are already related."""
        targets = self._targets[key]
        if source not in targets:
            targets[source] = {target: None}
        elif target not in targets[source]:
            targets[source][target] = None
        else:
            return False
        self._sources[key].setdefault(target, source)
        return True

    def state(
        self,
        related: _Related,
        source: str,
        target: str,
        record: Record,
        at: str,
        origin: str = "field",
        *,
        found: bool,
    ) -> None:
        """Take the row of a relation that a record states at `at`, its ends `found` or not."""
        self.stated.add((*related, source, target, found, origin, record.path, at))

    def targets(self, key: Key, source: str) -> list[str]:
        """Return the targets of a record, in the order stated."""
        return list(self._targets[key].get(source, ()))

    def target(self, key: Key, source: str) -> str | None:
        """Return the first target of a record, or None."""
        return next(iter(self._targets[key].get(source, ())), None)

    def source(self, key: Key, target: str) -> str | None:
        """Return the first source of a record, or None."""
        return self._sources[key].get(target)


def link(store: Store, rows: Rows) -> Links:
    """Collect every relation, and report dangling references."""
    links = Links(store.suite, rows)
    old = (record for record in store.superseded if record.type == "eval-judgment")
    for record in chain(*map(store.all, TYPES), old):
        for field, wanted, key, forward in _WAYS[record.type]:
            value = record.fields.get(field)
            if value is None:
                continue
            # Only a plural field is a list of names.
            if field[-1] == "s" or type(value) is list:
                named = listed(store.node(record), field)
            else:
                name = value if type(value) is str else store.node(record).text(field)
                named = [(name, f"{record.fields_at}/{field}")] if name else []
            for name, at in named:
                found = resolved(store, wanted, name)
                other = name if found is None else found
                source, target = (record.id, other) if forward else (other, record.id)
                if key is not None and links.add(key, source, target):
                    links.state(key, source, target, record, at, found=found is not None)
                if found is None:
                    store.note_missing(record, field, wanted, name, at)
    for record in store.relations:
        node, head = store.node(record), store.head(record)
        ends = node if node.has("sourceId", "targetId") else head
        first, second = ends.text("sourceId"), ends.text("targetId")
        relation = ends.text("relation") or head.text("relation") or ends.text("type")
        if first is None or second is None or relation is None or relation == "relation":
            needs = "needs `sourceId`, `relation` and `targetId`."
            message = f"The relation {quoted(record.id)} {needs}"
            ends.note("error", "not-a-record", message, "Complete it.")
            continue
        # One name may join several pairs of types: those of the records that are here fit best.
        keys = [key for key in RELATIONS if key[1] == relation]
        keys = [key for key in keys if resolved(store, key[0], first)] or keys
        keys = [key for key in keys if resolved(store, key[2], second)] or keys
        key = keys[0] if keys else None
        if key is None:
            known = "is not a known relation between records; it is listed but not used."
            hint = f"The relations are {', '.join(sorted(RELATION_NAMES))}."
            ends.note("info", "unknown-relation", f"{quoted(relation)} {known}", hint)
        joined = []
        for end, of, field in (
            (first, key and key[0], "sourceId"),
            (second, key and key[2], "targetId"),
        ):
            kind = of or next(iter(store.types_with(end)), None)
            found = resolved(store, kind, end) if kind else None
            if found is None:
                store.note_missing(record, field, kind or "record", end, record.at)
            joined.append((kind, found or end, found is not None))
        (source_type, source, is_source), (target_type, target, is_target) = joined
        related = (source_type, relation, target_type)
        is_found = is_source and is_target
        links.state(related, source, target, record, record.at, "record", found=is_found)
        if key is not None:
            links.add(key, source, target)
    return links


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
