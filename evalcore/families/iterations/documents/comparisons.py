"""Two outputs side by side, as `iterations` compares them: comparison.json and analysis.json."""

from typing import Final

from evalcore.shapes import parts
from evalcore.shapes.fields import (
    COUNT,
    FLAG,
    FRACTION,
    MEAN_5,
    RAW,
    SCORE_5,
    TEXT,
    TEXTS,
    Field,
    ListOf,
    MapOf,
    Number,
    Shape,
    Text,
)

MEAN_10: Final = Number(low=1, high=10)
WINNER: Final = Text(words=("A", "B", "TIE"))
PRIORITY: Final = Text(words=("high", "medium", "low"))
CATEGORY: Final = Text(
    words=("instructions", "tools", "examples", "error_handling", "structure", "references")
)


def _rubric_side(side: str) -> Shape:
    score = f"comparison_scores.criterion, comparison_scores.score_{side}"
    return Shape(
        "One side scored 1 to 5 by a rubric made for the prompt; `overall_score` is 1 to 10.",
        Field("content", MapOf(SCORE_5), score, parts.COMPARISONS),
        Field("structure", MapOf(SCORE_5), score, parts.COMPARISONS),
        Field("content_score", MEAN_5, RAW, parts.DOCUMENTS),
        Field("structure_score", MEAN_5, RAW, parts.DOCUMENTS),
        Field("overall_score", MEAN_10, f"comparisons.total_{side}", parts.COMPARISONS),
    )


RUBRIC_SIDES: Final = Shape(
    "Both sides' rubric scores.",
    Field("A", _rubric_side("a")),
    Field("B", _rubric_side("b")),
)

QUALITY: Final = Shape(
    "One side as a whole, 1 to 10, with what is good and bad about it.",
    Field("score", MEAN_10, RAW, parts.DOCUMENTS),
    Field("strengths", TEXTS, RAW, parts.DOCUMENTS),
    Field("weaknesses", TEXTS, RAW, parts.DOCUMENTS),
)

QUALITY_SIDES: Final = Shape("Both sides as a whole.", Field("A", QUALITY), Field("B", QUALITY))

DETAIL: Final = Shape(
    "One expectation, passed or failed.",
    Field("text", TEXT, RAW, parts.DOCUMENTS),
    Field("passed", FLAG, RAW, parts.DOCUMENTS),
)

EXPECTATIONS: Final = Shape(
    "The expectations that one side met.",
    Field("passed", COUNT, RAW, parts.DOCUMENTS),
    Field("total", COUNT, RAW, parts.DOCUMENTS),
    Field("pass_rate", FRACTION, RAW, parts.DOCUMENTS),
    Field("details", ListOf(DETAIL)),
)

EXPECTATION_SIDES: Final = Shape(
    "The expectations that both sides met.",
    Field("A", EXPECTATIONS),
    Field("B", EXPECTATIONS),
)

COMPARISON: Final = Shape(
    "Two outputs of one prompt, compared blind by a rubric made for it.",
    Field("winner", WINNER, "comparisons.winner", parts.COMPARISONS),
    Field("reasoning", TEXT, "comparisons.summary", parts.COMPARISONS),
    Field("rubric", RUBRIC_SIDES),
    Field("output_quality", QUALITY_SIDES),
    Field("expectation_results", EXPECTATION_SIDES, absent=True, null=True),
)

COMPARISON_SUMMARY: Final = Shape(
    "Which side won and which skills stood behind the two.",
    Field("winner", WINNER, RAW, parts.DOCUMENTS),
    Field("winner_skill", TEXT, RAW, parts.DOCUMENTS),
    Field("loser_skill", TEXT, RAW, parts.DOCUMENTS),
    Field("comparator_reasoning", TEXT, RAW, parts.DOCUMENTS),
)

INSTRUCTION_SCORE: Final = Shape(
    "How well the instructions were followed, 1 to 10, and where not.",
    Field("score", MEAN_10, RAW, parts.DOCUMENTS),
    Field("issues", TEXTS, RAW, parts.DOCUMENTS),
)

INSTRUCTION_FOLLOWING: Final = Shape(
    "How well winner and loser followed their instructions.",
    Field("winner", INSTRUCTION_SCORE),
    Field("loser", INSTRUCTION_SCORE),
)

IMPROVEMENT: Final = Shape(
    "A change to the losing skill and what it would bring.",
    Field("priority", PRIORITY, RAW, parts.DOCUMENTS),
    Field("category", CATEGORY, "analyses.area", parts.COMPARISONS),
    Field("suggestion", TEXT, "analyses.after", parts.COMPARISONS),
    Field("expected_impact", TEXT, "analyses.reasoning", parts.COMPARISONS),
)

INSIGHTS: Final = Shape(
    "How winner and loser went about the task.",
    Field("winner_execution_pattern", TEXT, RAW, parts.DOCUMENTS),
    Field("loser_execution_pattern", TEXT, RAW, parts.DOCUMENTS),
)

ANALYSIS: Final = Shape(
    "Why the winner of a comparison won, and what would improve the loser.",
    Field("comparison_summary", COMPARISON_SUMMARY),
    Field("winner_strengths", TEXTS, "analyses.reasoning", parts.COMPARISONS),
    Field("loser_weaknesses", TEXTS, "analyses.reasoning", parts.COMPARISONS),
    Field("instruction_following", INSTRUCTION_FOLLOWING),
    Field("improvement_suggestions", ListOf(IMPROVEMENT)),
    Field("transcript_insights", INSIGHTS),
)
