"""Records of what is remembered: benchmarks and their runs, trends, comparisons, and what follows.

Benchmark, benchmark run, trend, comparison and relation have the fields of seed 001; the others are
what it sends to its neighbours. A store keeps the same fields in records of its own form.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from evalcore.families.reviews.record_model import RecordModel, ReviewRecord, Sha256
from evalcore.families.reviews.review import (
    APPROVAL,
    BENCHMARK,
    BENCHMARK_RUN,
    LESSON,
    MESSAGE,
    PROMPT_COMPARISON,
    RELATION,
    TASK,
    TREND,
    ApprovalDecision,
    TaskStatus,
)
from evalcore.shapes import parts
from evalcore.shapes.models import Fraction, NotBlank, Number, Timestamp
from evalcore.shapes.written import Place


class BenchmarkFields(RecordModel):
    """A named set of test cases for one dimension of quality.

    `testCaseIds` are ids of cases of the suite. `lastRunAt` and `lastScore` are those of its newest
    benchmark run.
    """

    name: Annotated[NotBlank, Place("benchmark_definitions.name", parts.BENCHMARKS)]
    description: Annotated[str, Place("benchmark_definitions.description", parts.BENCHMARKS)] = ""
    test_case_ids: Annotated[
        list[str],
        Field(min_length=1),
        Place("benchmark_definitions.cases, relations.target_id", parts.BENCHMARKS),
    ]
    dimension: Annotated[str, Place("benchmark_definitions.dimension", parts.BENCHMARKS)]
    passing_threshold: Annotated[
        Number, Place("benchmark_definitions.passing_threshold", parts.BENCHMARKS)
    ]
    owner_id: Annotated[str, Place("benchmark_definitions.owner", parts.BENCHMARKS)]
    last_run_at: Annotated[
        Timestamp | None, Place("benchmark_definitions.last_run_at", parts.BENCHMARKS)
    ] = None
    last_score: Annotated[
        Number | None, Place("benchmark_definitions.last_score", parts.BENCHMARKS)
    ] = None
    status: Annotated[
        Literal["active", "retired"], Place("benchmark_definitions.status", parts.BENCHMARKS)
    ] = "active"


class BenchmarkRunFields(RecordModel):
    """Test runs of one version and configuration on the cases of a benchmark.

    `overallScore` is the mean over the cases, `passRate` the share that passed, both 0 to 1.
    """

    benchmark_id: Annotated[NotBlank, Place("benchmark_runs.benchmark", parts.OVERVIEW)]
    test_run_ids: Annotated[list[str], Place("relations.target_id", parts.OVERVIEW)]
    overall_score: Annotated[Fraction, Place("benchmark_runs.overall_score", parts.OVERVIEW)]
    pass_rate: Annotated[Fraction, Place("benchmark_runs.pass_rate", parts.OVERVIEW)]
    ran_at: Annotated[Timestamp, Place("benchmark_runs.ran_at", parts.OVERVIEW)]
    triggered_by: Annotated[str, Place("benchmark_runs.triggered_by", parts.OVERVIEW)]
    notes: Annotated[str, Place("benchmark_runs.notes", parts.OVERVIEW)] = ""


class TrendFields(RecordModel):
    """How the score of a benchmark went over time.

    `dataPoints` is JSON text: a list of objects with `date` and `score`, oldest first.
    """

    benchmark_id: Annotated[NotBlank, Place("trend_points.benchmark", parts.TRENDS)]
    dimension: Annotated[str, Place("trend_points.dimension", parts.TRENDS)]
    data_points: Annotated[str, Place("trend_points.date, trend_points.score", parts.TRENDS)]
    direction: Annotated[
        Literal["improving", "degrading", "stable"], Place("trend_points.direction", parts.TRENDS)
    ]
    last_computed_at: Annotated[Timestamp, Place("trend_points.computed_at", parts.TRENDS)]


class PromptComparisonFields(RecordModel):
    """Two versions on one benchmark; `winner` is one of them, null for a tie.

    Relations `references` name the benchmark runs of both. `notes` is the recommendation.
    """

    benchmark_id: Annotated[NotBlank, Place("comparisons.benchmark", parts.COMPARISONS)]
    prompt_version_a: Annotated[str, Place("comparisons.version_a", parts.COMPARISONS)]
    prompt_version_b: Annotated[str, Place("comparisons.version_b", parts.COMPARISONS)]
    score_a: Annotated[Number, Place("comparisons.total_a", parts.COMPARISONS)]
    score_b: Annotated[Number, Place("comparisons.total_b", parts.COMPARISONS)]
    winner: Annotated[str | None, Place("comparisons.winner", parts.COMPARISONS)] = None
    sample_size: Annotated[int, Field(ge=0), Place("comparisons.sample_size", parts.COMPARISONS)]
    compared_at: Annotated[Timestamp, Place("comparisons.compared_at", parts.COMPARISONS)]
    notes: Annotated[str, Place("comparisons.summary", parts.COMPARISONS)] = ""


class RelationFields(RecordModel):
    """A relation of seed 001 between two records that their fields do not hold."""

    source_id: Annotated[NotBlank, Place("relations.source_id", parts.DOCUMENTS)]
    relation: Annotated[NotBlank, Place("relations.relation", parts.DOCUMENTS)]
    target_id: Annotated[NotBlank, Place("relations.target_id", parts.DOCUMENTS)]


class TaskFields(RecordModel):
    """Something that somebody has to do; `resolution` says what was done.

    `aboutType` and `aboutId` name the record that it is about.
    """

    title: Annotated[NotBlank, Place("messages.subject", parts.MESSAGES)]
    description: Annotated[str, Place("messages.text", parts.MESSAGES)]
    status: Annotated[TaskStatus, Place("messages.status", parts.MESSAGES)] = "open"
    assignee: Annotated[str | None, Place("messages.recipient", parts.MESSAGES)] = None
    about_type: Annotated[str | None, Place("messages.about_type", parts.MESSAGES)] = None
    about_id: Annotated[str | None, Place("messages.about", parts.MESSAGES)] = None
    resolution: Annotated[str | None, Place("messages.payload", parts.MESSAGES)] = None


class MessageFields(RecordModel):
    """What one program or person tells another; an answer names what it answers in `inReplyTo`."""

    sender: Annotated[NotBlank, Place("messages.sender", parts.MESSAGES)]
    recipient: Annotated[NotBlank, Place("messages.recipient", parts.MESSAGES)]
    subject: Annotated[NotBlank, Place("messages.subject", parts.MESSAGES)]
    text: Annotated[str, Place("messages.text", parts.MESSAGES)]
    payload: Annotated[dict[str, Any], Place("messages.payload", parts.MESSAGES)] = Field(
        default_factory=dict
    )
    about_type: Annotated[str | None, Place("messages.about_type", parts.MESSAGES)] = None
    about_id: Annotated[str | None, Place("messages.about", parts.MESSAGES)] = None
    in_reply_to: Annotated[str | None, Place("messages.in_reply_to", parts.MESSAGES)] = None
    expects_answer: Annotated[bool, Place("messages.expects_answer", parts.MESSAGES)] = False


class MemoryItemFields(RecordModel):
    """A lesson that an agent is to remember: what a failure or a run taught."""

    agent_id: Annotated[str | None, Place("messages.recipient", parts.MESSAGES)] = None
    lesson: Annotated[NotBlank, Place("messages.text", parts.MESSAGES)]
    about_type: Annotated[str | None, Place("messages.about_type", parts.MESSAGES)] = None
    about_id: Annotated[str | None, Place("messages.about", parts.MESSAGES)] = None
    tags: Annotated[list[str], Place("messages.payload", parts.MESSAGES)] = Field(
        default_factory=list
    )


class ApprovalFields(RecordModel):
    """A decision on whether `version` may replace `baseline`, and what it rests on.

    `versionSha256` is that of the version's content, `evidenceSha256` that of both benchmark runs
    with their runs and judgments; where one is another by now, the decision has lapsed. A `waived`
    one has an `owner` and ends at `expiresAt`.
    """

    version: Annotated[NotBlank, Place("approvals.version", parts.APPROVALS)]
    baseline: Annotated[str | None, Place("approvals.baseline", parts.APPROVALS)] = None
    benchmark_id: Annotated[str | None, Place("approvals.benchmark", parts.APPROVALS)] = None
    decision: Annotated[ApprovalDecision, Place("approvals.decision", parts.APPROVALS)]
    reason: Annotated[NotBlank, Place("approvals.reason", parts.APPROVALS)]
    comparison_id: Annotated[str | None, Place("approvals.comparison", parts.APPROVALS)] = None
    benchmark_run_ids: Annotated[list[str], Place("approvals.benchmark_runs", parts.APPROVALS)] = (
        Field(default_factory=list)
    )
    version_sha256: Annotated[Sha256 | None, Place("approvals.version_sha256", parts.APPROVALS)] = (
        None
    )
    evidence_sha256: Annotated[
        Sha256 | None, Place("approvals.evidence_sha256", parts.APPROVALS)
    ] = None
    owner: Annotated[str | None, Place("approvals.owner", parts.APPROVALS)] = None
    expires_at: Annotated[Timestamp | None, Place("approvals.expires_at", parts.APPROVALS)] = None


class BenchmarkRecord(ReviewRecord):
    """A benchmark of the suite."""

    type: Literal["benchmark"] = BENCHMARK
    fields: BenchmarkFields
    created_at: Annotated[Timestamp, Place("benchmark_definitions.created_at", parts.BENCHMARKS)]
    created_by: Annotated[str, Place("benchmark_definitions.author", parts.BENCHMARKS)]


class BenchmarkRunRecord(ReviewRecord):
    """One run of a benchmark."""

    type: Literal["benchmark-run"] = BENCHMARK_RUN
    fields: BenchmarkRunFields


class TrendRecord(ReviewRecord):
    """How a benchmark went over time, as computed after one of its runs."""

    type: Literal["eval-trend"] = TREND
    fields: TrendFields


class PromptComparisonRecord(ReviewRecord):
    """Two versions compared by a benchmark."""

    type: Literal["prompt-comparison"] = PROMPT_COMPARISON
    fields: PromptComparisonFields


class RelationRecord(ReviewRecord):
    """A relation between two records."""

    type: Literal["relation"] = RELATION
    fields: RelationFields


class TaskRecord(ReviewRecord):
    """A task for somebody."""

    type: Literal["task"] = TASK
    fields: TaskFields
    created_at: Annotated[Timestamp, Place("messages.created_at", parts.MESSAGES)]
    created_by: Annotated[str, Place("messages.author", parts.MESSAGES)]


class MessageRecord(ReviewRecord):
    """A message to a program or a person."""

    type: Literal["message"] = MESSAGE
    fields: MessageFields
    created_at: Annotated[Timestamp, Place("messages.created_at", parts.MESSAGES)]
    created_by: Annotated[str, Place("messages.author", parts.MESSAGES)]


class MemoryItemRecord(ReviewRecord):
    """A lesson for an agent."""

    type: Literal["memory-item"] = LESSON
    fields: MemoryItemFields
    created_at: Annotated[Timestamp, Place("messages.created_at", parts.MESSAGES)]
    created_by: Annotated[str, Place("messages.author", parts.MESSAGES)]


class ApprovalRecord(ReviewRecord):
    """A decision on a version."""

    type: Literal["approval"] = APPROVAL
    fields: ApprovalFields
    created_at: Annotated[Timestamp, Place("approvals.created_at", parts.APPROVALS)]
    created_by: Annotated[str, Place("approvals.author", parts.APPROVALS)]


MEMORY_MODELS: tuple[type[ReviewRecord], ...] = (
    BenchmarkRecord,
    BenchmarkRunRecord,
    TrendRecord,
    PromptComparisonRecord,
    RelationRecord,
    TaskRecord,
    MessageRecord,
    MemoryItemRecord,
    ApprovalRecord,
)
