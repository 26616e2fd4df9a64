"""Load the records of one store from its files."""

from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import parse_time
from evalcore.families.base import Plan
from evalcore.families.records.shapes import quoted, type_of

_EPOCH = datetime.min.replace(tzinfo=UTC)


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
        for holder, key in (
            (self.envelope, "updatedAt"),
            (self.envelope, "createdAt"),
            (self.fields, "createdAt"),
        ):
            if (time := parse_time(holder.get(key))) is not None:
                return time
        return _EPOCH


class Loaded(NamedTuple):
    """The records of a plan's files, and each file's kind and number of records."""

    records: list[Record]
    kinds: list[str]
    counts: list[int]


def load(plan: Plan, reader: Reader) -> Loaded:
    """Read every file of a plan; values that are not records are problems."""
    loaded = Loaded([], [], [])
    for path, kind in plan.files:
        before = len(loaded.records)
        for at, value in _values(reader, path, kind):
            record = record_of(value, path, at)
            if record is None:
                _not_a_record(reader, plan.suite, path, at)
            elif value.get("deletedAt"):
                _deleted(reader, plan.suite, record)
            else:
                loaded.records.append(record)
        count = len(loaded.records) - before
        loaded.kinds.append(loaded.records[before].type if kind == "record" and count else kind)
        loaded.counts.append(count)
    return loaded


def _values(reader: Reader, path: str, kind: str) -> list[tuple[str, Json]]:
    """Return (pointer, value) of each record in a file."""
    if kind == "broken":
        return []
    if path.endswith(".jsonl"):
        return [(f"/{index}", value) for index, value in reader.jsonl(path)]
    value = reader.json(path)
    if isinstance(value, list) and kind == "records":
        return [(f"/{index}", item) for index, item in enumerate(value)]
    return [] if value is MISSING else [("", value)]


def record_of(value: Json, path: str, at: str) -> Record | None:
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


def _deleted(reader: Reader, suite: str, record: Record) -> None:
    reader.problem(
        record.path,
        record.at,
        "info",
        "deleted-record",
        f"The {record.type} {quoted(record.id)} is marked as deleted and is ignored.",
        "",
        suite,
    )


def _not_a_record(reader: Reader, suite: str, path: str, at: str) -> None:
    reader.problem(
        path,
        at,
        "error",
        "not-a-record",
        "This is not a record: it needs `id`, `type` and an object `fields`.",
        "Add what is missing, or move it out of the store.",
        suite,
    )
