"""Where the fields of the records go."""

from evalcore.documents.places.words import (
    CASE,
    COMPARISONS,
    CRITERIA,
    DEFINED,
    DOCUMENTS,
    FAILURES,
    GRID,
    OUTPUTS,
    OVERVIEW,
    RUN,
    Places,
    below,
    raw,
    shown,
)

ENVELOPE: Places = {
    **shown(DOCUMENTS, type="documents.kind", minionTypeId="documents.kind"),
    **raw(
        DOCUMENTS,
        "title",
        "schema",
        "createdAt",
        "updatedAt",
        "createdBy",
        "supersedes",
        "evalcore",
    ),
}


def _record(identity: Places, fields: Places) -> Places:
    return {**identity, **ENVELOPE, **below("fields.", fields)}


_TEST_CASE = _record(
    shown(GRID, id="cases.case_id"),
    {
        **shown(GRID, **{"name": "cases.name", "tags[]": "cases.tags", "status": "cases.status"}),
        **shown(CASE, inputs="cases.prompt", expectedOutputs="cases.expected"),
        **shown(DEFINED, rubricId="relations.target_id"),
        **shown(RUN, agentId="runs.executor", promptVersionRef="runs.version"),
        **raw(
            DEFINED,
            "description",
            "skillId",
            "createdAt",
            "createdBy",
        ),
    },
)

_RUBRIC = _record(
    raw(DOCUMENTS, "id"),
    {
        **raw(DEFINED, "name", "description", "passingThreshold", "version", "isActive"),
        **shown(DEFINED, **{"criteriaIds[]": "relations.target_id"}),
    },
)

_RUBRIC_CRITERION = _record(
    shown(DEFINED, id="criteria.criterion"),
    {
        **shown(DEFINED, rubricId="relations.source_id", weight="criteria.weight"),
        **shown(
            CRITERIA,
            name="criteria.description",
            description="criteria.description",
            scoringGuide="criteria.guide",
            minScore="criteria.min_score",
            maxScore="criteria.max_score",
        ),
    },
)

_TEST_RUN = _record(
    shown(GRID, id="runs.run"),
    {
        **shown(GRID, testCaseId="runs.case_id", promptVersionRef="runs.version"),
        **shown(OUTPUTS, actualOutput="runs.outputs"),
        **raw(DOCUMENTS, "agentRunId"),
        **shown(
            RUN,
            passed="runs.passed",
            totalScore="runs.score",
            maxPossibleScore="runs.max_score",
            ranAt="runs.started_at",
            durationMs="runs.duration_s",
            judgeType="runs.judge_type",
        ),
    },
)

_EVAL_JUDGMENT = _record(
    raw(DOCUMENTS, "id"),
    shown(
        CRITERIA,
        testRunId="judgments.run_id",
        criterionId="judgments.criterion",
        score="judgments.score",
        maxScore="judgments.max_score",
        rationale="judgments.rationale",
        judgedBy="judgments.judge",
        judgedByType="judgments.judge_type",
        judgedAt="judgments.judged_at",
        confidence="judgments.confidence",
    ),
)

_BENCHMARK = _record(
    shown(OVERVIEW, id="benchmark_runs.benchmark"),
    {
        **shown(
            OVERVIEW,
            name="benchmark_runs.name",
            dimension="benchmark_runs.dimension",
            passingThreshold="benchmark_runs.passing_threshold",
            status="benchmark_runs.status",
        ),
        **shown(DOCUMENTS, **{"testCaseIds[]": "relations.target_id"}),
        **raw(DOCUMENTS, "description", "ownerId", "lastRunAt", "lastScore"),
    },
)

_BENCHMARK_RUN = _record(
    shown(OVERVIEW, id="benchmark_runs.benchmark_run"),
    shown(
        OVERVIEW,
        **{
            "benchmarkId": "benchmark_runs.benchmark",
            "testRunIds[]": "runs.benchmark_run, relations.target_id",
            "overallScore": "benchmark_runs.overall_score",
            "passRate": "benchmark_runs.pass_rate",
            "ranAt": "benchmark_runs.ran_at",
            "triggeredBy": "benchmark_runs.triggered_by",
            "notes": "benchmark_runs.notes",
        },
    ),
)

_EVAL_TREND = _record(
    shown(DOCUMENTS, id="trend_points.trend_id"),
    shown(
        DOCUMENTS,
        **{
            "benchmarkId": "trend_points.benchmark",
            "dimension": "trend_points.dimension",
            "dataPoints": "trend_points.date, trend_points.score",
            "dataPoints[].date": "trend_points.date",
            "dataPoints[].score": "trend_points.score",
            "direction": "trend_points.direction",
            "lastComputedAt": "trend_points.computed_at",
        },
    ),
)

_PROMPT_COMPARISON = _record(
    shown(COMPARISONS, id="comparisons.comparison_id"),
    {
        **raw(DOCUMENTS, "benchmarkId"),
        **shown(
            COMPARISONS,
            promptVersionA="comparisons.version_a",
            promptVersionB="comparisons.version_b",
            scoreA="comparisons.total_a",
            scoreB="comparisons.total_b",
            winner="comparisons.winner",
            sampleSize="comparisons.sample_size",
            comparedAt="comparisons.compared_at",
            notes="comparisons.summary",
        ),
    },
)

_EVAL_FAILURE = _record(
    shown(FAILURES, id="failures.failure_id"),
    shown(
        FAILURES,
        **{
            "testRunId": "failures.run_id",
            "failureType": "failures.failure_type",
            "description": "failures.description",
            "affectedCriterionIds[]": "failures.criteria",
            "severity": "failures.severity",
            "rootCause": "failures.root_cause",
            "resolvedAt": "failures.resolved_at",
            "resolutionNotes": "failures.resolution_notes",
        },
    ),
)

_RELATION: Places = {
    **raw(DOCUMENTS, "id"),
    **ENVELOPE,
    **shown(
        DOCUMENTS,
        sourceId="relations.source_id",
        relation="relations.relation",
        targetId="relations.target_id",
    ),
}

PLACES: dict[str, Places] = {
    "test-case": _TEST_CASE,
    "rubric": _RUBRIC,
    "rubric-criterion": _RUBRIC_CRITERION,
    "test-run": _TEST_RUN,
    "eval-judgment": _EVAL_JUDGMENT,
    "benchmark": _BENCHMARK,
    "benchmark-run": _BENCHMARK_RUN,
    "eval-trend": _EVAL_TREND,
    "prompt-comparison": _PROMPT_COMPARISON,
    "eval-failure": _EVAL_FAILURE,
    "relation": _RELATION,
}
