"""The documents of the `descriptions` family: assertions, by version of a description."""

from typing import Final

from evalcore.families.base import Documents
from evalcore.shapes import parts
from evalcore.shapes.fields import (
    COUNT,
    FRACTION,
    MEAN_5,
    NUMBER,
    POSITIVE,
    RAW,
    TEXT,
    TEXTS,
    TIME,
    Document,
    Field,
    ListOf,
    Shape,
    Text,
    optional,
)
from evalcore.shapes.judge import COMPARED_BY, JUDGE, JUDGE_TYPE

SEMVER: Final = Text(
    pattern=r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?",
    meaning="a version like 1.0.0",
)
# Tools shorten the digest; what is left is compared as a prefix.
SHA256: Final = Text(pattern="[0-9a-fA-F]{8,64}", meaning="a SHA-256 digest in hexadecimal")
PASS_OR_FAIL: Final = Text(words=("pass", "fail"))
CONFIDENCE: Final = Text(words=("high", "medium", "low"))
WINNER: Final = Text(words=("A", "B", "tie"))

TEST_CASE: Final = Shape(
    "One test case: a prompt and what its output should do; `weight` is 1.0 where it is absent.",
    Field("id", TEXT, "cases.case_id", parts.GRID),
    Field("prompt", TEXT, "cases.prompt", parts.CASE),
    Field("assertions", TEXTS, "criteria.description", parts.DEFINED),
    Field("tags", TEXTS, "cases.tags", parts.GRID, absent=True),
    Field("weight", POSITIVE, "cases.weight", parts.DEFINED, absent=True),
)

EVAL_METADATA: Final = Shape(
    "The test cases of a skill.",
    Field("skill_name", TEXT, "suites.name", parts.OVERVIEW),
    Field("version", SEMVER, RAW, parts.DOCUMENTS),
    Field("test_cases", ListOf(TEST_CASE)),
)

ASSERTION: Final = Shape(
    "One assertion, passed or failed, with how sure the grader is.",
    Field("assertion", TEXT, "judgments.criterion", parts.CRITERIA),
    Field("result", PASS_OR_FAIL, "judgments.passed", parts.CRITERIA),
    Field("confidence", CONFIDENCE, "judgments.confidence_level", parts.CRITERIA),
    Field("evidence", TEXT, "judgments.evidence", parts.CRITERIA),
    optional("notes", TEXT, "notes.text", parts.NOTES),
)

CRITIQUE: Final = Shape(
    "What the grader says of the test cases themselves.",
    Field("vague_assertions", TEXTS, "feedback.text", parts.FEEDBACK),
    Field("missing_coverage", TEXTS, "feedback.text", parts.FEEDBACK),
    Field("suggested_assertions", TEXTS, "feedback.text", parts.FEEDBACK),
)

TIMING: Final = Shape(
    "When the run started and ended.",
    Field("start", TIME, "runs.started_at", parts.RUN),
    Field("end", TIME, RAW, parts.DOCUMENT),
    Field("duration_seconds", POSITIVE, "runs.duration_s", parts.RUN),
)

GRADING: Final = Shape(
    "One run of one test case, graded.",
    Field("test_case_id", TEXT, "runs.case_id", parts.GRID),
    Field("run_id", TEXT, "runs.run", parts.GRID),
    Field("timestamp", TIME, "judgments.judged_at", parts.CRITERIA),
    Field("assertions", ListOf(ASSERTION)),
    Field("overall_score", FRACTION, "runs.fraction", parts.RUN),
    Field("factual_issues", TEXTS, "notes.text", parts.NOTES),
    Field("eval_critique", CRITIQUE),
    Field("timing", TIMING),
    JUDGE,
    JUDGE_TYPE,
)
"""`overall_score` is the share of assertions that passed."""

SCORES: Final = Shape(
    "The scores of all test cases; `std_dev` is null for a single one.",
    Field("mean", NUMBER, "benchmarks.mean", parts.ABOUT),
    Field("median", NUMBER, "benchmarks.median", parts.ABOUT),
    Field("std_dev", POSITIVE, "benchmarks.stddev", parts.ABOUT, null=True),
    Field("min", NUMBER, "benchmarks.min", parts.ABOUT),
    Field("max", NUMBER, "benchmarks.max", parts.ABOUT),
)

CASE_SCORE: Final = Shape(
    "The score of one test case.",
    Field("test_case_id", TEXT, "benchmarks.case_id", parts.DOCUMENTS),
    Field("score", FRACTION, "benchmarks.mean", parts.DOCUMENTS),
    Field("duration_seconds", POSITIVE, "benchmarks.mean", parts.DOCUMENTS),
)

ENTRY: Final = Shape(
    "One version of the description, measured.",
    Field("description_version", COUNT, "versions.version", parts.OVERVIEW),
    Field("description_hash", SHA256, "versions.content_hash", parts.OVERVIEW),
    Field("timestamp", TIME, "versions.created_at", parts.OVERVIEW),
    Field("scores", SCORES),
    Field("per_test_case", ListOf(CASE_SCORE)),
    Field("total_duration_seconds", POSITIVE, "benchmarks.mean", parts.ABOUT),
    Field("num_test_cases", COUNT, "benchmarks.n", parts.ABOUT),
)

BENCHMARK: Final = Shape(
    "The scores of each version of the description.",
    Field("skill_name", TEXT, "suites.name", parts.OVERVIEW),
    Field("description_version", COUNT, "versions.is_current", parts.OVERVIEW),
    Field("created_at", TIME, RAW, parts.DOCUMENTS),
    Field("entries", ListOf(ENTRY)),
)

CRITERION_SCORES: Final = Shape(
    "One criterion, both sides scored 1 to 5, each with its reason.",
    Field("criterion", TEXT, "comparison_scores.criterion", parts.COMPARISONS),
    Field("score_a", MEAN_5, "comparison_scores.score_a", parts.COMPARISONS),
    Field("score_b", MEAN_5, "comparison_scores.score_b", parts.COMPARISONS),
    Field("justification_a", TEXT, "comparison_scores.justification_a", parts.COMPARISONS),
    Field("justification_b", TEXT, "comparison_scores.justification_b", parts.COMPARISONS),
)

COMPARISON: Final = Shape(
    "Two versions of the description on one test case.",
    Field("comparison_id", TEXT, "comparisons.comparison_id", parts.COMPARISONS),
    Field("timestamp", TIME, "comparisons.compared_at", parts.COMPARISONS),
    Field("version_a", COUNT, "comparisons.version_a", parts.COMPARISONS),
    Field("version_b", COUNT, "comparisons.version_b", parts.COMPARISONS),
    Field("test_case_id", TEXT, "comparisons.case_id", parts.COMPARISONS),
    Field("criteria_scores", ListOf(CRITERION_SCORES)),
    Field("total_score_a", NUMBER, "comparisons.total_a", parts.COMPARISONS),
    Field("total_score_b", NUMBER, "comparisons.total_b", parts.COMPARISONS),
    Field("winner", WINNER, "comparisons.winner", parts.COMPARISONS),
    Field("key_differentiators", TEXTS, "analyses.reasoning", parts.COMPARISONS),
    Field("summary", TEXT, "comparisons.summary", parts.COMPARISONS),
    *COMPARED_BY,
)

DOCUMENTS: Final = Documents(
    (
        Document("eval_metadata", EVAL_METADATA, "<skill>/eval/eval_metadata.json"),
        Document("grading", GRADING, "<skill>/eval/runs/<run-id>/grading/<case>.json"),
        Document("benchmark", BENCHMARK, "<skill>/eval/benchmark.json"),
        Document("comparison", COMPARISON, "<skill>/eval/comparisons/<comparison-id>.json"),
    )
)
