"""The current records of one store: without duplicates and superseded ones."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node, parse_time
from evalcore.families.chains import linked
from evalcore.families.records.fields import F, fields_of
from evalcore.families.records.loading import Record
from evalcore.families.records.shapes import (
    AGENT_RUN,
    FURTHER,
    PROMPT_VERSION,
    SENT,
    TYPES,
    leads_to_run,
    quoted,
)
from evalcore.families.remembering import Said
from evalcore.problems import Problem


class Store:
    """The current records by type and id, and the superseded ones.

    Beside the ten types, it has the agent-runs from which test-runs follow, versions of prompts,
    decisions on versions, and what was sent to others.
    """

    def __init__(self, reader: Reader, suite: str) -> None:
        self.reader = reader
        self.suite = suite
        self.by_type: dict[str, dict[str, Record]] = {
            kind: {} for kind in (*TYPES, AGENT_RUN, *SENT)
        }
        self.relations: list[Record] = []
        self.prompts: list[Record] = []
        self.superseded: list[Record] = []
        self._heads: dict[tuple[str, str], str] = {}

    def all(self, kind: str) -> Iterator[Record]:
        """Yield the current records of a type."""
        return iter(self.by_type[kind].values())

    def find(self, kind: str, name: str) -> Record | None:
        """Return the current record of an id, also for the id of a record that it replaced."""
        records = self.by_type.get(kind, {})
        return records.get(name) or records.get(self._heads.get((kind, name), ""))

    def types_with(self, name: str) -> list[str]:
        """Return the types that have a record of this id."""
        return [kind for kind in TYPES if self.find(kind, name) is not None]

    def node(self, record: Record) -> Node:
        """Return the record's fields, to be read with checks."""
        return Node(self.reader, record.path, record.fields, record.fields_at, self.suite)

    def fields(self, record: Record, shape: type[F]) -> F:
        """Return the record's fields by their types."""
        return fields_of(record.fields, shape, lambda: self.node(record))

    def time(self, record: Record, key: str) -> datetime | None:
        """Return the time in a field of a record."""
        time = parse_time(record.fields.get(key))
        return self.node(record).time(key) if time is None else time

    def head(self, record: Record) -> Node:
        """Return the record's envelope, to be read with checks."""
        return Node(self.reader, record.path, record.envelope, record.at, self.suite)

    def said(self, record: Record) -> Said:
        """Return a record as the rows of what is remembered are made of it."""
        head = self.head(record)
        created = parse_time(record.envelope.get("createdAt"))
        author = head.text("createdBy")
        old = _replaced(record)
        node = self.node(record)
        return Said(self.suite, record.id, node, author, created, record.path, record.at, old)

    def note(self, problem: Problem) -> None:
        """Add a problem."""
        self.reader.problems.append(problem)

    def replace(self, old: Record, new: Record) -> None:
        """Replace `old` by `new`."""
        self.by_type[old.type].pop(old.id, None)
        self._heads[old.type, old.id] = new.id
        self.superseded.append(old)


def build(records: Sequence[Record], reader: Reader, suite: str) -> Store:
    """Sort records by type, and choose the current one among duplicates and in chains."""
    store = Store(reader, suite)
    unknown: dict[str, list[Record]] = defaultdict(list)
    twice: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if record.type == "relation":
            store.relations.append(record)
        elif record.type == PROMPT_VERSION:
            store.prompts.append(record)  # each is a version, whatever replaces it
        elif record.type not in store.by_type:
            unknown[record.type].append(record)
        elif record.type == AGENT_RUN and not leads_to_run(record.fields):
            continue  # another tool's
        else:
            same = store.by_type[record.type]
            if (other := same.get(record.id)) is not None:
                twice.setdefault((record.type, record.id), [other]).append(record)
            else:
                same[record.id] = record
    _drop_duplicates(store, twice)
    _follow_chains(store)
    _note_unknown(store, unknown)
    return store


def _note_unknown(store: Store, unknown: dict[str, list[Record]]) -> None:
    for kind, found in sorted(unknown.items()):
        if kind not in FURTHER:
            store.head(found[0]).note(
                "info",
                "unknown-type",
                f"{len(found)} record{'s' if len(found) > 1 else ''} of the unknown type "
                f"{quoted(kind)}: listed as documents, in no table.",
                f"The types are {', '.join(TYPES)}.",
            )


def _drop_duplicates(store: Store, twice: dict[tuple[str, str], list[Record]]) -> None:
    """Keep the newest of several records with one id."""
    for (kind, name), same in twice.items():
        newest = _newest(same)
        store.by_type[kind][name] = newest
        for record in same:
            if record is not newest:
                store.head(record).note(
                    "warning",
                    "duplicate-id",
                    f"The {kind} {quoted(name)} is also in {newest.path}{_place(newest)}, which "
                    "takes precedence.",
                    "Give each record its own id, or remove the older one.",
                )


def _place(record: Record) -> str:
    return f" at {record.at}" if record.at else ""


def _newest(records: Sequence[Record]) -> Record:
    order = sorted(enumerate(records), key=lambda pair: (pair[1].changed_at(), pair[0]))
    return order[-1][1]


def _replaced(record: Record) -> list[str]:
    """Return the ids that a record says it replaces."""
    if "supersedes" not in record.envelope and "supersedes" not in record.fields:
        return []
    value = record.envelope.get("supersedes", record.fields.get("supersedes"))
    values = value if isinstance(value, list) else [value]
    return [name for name in values if isinstance(name, str) and name]


def _follow_chains(store: Store) -> None:
    """Keep the head of each chain of `supersedes`; several heads are a conflict."""
    for kind, records in store.by_type.items():
        links: dict[str, list[str]] = {}
        for record in records.values():
            names = [name for name in _replaced(record) if name != record.id]
            for name in names:
                if name not in records:
                    at = f"{record.at}/supersedes"
                    store.note(missing_reference(store.suite, record, "supersedes", kind, name, at))
            if known := [name for name in names if name in records]:
                links[record.id] = known
        for each in linked(links):
            heads = [records[name] for name in sorted(each.heads)]
            _settle(store, heads, [records[name] for name in each.replaced])


def _settle(store: Store, heads: list[Record], replaced: list[Record]) -> None:
    head = _newest(heads)
    others = [record for record in heads if record is not head]
    if others:
        names = ", ".join(quoted(record.id) for record in others[:5])
        store.head(head).note(
            "warning",
            "conflict",
            f"The {head.type} {quoted(head.id)} and {names} replace the same record; the newest, "
            f"{quoted(head.id)}, counts.",
            "Write a record that supersedes all of them.",
            "supersedes",
        )
    for record in (*replaced, *others):
        store.replace(record, head)


def missing_reference(
    suite: str,
    record: Record,
    field: str,
    wanted: str,
    name: str,
    at: str,
    others: Sequence[str] = (),
) -> Problem:
    """Return the problem of a dangling reference; `at` points to it."""
    why = f"which is a {' and a '.join(others)}" if others else "which is not in this store"
    return Problem(
        record.path,
        at,
        "warning",
        "dangling-reference",
        f"The {record.type} {quoted(record.id)} names the {wanted} {quoted(name)} in "
        f"{quoted(field)}, {why}.",
        f"Add the {wanted}, or correct the reference.",
        suite,
    )
