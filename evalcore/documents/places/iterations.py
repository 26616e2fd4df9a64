"""Where the fields of the `iterations` documents go."""

from evalcore.documents.places.sides import ANALYSIS, COMPARISON
from evalcore.documents.places.words import (
    ABOUT,
    CASE,
    CLAIMS,
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

EVALS: Places = {
    **raw(DOCUMENTS, "skill_name"),
    **below(
        "evals[].",
        {
            **shown(GRID, id="cases.case_id"),
            **shown(
                CASE,
                **{
                    "prompt": "cases.prompt",
                    "expected_output": "cases.expected",
                    "files[]": "cases.files",
                },
            ),
            **shown(
                DEFINED,
                **{
                    "expectations[]": "criteria.description",
                    "assertions[]": "criteria.description",
                },
            ),
        },
    ),
}

_EVAL_METADATA: Places = {
    **shown(GRID, eval_id="cases.case_id", eval_name="cases.name"),
    **shown(CASE, prompt="cases.prompt"),
    **shown(DEFINED, **{"assertions[]": "criteria.description"}),
}

EXPECTATIONS: Places = below(
    "expectations[].",
    shown(
        CRITERIA,
        text="judgments.criterion",
        passed="judgments.passed",
        evidence="judgments.evidence",
    ),
)

SUMMARY: Places = below(
    "summary.",
    {
        **shown(
            RUN,
            passed="runs.checks_passed",
            total="runs.checks_total",
            pass_rate="runs.fraction",
        ),
        **raw(DOCUMENT, "failed"),
    },
)

GRADING: Places = {
    **EXPECTATIONS,
    **SUMMARY,
    **below(
        "execution_metrics.",
        raw(
            DOCUMENT,
            "tool_calls.*",
            "total_tool_calls",
            "total_steps",
            "files_created[]",
            "errors_encountered",
            "output_chars",
            "transcript_chars",
        ),
    ),
    **below(
        "timing.",
        {
            **raw(DOCUMENT, "executor_duration_seconds", "grader_duration_seconds"),
            **shown(RUN, total_duration_seconds="runs.duration_s"),
        },
    ),
    **below(
        "claims[].",
        shown(
            CLAIMS,
            claim="claims.claim",
            type="claims.type",
            verified="claims.verified",
            evidence="claims.evidence",
        ),
    ),
    **shown(
        NOTES,
        **{
            "user_notes_summary": "notes.text",
            "user_notes_summary.uncertainties[]": "notes.text",
            "user_notes_summary.needs_review[]": "notes.text",
            "user_notes_summary.workarounds[]": "notes.text",
        },
    ),
    **shown(
        FEEDBACK,
        **{
            "eval_feedback": "feedback.text",
            "eval_feedback.suggestions[].assertion": "feedback.target",
            "eval_feedback.suggestions[].reason": "feedback.text",
            "eval_feedback.overall": "feedback.text",
        },
    ),
}

TIMING: Places = {
    **shown(
        RUN,
        total_tokens="runs.tokens",
        duration_ms="runs.duration_s",
        total_duration_seconds="runs.duration_s",
        executor_start="runs.started_at",
    ),
    **raw(
        DOCUMENT,
        "executor_end",
        "executor_duration_seconds",
        "grader_start",
        "grader_end",
        "grader_duration_seconds",
    ),
}

_BENCHMARK_RUNS: Places = {
    **shown(
        GRID,
        eval_id="runs.case_id",
        eval_name="cases.name",
        configuration="runs.configuration",
        run_number="runs.run",
    ),
    **below(
        "result.",
        {
            **shown(
                RUN,
                pass_rate="runs.fraction",
                passed="runs.checks_passed",
                total="runs.checks_total",
                time_seconds="runs.duration_s",
                tokens="runs.tokens",
            ),
            **raw(DOCUMENT, "failed", "tool_calls", "errors"),
        },
    ),
    **EXPECTATIONS,
    **shown(NOTES, **{"notes[]": "notes.text"}),
}


def stat(metric: str) -> Places:
    """The places of one metric of one configuration in `run_summary`."""
    return below(
        f"run_summary.*.{metric}.",
        shown(
            ABOUT,
            mean="benchmarks.mean",
            stddev="benchmarks.stddev",
            min="benchmarks.min",
            max="benchmarks.max",
        ),
    )


BENCHMARK: Places = {
    **below(
        "metadata.",
        {
            **shown(OVERVIEW, timestamp="versions.created_at"),
            **shown(RUN, executor_model="runs.model"),
            **raw(
                DOCUMENTS,
                "skill_name",
                "skill_path",
                "analyzer_model",
                "evals_run[]",
                "runs_per_configuration",
            ),
        },
    ),
    **below("runs[].", _BENCHMARK_RUNS),
    **below(
        "run_summary.delta.",
        shown(
            ABOUT,
            pass_rate="benchmarks.mean, benchmarks.text",
            time_seconds="benchmarks.mean, benchmarks.text",
            tokens="benchmarks.mean, benchmarks.text",
        ),
    ),
    **shown(ABOUT, **{"run_summary.*": "benchmarks.configuration"}),
    **stat("pass_rate"),
    **stat("time_seconds"),
    **stat("tokens"),
    **shown(ABOUT, **{"notes[]": "notes.text"}),
}

_FEEDBACK: Places = {
    **below(
        "reviews[].",
        shown(
            FEEDBACK,
            run_id="feedback.run_id",
            feedback="feedback.text",
            timestamp="feedback.created_at",
        ),
    ),
    **raw(DOCUMENTS, "status"),
}

_HISTORY: Places = {
    **raw(DOCUMENTS, "started_at", "skill_name"),
    **shown(OVERVIEW, current_best="versions.is_current"),
    **below(
        "iterations[].",
        {
            **shown(
                OVERVIEW,
                version="versions.version",
                parent="versions.description",
                grading_result="versions.description",
                expectation_pass_rate="versions.stored_score",
                is_current_best="versions.is_current",
            ),
        },
    ),
}


PLACES: dict[str, Places] = {
    "evals": EVALS,
    "eval_metadata": _EVAL_METADATA,
    "grading": GRADING,
    "timing": TIMING,
    "benchmark": BENCHMARK,
    "feedback": _FEEDBACK,
    "history": _HISTORY,
    "comparison": COMPARISON,
    "analysis": ANALYSIS,
}
