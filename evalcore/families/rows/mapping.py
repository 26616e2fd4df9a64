"""The mapping beside a table: which of its columns is what, as a document and as it is used."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from evalcore.disk.reader import Json
from evalcore.disk.values import Node, decoded
from evalcore.families.base import SCHEMA, Documents
from evalcore.problems import pointer
from evalcore.shapes import parts
from evalcore.shapes.fields import (
    ANYTHING,
    COUNT,
    FLAG,
    NUMBER,
    RAW,
    TEXT,
    TEXTS,
    Document,
    Either,
    Field,
    ListOf,
    MapOf,
    Shape,
    Text,
    optional,
)

ENDING: Final = ".rows.json"

_PLACE: Final = Either(Shape("Where a value is, or what it is: `is`, `column`, `times`."))
_AMOUNT: Final = Either(NUMBER)
_SAID: Final = Either(FLAG)
"""A column, or one value for all rows."""


def _placed(name: str, column: str, shown: str = parts.RUN, kind: Either = _PLACE) -> Field:
    return optional(name, kind, column, shown)


CRITERION: Final = Shape(
    "One criterion (`name`), or those that a column names (`criterion`; with `name`, one of them).",
    optional("name", Text(blank=False), "criteria.criterion", parts.CRITERIA),
    _placed("criterion", "criteria.criterion", parts.CRITERIA),
    _placed("score", "judgments.score", parts.CRITERIA),
    _placed("passed", "judgments.passed", parts.CRITERIA),
    _placed("low", "criteria.min_score", parts.DEFINED, _AMOUNT),
    _placed("high", "criteria.max_score", parts.DEFINED, _AMOUNT),
    _placed("pass_at", "criteria.pass_at", parts.DEFINED, _AMOUNT),
    optional("words", MapOf(ANYTHING), RAW, parts.DOCUMENT),
    _placed("kind", "criteria.kind", parts.DEFINED),
    _placed("description", "criteria.description", parts.CRITERIA),
    _placed("required", "criteria.required", parts.DEFINED, _SAID),
    _placed("weight", "criteria.weight", parts.DEFINED, _AMOUNT),
    _placed("rationale", "judgments.rationale", parts.CRITERIA),
    _placed("evidence", "judgments.evidence", parts.CRITERIA),
    _placed("judge", "judgments.judge", parts.CRITERIA),
    _placed("judge_type", "judgments.judge_type", parts.CRITERIA),
    _placed("judged_at", "judgments.judged_at", parts.CRITERIA),
    any_of=("name", "criterion"),
)

TABLE: Final = Shape(
    "A table, and the version or configuration that all of its rows are of.",
    Field("file", Text(blank=False), "documents.path", parts.DOCUMENTS),
    optional("version", TEXT, "runs.version", parts.GRID),
    optional("configuration", TEXT, "runs.configuration", parts.GRID),
)

MAPPING: Final = Shape(
    "Which column of a table is what: read in place, so that nothing has to be imported.",
    Field("schema", COUNT, RAW, parts.DOCUMENT, absent=True),
    optional("name", TEXT, "suites.name", parts.OVERVIEW),
    Field("tables", ListOf(Either(TABLE), filled=True), "documents.path", parts.DOCUMENTS),
    optional("only", MapOf(ANYTHING), RAW, parts.DOCUMENT),
    optional("decimal", Text(words=(".", ",")), RAW, parts.DOCUMENT),
    optional("versions", TEXTS, "versions.position", parts.OVERVIEW),
    _placed("case", "runs.case_id", parts.GRID),
    _placed("title", "cases.name", parts.GRID),
    _placed("prompt", "cases.prompt", parts.CASE),
    _placed("expected", "cases.expected", parts.CASE),
    _placed("version", "runs.version", parts.GRID),
    _placed("configuration", "runs.configuration", parts.GRID),
    _placed("run", "runs.run", parts.GRID),
    _placed("output", "runs.outputs", parts.OUTPUTS),
    _placed("status", "runs.status"),
    _placed("error", "notes.text", parts.NOTES),
    _placed("passed", "runs.passed"),
    _placed("score", "runs.score"),
    _placed("max_score", "runs.max_score"),
    _placed("model", "runs.model"),
    _placed("tokens", "runs.tokens"),
    _placed("cost_usd", "runs.cost_usd"),
    _placed("duration_s", "runs.duration_s"),
    _placed("started_at", "runs.started_at"),
    Field("criteria", ListOf(CRITERION), "criteria.criterion", parts.CRITERIA, absent=True),
)

OF_ROWS, OF_CRITERIA = (
    tuple(each.name for each in shape.fields if isinstance(each.type, Either))
    for shape in (MAPPING, CRITERION)
)
"""The fields that say where a value of a row, or of a judgment in it, is found."""

DOCUMENTS: Final = Documents((Document("row_mapping", MAPPING, f"<folder>/<name>{ENDING}"),))

_NOWHERE: Final = object()


@dataclass(frozen=True)
class Place:
    """Where a value is found in each row: a column, a pointer into a cell, or the same in all."""

    at: str
    """The pointer of the mapping that says so."""
    column: str | None = None
    constant: Json = None
    times: float | None = None
    wanted: tuple[Json, ...] = ()
    """Of `only`: the values of the rows that are read."""

    def of(self, row: Mapping[str, Json]) -> tuple[Json, bool]:
        """Return the value in a row, None for an empty cell, and whether there is such a place."""
        if self.column is None:
            return self.constant, True
        value: Any = row.get(self.column, _NOWHERE)
        if value is _NOWHERE and self.column.startswith("/"):
            value = row
            for part in self.column.split("/")[1:]:
                key, value = part.replace("~1", "/").replace("~0", "~"), decoded(value)
                if isinstance(value, dict):
                    value = value.get(key, _NOWHERE)
                elif isinstance(value, list) and key.isdecimal() and int(key[:9]) < len(value):
                    value = value[int(key[:9])]
                else:
                    return None, False
        if value is _NOWHERE:
            return None, False
        return (None if isinstance(value, str) and not value.strip() else value), True

    def scaled(self, number: float | None) -> float | None:
        """Return a number in the unit that is meant, as seconds of milliseconds."""
        return number * self.times if number is not None and self.times is not None else number

    @property
    def pointer(self) -> str:
        """The pointer of the value in its row."""
        column = self.column or ""
        return column if column.startswith("/") else pointer(column)


@dataclass(frozen=True)
class Asked:
    """One criterion, or those that a column names, with where their scores are.

    With both, it is of the rows in which the column has that name. `words` are what a text means:
    a score, or whether it passed.
    """

    name: str | None
    places: Mapping[str, Place]
    words: Mapping[str, float | bool]


@dataclass(frozen=True)
class Table:
    """A table by its path in the workspace, and what all of its rows are of."""

    path: str
    at: str
    version: str | None = None
    configuration: str | None = None


@dataclass(frozen=True)
class Columns:
    """A mapping as it is used."""

    name: str | None = None
    tables: tuple[Table, ...] = ()
    only: Mapping[str, Place] = field(default_factory=dict)
    comma: bool = False
    versions: tuple[str, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict)
    criteria: tuple[Asked, ...] = ()


def columns(doc: Node) -> Columns:
    """Return a mapping as it is used; what cannot be read of it is noted."""
    if not isinstance(doc.value, dict):
        if doc.value is not None:
            doc.type_problem("an object")
        return Columns()
    for name, node in doc.fields():
        if name not in MAPPING.by_name:
            said = f"{name!r} is nothing that a mapping can say; it was not read."
            node.note("warning", "unread-fields", said, f"Known are {', '.join(MAPPING.by_name)}.")
    if doc.get("schema") not in (None, SCHEMA):
        said = f"This mapping is of form {doc.get('schema')!r}; {SCHEMA} is read."
        doc.note("warning", "unknown-schema", said, "Update evalcore.", "schema")
    folder, tables = doc.path.rpartition("/")[0], dict[str, Table]()
    for node in doc.all_items("tables"):
        is_text = isinstance(node.value, str)
        file: Any = node.value if is_text else node.text("file")
        if not file:
            node.type_problem("the name of a file")
        elif file.startswith("/") or {"", ".", ".."} & set(file.split("/")) or "\\" in file:
            said = f"The table {file[:200]!r} is not in the folder of its mapping; it was not read."
            node.note("error", "outside", said, "Put the mapping beside the table.")
        else:
            of = (None, None) if is_text else map(node.text, ("version", "configuration"))
            path = f"{folder}/{file}" if folder else file
            tables.setdefault(path, Table(path, node.at, *of))
    only = {}
    for name, node in doc.fields("only"):
        wanted = node.value if isinstance(node.value, list) else [node.value]
        only[name] = Place(node.at, name, wanted=tuple(wanted))
    asked = []
    for node in doc.items("criteria"):
        called = node.text("name")
        where = dict(_places(node, OF_CRITERIA))
        if not (called or "").strip() and "criterion" not in where:
            said = "This criterion has no name, so it was not read."
            hint = 'Write it as "name", or the column with the names as "criterion".'
            node.note("error", "missing-name", said, hint)
        elif not {"score", "passed"} & where.keys():
            said = "This criterion does not say where its score is, so it was not read."
            node.note("error", "missing-score", said, 'Name its column as "score" or "passed".')
        else:
            words = {}
            for word, each in node.fields("words"):
                if isinstance(each.value, bool | int | float):
                    words[word.strip().casefold()] = each.value
                elif each.value is not None:
                    each.type_problem("a score, true or false")
            asked.append(Asked(called, where, words))
    return Columns(
        doc.text("name"),
        tuple(tables.values()),
        only,
        doc.get("decimal") == ",",
        tuple(text for text, _ in doc.texts("versions")),
        dict(_places(doc, OF_ROWS)),
        tuple(asked),
    )


def _places(node: Node, names: tuple[str, ...]) -> Iterator[tuple[str, Place]]:
    for name in names:
        value, at = node.get(name), node.at + pointer(name)
        if isinstance(value, str):
            yield name, Place(at, value)
        elif isinstance(value, bool | int | float):
            yield name, Place(at, constant=value)
        elif isinstance(value, dict) and {"column", "is"} & value.keys():
            child = node.child(name)
            yield name, Place(at, child.text("column"), value.get("is"), child.number("times"))
        elif value is not None:
            node.wrong(name, "the name of a column")
