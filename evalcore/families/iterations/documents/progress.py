"""How an improvement goes, as `iterations` writes it: feedback.json and history.json."""

from typing import Final

from evalcore.shapes import parts
from evalcore.shapes.fields import (
    FLAG,
    FRACTION,
    RAW,
    TEXT,
    TIME,
    Field,
    ListOf,
    Shape,
    Text,
)

REVIEW: Final = Shape(
    "What a reader wrote about one run; an empty text means nothing to say.",
    Field("run_id", TEXT, "feedback.run_id", parts.FEEDBACK),
    Field("feedback", TEXT, "feedback.text", parts.FEEDBACK),
    Field("timestamp", TEXT, "feedback.created_at", parts.FEEDBACK),
)

FEEDBACK: Final = Shape(
    "What a reader wrote about the runs of one iteration.",
    Field("reviews", ListOf(REVIEW)),
    Field("status", Text(words=("in_progress", "complete")), RAW, parts.DOCUMENTS),
)

OUTCOME: Final = Text(words=("baseline", "won", "lost", "tie"))

ITERATION: Final = Shape(
    "One version, its parent, and how it did against it.",
    Field("version", TEXT, "versions.version", parts.OVERVIEW),
    Field("parent", TEXT, "versions.description", parts.OVERVIEW, null=True),
    Field("expectation_pass_rate", FRACTION, "versions.stored_score", parts.OVERVIEW, null=True),
    Field("grading_result", OUTCOME, "versions.description", parts.OVERVIEW),
    Field("is_current_best", FLAG, "versions.is_current", parts.OVERVIEW),
)

HISTORY: Final = Shape(
    "The versions of a skill and the best of them.",
    Field("started_at", TIME, RAW, parts.DOCUMENTS),
    Field("skill_name", TEXT, RAW, parts.DOCUMENTS),
    Field("current_best", TEXT, "versions.is_current", parts.OVERVIEW),
    Field("iterations", ListOf(ITERATION)),
)
