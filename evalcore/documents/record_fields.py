"""The fields of the ten record types of the `records` family."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from evalcore.documents.base import (
    Count,
    Fraction,
    NonNegative,
    NotBlank,
    Number,
    SeedModel,
    Timestamp,
    chosen,
    tag,
)


class RecordModel(SeedModel):
    """An object whose keys are in camelCase."""

    model_config = ConfigDict(alias_generator=to_camel)


Status = Literal["active", "draft", "deprecated"]
JudgeType = Literal["llm", "human", "heuristic"]


class TestCaseFields(RecordModel):
    """A test case: what goes in, what should come out, and the rubric that judges it."""

    __test__ = False

    name: str
    description: str
    agent_id: str | None = None
    skill_id: str | None = None
    prompt_version_ref: str | None = None
    inputs: dict[str, Any]
    expected_outputs: dict[str, Any]
    rubric_id: str
    tags: list[str]
    status: Status
    created_at: Timestamp
    created_by: str


class RubricFields(RecordModel):
    """A rubric: its criteria in order, and the weighted score that passes."""

    name: str
    description: str
    criteria_ids: list[str]
    passing_threshold: Number
    version: Number
    is_active: bool


class RubricCriterionFields(RecordModel):
    """A criterion of a rubric: its weight from 0 to 1, its scale, and how to score it."""

    rubric_id: str
    name: str
    description: str
    weight: Fraction
    scoring_guide: str
    min_score: Number
    max_score: Number


class TestRunFields(RecordModel):
    """One execution of a test case: what came out, and the weighted sum of its scores."""

    __test__ = False

    test_case_id: str
    agent_run_id: str | None = None
    prompt_version_ref: str | None = None
    actual_output: dict[str, Any]
    passed: bool
    total_score: Number
    max_possible_score: Number
    ran_at: Timestamp
    duration_ms: NonNegative
    judge_type: JudgeType


class EvalJudgmentFields(RecordModel):
    """One criterion of one test run, scored, with the rationale that makes the score valid."""

    test_run_id: str
    criterion_id: str
    score: Number
    max_score: Number
    rationale: NotBlank
    judged_by: str
    judged_by_type: JudgeType
    judged_at: Timestamp
    confidence: Fraction | None = None


class BenchmarkFields(RecordModel):
    """A set of test cases for one dimension; what the last run gave is null before the first."""

    name: str
    description: str
    test_case_ids: list[str]
    dimension: str
    passing_threshold: Number
    owner_id: str
    last_run_at: Timestamp | None = None
    last_score: Number | None = None
    status: Literal["active", "retired"]


class BenchmarkRunFields(RecordModel):
    """The test runs of a benchmark made together; `passRate` is 0 to 1, or percent above 1."""

    benchmark_id: str
    test_run_ids: list[str]
    overall_score: Number
    pass_rate: Annotated[Number, Field(ge=0, le=100)]
    ran_at: Timestamp
    triggered_by: str
    notes: str | None = None


class DataPoint(RecordModel):
    """One score of a benchmark at one date."""

    date: Timestamp
    score: Number


_DATA_POINTS = TypeAdapter(list[DataPoint])


def _list_or_text(value: Any) -> str | None:
    if isinstance(value, str):
        return "text"
    return "list" if isinstance(value, list) else None


def _serialized(text: str) -> str:
    try:
        _DATA_POINTS.validate_json(text)
    except ValidationError as error:
        raise PydanticCustomError(
            "serialized", "must be a serialized list of {{date, score}}"
        ) from error
    return text


DataPoints = Annotated[
    Annotated[Annotated[str, AfterValidator(_serialized)], tag("text")]
    | Annotated[list[DataPoint], tag("list")],
    chosen(_list_or_text, "a list of {date, score}, or one serialized as text"),
]


class EvalTrendFields(RecordModel):
    """How a benchmark's score went over time; the data points may be serialized as text."""

    benchmark_id: str
    dimension: str
    data_points: DataPoints
    direction: Literal["improving", "degrading", "stable"]
    last_computed_at: Timestamp


class PromptComparisonFields(RecordModel):
    """Two prompt versions on one benchmark; `winner` is a version, or null for a tie."""

    benchmark_id: str
    prompt_version_a: str
    prompt_version_b: str
    score_a: Number
    score_b: Number
    winner: str | None
    sample_size: Count
    compared_at: Timestamp
    notes: str | None = None


class EvalFailureFields(RecordModel):
    """Why a test run failed; what resolved it is null until it is resolved."""

    test_run_id: str
    failure_type: Literal["wrong-output", "hallucination", "format-error", "timeout", "refusal"]
    description: str
    affected_criterion_ids: list[str]
    severity: Literal["critical", "major", "minor"]
    root_cause: str | None = None
    resolved_at: Timestamp | None = None
    resolution_notes: str | None = None
