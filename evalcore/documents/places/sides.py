"""Where the fields of the `iterations` comparison and analysis go."""

from evalcore.documents.places.words import COMPARISONS, DOCUMENTS, Places, below, raw, shown


def _side(side: str) -> Places:
    score, low = f"comparison_scores.score_{side.lower()}", side.lower()
    return {
        **shown(
            COMPARISONS,
            **{
                f"rubric.{side}.content.*": f"comparison_scores.criterion, {score}",
                f"rubric.{side}.structure.*": f"comparison_scores.criterion, {score}",
                f"rubric.{side}.overall_score": f"comparisons.total_{low}",
            },
        ),
        **below(f"rubric.{side}.", raw(DOCUMENTS, "content_score", "structure_score")),
        **below(f"output_quality.{side}.", raw(DOCUMENTS, "score", "strengths[]", "weaknesses[]")),
        **below(
            f"expectation_results.{side}.",
            raw(DOCUMENTS, "passed", "total", "pass_rate", "details[].text", "details[].passed"),
        ),
    }


COMPARISON: Places = {
    **shown(COMPARISONS, winner="comparisons.winner", reasoning="comparisons.summary"),
    **_side("A"),
    **_side("B"),
}

ANALYSIS: Places = {
    **below(
        "comparison_summary.",
        raw(DOCUMENTS, "winner", "winner_skill", "loser_skill", "comparator_reasoning"),
    ),
    **shown(
        COMPARISONS,
        **{
            "winner_strengths[]": "analyses.reasoning",
            "loser_weaknesses[]": "analyses.reasoning",
            "improvement_suggestions[].category": "analyses.area",
            "improvement_suggestions[].suggestion": "analyses.after",
            "improvement_suggestions[].expected_impact": "analyses.reasoning",
        },
    ),
    **raw(
        DOCUMENTS,
        "improvement_suggestions[].priority",
        "instruction_following.winner.score",
        "instruction_following.winner.issues[]",
        "instruction_following.loser.score",
        "instruction_following.loser.issues[]",
        "transcript_insights.winner_execution_pattern",
        "transcript_insights.loser_execution_pattern",
    ),
}
