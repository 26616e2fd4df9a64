"""Find the stores of a workspace, and load the records of one: without replaced ones, related."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Final

import msgspec

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node, decoded, parse_time
from evalcore.families.base import (
    REVIEWS,
    RULES_FILE,
    SCHEMA,
    ClaimedFile,
    Loose,
    Plan,
    is_review,
    suite_id,
)
from evalcore.families.chains import linked
from evalcore.families.records.shapes import (
    AGENT_RUN,
    CONTAINERS,
    FURTHER,
    PROMPT_VERSION,
    RELATION_NAMES,
    RULES,
    SENT,
    SHARDS,
    TYPE_FOLDERS,
    TYPES,
    is_envelope,
    is_known,
    leads_to_run,
    type_of,
)
from evalcore.families.remembering import Said
from evalcore.ids import parse_run_id
from evalcore.problems import Problem, Severity, pointer, quoted
from evalcore.shapes.relations import RELATIONS, Relation
from evalcore.tables.builder import Rows, Same
from evalcore.tables.gathered import Gathered

ENVELOPE: Final = frozenset({"id", "type", "minionTypeId", "fields"})

_EPOCH = datetime.min.replace(tzinfo=UTC)
_SHARD: Final = re.compile(rf"(?:^|/){re.escape(SHARDS)}/[^/]{{2}}/[^/]{{2}}$")


def store_root(folder: str) -> str:
    """Return the root of the store that records in `folder` belong to, above type folders."""
    parts = folder.split("/")
    if SHARDS in parts:
        return "/".join(parts[: parts.index(SHARDS)])
    while parts and parts[-1] in TYPE_FOLDERS:
        parts.pop()
    if parts and parts[-1] in CONTAINERS:
        parts.pop()
    return "/".join(parts)


def placed(path: str) -> tuple[str, str] | None:
    """Return the root of the store of a path in a folder that is named by a type, or in a shard."""
    folder, _, name = path.rpartition("/")
    own = folder.rpartition("/")[2] in TYPE_FOLDERS or _SHARD.search(folder) is not None
    is_record = own and name.endswith(".json") and name != RULES_FILE
    return (store_root(folder), "record") if is_record else None


def find(reader: Reader, loose: Loose) -> list[Plan]:
    """Return one plan for each store; a folder and the same with `-workspace` are one suite.

    Kinds of files: `record` (one), `records` (a list, or JSONL) and `broken` (a file that by its
    place is a record, and whose problem is noted already). An unreadable file is a record where its
    folder contains only records.
    """
    folders: dict[str, list[ClaimedFile]] = defaultdict(list)
    sure = set()  # the folders with known types
    noted = {problem.path for problem in reader.problems if problem.severity == "error"}
    for path in reader.listing.paths:
        folder = path.rpartition("/")[0]
        if path in loose:
            kind, known = None, False
            value = loose[path].value
            if isinstance(value, dict) and value.get("schema") != SCHEMA:
                known = is_known(value)
                plain = is_envelope(value) and ("id" in value or SHARDS in path)
                kind = "record" if known or plain else None
            elif isinstance(value, list) and value:
                known = any(map(is_known, value))
                kind = "records" if known or all(map(is_envelope, value)) else None
            if known:
                sure.add(folder)
        elif SHARDS in folder.split("/"):
            kind = "broken" if path in noted else "record"
        else:
            is_broken = path in noted and folder.rpartition("/")[2] in TYPE_FOLDERS
            kind = "broken" if is_broken else None
        if kind is not None:
            folders[folder].append((path, kind))
    reviews = {folder for folder in folders if is_review(f"{folder}/")}
    roots = {store_root(name) for name in sure - reviews}
    files: dict[str, list[ClaimedFile]] = defaultdict(list)
    for name, found in folders.items():
        if name not in reviews:
            home = _outermost(store_root(name), roots)
            if home is not None:
                files[home].extend(found)
            continue
        # Of a store's `reviews` folder, only records that evalcore did not write.
        parts = name.split("/")
        root = "/".join(parts[: parts.index(REVIEWS)])
        if _outermost(root, roots) == root and "/.tmp/" not in f"{name}/":
            files[root].extend(file for file in found if file[1] != "broken")
    suites: dict[str, list[str]] = defaultdict(list)
    for root in sorted(files):
        suites[suite_id(root)].append(root)
    return [
        Plan(suite, "records", own[0], None, tuple(sorted(chain(*map(files.__getitem__, own)))))
        for suite, own in sorted(suites.items())
    ]


def _outermost(root: str, roots: set[str]) -> str | None:
    """Return the outermost of `roots` that is or contains `root`; None without one."""
    if "" in roots:
        return ""
    end = root.find("/")
    while end != -1:
        if root[:end] in roots:
            return root[:end]
        end = root.find("/", end + 1)
    return root if root in roots else None


class Record(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One record; `at` points to it in its file, `fields_at` to its fields."""

    type: str
    id: str
    fields: dict[str, Any]
    envelope: dict[str, Any]
    path: str
    at: str
    fields_at: str

    def changed_at(self) -> datetime:
        """Return when the record was last written, as far as it says."""
        written = self.envelope.get("updatedAt"), self.envelope.get("createdAt")
        times = map(parse_time, (*written, self.fields.get("createdAt")))
        return next(filter(None, times), _EPOCH)

    def replaces(self) -> list[str]:
        """Return the ids that the record says it replaces."""
        value = self.envelope.get("supersedes", self.fields.get("supersedes"))
        if value is None:
            return []
        values = value if isinstance(value, list) else [value]
        return [name for name in values if isinstance(name, str) and name]


def load(plan: Plan, reader: Reader, rows: Rows) -> list[Record]:
    """Add the documents of a plan, and return their records; what is none is a problem."""
    records: list[Record] = []
    kinds: list[str] = []
    counts: list[int] = []
    for path, kind in plan.files:
        values: list[tuple[str, Json]] = []
        if path.endswith(".jsonl") and kind != "broken":
            values = [(f"/{index}", value) for index, value in reader.jsonl(path)]
        elif kind != "broken" and (whole := reader.json(path)) is not MISSING:
            values = [("", whole)]
            if kind == "records" and isinstance(whole, list):
                values = [(f"/{at}", item) for at, item in enumerate(whole)]
        before = len(records)
        for at, value in values:
            record = _record(value, path, at)
            if record is None:
                message = "This is not a record: it needs `id`, `type` and an object `fields`."
                hint = "Add what is missing, or move it out of the store."
                # An index beside the records, which has none of their fields, is no broken one.
                fields = value.keys() if isinstance(value, dict) else set[str]()
                other = kind == "record" and ENVELOPE.isdisjoint(fields)
                severity: Severity = "warning" if other else "error"
                reader.problem(path, at, severity, "not-a-record", message, hint, plan.suite)
            elif value.get("deletedAt"):
                message = (
                    f"The {record.type} {quoted(record.id)} is marked as deleted and is ignored."
                )
                reader.problem(path, at, "info", "deleted-record", message, "", plan.suite)
            else:
                records.append(record)
        counts.append(len(records) - before)
        kinds.append(records[before].type if kind == "record" and counts[-1] else kind)
    rows.tables["documents"].extend(
        len(plan.files),
        {
            "path": [path for path, _ in plan.files],
            "family": Same(plan.family),
            "kind": kinds,
            "suite": Same(plan.suite),
            "records": counts,
        },
    )
    return records


def _record(value: Json, path: str, at: str) -> Record | None:
    """Return the record of a JSON value, or None; one without id gets one from its path."""
    kind = type_of(value)
    if kind is None:
        return None
    fields, fields_at = value.get("fields"), at + "/fields"
    if not isinstance(fields, dict):
        if kind != "relation" or fields is not None:
            return None
        fields, fields_at = value, at
    name = value.get("id")
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    if not isinstance(name, str) or not name:
        name = path.rpartition("/")[2].rpartition(".")[0] + at
    return Record(kind, name, fields, value, path, at, fields_at)


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
        self.heads: dict[tuple[str, str], str] = {}
        """Type and id of a superseded record to the id of the one that counts."""

    def all(self, kind: str) -> Iterator[Record]:
        """Yield the current records of a type."""
        return iter(self.by_type[kind].values())

    def read(self, kind: str) -> Iterator[tuple[Record, Node]]:
        """Yield the current records of a type with their fields, to be read with checks."""
        for record in self.by_type[kind].values():
            yield record, self.node(record)

    def find(self, kind: str, name: str) -> Record | None:
        """Return the current record of an id, also for the id of a record that it replaced."""
        records = self.by_type.get(kind, {})
        return records.get(name) or records.get(self.heads.get((kind, name), ""))

    def types_with(self, name: str) -> list[str]:
        """Return the types that have a record of this id."""
        return [kind for kind in TYPES if self.find(kind, name) is not None]

    def node(self, record: Record) -> Node:
        """Return the record's fields, to be read with checks."""
        return Node(self.reader, record.path, record.fields, record.fields_at, self.suite)

    def head(self, record: Record) -> Node:
        """Return the record's envelope, to be read with checks."""
        return Node(self.reader, record.path, record.envelope, record.at, self.suite)

    def title(self, record: Record, node: Node) -> str | None:
        """Return the name of a record: its own, else the title of its envelope."""
        return node.text("name") or self.head(record).text("title")

    def said(self, record: Record) -> Said:
        """Return a record as the rows of what is remembered are made of it."""
        author = self.head(record).text("createdBy")
        created = parse_time(record.envelope.get("createdAt"))
        node, old = self.node(record), record.replaces()
        return Said(self.suite, record.id, node, author, created, record.path, record.at, old)

    def note_missing(self, record: Record, field: str, wanted: str, name: str, at: str) -> None:
        """Report a dangling reference, and of which types the record is that has the name."""
        others = self.types_with(name)
        self.reader.problem(*self.missing_reference(record, field, wanted, name, at, others))

    def missing_reference(
        self,
        record: Record,
        field: str,
        wanted: str,
        name: str,
        at: str,
        others: Sequence[str] = (),
    ) -> Problem:
        """Return the problem of a dangling reference; `at` points to it."""
        why = f"which is a {' and a '.join(others)}" if others else "which is not in this store"
        message = (
            f"The {record.type} {quoted(record.id)} names the {wanted} {quoted(name)} in "
            f"{quoted(field)}, {why}."
        )
        hint = f"Add the {wanted}, or correct the reference."
        code = "dangling-reference"
        return Problem(record.path, at, "warning", code, message, hint, self.suite)


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
    for (kind, name), repeated in twice.items():
        newest = store.by_type[kind][name] = _newest(repeated)
        place = f"{newest.path} at {newest.at}" if newest.at else newest.path
        for record in repeated:
            if record is not newest:
                message = f"The {kind} {quoted(name)} is also in {place}, which takes precedence."
                hint = "Give each record its own id, or remove the older one."
                store.head(record).note("warning", "duplicate-id", message, hint)
    for kind in store.by_type:
        _follow_chains(store, kind)
    for kind, found in sorted(unknown.items()):
        if kind not in FURTHER:
            message = (
                f"{len(found)} record{'s' if len(found) > 1 else ''} of the unknown type "
                f"{quoted(kind)}: listed as documents, in no table."
            )
            hint = f"The types are {', '.join(TYPES)}."
            store.head(found[0]).note("info", "unknown-type", message, hint)
    return store


def _newest(records: Sequence[Record]) -> Record:
    """Return the record that was written last; of several, the last one."""
    return max(reversed(records), key=Record.changed_at)


def _follow_chains(store: Store, kind: str) -> None:
    """Keep the head of each chain of `supersedes`; several heads are a conflict."""
    records = store.by_type[kind]
    links: dict[str, list[str]] = {}
    for record in records.values():
        known = []
        for name in record.replaces():
            if name in records and name != record.id:
                known.append(name)
            elif name != record.id:
                at = f"{record.at}/supersedes"
                store.reader.problem(*store.missing_reference(record, "supersedes", kind, name, at))
        if known:
            links[record.id] = known
    for each in linked(links):
        heads = [records[name] for name in sorted(each.heads)]
        head = _newest(heads)
        others = [record for record in heads if record is not head]
        if others:
            names = ", ".join(quoted(record.id) for record in others[:5])
            message = (
                f"The {kind} {quoted(head.id)} and {names} replace the same record; the newest, "
                f"{quoted(head.id)}, counts."
            )
            hint = "Write a record that supersedes all of them."
            store.head(head).note("warning", "conflict", message, hint, "supersedes")
        for record in (*(records[name] for name in each.replaced), *others):
            del records[record.id]
            store.heads[kind, record.id] = head.id
            store.superseded.append(record)


def listed(node: Node, key: str) -> list[tuple[str, str]]:
    """Return (text, pointer) of each name in a list field, which may be written as text.

    The text is JSON, or names separated by commas (reported, as a name may contain a comma).
    """
    value = node.get(key)
    if value is None or value == "":
        return []
    if not isinstance(value, str):
        return node.texts(key)
    at = node.at + pointer(key)
    items = decoded(value)
    if isinstance(items, list):
        if not all(isinstance(item, str) for item in items):
            node.wrong(key, "a list of texts")
        return [(item, at) for item in items if isinstance(item, str)]
    names = [name.strip() for name in value.split(",") if name.strip()]
    if len(names) > 1:
        message = f"{key!r} is a single text; it was read as {len(names)} comma-separated names."
        node.note("info", "list-as-text", message, "Write a list.", key)
    return [(name, at) for name in names]


_NAMING: Final[dict[str, list[tuple[str, str, Relation | None]]]] = {
    kind: [
        (field, relation.target if on == relation.source else relation.source, relation)
        for relation, on, field in RULES
        if on == kind
    ]
    for kind in TYPES
}
"""By type its fields that name records, each with the type of these and the relation to them.

Without a relation the names are only checked.
"""
_NAMING["eval-failure"].append(("affectedCriterionIds", "rubric-criterion", None))
_NAMING["prompt-comparison"].append(("benchmarkId", "benchmark", None))


class Links:
    """All relations of a store, including dangling ones; `stated` are their rows, in order."""

    def __init__(self, suite: str, rows: Rows) -> None:
        self._targets: dict[Relation, dict[str, dict[str, None]]] = {
            relation: {} for relation in RELATIONS
        }
        self._sources: dict[Relation, dict[str, str]] = {relation: {} for relation in RELATIONS}
        names = (
            "source_type", "relation", "target_type", "source_id", "target_id", "found", "origin",
            "source", "pointer",
        )  # fmt: skip
        self.stated = Gathered(rows.tables["relations"], names, suite=suite)

    def add(self, relation: Relation, source: str, target: str) -> bool:
        """Relate two records; False if they are already related."""
        targets = self._targets[relation]
        if source not in targets:
            targets[source] = {target: None}
        elif target not in targets[source]:
            targets[source][target] = None
        else:
            return False
        self._sources[relation].setdefault(target, source)
        return True

    def targets(self, relation: Relation, source: str) -> list[str]:
        """Return the targets of a record, in the order stated."""
        return list(self._targets[relation].get(source, ()))

    def target(self, relation: Relation, source: str) -> str | None:
        """Return the first target of a record, or None."""
        return next(iter(self._targets[relation].get(source, ())), None)

    def source(self, relation: Relation, target: str) -> str | None:
        """Return the first source of a record, or None."""
        return self._sources[relation].get(target)


def link(store: Store, rows: Rows) -> Links:
    """Collect every relation, and report dangling references."""
    links = Links(store.suite, rows)
    old = (record for record in store.superseded if record.type == "eval-judgment")
    for record in chain(*map(store.all, TYPES), old):
        for field, wanted, relation in _NAMING[record.type]:
            forward = relation is None or relation.source == record.type
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
                if relation is not None and links.add(relation, source, target):
                    is_found, path = found is not None, record.path
                    links.stated.add((*relation[:3], source, target, is_found, "field", path, at))
                if found is None:
                    store.note_missing(record, field, wanted, name, at)
    for record in store.relations:
        node, head = store.node(record), store.head(record)
        ends = node if node.has("sourceId", "targetId") else head
        first, second = ends.text("sourceId"), ends.text("targetId")
        name = ends.text("relation") or head.text("relation") or ends.text("type")
        if first is None or second is None or name is None or name == "relation":
            needs = "needs `sourceId`, `relation` and `targetId`."
            message = f"The relation {quoted(record.id)} {needs}"
            ends.note("error", "not-a-record", message, "Complete it.")
            continue
        # One name may join several pairs of types: those of the records that are here fit best.
        known = [each for each in RELATIONS if each.name == name]
        known = [each for each in known if resolved(store, each.source, first)] or known
        known = [each for each in known if resolved(store, each.target, second)] or known
        if not known:
            unknown = "is not a known relation between records; it is listed but not used."
            hint = f"The relations are {', '.join(sorted(RELATION_NAMES))}."
            ends.note("info", "unknown-relation", f"{quoted(name)} {unknown}", hint)
        types: tuple[str | None, str | None] = (None, None)
        if known:
            types = known[0].source, known[0].target
        joined = []
        for end, of, field in zip((first, second), types, ("sourceId", "targetId"), strict=True):
            kind = of or next(iter(store.types_with(end)), None)
            found = resolved(store, kind, end) if kind else None
            if found is None:
                store.note_missing(record, field, kind or "record", end, record.at)
            joined.append((kind, found or end, found is not None))
        (source_type, source, is_source), (target_type, target, is_target) = joined
        related = source_type, name, target_type, source, target, is_source and is_target
        links.stated.add((*related, "record", record.path, record.at))
        if known:
            links.add(known[0], source, target)
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
