"""Where the fields of the `improve` documents go."""

from evalcore.documents.places.words import (
    CASE,
    CLAIMS,
    COMPARISONS,
    CONVENTIONS,
    CRITERIA,
    DEFINED,
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

_CONVENTIONS = (
    "frontmatter",
    "description_field",
    "token_efficiency",
    "progressive_disclosure",
    "type_alignment",
)

_EVALS: Places = {
    **raw(DOCUMENTS, "version", "skill"),
    **below(
        "cases[].",
        {
            **shown(GRID, id="cases.case_id"),
            **shown(CASE, prompt="cases.prompt"),
            **below("files[]", shown(CASE, **{"": "cases.files"})),
            **below(
                "expectations[].",
                shown(
                    DEFINED,
                    criterion="criteria.criterion",
                    description="criteria.description",
                    required="criteria.required",
                ),
            ),
        },
    ),
}

_HISTORY: Places = {
    **below(
        "versions[].",
        shown(
            OVERVIEW,
            version="versions.version",
            timestamp="versions.created_at",
            description="versions.description",
            git_hash="versions.git_hash",
            path="versions.path",
            average_score="versions.stored_score",
        ),
    ),
    **shown(OVERVIEW, current_version="versions.is_current"),
}

_CONVENTION_CHECKS: Places = {
    f"{name}.{field}": place
    for name in _CONVENTIONS
    for field, place in shown(
        CONVENTIONS, passed="judgments.passed", details="judgments.rationale"
    ).items()
}

_GRADING: Places = {
    **shown(GRID, case_id="runs.case_id", version="runs.version", run="runs.run"),
    **shown(
        RUN, overall_score="runs.score", required_score="runs.required_score", overall="runs.passed"
    ),
    **below(
        "results[].",
        shown(
            CRITERIA,
            criterion="judgments.criterion",
            score="judgments.score",
            passed="judgments.passed",
            reasoning="judgments.rationale",
        ),
    ),
    **below("convention_compliance.", _CONVENTION_CHECKS),
    **below(
        "claims[].",
        shown(CLAIMS, claim="claims.claim", verified="claims.verified", evidence="claims.evidence"),
    ),
    **shown(NOTES, user_notes_summary="notes.text"),
    **shown(FEEDBACK, eval_feedback="feedback.text"),
    **shown(RUN, execution_metrics="runs.duration_s, runs.tokens, runs.cost_usd"),
}

_COMPARISON: Places = {
    **shown(
        COMPARISONS,
        eval_prompt="comparisons.case_id",
        winner="comparisons.winner",
        reasoning="comparisons.summary",
    ),
    **below(
        "scores.*",
        shown(
            COMPARISONS,
            **{
                "": "comparison_scores.criterion",
                ".A": "comparison_scores.score_a",
                ".B": "comparison_scores.score_b",
            },
        ),
    ),
}

_ANALYSIS: Places = shown(
    COMPARISONS,
    **{
        "winner_version": "analyses.winner_version",
        "loser_version": "analyses.loser_version",
        "strengths[]": "analyses.reasoning",
        "weaknesses[]": "analyses.reasoning",
        "suggestions[].area": "analyses.area",
        "suggestions[].before": "analyses.before",
        "suggestions[].after": "analyses.after",
        "suggestions[].reasoning": "analyses.reasoning",
    },
)

PLACES: dict[str, Places] = {
    "evals": _EVALS,
    "history": _HISTORY,
    "grading": _GRADING,
    "comparison": _COMPARISON,
    "analysis": _ANALYSIS,
}
