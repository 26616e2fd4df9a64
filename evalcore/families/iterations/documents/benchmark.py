"""The runs of one iteration side by side, as `iterations` sums them up: benchmark.json."""

from typing import Final

from evalcore.families.iterations.documents.runs import EXPECTATION
from evalcore.shapes import parts
from evalcore.shapes.fields import (
    COUNT,
    FRACTION,
    FROM_1,
    NUMBER,
    POSITIVE,
    RAW,
    TEXT,
    TEXTS,
    TIME,
    WHOLE,
    Either,
    Field,
    ListOf,
    Shape,
)

METADATA: Final = Shape(
    "What was run: the skill, the models, the evals and how often each.",
    Field("skill_name", TEXT, RAW, parts.DOCUMENTS),
    Field("skill_path", TEXT, RAW, parts.DOCUMENTS, absent=True, null=True),
    Field("executor_model", TEXT, "runs.model", parts.RUN, absent=True, null=True),
    Field("analyzer_model", TEXT, RAW, parts.DOCUMENTS, absent=True, null=True),
    Field("timestamp", TIME, "versions.created_at", parts.OVERVIEW),
    Field("evals_run", ListOf(Either(WHOLE)), RAW, parts.DOCUMENTS),
    Field("runs_per_configuration", FROM_1, "versions.runs_per_case", parts.OVERVIEW),
)

RUN_RESULT: Final = Shape(
    "The numbers of one run; 0 seconds or tokens mean that they were not measured.",
    Field("pass_rate", FRACTION, "runs.fraction", parts.RUN),
    Field("passed", COUNT, "runs.checks_passed", parts.RUN),
    Field("failed", COUNT, RAW, parts.DOCUMENT),
    Field("total", COUNT, "runs.checks_total", parts.RUN),
    Field("time_seconds", POSITIVE, "runs.duration_s", parts.RUN, absent=True, null=True),
    Field("tokens", POSITIVE, "runs.tokens", parts.RUN, absent=True, null=True),
    Field("tool_calls", COUNT, RAW, parts.DOCUMENT, absent=True, null=True),
    Field("errors", COUNT, RAW, parts.DOCUMENT, absent=True, null=True),
)

BENCHMARK_RUN: Final = Shape(
    "One run of one eval in one configuration.",
    Field("eval_id", WHOLE, "runs.case_id", parts.GRID),
    Field("eval_name", TEXT, "cases.name", parts.GRID, absent=True, null=True),
    Field("configuration", TEXT, "runs.configuration", parts.GRID),
    Field("run_number", FROM_1, "runs.run", parts.GRID),
    Field("result", RUN_RESULT),
    Field("expectations", ListOf(EXPECTATION), absent=True),
    Field("notes", TEXTS, "notes.text", parts.NOTES, absent=True),
)

STATISTIC: Final = Shape(
    "A metric over runs; `stddev` is null for a single run.",
    Field("mean", NUMBER, "benchmarks.mean", parts.ABOUT),
    Field("stddev", POSITIVE, "benchmarks.stddev", parts.ABOUT, null=True),
    Field("min", NUMBER, "benchmarks.min", parts.ABOUT, absent=True, null=True),
    Field("max", NUMBER, "benchmarks.max", parts.ABOUT, absent=True, null=True),
)

CONFIGURATION: Final = Shape(
    "The metrics of one configuration.",
    Field("pass_rate", STATISTIC),
    Field("time_seconds", STATISTIC, absent=True, null=True),
    Field("tokens", STATISTIC, absent=True, null=True),
)

DIFFERENCE: Final = "benchmarks.mean, benchmarks.text"

DELTA: Final = Shape(
    'The first configuration minus the second, as signed text like "+0.50".',
    Field("pass_rate", TEXT, DIFFERENCE, parts.ABOUT, absent=True, null=True),
    Field("time_seconds", TEXT, DIFFERENCE, parts.ABOUT, absent=True, null=True),
    Field("tokens", TEXT, DIFFERENCE, parts.ABOUT, absent=True, null=True),
)

RUN_SUMMARY: Final = Shape(
    "The configurations by name, and the difference between the first two.",
    Field("delta", DELTA, absent=True, null=True),
    others=Field("*", CONFIGURATION, "benchmarks.configuration", parts.ABOUT),
)

BENCHMARK: Final = Shape(
    "The runs of one iteration, side by side and summed up.",
    Field("metadata", METADATA, absent=True, null=True),
    Field("runs", ListOf(BENCHMARK_RUN), absent=True),
    Field("run_summary", RUN_SUMMARY),
    Field("notes", TEXTS, "notes.text", parts.ABOUT, absent=True),
)
