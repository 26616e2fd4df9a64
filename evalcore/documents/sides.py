"""Two outputs side by side, as the `iterations` family writes them: comparison and analysis."""

from typing import Annotated, Literal

from pydantic import Field

from evalcore.documents.base import Count, Fraction, Mean5, Number, Score5, SeedModel

Mean10 = Annotated[Number, Field(ge=1, le=10)]


class RubricSide(SeedModel):
    """One side scored 1 to 5 by a rubric made for the prompt; `overall_score` is 1 to 10."""

    content: dict[str, Score5]
    structure: dict[str, Score5]
    content_score: Mean5
    structure_score: Mean5
    overall_score: Mean10


class RubricSides(SeedModel):
    """Both sides' rubric scores."""

    A: RubricSide
    B: RubricSide


class QualitySide(SeedModel):
    """One side as a whole, 1 to 10, with what is good and bad about it."""

    score: Mean10
    strengths: list[str]
    weaknesses: list[str]


class QualitySides(SeedModel):
    """Both sides as a whole."""

    A: QualitySide
    B: QualitySide


class ExpectationDetail(SeedModel):
    """One expectation, passed or failed."""

    text: str
    passed: bool


class ExpectationSide(SeedModel):
    """The expectations that one side met."""

    passed: Count
    total: Count
    pass_rate: Fraction
    details: list[ExpectationDetail]


class ExpectationSides(SeedModel):
    """The expectations that both sides met."""

    A: ExpectationSide
    B: ExpectationSide


class ComparisonDocument(SeedModel):
    """comparison.json: two outputs compared blind; expectations only where there were some."""

    winner: Literal["A", "B", "TIE"]
    reasoning: str
    rubric: RubricSides
    output_quality: QualitySides
    expectation_results: ExpectationSides | None = None


class ComparisonSummary(SeedModel):
    """Which side won and which skills stood behind the two."""

    winner: Literal["A", "B", "TIE"]
    winner_skill: str
    loser_skill: str
    comparator_reasoning: str


class InstructionScore(SeedModel):
    """How well the instructions were followed, 1 to 10, and where not."""

    score: Mean10
    issues: list[str]


class InstructionFollowing(SeedModel):
    """How well winner and loser followed their instructions."""

    winner: InstructionScore
    loser: InstructionScore


class ImprovementSuggestion(SeedModel):
    """A change to the losing skill and what it would bring."""

    priority: Literal["high", "medium", "low"]
    category: Literal[
        "instructions", "tools", "examples", "error_handling", "structure", "references"
    ]
    suggestion: str
    expected_impact: str


class TranscriptInsights(SeedModel):
    """How winner and loser went about the task."""

    winner_execution_pattern: str
    loser_execution_pattern: str


class AnalysisDocument(SeedModel):
    """analysis.json: why the winner of a comparison won, and what would improve the loser."""

    comparison_summary: ComparisonSummary
    winner_strengths: list[str]
    loser_weaknesses: list[str]
    instruction_following: InstructionFollowing
    improvement_suggestions: list[ImprovementSuggestion]
    transcript_insights: TranscriptInsights
