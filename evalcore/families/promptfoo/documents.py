"""The documents of the `promptfoo` family, as promptfoo's own types describe them."""

from typing import Final

from evalcore.families.base import Documents
from evalcore.families.promptfoo.exports import EXPORT, LINES, TABLE
from evalcore.shapes import parts
from evalcore.shapes.fields import (
    ANYTHING,
    COUNT,
    FLAG,
    NUMBER,
    OBJECT,
    POSITIVE,
    RAW,
    TEXT,
    TIME,
    Document,
    Field,
    ListOf,
    MapOf,
    Shape,
    optional,
)

ASSERTION: Final = Shape(
    "What was asserted.",
    Field("type", TEXT, "judgments.judge_type, criteria.description", parts.CRITERIA),
    optional("value", ANYTHING, "criteria.criterion, criteria.description", parts.CRITERIA),
    optional("metric", TEXT, "criteria.criterion", parts.CRITERIA),
    optional("weight", NUMBER, "criteria.weight", parts.DEFINED),
    optional("threshold", NUMBER, "criteria.description", parts.CRITERIA),
    optional("provider", ANYTHING, "judgments.judge", parts.CRITERIA),
)
COMPONENT: Final = Shape(
    "What came of one assertion.",
    Field("pass", FLAG, "judgments.passed", parts.CRITERIA),
    Field("score", NUMBER, "judgments.score", parts.CRITERIA),
    optional("reason", TEXT, "judgments.rationale", parts.CRITERIA),
    optional("comment", TEXT, "judgments.rationale", parts.CRITERIA),
    optional("assertion", ASSERTION),
)
GRADING: Final = COMPONENT.with_fields(
    "The checks of an output.",
    optional("comment", TEXT, "notes.text", parts.NOTES),
    optional("componentResults", ListOf(COMPONENT)),
)
TEST: Final = Shape(
    "A test case.",
    optional("description", TEXT, "cases.name", parts.GRID),
    optional("vars", OBJECT, "cases.prompt", parts.CASE),
    optional("threshold", NUMBER, "criteria.required", parts.DEFINED),
)
CELL: Final = Shape(
    "One output of a table.",
    Field("score", NUMBER, "runs.score", parts.RUN),
    optional("pass", FLAG, "runs.passed", parts.RUN),
    optional("text", ANYTHING, "runs.outputs", parts.OUTPUTS),
    optional("latencyMs", POSITIVE, "runs.duration_s", parts.RUN),
    optional("cost", POSITIVE, "runs.cost_usd", parts.RUN),
    optional("error", TEXT, "notes.text", parts.NOTES),
    optional("failureReason", COUNT, "runs.status", parts.GRID),
    optional("gradingResult", GRADING),
    optional("namedScores", MapOf(NUMBER), "judgments.score", parts.CRITERIA),
    optional("tokenUsage", OBJECT, "runs.tokens", parts.RUN),
    optional("provider", ANYTHING, "runs.configuration, runs.model", parts.GRID),
)
RESULT: Final = CELL.with_fields(
    "One output of one prompt with one provider for one test case.",
    Field("testIdx", COUNT, "runs.run", parts.GRID),
    Field("promptIdx", COUNT, "runs.configuration", parts.GRID),
    Field("success", FLAG, "runs.passed", parts.RUN),
    optional("testCase", TEST),
    optional("prompt", OBJECT, "runs.configuration", parts.GRID),
    optional("response", OBJECT, "runs.outputs", parts.OUTPUTS),
)
PROMPT: Final = Shape(
    "A prompt with a provider.",
    Field("raw", TEXT, "versions.description", parts.OVERVIEW),
    optional("label", TEXT, "runs.configuration", parts.GRID),
)
ROW: Final = Shape("One test case.", Field("outputs", ListOf(CELL)), optional("test", TEST))
HEAD: Final = Shape("Columns.", Field("prompts", ListOf(PROMPT)))
GRID: Final = Shape("All outputs.", Field("head", HEAD), Field("body", ListOf(ROW)))


def _file(about: str, *results: Field) -> Shape:
    """Return the shape of a file with results."""
    timestamp = optional("timestamp", TIME, "versions.created_at", parts.OVERVIEW)
    stats = optional("stats", OBJECT, RAW, parts.DOCUMENTS)
    return Shape(
        about,
        Field("results", Shape("All results.", timestamp, *results, stats)),
        optional("evalId", TEXT, "versions.version", parts.OVERVIEW),
        optional("config", OBJECT, "suites.name", parts.OVERVIEW),
        optional("metadata", OBJECT, "versions.created_at", parts.OVERVIEW),
    )


LISTED: Final = (optional("prompts", ListOf(PROMPT)), Field("results", ListOf(RESULT)))
DOCUMENTS: Final = Documents(
    (
        Document(EXPORT, _file("An evaluation of version 3.", *LISTED), "<name>.json"),
        Document(TABLE, _file("One of version 2.", Field("table", GRID)), "<name>.json"),
        Document(LINES, RESULT, "<name>.jsonl"),
    ),
    loose=True,
)
