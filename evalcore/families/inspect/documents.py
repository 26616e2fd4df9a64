"""The documents of the `inspect` family: a log with its samples, whichever file holds it."""

from typing import Final

from evalcore.families.base import Documents
from evalcore.shapes import parts
from evalcore.shapes.fields import (
    ANYTHING,
    COUNT,
    FROM_1,
    OBJECT,
    RAW,
    TEXT,
    TIME,
    Document,
    Either,
    Field,
    ListOf,
    MapOf,
    Shape,
    Text,
    optional,
)

EDIT: Final = Shape(
    "A score before an edit, or an edit of it: `provenance` says by whom.",
    optional("value", ANYTHING, "judgments.score", parts.CRITERIA),
    optional("provenance", OBJECT, "judgments.judge, judgments.judged_at", parts.CRITERIA),
)

SCORE: Final = Shape(
    "What a scorer says of a sample: C, I, P or N, a number, a flag, or several of them by name.",
    Field("value", ANYTHING, "judgments.score", parts.CRITERIA, null=True),
    optional("answer", TEXT, "judgments.evidence", parts.CRITERIA),
    optional("explanation", TEXT, "judgments.rationale", parts.CRITERIA),
    optional("metadata", OBJECT, "judgments.judge_type", parts.CRITERIA),
    optional("history", ListOf(EDIT), "judgments.judge", parts.CRITERIA),
)

SAMPLE: Final = Shape(
    "One epoch of one sample; `messages` tell its steps. Its summary lacks messages and output.",
    Field("id", Either(COUNT), "cases.case_id", parts.GRID),
    Field("epoch", FROM_1, "runs.run", parts.GRID),
    Field("input", Either(ListOf(OBJECT)), "cases.prompt", parts.CASE),
    Field("target", Either(ListOf(TEXT)), "cases.expected", parts.CASE),
    optional("choices", ListOf(TEXT), "cases.prompt", parts.CASE),
    optional("description", TEXT, "cases.name", parts.GRID),
    optional("metadata", OBJECT, "cases.tags", parts.GRID),
    optional("scores", MapOf(SCORE), "criteria.criterion", parts.CRITERIA),
    optional("messages", ListOf(OBJECT), RAW, parts.RUN),
    optional("output", OBJECT, "runs.outputs", parts.OUTPUTS),
    optional("model_usage", OBJECT, "runs.tokens, runs.cost_usd", parts.RUN),
    optional("started_at", TIME, "runs.started_at", parts.RUN),
    optional("total_time", ANYTHING, "runs.duration_s", parts.RUN),
    optional("error", Either(OBJECT), "runs.status, notes.text", parts.NOTES),
    optional("limit", Either(OBJECT), "runs.status, notes.text", parts.NOTES),
    optional("invalidation", OBJECT, RAW, parts.DOCUMENT),
)

EVAL: Final = Shape(
    "What was started: the task, the model, and the run that it belongs to.",
    Field("task", TEXT, "suites.suite", parts.OVERVIEW),
    Field("model", TEXT, "runs.configuration, runs.model", parts.GRID),
    Field("created", TIME, "versions.version, versions.created_at", parts.OVERVIEW),
    optional("run_id", TEXT, "versions.version", parts.OVERVIEW),
    optional("tags", ListOf(TEXT), "versions.description", parts.OVERVIEW),
    optional("task_args", OBJECT, "runs.configuration", parts.GRID),
    optional("revision", OBJECT, "versions.git_hash", parts.OVERVIEW),
    optional("packages", OBJECT, "runs.executor", parts.RUN),
    optional("scorers", ListOf(OBJECT), RAW, parts.DOCUMENT),
)

LOG: Final = Shape(
    "A log: its header, and its samples, which `.eval` has in entries of their own.",
    Field("version", COUNT, RAW, parts.DOCUMENT),
    Field("status", Text(), RAW, parts.DOCUMENT),
    Field("eval", EVAL),
    optional("results", OBJECT, RAW, parts.DOCUMENT),
    optional("samples", ListOf(SAMPLE)),
)

DOCUMENTS: Final = Documents(
    (Document("log", LOG, "<any folder>/<time>_<task>_<id>.eval"),), loose=True, nan=True
)
