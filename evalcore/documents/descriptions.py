"""The documents of the `descriptions` family: assertions, by version of a description."""

from typing import Annotated, Literal

from pydantic import Field

from evalcore.documents.base import (
    Count,
    Document,
    Fraction,
    NonNegative,
    Number,
    SeedModel,
    Timestamp,
    matching,
)

Semver = Annotated[
    str,
    matching(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?", "a version like 1.0.0"),
]
# Tools shorten the digest; what is left is compared as a prefix.
Sha256 = Annotated[str, matching(r"[0-9a-fA-F]{8,64}", "a SHA-256 digest in hexadecimal")]
Score = Annotated[Number, Field(ge=1, le=5)]


class TestCase(SeedModel):
    """One test case: a prompt and what its output should do; `weight` is 1.0 where it is absent."""

    __test__ = False

    id: str
    prompt: str
    assertions: list[str]
    tags: list[str] = Field(default_factory=list)
    weight: NonNegative = 1.0


class EvalMetadataDocument(SeedModel):
    """eval_metadata.json: the test cases of a skill."""

    skill_name: str
    version: Semver
    test_cases: list[TestCase]


class AssertionResult(SeedModel):
    """One assertion, passed or failed, with how sure the grader is."""

    assertion: str
    result: Literal["pass", "fail"]
    confidence: Literal["high", "medium", "low"]
    evidence: str
    notes: str | None = None


class EvalCritique(SeedModel):
    """What the grader says of the test cases themselves."""

    vague_assertions: list[str]
    missing_coverage: list[str]
    suggested_assertions: list[str]


class Timing(SeedModel):
    """When the run started and ended."""

    start: Timestamp
    end: Timestamp
    duration_seconds: NonNegative


class GradingDocument(SeedModel):
    """grading.json: one run of one test case; `overall_score` is the share that passed."""

    test_case_id: str
    run_id: str
    timestamp: Timestamp
    assertions: list[AssertionResult]
    overall_score: Fraction
    factual_issues: list[str]
    eval_critique: EvalCritique
    timing: Timing


class Scores(SeedModel):
    """The scores of all test cases; `std_dev` is null for a single one."""

    mean: Number
    median: Number
    std_dev: NonNegative | None
    min: Number
    max: Number


class CaseScore(SeedModel):
    """The score of one test case."""

    test_case_id: str
    score: Fraction
    duration_seconds: NonNegative


class BenchmarkEntry(SeedModel):
    """One version of the description, measured."""

    description_version: Count
    description_hash: Sha256
    timestamp: Timestamp
    scores: Scores
    per_test_case: list[CaseScore]
    total_duration_seconds: NonNegative
    num_test_cases: Count


class BenchmarkDocument(SeedModel):
    """benchmark.json: one entry for each version of the description."""

    skill_name: str
    description_version: Count
    created_at: Timestamp
    entries: list[BenchmarkEntry]


class CriterionScores(SeedModel):
    """One criterion, both sides scored 1 to 5, each with its reason."""

    criterion: str
    score_a: Score
    score_b: Score
    justification_a: str
    justification_b: str


class ComparisonDocument(SeedModel):
    """comparison.json: two versions of the description on one test case."""

    comparison_id: str
    timestamp: Timestamp
    version_a: Count
    version_b: Count
    test_case_id: str
    criteria_scores: list[CriterionScores]
    total_score_a: Number
    total_score_b: Number
    winner: Literal["A", "B", "tie"]
    key_differentiators: list[str]
    summary: str


DOCUMENTS: tuple[Document, ...] = (
    Document(
        "eval_metadata",
        EvalMetadataDocument,
        "<skill>/eval/eval_metadata.json",
        "The test cases of a skill.",
    ),
    Document(
        "grading",
        GradingDocument,
        "<skill>/eval/runs/<run-id>/grading/<case>.json",
        "One run of one test case, graded.",
    ),
    Document(
        "benchmark",
        BenchmarkDocument,
        "<skill>/eval/benchmark.json",
        "The scores of each version of the description.",
    ),
    Document(
        "comparison",
        ComparisonDocument,
        "<skill>/eval/comparisons/<comparison-id>.json",
        "Two versions of the description on one test case.",
    ),
)
