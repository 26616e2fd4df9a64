"""The records of one store: without replaced ones, and related to each other."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node, decoded, parse_time
from evalcore.families.base import Plan
from evalcore.families.chains import linked
from evalcore.families.records.shapes import (
    AGENT_RUN,
    FURTHER,
    PROMPT_VERSION,
    RELATION_NAMES,
    RULES,
    SENT,
    TYPES,
    leads_to_run,
    type_of,
)
from evalcore.families.remembering import Said
from evalcore.ids import parse_run_id
from evalcore.problems import Severity, pointer, quoted
from evalcore.shapes.relations import RELATIONS, Relation
from evalcore.tables.builder import Rows, Same, Values
from evalcore.tables.gathered import Gathered
from evalcore.tables.rows import BenchmarkDefinitionRow, BenchmarkRunRow, CriterionRow, RunRow

ENVELOPE: Final = frozenset({"id", "type", "minionTypeId", "fields"})
_EPOCH: Final = datetime.min.replace(tzinfo=UTC)


class Record(Node):
    """The fields of a record, read with checks; `envelope` is all of it, at `top` in its file."""

    __slots__ = ("envelope", "id", "top", "type")

    def __init__(
        self, reader: Reader, suite: str, path: str, top: str, kind: str, whole: dict[str, Any]
    ) -> None:
        fields, name = whole.get("fields"), whole.get("id")
        # The ends of a relation may stand beside its id.
        value, at = (whole, top) if fields is None else (fields, f"{top}/fields")
        super().__init__(reader, path, value, at, suite)
        self.type, self.top, self.envelope = kind, top, whole
        if isinstance(name, int) and not isinstance(name, bool):
            name = str(name)
        own = name if isinstance(name, str) else ""
        self.id = own or path.rpartition("/")[2].rpartition(".")[0] + top

    @property
    def head(self) -> Node:
        """The whole record, read with checks."""
        return Node(self.reader, self.path, self.envelope, self.top, self.suite)

    def title(self) -> str | None:
        """Return the name of the record: its own, else the title beside its fields."""
        return self.text("name") or self.head.text("title")

    def changed_at(self) -> datetime:
        """Return when the record was last written, as far as it says."""
        written = self.envelope.get("updatedAt"), self.envelope.get("createdAt")
        times = map(parse_time, (*written, self.value.get("createdAt")))
        return next(filter(None, times), _EPOCH)

    def replaces(self) -> list[str]:
        """Return the ids that the record says it replaces."""
        value = self.envelope.get("supersedes", self.value.get("supersedes"))
        values = value if isinstance(value, list) else [value]
        return [name for name in values if isinstance(name, str) and name]

    def said(self) -> Said:
        """Return the record as the rows of what is remembered are made of it."""
        author, created = self.head.text("createdBy"), parse_time(self.envelope.get("createdAt"))
        suite, old = self.suite or "", self.replaces()
        return Said(suite, self.id, self, author, created, self.path, self.top, old)


def load(plan: Plan, reader: Reader, rows: Rows) -> list[Record]:
    """Add the documents of a plan, and return their records; what is none is a problem."""
    records: list[Record] = []
    kinds: list[str] = []
    counts: list[int] = []
    for path, kind in plan.files:
        values: Iterable[tuple[str, Json]] = ()
        if path.endswith(".jsonl") and kind != "broken":
            values = ((f"/{index}", value) for index, value in reader.jsonl(path))
        elif kind != "broken" and (whole := reader.json(path)) is not MISSING:
            values = [("", whole)]
            if kind == "records" and isinstance(whole, list):
                values = ((f"/{at}", item) for at, item in enumerate(whole))
        before = len(records)
        for at, value in values:
            of = type_of(value)
            fields = None if of is None else value.get("fields")
            is_bare = of == "relation" and fields is None
            if of is None or not (isinstance(fields, dict) or is_bare):
                message = "This is not a record: it needs `id`, `type` and an object `fields`."
                hint = "Add what is missing, or move it out of the store."
                # An index beside the records, which has none of their fields, is no broken one.
                names = value.keys() if isinstance(value, dict) else set[str]()
                is_other = kind == "record" and ENVELOPE.isdisjoint(names)
                severity: Severity = "warning" if is_other else "error"
                reader.problem(path, at, severity, "not-a-record", message, hint, plan.suite)
                continue
            record = Record(reader, plan.suite, path, at, of, value)
            if value.get("deletedAt"):
                what = f"The {record.type} {quoted(record.id)} is marked as deleted and is ignored."
                reader.problem(path, at, "info", "deleted-record", what, "", plan.suite)
            else:
                records.append(record)
        counts.append(len(records) - before)
        kinds.append(records[before].type if kind == "record" and counts[-1] else kind)
    columns: dict[str, Values] = {"path": [path for path, _ in plan.files], "kind": kinds}
    columns |= {"records": counts, "family": Same(plan.family), "suite": Same(plan.suite)}
    rows.tables["documents"].extend(len(plan.files), columns)
    return records


class Criterion(NamedTuple):
    """A criterion of a rubric; `row` is its row in the cases that the rubric judges."""

    name: str
    record: Record
    row: CriterionRow


class Rubric(NamedTuple):
    """A rubric with the criteria found, in order; `missing` counts the others."""

    threshold: float | None
    criteria: tuple[Criterion, ...]
    missing: int


class Case(NamedTuple):
    """The fields of a test case that runs need; an undefined one has at most an id."""

    id: str | None
    version: str | None = None
    executor: str | None = None
    status: str | None = None
    rubric: Rubric | None = None

    @property
    def counts(self) -> bool:
        """Whether its runs count; those of a draft or deprecated case never do."""
        return self.status in (None, "active")


class Store:
    """The current records by type and id, the superseded ones, and how they are related.

    Beside the ten types, it has the agent-runs from which test-runs follow, versions of prompts,
    decisions on versions, and what was sent to others. What they are read as is kept by id.
    """

    def __init__(self, suite: str, records: Sequence[Record], rows: Rows) -> None:
        """Sort records by type, choose the current ones, and relate them."""
        self.suite = suite
        self.rows = rows
        self.by_type: dict[str, dict[str, Record]] = {
            kind: {} for kind in (*TYPES, AGENT_RUN, *SENT)
        }
        self.prompts: list[Record] = []
        self.superseded: list[Record] = []
        self.criteria: dict[str, Criterion] = {}
        self.rubrics: dict[str, Rubric] = {}
        self.cases: dict[str, Case] = {}
        self.runs: dict[str, RunRow] = {}
        self.benchmarks: dict[str, BenchmarkDefinitionRow] = {}
        self.benchmark_runs: list[BenchmarkRunRow] = []
        self._heads: dict[tuple[str, str], str] = {}  # of superseded records
        self._targets: dict[Relation, dict[str, dict[str, None]]] = {
            relation: {} for relation in RELATIONS
        }
        self._sources: dict[Relation, dict[str, str]] = {relation: {} for relation in RELATIONS}
        names = (
            "source_type", "relation", "target_type", "source_id", "target_id", "found", "origin",
            "source", "pointer",
        )  # fmt: skip
        self.relations = Gathered(rows.tables["relations"], names, suite=suite)
        """The rows of relations, in order."""
        relations = self._sort(records)
        for kind in self.by_type:
            self._follow_chains(kind)
        unknown: dict[str, list[Record]] = defaultdict(list)
        for record in records:
            if record.type not in self.by_type and record.type not in FURTHER:
                unknown[record.type].append(record)
        for kind, found in sorted(unknown.items()):
            message = (
                f"{len(found)} record{'s' if len(found) > 1 else ''} of the unknown type "
                f"{quoted(kind)}: listed as documents, in no table."
            )
            hint = f"The types are {', '.join(TYPES)}."
            found[0].head.note("info", "unknown-type", message, hint)
        self._relate_by_fields()
        for record in relations:
            self._relate_by_record(record)

    def _sort(self, records: Iterable[Record]) -> list[Record]:
        """Keep records by type, the newest of an id; return those that are relations."""
        relations: list[Record] = []
        twice: dict[tuple[str, str], list[Record]] = {}
        for record in records:
            same = self.by_type.get(record.type)
            if record.type == "relation":
                relations.append(record)
            elif record.type == PROMPT_VERSION:
                self.prompts.append(record)  # each is a version, whatever replaces it
            elif same is None or (record.type == AGENT_RUN and not leads_to_run(record.value)):
                continue  # another tool's
            elif (other := same.setdefault(record.id, record)) is not record:
                twice.setdefault((record.type, record.id), [other]).append(record)
        for (kind, name), repeated in twice.items():
            newest = self.by_type[kind][name] = _newest(repeated)
            place = f"{newest.path} at {newest.top}" if newest.top else newest.path
            for record in repeated:
                if record is not newest:
                    message = (
                        f"The {kind} {quoted(name)} is also in {place}, which takes precedence."
                    )
                    hint = "Give each record its own id, or remove the older one."
                    record.head.note("warning", "duplicate-id", message, hint)
        return relations

    def _follow_chains(self, kind: str) -> None:
        """Keep the head of each chain of `supersedes`; several heads are a conflict."""
        records = self.by_type[kind]
        links: dict[str, list[str]] = {}
        for record in records.values():
            for name in record.replaces():
                if name in records and name != record.id:
                    links.setdefault(record.id, []).append(name)
                elif name != record.id:
                    note_missing(record, "supersedes", kind, name, f"{record.top}/supersedes")
        for each in linked(links):
            heads = [records[name] for name in sorted(each.heads)]
            head = _newest(heads)
            others = [record for record in heads if record is not head]
            if others:
                names = ", ".join(quoted(record.id) for record in others[:5])
                message = (
                    f"The {kind} {quoted(head.id)} and {names} replace the same record; the "
                    f"newest, {quoted(head.id)}, counts."
                )
                hint = "Write a record that supersedes all of them."
                head.head.note("warning", "conflict", message, hint, "supersedes")
            for record in (*(records[name] for name in each.replaced), *others):
                del records[record.id]
                self._heads[kind, record.id] = head.id
                self.superseded.append(record)

    def _relate_by_fields(self) -> None:
        """Relate records by their fields, and report dangling references."""
        old = (record for record in self.superseded if record.type == "eval-judgment")
        for record in chain(*map(self.all, TYPES), old):
            for field, wanted, relation in _NAMING[record.type]:
                value = record.value.get(field)
                if value is None:
                    continue
                # Only a plural field is a list of names.
                if field[-1] == "s" or type(value) is list:
                    named = listed(record, field)
                else:
                    name = value if type(value) is str else record.text(field)
                    named = [(name, f"{record.at}/{field}")] if name else []
                for name, at in named:
                    found = self.resolved(wanted, name)
                    ends = record.id, name if found is None else found
                    if relation is not None and relation.source != record.type:
                        ends = ends[::-1]
                    if relation is not None and self.relate(relation, *ends):
                        stated = found is not None, "field", record.path, at
                        self.relations.add((*relation[:3], *ends, *stated))
                    if found is None:
                        note_missing(record, field, wanted, name, at, self.types_with(name))

    def _relate_by_record(self, record: Record) -> None:
        """Relate two records as a record of its own says."""
        head = record.head
        ends = record if record.has("sourceId", "targetId") else head
        first, second = ends.text("sourceId"), ends.text("targetId")
        name = ends.text("relation") or head.text("relation") or ends.text("type")
        if first is None or second is None or name is None or name == "relation":
            needs = "needs `sourceId`, `relation` and `targetId`."
            message = f"The relation {quoted(record.id)} {needs}"
            ends.note("error", "not-a-record", message, "Complete it.")
            return
        # One name may join several pairs of types: those of the records that are here fit best.
        known = [each for each in RELATIONS if each.name == name]
        known = [each for each in known if self.resolved(each.source, first)] or known
        known = [each for each in known if self.resolved(each.target, second)] or known
        types: tuple[str | None, str | None] = (None, None)
        if known:
            types = known[0].source, known[0].target
        else:
            unknown = "is not a known relation between records; it is listed but not used."
            hint = f"The relations are {', '.join(sorted(RELATION_NAMES))}."
            ends.note("info", "unknown-relation", f"{quoted(name)} {unknown}", hint)
        joined = []
        for end, of, field in zip((first, second), types, ("sourceId", "targetId"), strict=True):
            others = self.types_with(end)
            kind = of or next(iter(others), None)
            found = self.resolved(kind, end) if kind else None
            if found is None:
                note_missing(record, field, kind or "record", end, record.top, others)
            joined.append((kind, found or end, found is not None))
        (source_type, source, is_source), (target_type, target, is_target) = joined
        related = source_type, name, target_type, source, target, is_source and is_target
        self.relations.add((*related, "record", record.path, record.top))
        if known:
            self.relate(known[0], source, target)

    def relate(self, relation: Relation, source: str, target: str) -> bool:
        """Relate two records; False if they are already related."""
        targets = self._targets[relation].setdefault(source, {})
        is_new = target not in targets
        targets[target] = None
        self._sources[relation].setdefault(target, source)
        return is_new

    def targets(self, relation: Relation, source: str) -> list[str]:
        """Return the targets of a record, in the order stated."""
        return list(self._targets[relation].get(source, ()))

    def target(self, relation: Relation, source: str) -> str | None:
        """Return the first target of a record, or None."""
        return next(iter(self._targets[relation].get(source, ())), None)

    def source(self, relation: Relation, target: str) -> str | None:
        """Return the first source of a record, or None."""
        return self._sources[relation].get(target)

    def all(self, kind: str) -> Iterator[Record]:
        """Yield the current records of a type."""
        return iter(self.by_type[kind].values())

    def find(self, kind: str, name: object) -> Record | None:
        """Return the current record of an id, also for the id of a record that it replaced."""
        if not isinstance(name, str):
            return None
        records = self.by_type.get(kind, {})
        return records.get(name) or records.get(self._heads.get((kind, name), ""))

    def types_with(self, name: str) -> list[str]:
        """Return the types that have a record of this id."""
        return [kind for kind in TYPES if self.find(kind, name) is not None]

    def resolved(self, kind: str, name: str) -> str | None:
        """Return the id of the referenced record, or None.

        Reviews name a run by its run id, and a criterion with its kind before it.
        """
        if name in self.by_type[kind]:
            return name
        found = self.find(kind, name)
        if found is None and kind == "test-run" and "::" in name:
            key = parse_run_id(name)
            found = self.find(kind, key.run) if key and key.suite == self.suite else None
        if found is None and kind == "rubric-criterion" and name.startswith("rubric:"):
            found = self.find(kind, name.removeprefix("rubric:"))
        return None if found is None else found.id


def _newest(records: Sequence[Record]) -> Record:
    """Return the record that was written last; of several, the last one."""
    return max(reversed(records), key=Record.changed_at)


def note_missing(
    record: Record, field: str, wanted: str, name: str, at: str, others: Sequence[str] = ()
) -> None:
    """Report a dangling reference, and of which other types the record is that has the name."""
    why = f"which is a {' and a '.join(others)}" if others else "which is not in this store"
    message = (
        f"The {record.type} {quoted(record.id)} names the {wanted} {quoted(name)} in "
        f"{quoted(field)}, {why}."
    )
    hint, code = f"Add the {wanted}, or correct the reference.", "dangling-reference"
    record.reader.problem(record.path, at, "warning", code, message, hint, record.suite)


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
