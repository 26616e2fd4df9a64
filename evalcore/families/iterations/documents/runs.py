"""One run, as `iterations` writes it: grading.json and timing.json."""

from typing import Final

from evalcore.names import EVIDENCE, ITEMS, VERDICT, WORDING
from evalcore.shapes import judge, parts
from evalcore.shapes.fields import (
    COUNT,
    FLAG,
    FRACTION,
    POSITIVE,
    RAW,
    TEXT,
    TEXTS,
    TIME,
    Either,
    Field,
    ListOf,
    MapOf,
    Shape,
)

EXPECTATION: Final = Shape(
    "One expectation, passed or failed, with the evidence for it.",
    Field("text", TEXT, "judgments.criterion", parts.CRITERIA, WORDING[1:]),
    Field("passed", FLAG, "judgments.passed", parts.CRITERIA, VERDICT[1:]),
    Field("evidence", TEXT, "judgments.evidence", parts.CRITERIA, EVIDENCE[1:]),
)

SUMMARY: Final = Shape(
    "How many of the checks passed; `pass_rate` is 0 to 1.",
    Field("passed", COUNT, "runs.checks_passed", parts.RUN),
    Field("failed", COUNT, RAW, parts.DOCUMENT),
    Field("total", COUNT, "runs.checks_total", parts.RUN),
    Field("pass_rate", FRACTION, "runs.fraction", parts.RUN),
)

METRICS: Final = Shape(
    "What the executor did: calls by tool, steps, errors, and characters written.",
    Field("tool_calls", MapOf(COUNT), RAW, parts.DOCUMENT, absent=True),
    Field("total_tool_calls", COUNT, RAW, parts.DOCUMENT, absent=True, null=True),
    Field("total_steps", COUNT, RAW, parts.DOCUMENT, absent=True, null=True),
    Field("files_created", TEXTS, RAW, parts.DOCUMENT, absent=True),
    Field("errors_encountered", COUNT, RAW, parts.DOCUMENT, absent=True, null=True),
    Field("output_chars", COUNT, RAW, parts.DOCUMENT, absent=True, null=True),
    Field("transcript_chars", COUNT, RAW, parts.DOCUMENT, absent=True, null=True),
)

EXECUTOR_SECONDS: Final = Field(
    "executor_duration_seconds", POSITIVE, RAW, parts.DOCUMENT, absent=True, null=True
)
GRADER_SECONDS: Final = Field(
    "grader_duration_seconds", POSITIVE, RAW, parts.DOCUMENT, absent=True, null=True
)
TOTAL_SECONDS: Final = Field(
    "total_duration_seconds", POSITIVE, "runs.duration_s", parts.RUN, absent=True, null=True
)

RUN_TIMING: Final = Shape(
    "Seconds that the executor and the grader took.",
    EXECUTOR_SECONDS,
    GRADER_SECONDS,
    TOTAL_SECONDS,
)

CLAIM: Final = Shape(
    "Something the executor said of its work, its kind, and whether it holds.",
    Field("claim", TEXT, "claims.claim", parts.CLAIMS),
    Field("type", TEXT, "claims.type", parts.CLAIMS),
    Field("verified", FLAG, "claims.verified", parts.CLAIMS),
    Field("evidence", TEXT, "claims.evidence", parts.CLAIMS),
)

USER_NOTES: Final = Shape(
    "What the executor was not sure of, wants looked at, or worked around.",
    Field("uncertainties", TEXTS, "notes.text", parts.NOTES, absent=True),
    Field("needs_review", TEXTS, "notes.text", parts.NOTES, absent=True),
    Field("workarounds", TEXTS, "notes.text", parts.NOTES, absent=True),
)

SUGGESTION: Final = Shape(
    "A way to make the evals better; without `assertion` it is about all of them.",
    Field("assertion", TEXT, "feedback.target", parts.FEEDBACK, absent=True, null=True),
    Field("reason", TEXT, "feedback.text", parts.FEEDBACK),
)

EVAL_FEEDBACK: Final = Shape(
    "What the grader says of the evals themselves.",
    Field("suggestions", ListOf(SUGGESTION), absent=True),
    Field("overall", TEXT, "feedback.text", parts.FEEDBACK, absent=True, null=True),
)

NOTES: Final = Field(
    "user_notes_summary", Either(USER_NOTES), "notes.text", parts.NOTES, absent=True, null=True
)
FEEDBACK: Final = Field(
    "eval_feedback", Either(EVAL_FEEDBACK), "feedback.text", parts.FEEDBACK, absent=True, null=True
)

JUDGE_NAMES: Final = (
    "grader", "judge_model", "grader_model", "judged_by", "graded_by",
)  # fmt: skip
JUDGE: Final = judge.JUDGE._replace(aliases=JUDGE_NAMES)

GRADING: Final = Shape(
    "The expectations of one run, graded.",
    Field("expectations", ListOf(EXPECTATION), aliases=ITEMS[1:]),
    Field("summary", SUMMARY),
    JUDGE,
    judge.JUDGE_TYPE,
    Field("execution_metrics", METRICS, absent=True, null=True),
    Field("timing", RUN_TIMING, absent=True, null=True),
    Field("claims", ListOf(CLAIM), absent=True),
    NOTES,
    FEEDBACK,
)
"""What the executor did not supply is absent."""

TIMING: Final = Shape(
    "Tokens and wall clock of one run.",
    Field("total_tokens", COUNT, "runs.tokens", parts.RUN, null=True),
    Field("duration_ms", POSITIVE, "runs.duration_s", parts.RUN, null=True),
    TOTAL_SECONDS,
    Field("executor_start", TIME, "runs.started_at", parts.RUN, absent=True, null=True),
    Field("executor_end", TIME, RAW, parts.DOCUMENT, absent=True, null=True),
    EXECUTOR_SECONDS,
    Field("grader_start", TIME, RAW, parts.DOCUMENT, absent=True, null=True),
    Field("grader_end", TIME, RAW, parts.DOCUMENT, absent=True, null=True),
    GRADER_SECONDS,
)
"""What was not measured is null."""
