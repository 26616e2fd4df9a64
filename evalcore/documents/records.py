"""The documents of the `records` family: one JSON file for each record, joined by ids."""

from typing import Any, Generic, Literal, NamedTuple, Self, TypeVar, get_args

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from evalcore.documents.base import Document, SeedModel, Timestamp
from evalcore.documents.record_fields import (
    BenchmarkFields,
    BenchmarkRunFields,
    EvalFailureFields,
    EvalJudgmentFields,
    EvalTrendFields,
    PromptComparisonFields,
    RecordModel,
    RubricCriterionFields,
    RubricFields,
    TestCaseFields,
    TestRunFields,
)

RecordType = Literal[
    "test-case",
    "rubric",
    "rubric-criterion",
    "test-run",
    "eval-judgment",
    "benchmark",
    "benchmark-run",
    "eval-trend",
    "prompt-comparison",
    "eval-failure",
]
RelationName = Literal[
    "evaluated_by",
    "produces",
    "composed_of",
    "contains",
    "scores",
    "groups",
    "aggregates",
    "tracked_by",
    "originated_from",
    "references",
]


class Relation(NamedTuple):
    """Which types of records a relation joins."""

    source_type: RecordType
    relation: RelationName
    target_type: RecordType


RELATIONS: tuple[Relation, ...] = (
    Relation("test-case", "evaluated_by", "rubric"),
    Relation("test-case", "produces", "test-run"),
    Relation("rubric", "composed_of", "rubric-criterion"),
    Relation("test-run", "contains", "eval-judgment"),
    Relation("eval-judgment", "scores", "rubric-criterion"),
    Relation("benchmark", "groups", "test-case"),
    Relation("benchmark", "produces", "benchmark-run"),
    Relation("benchmark-run", "aggregates", "test-run"),
    Relation("benchmark", "tracked_by", "eval-trend"),
    Relation("eval-failure", "originated_from", "test-run"),
    Relation("prompt-comparison", "references", "benchmark-run"),
)

FieldsT = TypeVar("FieldsT", bound=SeedModel)


class Envelope(RecordModel):
    """What every record has, whatever its fields.

    A record says its type in `type`; in a sharded store it says it in `minionTypeId` and has a
    `title`. `schema`, `createdBy`, `supersedes` (the id of the record it replaces) and `evalcore`
    are written by evalcore, `updatedAt` by stores that change records in place.
    """

    id: str
    type: str | None = None
    minion_type_id: str | None = None
    title: str | None = None
    # "schema" is a method of every pydantic model.
    schema_version: Literal[1] | None = Field(default=None, alias="schema")
    created_at: Timestamp | None = None
    updated_at: Timestamp | None = None
    created_by: str | None = None
    supersedes: str | None = None
    evalcore: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _says_its_type(self) -> Self:
        if self.type is None and self.minion_type_id is None:
            raise PydanticCustomError("rule", "must have a type or a minionTypeId")
        return self


class Record(Envelope, Generic[FieldsT]):
    """A record of one of the ten types."""

    fields: FieldsT


class RelationRecord(Envelope):
    """A relation between two records that their fields do not hold."""

    type: Literal["relation"] | None = None
    source_id: str
    relation: RelationName
    target_id: str


class TestCaseRecord(Record[TestCaseFields]):
    """What goes in, what should come out, and the rubric that judges it."""

    __test__ = False

    type: Literal["test-case"] | None = None


class RubricRecord(Record[RubricFields]):
    """The criteria that judge an output, and the score that passes."""

    type: Literal["rubric"] | None = None


class RubricCriterionRecord(Record[RubricCriterionFields]):
    """One criterion of a rubric, with its weight and scale."""

    type: Literal["rubric-criterion"] | None = None


class TestRunRecord(Record[TestRunFields]):
    """One execution of a test case."""

    __test__ = False

    type: Literal["test-run"] | None = None


class EvalJudgmentRecord(Record[EvalJudgmentFields]):
    """One criterion of one test run, scored, with its rationale."""

    type: Literal["eval-judgment"] | None = None


class BenchmarkRecord(Record[BenchmarkFields]):
    """A set of test cases for one dimension of quality."""

    type: Literal["benchmark"] | None = None


class BenchmarkRunRecord(Record[BenchmarkRunFields]):
    """The test runs of a benchmark made together."""

    type: Literal["benchmark-run"] | None = None


class EvalTrendRecord(Record[EvalTrendFields]):
    """How the score of a benchmark went over time."""

    type: Literal["eval-trend"] | None = None


class PromptComparisonRecord(Record[PromptComparisonFields]):
    """Two prompt versions on one benchmark."""

    type: Literal["prompt-comparison"] | None = None


class EvalFailureRecord(Record[EvalFailureFields]):
    """Why a test run failed, and what resolved it."""

    type: Literal["eval-failure"] | None = None


_RECORDS: tuple[type[Envelope], ...] = (
    TestCaseRecord,
    RubricRecord,
    RubricCriterionRecord,
    TestRunRecord,
    EvalJudgmentRecord,
    BenchmarkRecord,
    BenchmarkRunRecord,
    EvalTrendRecord,
    PromptComparisonRecord,
    EvalFailureRecord,
    RelationRecord,
)


def _document(model: type[Envelope]) -> Document:
    kind = get_args(get_args(model.model_fields["type"].annotation)[0])[0]
    return Document(kind, model, f"<store>/{kind}/<id>.json", (model.__doc__ or "").strip())


DOCUMENTS: tuple[Document, ...] = tuple(_document(model) for model in _RECORDS)
