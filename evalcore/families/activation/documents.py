"""The documents of the `activation` family: queries, and whether a skill answers them."""

from typing import Final

from evalcore.names import SHOULD_TRIGGER
from evalcore.shapes import parts
from evalcore.shapes.fields import (
    COUNT,
    FLAG,
    FRACTION,
    FROM_1,
    RAW,
    TEXT,
    TEXTS,
    Document,
    Either,
    Field,
    ListOf,
    Shape,
    Text,
)

QUERIES: Final = (
    "prompt", "user_query", "user_prompt", "question", "utterance", "text", "input",
)  # fmt: skip
TAGS: Final = ("tags", "type", "topic")

QUERY: Final = Shape(
    "One query of a trigger set: what a person asks, and whether the skill should be activated.",
    Field("query", Text(blank=False), "cases.prompt", parts.CASE, aliases=QUERIES),
    Field("should_trigger", FLAG, "cases.expected", parts.CASE, aliases=SHOULD_TRIGGER[1:]),
    Field("id", Either(COUNT), "cases.case_id", parts.GRID, absent=True),
    Field("category", Either(TEXTS), "cases.tags", parts.GRID, aliases=TAGS, absent=True),
    Field("skill", TEXT, "cases.tags", parts.GRID, aliases=("skill_name",), absent=True),
)

TRIGGERS: Final = ("trigger_count", "triggered_count", "activations")
RUNS: Final = ("run_count", "trials", "n_runs", "total_runs")
ERRORED: Final = ("errors", "error_count", "errored_runs", "crashed")
TRIGGERED: Final = (
    "activated", "did_trigger", "actual", "actual_trigger", "predicted", "decision",
    "was_triggered",
)  # fmt: skip

RESULT: Final = QUERY.with_fields(
    "One query with how many of its runs activated the skill.",
    Field("trigger_rate", FRACTION, "runs.activated", parts.GRID),
    Field("triggers", COUNT, "runs.activated", parts.GRID, aliases=TRIGGERS),
    Field("runs", COUNT, "runs.run", parts.GRID, aliases=RUNS),
    Field("errored", COUNT, "runs.status", parts.GRID, aliases=ERRORED, absent=True),
    Field("pass", FLAG, RAW, parts.DOCUMENT, aliases=("passed",)),
    Field("triggered", FLAG, "runs.activated", parts.GRID, aliases=TRIGGERED, absent=True),
    Field(
        "reasons",
        TEXTS,
        "judgments.rationale",
        parts.CRITERIA,
        aliases=("reason", "rationale"),
        absent=True,
    ),
)

SUMMARY: Final = Shape(
    "How many queries were answered as expected, at the tool's own threshold.",
    Field("total", COUNT, "benchmarks.n", parts.ABOUT),
    Field("passed", COUNT, "benchmarks.mean", parts.ABOUT),
    Field("failed", COUNT, RAW, parts.DOCUMENT),
)

RESULTS: Final = Shape(
    "Every query asked with one description of the skill.",
    Field("skill_name", TEXT, "suites.name", parts.OVERVIEW),
    Field("description", TEXT, "versions.description", parts.OVERVIEW),
    Field("results", ListOf(RESULT)),
    Field("summary", SUMMARY),
)

ATTEMPT: Final = Shape(
    "One description of an optimisation; `test` is held out from whoever writes the next one.",
    Field("iteration", FROM_1, "versions.version", parts.OVERVIEW),
    Field("description", TEXT, "versions.description", parts.OVERVIEW),
    Field("train_passed", COUNT, "benchmarks.mean", parts.ABOUT),
    Field("train_failed", COUNT, RAW, parts.DOCUMENT),
    Field("train_total", COUNT, "benchmarks.n", parts.ABOUT),
    Field("train_results", ListOf(RESULT)),
    Field("test_passed", COUNT, "benchmarks.mean", parts.ABOUT, null=True),
    Field("test_failed", COUNT, RAW, parts.DOCUMENT, null=True),
    Field("test_total", COUNT, "benchmarks.n", parts.ABOUT, null=True),
    Field("test_results", ListOf(RESULT), null=True),
    Field("passed", COUNT, RAW, parts.DOCUMENT, absent=True),
    Field("failed", COUNT, RAW, parts.DOCUMENT, absent=True),
    Field("total", COUNT, RAW, parts.DOCUMENT, absent=True),
    Field("results", ListOf(RESULT), absent=True),
)

LOOP: Final = Shape(
    "The descriptions that were tried one after the other, each with its results.",
    Field("exit_reason", TEXT, RAW, parts.DOCUMENTS),
    Field("original_description", TEXT, RAW, parts.DOCUMENTS),
    Field("best_description", TEXT, RAW, parts.DOCUMENTS),
    Field("best_score", TEXT, RAW, parts.DOCUMENTS),
    Field("best_train_score", TEXT, RAW, parts.DOCUMENTS),
    Field("best_test_score", TEXT, RAW, parts.DOCUMENTS, null=True),
    Field("final_description", TEXT, RAW, parts.DOCUMENTS),
    Field("iterations_run", COUNT, RAW, parts.DOCUMENTS),
    Field("holdout", FRACTION, RAW, parts.DOCUMENTS),
    Field("train_size", COUNT, RAW, parts.DOCUMENTS),
    Field("test_size", COUNT, RAW, parts.DOCUMENTS),
    Field("history", ListOf(ATTEMPT)),
)

KINDS: Final = (
    Document("trigger_set", QUERY, "<skill>/evals/trigger-eval.json"),
    Document("trigger_results", RESULTS, "<skill>/evals/trigger-results.json"),
    Document("trigger_loop", LOOP, "<results>/<time>/results.json"),
)
