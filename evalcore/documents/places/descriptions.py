"""Where the fields of the `descriptions` documents go."""

from evalcore.documents.places.words import (
    ABOUT,
    CASE,
    COMPARISONS,
    CRITERIA,
    DEFINED,
    DOCUMENT,
    DOCUMENTS,
    FEEDBACK,
    GRID,
    NOTES,
    OVERVIEW,
    RUN,
    Places,
    below,
    raw,
    shown,
)

_EVAL_METADATA: Places = {
    **shown(OVERVIEW, skill_name="suites.name"),
    **raw(DOCUMENTS, "version"),
    **below(
        "test_cases[].",
        {
            **shown(GRID, **{"id": "cases.case_id", "tags[]": "cases.tags"}),
            **shown(CASE, prompt="cases.prompt"),
            **shown(DEFINED, **{"assertions[]": "criteria.description", "weight": "cases.weight"}),
        },
    ),
}

_GRADING: Places = {
    **shown(GRID, test_case_id="runs.case_id", run_id="runs.run"),
    **shown(CRITERIA, timestamp="judgments.judged_at"),
    **below(
        "assertions[].",
        {
            **shown(
                CRITERIA,
                assertion="judgments.criterion",
                result="judgments.passed",
                confidence="judgments.confidence_level",
                evidence="judgments.evidence",
            ),
            **shown(NOTES, notes="notes.text"),
        },
    ),
    **shown(RUN, overall_score="runs.fraction"),
    **shown(NOTES, **{"factual_issues[]": "notes.text"}),
    **below(
        "eval_critique.",
        shown(
            FEEDBACK,
            **{
                "vague_assertions[]": "feedback.text",
                "missing_coverage[]": "feedback.text",
                "suggested_assertions[]": "feedback.text",
            },
        ),
    ),
    **shown(
        RUN,
        **{"timing.start": "runs.started_at", "timing.duration_seconds": "runs.duration_s"},
    ),
    **raw(DOCUMENT, "timing.end"),
}

_ENTRIES: Places = {
    **shown(
        OVERVIEW,
        description_version="versions.version",
        description_hash="versions.content_hash",
        timestamp="versions.created_at",
    ),
    **below(
        "scores.",
        shown(
            ABOUT,
            mean="benchmarks.mean",
            median="benchmarks.median",
            std_dev="benchmarks.stddev",
            min="benchmarks.min",
            max="benchmarks.max",
        ),
    ),
    **below(
        "per_test_case[].",
        {
            **shown(DOCUMENTS, test_case_id="benchmarks.case_id", score="benchmarks.mean"),
            **shown(DOCUMENTS, duration_seconds="benchmarks.mean"),
        },
    ),
    **shown(ABOUT, total_duration_seconds="benchmarks.mean", num_test_cases="benchmarks.n"),
}

_BENCHMARK: Places = {
    **shown(OVERVIEW, skill_name="suites.name", description_version="versions.is_current"),
    **raw(DOCUMENTS, "created_at"),
    **below("entries[].", _ENTRIES),
}

_COMPARISON: Places = {
    **shown(
        COMPARISONS,
        **{
            "comparison_id": "comparisons.comparison_id",
            "timestamp": "comparisons.compared_at",
            "version_a": "comparisons.version_a",
            "version_b": "comparisons.version_b",
            "test_case_id": "comparisons.case_id",
            "total_score_a": "comparisons.total_a",
            "total_score_b": "comparisons.total_b",
            "winner": "comparisons.winner",
            "key_differentiators[]": "analyses.reasoning",
            "summary": "comparisons.summary",
        },
    ),
    **below(
        "criteria_scores[].",
        shown(
            COMPARISONS,
            criterion="comparison_scores.criterion",
            score_a="comparison_scores.score_a",
            score_b="comparison_scores.score_b",
            justification_a="comparison_scores.justification_a",
            justification_b="comparison_scores.justification_b",
        ),
    ),
}

PLACES: dict[str, Places] = {
    "eval_metadata": _EVAL_METADATA,
    "grading": _GRADING,
    "benchmark": _BENCHMARK,
    "comparison": _COMPARISON,
}
