"""The documents of the `records` family: one JSON file for each record, joined by ids."""

from collections.abc import Sequence
from typing import Final

from evalcore.disk.reader import Json
from evalcore.families.base import Documents, Part
from evalcore.families.records.shapes import RELATION_NAMES, document_type
from evalcore.shapes import parts
from evalcore.shapes.fields import (
    COUNT,
    FLAG,
    FRACTION,
    NUMBER,
    OBJECT,
    POSITIVE,
    RAW,
    TEXT,
    TEXTS,
    TIME,
    Document,
    Either,
    Field,
    ListOf,
    Number,
    Shape,
    Text,
    optional,
)

JUDGE_TYPE: Final = Text(words=("llm", "human", "heuristic"))
CASE_STATUS: Final = Text(words=("active", "draft", "deprecated"))
BENCHMARK_STATUS: Final = Text(words=("active", "retired"))
DIRECTION: Final = Text(words=("improving", "degrading", "stable"))
FAILURE_TYPE: Final = Text(
    words=("wrong-output", "hallucination", "format-error", "timeout", "refusal")
)
SEVERITY: Final = Text(words=("critical", "major", "minor"))
ONE: Final = Number(low=1, high=1, whole=True)

TEST_CASE: Final = Shape(
    "What goes in, what should come out, and the rubric that judges it.",
    Field("name", TEXT, "cases.name", parts.GRID),
    Field("description", TEXT, RAW, parts.DEFINED),
    optional("agentId", TEXT, "runs.executor", parts.RUN),
    optional("skillId", TEXT, RAW, parts.DEFINED),
    optional("promptVersionRef", TEXT, "runs.version", parts.RUN),
    Field("inputs", OBJECT, "cases.prompt", parts.CASE),
    Field("expectedOutputs", OBJECT, "cases.expected", parts.CASE),
    Field("rubricId", TEXT, "relations.target_id", parts.DEFINED),
    Field("tags", TEXTS, "cases.tags", parts.GRID),
    Field("status", CASE_STATUS, "cases.status", parts.GRID),
    Field("createdAt", TIME, RAW, parts.DEFINED),
    Field("createdBy", TEXT, RAW, parts.DEFINED),
)

RUBRIC: Final = Shape(
    "The criteria that judge an output, and the score that passes.",
    Field("name", TEXT, RAW, parts.DEFINED),
    Field("description", TEXT, RAW, parts.DEFINED),
    Field("criteriaIds", TEXTS, "relations.target_id", parts.DEFINED),
    Field("passingThreshold", NUMBER, RAW, parts.DEFINED),
    Field("version", NUMBER, RAW, parts.DEFINED),
    Field("isActive", FLAG, RAW, parts.DEFINED),
)

RUBRIC_CRITERION: Final = Shape(
    "One criterion of a rubric, with its weight and scale.",
    Field("rubricId", TEXT, "relations.source_id", parts.DEFINED),
    Field("name", TEXT, "criteria.description", parts.CRITERIA),
    Field("description", TEXT, "criteria.description", parts.CRITERIA),
    Field("weight", FRACTION, "criteria.weight", parts.DEFINED),
    Field("scoringGuide", TEXT, "criteria.guide", parts.CRITERIA),
    Field("minScore", NUMBER, "criteria.min_score", parts.CRITERIA),
    Field("maxScore", NUMBER, "criteria.max_score", parts.CRITERIA),
)

TEST_RUN: Final = Shape(
    "One execution of a test case.",
    Field("testCaseId", TEXT, "runs.case_id", parts.GRID),
    optional("agentRunId", TEXT, RAW, parts.RUN),
    optional("promptVersionRef", TEXT, "runs.version", parts.GRID),
    Field("actualOutput", OBJECT, "runs.outputs", parts.OUTPUTS),
    Field("passed", FLAG, "runs.passed", parts.RUN),
    Field("totalScore", NUMBER, "runs.score", parts.RUN),
    Field("maxPossibleScore", NUMBER, "runs.max_score", parts.RUN),
    Field("ranAt", TIME, "runs.started_at", parts.RUN),
    Field("durationMs", POSITIVE, "runs.duration_s", parts.RUN),
    Field("judgeType", JUDGE_TYPE, "runs.judge_type", parts.RUN),
)

AGENT_RUN: Final = Shape(
    "What an agent made of a test case, before it is judged: `testRunId` is the test-run that is "
    "written when it is. An agent-run that names no test-run is another tool's, and only listed.",
    Field("testRunId", TEXT, "runs.run", parts.GRID),
    Field("testCaseId", TEXT, "runs.case_id", parts.GRID),
    optional("promptVersionRef", TEXT, "runs.version", parts.GRID),
    Field("actualOutput", OBJECT, "runs.outputs", parts.OUTPUTS),
    optional("status", TEXT, RAW, parts.DOCUMENTS),
    optional("startedAt", TIME, "runs.started_at", parts.RUN),
    optional("durationMs", POSITIVE, "runs.duration_s", parts.RUN),
)

EVAL_JUDGMENT: Final = Shape(
    "One criterion of one test run, scored, with its rationale.",
    Field("testRunId", TEXT, "judgments.run_id", parts.CRITERIA),
    Field("criterionId", TEXT, "judgments.criterion", parts.CRITERIA),
    Field("score", NUMBER, "judgments.score", parts.CRITERIA),
    Field("maxScore", NUMBER, "judgments.max_score", parts.CRITERIA),
    Field("rationale", Text(blank=False), "judgments.rationale", parts.CRITERIA),
    Field("judgedBy", TEXT, "judgments.judge", parts.CRITERIA),
    Field("judgedByType", JUDGE_TYPE, "judgments.judge_type", parts.CRITERIA),
    Field("judgedAt", TIME, "judgments.judged_at", parts.CRITERIA),
    optional("confidence", FRACTION, "judgments.confidence", parts.CRITERIA),
)

BENCHMARK: Final = Shape(
    "A set of test cases for one dimension of quality.",
    Field("name", TEXT, "benchmark_runs.name", parts.OVERVIEW),
    Field("description", TEXT, RAW, parts.DOCUMENTS),
    Field("testCaseIds", TEXTS, "relations.target_id", parts.DOCUMENTS),
    Field("dimension", TEXT, "benchmark_runs.dimension", parts.OVERVIEW),
    Field("passingThreshold", NUMBER, "benchmark_runs.passing_threshold", parts.OVERVIEW),
    Field("ownerId", TEXT, RAW, parts.DOCUMENTS),
    optional("lastRunAt", TIME, RAW, parts.DOCUMENTS),
    optional("lastScore", NUMBER, RAW, parts.DOCUMENTS),
    Field("status", BENCHMARK_STATUS, "benchmark_runs.status", parts.OVERVIEW),
)

PASS_RATE: Final = Number(low=0, high=100)
"""0 to 1, or percent above 1."""

BENCHMARK_RUN: Final = Shape(
    "The test runs of a benchmark made together.",
    Field("benchmarkId", TEXT, "benchmark_runs.benchmark", parts.OVERVIEW),
    Field("testRunIds", TEXTS, "runs.benchmark_run, relations.target_id", parts.OVERVIEW),
    Field("overallScore", NUMBER, "benchmark_runs.overall_score", parts.OVERVIEW),
    Field("passRate", PASS_RATE, "benchmark_runs.pass_rate", parts.OVERVIEW),
    Field("ranAt", TIME, "benchmark_runs.ran_at", parts.OVERVIEW),
    Field("triggeredBy", TEXT, "benchmark_runs.triggered_by", parts.OVERVIEW),
    optional("notes", TEXT, "benchmark_runs.notes", parts.OVERVIEW),
)

DATA_POINT: Final = Shape(
    "One score of a benchmark at one date.",
    Field("date", TIME, "trend_points.date", parts.TRENDS),
    Field("score", NUMBER, "trend_points.score", parts.TRENDS),
)

DATA_POINTS: Final = Either(ListOf(DATA_POINT), serialized=True)

EVAL_TREND: Final = Shape(
    "How the score of a benchmark went over time.",
    Field("benchmarkId", TEXT, "trend_points.benchmark", parts.DOCUMENTS),
    Field("dimension", TEXT, "trend_points.dimension", parts.TRENDS),
    Field("dataPoints", DATA_POINTS, "trend_points.date, trend_points.score", parts.TRENDS),
    Field("direction", DIRECTION, "trend_points.direction", parts.TRENDS),
    Field("lastComputedAt", TIME, "trend_points.computed_at", parts.DOCUMENTS),
)

PROMPT_COMPARISON: Final = Shape(
    "Two prompt versions on one benchmark.",
    Field("benchmarkId", TEXT, RAW, parts.DOCUMENTS),
    Field("promptVersionA", TEXT, "comparisons.version_a", parts.COMPARISONS),
    Field("promptVersionB", TEXT, "comparisons.version_b", parts.COMPARISONS),
    Field("scoreA", NUMBER, "comparisons.total_a", parts.COMPARISONS),
    Field("scoreB", NUMBER, "comparisons.total_b", parts.COMPARISONS),
    Field("winner", TEXT, "comparisons.winner", parts.COMPARISONS, null=True),
    Field("sampleSize", COUNT, "comparisons.sample_size", parts.COMPARISONS),
    Field("comparedAt", TIME, "comparisons.compared_at", parts.COMPARISONS),
    optional("notes", TEXT, "comparisons.summary", parts.COMPARISONS),
)
"""`winner` is a version, or null for a tie."""

RESOLUTION_NOTES: Final = optional(
    "resolutionNotes", TEXT, "failures.resolution_notes", parts.FAILURES
)

EVAL_FAILURE: Final = Shape(
    "Why a test run failed, and what resolved it.",
    Field("testRunId", TEXT, "failures.run_id", parts.FAILURES),
    Field("failureType", FAILURE_TYPE, "failures.failure_type", parts.FAILURES),
    Field("description", TEXT, "failures.description", parts.FAILURES),
    Field("affectedCriterionIds", TEXTS, "failures.criteria", parts.FAILURES),
    Field("severity", SEVERITY, "failures.severity", parts.FAILURES),
    optional("rootCause", TEXT, "failures.root_cause", parts.FAILURES),
    optional("resolvedAt", TIME, "failures.resolved_at", parts.FAILURES),
    RESOLUTION_NOTES,
)

RELATION: Final = Shape(
    "A relation between two records that their fields do not hold.",
    Field("sourceId", TEXT, "relations.source_id", parts.DOCUMENTS),
    Field("relation", Text(words=RELATION_NAMES), "relations.relation", parts.DOCUMENTS),
    Field("targetId", TEXT, "relations.target_id", parts.DOCUMENTS),
)


def _record(
    kind: str, own: Shape, column: str = RAW, shown: str = parts.DOCUMENTS, *, flat: bool = False
) -> Document:
    """Return the document of a record; `column` holds its id, `flat` is one without `fields`.

    A record says its type in `type`; in a sharded store it says it in `minionTypeId` and has a
    `title`. `schema`, `createdBy`, `supersedes` (the id of the record that it replaces, or several
    of them) and `evalcore` are written by evalcore, `updatedAt` by stores that change records in
    place. `evalcore` of a judgment that repeats what people said names their records in
    `judgmentIds`.
    """
    name = Text(words=(kind,))
    shape = Shape(
        own.about,
        Field("id", TEXT, column, shown),
        optional("type", name, "documents.kind", parts.DOCUMENTS),
        optional("minionTypeId", TEXT, "documents.kind", parts.DOCUMENTS),
        optional("title", TEXT, RAW, parts.DOCUMENTS),
        optional("schema", ONE, RAW, parts.DOCUMENTS),
        optional("createdAt", TIME, RAW, parts.DOCUMENTS),
        optional("updatedAt", TIME, RAW, parts.DOCUMENTS),
        optional("createdBy", TEXT, RAW, parts.DOCUMENTS),
        optional("supersedes", Either(TEXTS), RAW, parts.DOCUMENTS),
        optional("evalcore", OBJECT, RAW, parts.DOCUMENTS),
        *(own.fields if flat else (Field("fields", own),)),
        any_of=("type", "minionTypeId"),
    )
    return Document(kind, shape, f"<store>/{kind}/<id>.json")


def _inside(path: str, kind: str, value: Json) -> Sequence[Part]:
    """Return the records in a file, each a document of its own type."""
    del path, kind
    if not isinstance(value, list):
        return ((document_type(value), "", value),)
    return [(document_type(item), f"/{at}", item) for at, item in enumerate(value)]


KINDS: Final = (
    _record("test-case", TEST_CASE, "cases.case_id", parts.GRID),
    _record("rubric", RUBRIC),
    _record("rubric-criterion", RUBRIC_CRITERION, "criteria.criterion", parts.DEFINED),
    _record("test-run", TEST_RUN, "runs.run", parts.GRID),
    _record("agent-run", AGENT_RUN),
    _record("eval-judgment", EVAL_JUDGMENT),
    _record("benchmark", BENCHMARK, "benchmark_runs.benchmark", parts.OVERVIEW),
    _record("benchmark-run", BENCHMARK_RUN, "benchmark_runs.benchmark_run", parts.OVERVIEW),
    _record("eval-trend", EVAL_TREND, "trend_points.trend_id"),
    _record("prompt-comparison", PROMPT_COMPARISON, "comparisons.comparison_id", parts.COMPARISONS),
    _record("eval-failure", EVAL_FAILURE, "failures.failure_id", parts.FAILURES),
    _record("relation", RELATION, flat=True),
)
DOCUMENTS: Final = Documents(KINDS, inside=_inside)
