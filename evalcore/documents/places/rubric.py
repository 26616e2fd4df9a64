"""Where the fields of the `rubric` documents go."""

from evalcore.documents.places import iterations
from evalcore.documents.places.words import (
    ABOUT,
    CHECKS,
    CRITERIA,
    DEFINED,
    DOCUMENT,
    DOCUMENTS,
    GRID,
    OVERVIEW,
    RUN,
    Places,
    below,
    raw,
    shown,
)

_STRUCTURAL_EXPECTATIONS: Places = {
    **shown(
        DEFINED,
        id="criteria.criterion",
        description="criteria.description",
        critical="criteria.critical",
    ),
    **raw(
        DEFINED,
        "type",
        "pattern",
        "match",
        "match_any[]",
        "match_regex",
        "except_context[]",
        "count",
        "operator",
        "script",
    ),
}

_DIMENSIONS: Places = {
    **raw(DEFINED, "id"),
    **shown(
        DEFINED,
        name="criteria.criterion",
        description="criteria.description",
        weight="criteria.weight",
    ),
    **below(
        "scoring.",
        shown(CRITERIA, **{"1": "criteria.guide", "3": "criteria.guide", "5": "criteria.guide"}),
    ),
}

_EVALS: Places = {
    **iterations.EVALS,
    **below(
        "eval_config.",
        {
            **shown(
                OVERVIEW, runs_per_eval="suites.runs_per_case", judge_model="suites.judge_model"
            ),
            **raw(DEFINED, "structural_gate", "baseline_comparison"),
        },
    ),
    **below("evals[].", shown(GRID, name="cases.name")),
    **below("evals[].structural_expectations[].", _STRUCTURAL_EXPECTATIONS),
    **below("evals[].quality_rubric.dimensions[].", _DIMENSIONS),
}

_STRUCTURAL: Places = {
    **below(
        "expectations[].",
        {
            **shown(
                CHECKS,
                id="judgments.criterion",
                passed="judgments.passed",
                evidence="judgments.evidence",
                text="criteria.description",
                critical="criteria.critical",
            ),
            **raw(CHECKS, "type"),
        },
    ),
    **iterations.SUMMARY,
    **shown(CHECKS, gate_passed="runs.gate_passed"),
}
# The rubric decides the score of a run; the checks passed are counts beside it.
_STRUCTURAL |= raw(DOCUMENT, "summary.pass_rate")

_GRADING: Places = {
    **iterations.GRADING,
    **raw(DOCUMENT, "summary.pass_rate"),
    **below(
        "rubric_scores.*",
        shown(
            CRITERIA,
            **{
                "": "judgments.criterion",
                ".score": "judgments.score",
                ".evidence": "judgments.evidence",
            },
        ),
    ),
    **below(
        "rubric_summary.",
        shown(
            RUN,
            weighted_mean="runs.score",
            max_possible="runs.max_score",
            normalized="runs.fraction",
        ),
    ),
}

_BENCHMARK: Places = {
    **iterations.BENCHMARK,
    **iterations.stat("rubric_normalized"),
    **iterations.stat("overall_efficiency"),
    **shown(
        ABOUT,
        **{
            "run_summary.*.consistency": "benchmarks.mean",
            "run_summary.*.rubric_dimensions.*": "benchmarks.metric",
        },
    ),
    **iterations.stat("rubric_dimensions.*"),
}

_AGGREGATE: Places = {
    **raw(DOCUMENTS, "skill_name", "total_runs"),
    **shown(ABOUT, iteration="feedback.version"),
    **below(
        "suggestions[].",
        shown(
            ABOUT,
            frequency="feedback.frequency",
            assertion="feedback.target",
            reason="feedback.text",
            action="feedback.action",
        ),
    ),
}

PLACES: dict[str, Places] = {
    "evals": _EVALS,
    "structural": _STRUCTURAL,
    "grading": _GRADING,
    "timing": iterations.TIMING,
    "benchmark": _BENCHMARK,
    "eval_feedback_aggregate": _AGGREGATE,
}
