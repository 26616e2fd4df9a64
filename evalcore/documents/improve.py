"""The documents of the `improve` family: expectations scored 1 to 5, version by version."""

from typing import Annotated, Any, Literal

from pydantic import Field

from evalcore.documents.base import (
    Count,
    Document,
    Mean5,
    Score5,
    Score10,
    SeedModel,
    Timestamp,
    matching,
)

KebabCase = Annotated[str, matching(r"[a-z0-9]+(-[a-z0-9]+)*", "in kebab-case, like case-01")]


class Expectation(SeedModel):
    """One criterion of a case; a required one that fails fails the case."""

    criterion: str
    description: str
    required: bool


class Case(SeedModel):
    """One test case: a prompt, files relative to the workspace, and what is expected."""

    id: KebabCase
    prompt: str
    files: list[str]
    expectations: list[Expectation]


class EvalsDocument(SeedModel):
    """evals.json: the test cases of a skill, kept with the skill."""

    version: str
    skill: str
    cases: list[Case]


class HistoryVersion(SeedModel):
    """One version of the skill; `average_score` is null until it was graded."""

    version: Count
    timestamp: Timestamp
    description: str
    git_hash: str | None
    path: str
    average_score: Mean5 | None


class HistoryDocument(SeedModel):
    """history.json: the versions of a skill; `current_version` is an index into them."""

    versions: list[HistoryVersion]
    current_version: Count


class CriterionResult(SeedModel):
    """One criterion scored 1 to 5; `passed` follows from a score of 3 or more."""

    criterion: str
    score: Score5
    passed: bool
    reasoning: str


class ConventionCheck(SeedModel):
    """One convention of skill writing: kept or not, and why."""

    passed: bool
    details: str


class ConventionCompliance(SeedModel):
    """The five fixed conventions, checked beyond the expectations."""

    frontmatter: ConventionCheck
    description_field: ConventionCheck
    token_efficiency: ConventionCheck
    progressive_disclosure: ConventionCheck
    type_alignment: ConventionCheck


class Claim(SeedModel):
    """Something the executor said of its work, and whether it holds."""

    claim: str
    verified: bool
    evidence: str


class GradingDocument(SeedModel):
    """grading.json: one run of one case, graded.

    `overall_score` is the mean over all criteria, `required_score` over the required ones (null
    when none is required), both to one decimal. `overall` is "pass" when every required criterion
    passed.
    """

    case_id: str
    version: Count
    run: Annotated[int, Field(ge=1)]
    overall_score: Mean5
    required_score: Mean5 | None
    results: list[CriterionResult]
    overall: Literal["pass", "fail"]
    convention_compliance: ConventionCompliance
    claims: list[Claim]
    user_notes_summary: str
    eval_feedback: str
    execution_metrics: dict[str, Any]


class SidedScores(SeedModel):
    """The scores of both sides in one dimension, 1 to 10."""

    A: Score10
    B: Score10


class ComparisonDocument(SeedModel):
    """comparison.json: two outputs compared blind; A may be the younger or the older version."""

    eval_prompt: str
    winner: Literal["A", "B"]
    reasoning: str
    scores: dict[str, SidedScores]


class Suggestion(SeedModel):
    """A change to one area of the skill, as text before and after."""

    area: str
    before: str
    after: str
    reasoning: str


class AnalysisDocument(SeedModel):
    """analysis.json: why the winner of a comparison won, unblinded, and what to change next."""

    winner_version: str
    loser_version: str
    strengths: list[str]
    weaknesses: list[str]
    suggestions: list[Suggestion]


DOCUMENTS: tuple[Document, ...] = (
    Document("evals", EvalsDocument, "<skill>/evals/evals.json", "The test cases of a skill."),
    Document("history", HistoryDocument, "<workspace>/history.json", "The versions of a skill."),
    Document(
        "grading",
        GradingDocument,
        "<workspace>/grading/<case>_v<N>_run<R>.json",
        "One run of one case, graded.",
    ),
    Document(
        "comparison",
        ComparisonDocument,
        "<workspace>/comparison.json",
        "Two outputs of one prompt, compared blind.",
    ),
    Document(
        "analysis",
        AnalysisDocument,
        "<workspace>/analysis.json",
        "Why the winner of a comparison won, and what to change.",
    ),
)
